/**
 * `mfg-mock check`: finds the damage of a store, and repairs it.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import * as Settings from "../Settings.ts"
import * as Finding from "../store/check/Finding.ts"
import type { Options as CheckOptions, Report } from "../store/check/Report.ts"
import { StoreUnreachable } from "../store/OpenError.ts"
import * as StoreCheck from "../store/sqlite/check/StoreCheck.ts"
import * as AdminTarget from "./target/AdminTarget.ts"
import * as Flags from "./Flags.ts"

/** The store is damaged, and no repair was wanted. */
class StoreDamageFound extends Data.TaggedError("StoreDamageFound")<{
  readonly store: string
  readonly count: number
}> {
  override get message() {
    const findings = this.count === 1 ? "1 finding" : `${this.count} findings`
    return `The store ${this.store} is damaged (${findings}): stop the service, and run "mfg-mock check --repair"`
  }
}

const repair = Options.boolean("repair").pipe(
  Options.withDescription("Repair of the damage, of a store that no service uses, after a copy of it.")
)

const json = Options.boolean("json").pipe(Options.withDescription("Findings as lines of JSON."))

const noBackup = Options.boolean("no-backup").pipe(Options.withDescription("Repair without a copy."))

const unreachable = (store: string) => (cause: unknown) =>
  new StoreUnreachable({ store, cause: cause instanceof Error ? cause : new Error(String(cause)) })

const onPostgres = (
  address: Extract<Settings.StoreAddress, { readonly _tag: "Postgres" }>,
  isPooled: boolean,
  options: CheckOptions
) =>
  Effect.acquireUseRelease(
    // Loaded on demand, as for a service.
    Effect.promise(async () => {
      const [{ open }, check, pooler] = await Promise.all([
        import("../store/postgres/PostgresDriver.ts"),
        import("../store/postgres/PostgresCheck.ts"),
        import("../store/postgres/connection/PoolerFit.ts")
      ])
      const driver = open({ ...address, isPooled, statementMillis: 600_000, responseMillis: 610_000 })
      return { check, driver, pooler }
    }),
    ({ check, driver, pooler }) => {
      const name = Settings.storeName(address)
      const run = Effect.tryPromise({
        try: () => check.run(driver, name, process.cwd(), options),
        catch: pooler.failureOf(name)
      })
      const fits = pooler.check(driver.poolMode, { isPooled, name, url: address.url })
      return Effect.zipRight(fits, Effect.flatten(run))
    },
    ({ driver }) => Effect.promise(() => driver.close(0))
  )

const onSqlite = ({ path }: Extract<Settings.StoreAddress, { readonly _tag: "Sqlite" }>, options: CheckOptions) =>
  existsSync(path)
    ? Effect.flatten(Effect.tryPromise({ try: () => StoreCheck.run(path, options), catch: unreachable(path) }))
    : Effect.fail(new AdminTarget.StoreMissing({ path }))

const report = (store: string, { findings, repair }: Report, isJson: boolean) =>
  Effect.gen(function* () {
    for (const finding of findings) {
      const message = Finding.message(finding)
      yield* Terminal.write(`${isJson ? JSON.stringify({ ...finding, message }) : message}\n`)
    }
    if (findings.length === 0) return yield* Terminal.note(`The store ${store} has no damage.`)
    if (repair === undefined) return yield* new StoreDamageFound({ store, count: findings.length })
    const { backup, hasLostRules, lost, lostRows } = repair
    yield* Terminal.note(`Repaired the store ${store}.`)
    if (backup !== undefined) yield* Terminal.note(`The store as it was before is in ${backup}.`)
    if (lost !== undefined)
      yield* Terminal.note(`What is left of ${lostRows} rows that could not be kept is in ${lost}.`)
    if (hasLostRules) {
      yield* Terminal.note(
        `The rows that are left violate the rules of the store, which are "contract" now. "mfg-mock migrate --rules public" lists them.`
      )
    }
  })

const command = Command.make("check", { flags: Flags.options(["store", "pooling"]), repair, json, noBackup }, (given) =>
  Effect.gen(function* () {
    const { pooling, store } = yield* Flags.resolve(["store", "pooling"], given.flags)
    const options = { isRepair: given.repair, hasBackup: !given.noBackup }
    const found = yield* store._tag === "Sqlite"
      ? onSqlite(store, options)
      : onPostgres(store, pooling === "transaction", options)
    yield* report(Settings.storeName(store), found, given.json)
  })
).pipe(
  Command.withDescription(
    "Find the damage of a store: pages, indexes, texts, columns, and references to missing rows. " +
      "It exits with 0 without damage or after a repair, and with 3 for damage. For example: mfg-mock check --repair"
  )
)

export const program: Program.Program = Program.make(command)
