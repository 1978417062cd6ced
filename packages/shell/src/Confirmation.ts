/**
 * Asks for confirmation before something is destroyed: on a terminal only.
 */
import * as Options from "@effect/cli/Options"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Terminal from "./Terminal.ts"

/** A destructive command without confirmation. */
export class Unconfirmed extends Data.TaggedError("Unconfirmed")<{ readonly action: string }> {
  override get message(): string {
    return `Not confirmed: ${this.action}. Add --yes to confirm without a prompt.`
  }
}

/** The flag that confirms in advance. */
export const option: Options.Options<boolean> = Options.boolean("yes").pipe(
  Options.withAlias("y"),
  Options.withDescription("Confirmation without a prompt; required where there is no terminal.")
)

/** Continues once the action is confirmed. `action` completes a question: `delete holiday hol_1`. */
export const need = (action: string, isConfirmed: boolean): Effect.Effect<void, Unconfirmed> => {
  if (isConfirmed) return Effect.void
  if (!Terminal.canAsk()) return Effect.fail(new Unconfirmed({ action }))
  return Effect.flatMap(Terminal.ask(`Really ${action}? [y/N] `), (answer) =>
    /^y(es)?$/i.test(answer) ? Effect.void : Effect.fail(new Unconfirmed({ action }))
  )
}
