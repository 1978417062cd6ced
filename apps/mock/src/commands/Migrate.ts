/**
 * `mfg-mock migrate`: migrates a store to this version, and changes its rules.
 */
import * as Command from "@effect/cli/Command"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { storeName } from "../Settings.ts"
import * as AdminTarget from "./AdminTarget.ts"
import * as Flags from "./Flags.ts"

const flags = Flags.options(["store", "rules"])

const command = Command.make("migrate", { flags }, ({ flags }) =>
  Effect.gen(function* () {
    const settings = yield* Flags.resolve(["store", "rules"], flags)
    // The flag changes the rules; the variable is for new stores.
    const changesRules = Option.isSome(flags["rules"] ?? Option.none())
    const rules = yield* AdminTarget.alone(settings, ({ refresh, rules, store }) =>
      Effect.gen(function* () {
        if (changesRules) yield* store.switchRules(settings.rules)
        yield* refresh
        return rules()
      })
    )
    yield* Terminal.note(`The store ${storeName(settings.store)} is up to date, rules ${rules}.`)
  })
).pipe(
  Command.withDescription(
    "Migrate a store to this version. --rules changes its rules, or lists the rows that violate them. " +
      "For example: mfg-mock migrate --rules public"
  )
)

export const program: Program.Program = Program.make(command)
