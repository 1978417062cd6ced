/**
 * Asking before something is destroyed: on a terminal, and nowhere else.
 */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { Unconfirmed } from "./CliError.ts"
import * as Screen from "./Screen.ts"

/** The option that answers yes beforehand. */
export const option: Options.Options<boolean> = Options.boolean("yes").pipe(
  Options.withAlias("y"),
  Options.withDescription("Do it without being asked; needed where nobody can be.")
)

/** Goes on when somebody says yes. `action` says what would be done: `delete holiday hol_1`. */
export const need = (action: string, isSaid: boolean): Effect.Effect<void, Unconfirmed> => {
  if (isSaid) return Effect.void
  if (!Screen.canAsk()) return Effect.fail(new Unconfirmed({ action }))
  return Effect.flatMap(Screen.ask(`Really ${action}? [y/N] `), (answer) =>
    /^y(es)?$/i.test(answer) ? Effect.void : Effect.fail(new Unconfirmed({ action }))
  )
}
