/**
 * `mfg-mock migrate`: migrates a store to this version, and changes its rules or its secret key.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Settings from "../Settings.ts"
import * as SecretStore from "../store/SecretStore.ts"
import * as Vault from "../store/Vault.ts"
import * as AdminTarget from "./target/AdminTarget.ts"
import * as CommandAudit from "./CommandAudit.ts"
import * as Flags from "./Flags.ts"

const flags = Flags.options(["store", "pooling", "rules", "history", "rowSecurity"])

/** Other users see the arguments of a process, so both keys come from the environment. */
const newKeyVariable = "MFG_MOCK_NEW_SECRET_KEY"

const rotation = Options.boolean("new-secret-key").pipe(
  Options.withDescription(`Encryption of the secrets with another key, which the variable ${newKeyVariable} contains.`)
)

/** The new key of the environment. */
const newKey = Effect.suspend(() => {
  const text = process.env[newKeyVariable] ?? ""
  const key = Settings.settings.secretKey.parse(text)
  return key === undefined
    ? Effect.fail(new Settings.SettingInvalid({ name: "secretKey", source: newKeyVariable, text }))
    : Effect.sync(() => Vault.make(key))
})

const command = Command.make("migrate", { flags, rotation }, ({ flags, rotation }) =>
  Effect.gen(function* () {
    const { history, ...settings } = yield* Flags.resolve(
      ["store", "pooling", "rules", "secretKey", "history", "rowSecurity"],
      flags
    )
    const next = rotation ? yield* newKey : undefined
    const audit = yield* CommandAudit.make
    // The flag changes the rules; the variable is for new stores.
    const changesRules = Option.isSome(flags["rules"] ?? Option.none())
    const name = Settings.storeName(settings.store)
    // Without the setting the history stays as it is.
    const isGiven =
      Option.isSome(flags["history"] ?? Option.none()) || Boolean(process.env[Settings.variable("history")])
    const target = isGiven ? { ...settings, history } : settings
    const rules = yield* AdminTarget.alone(target, ({ refresh, rules, store, vault }) =>
      Effect.gen(function* () {
        if (changesRules) {
          yield* store.switchRules(settings.rules)
          audit.record("rules.switched", { rules: settings.rules })
        }
        if (next !== undefined) {
          const count = yield* SecretStore.rotate(store, vault, next)
          audit.record("secretKey.replaced", { secretKey: next.id, count })
          yield* Terminal.note(`Encrypted ${count} secrets of the store ${name} with the key ${next.id}.`)
        }
        yield* store.compact
        yield* refresh
        return rules()
      })
    )
    yield* Terminal.note(`The store ${name} is up to date, rules ${rules}.`)
  })
).pipe(
  Command.withDescription(
    "Migrate a store to this version, and return the unused space of a SQLite file. --rules changes its rules, or lists the rows that violate them. " +
      "On PostgreSQL it runs as the owner of the tables, where mfg-mock serve uses a role that only reads and writes rows. " +
      "For example: mfg-mock migrate --rules public"
  )
)

export const program: Program.Program = Program.make(command)
