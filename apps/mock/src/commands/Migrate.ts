/**
 * `mfg-mock migrate`: brings a store to this version, and puts other rules in force.
 */
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { storeName } from "../Settings.ts"
import * as Flags from "./Flags.ts"
import * as AdminTarget from "./AdminTarget.ts"

const flags = Flags.options(["store", "rules"])

export const command = Command.make("migrate", { flags }, ({ flags }) =>
  Effect.gen(function* () {
    const known = yield* Flags.resolve(["store", "rules"], flags)
    // Only the flag is an order; a variable says what new stores get.
    const isOrdered = Option.isSome(flags["rules"] ?? Option.none())
    const rules = yield* AdminTarget.alone(known, ({ refresh, rules, store }) =>
      Effect.gen(function* () {
        if (isOrdered) yield* store.switchRules(known.rules)
        yield* refresh
        return rules()
      })
    )
    yield* Console.error(`The store ${storeName(known.store)} is up to date, rules ${rules}.`)
  })
).pipe(
  Command.withDescription(
    "Brings a store to this version. With --rules it puts these in force, or lists the rows that stand against them. " +
      "For example: mfg-mock migrate --rules public"
  )
)
