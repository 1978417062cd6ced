/**
 * Adds the header `Mfg-Cost` to responses: the class of the work, the rows looked at where they are known, and the
 * milliseconds that it took.
 */
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Exchange from "../../Exchange.ts"
import * as SyncEffect from "../../world/SyncEffect.ts"
import type { Cost } from "../cost/Cost.ts"

/** Performs the work of a response, and adds its cost. */
export const measured = <E>(
  { class: name, known }: Pick<Cost, "class" | "known">,
  perform: () => Effect.Effect<Exchange.Response, E>
): Effect.Effect<Exchange.Response, E> => {
  const startMillis = performance.now()
  return SyncEffect.andThen(
    perform(),
    Exit.map(({ body, headers, status }): Exchange.Response => {
      const rows = known === undefined ? "" : `;rows=${known}`
      const cost = `${name}${rows};ms=${(performance.now() - startMillis).toFixed(1)}`
      return { status, headers: { ...headers, "Mfg-Cost": cost }, body }
    })
  )
}
