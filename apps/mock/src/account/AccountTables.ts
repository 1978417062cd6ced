/**
 * The tables behind the operations, on any store: one statement reads, or one changes.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Rows } from "../sql/Change.ts"
import { type Fragment, render } from "../sql/Statement.ts"
import type { Store, StoreUnavailable } from "../store/Store.ts"

export interface Tables {
  readonly read: (statement: Fragment) => Effect.Effect<Rows, StoreUnavailable>
  /** Answers what the statement returns, when it is durable. */
  readonly change: (statement: Fragment) => Effect.Effect<Rows, StoreUnavailable>
}

/** The tables of a store. */
export const make = (store: Store["Type"]): Tables => ({
  read: (statement) => store.read(render(statement, store.dialect)),
  change: (statement) =>
    store
      .change({
        steps: [{ _tag: "Run", statement: render(statement, store.dialect) }],
        settle: ([rows = []]) => Either.right(rows)
      })
      // No statement here breaks a constraint, whatever a caller sends.
      .pipe(Effect.catchTag("Refused", Effect.die))
})
