import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Cli from "../../src/Cli.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

const layer = Layer.scoped(Cli.Cli, Cli.make(["--history", "on"]))

describe("the history of rows in mfg", () => {
  it.layer(layer, { timeout: slow })((it) => {
    it.effect(
      "shows the changes of a row, their causes, and the row as of a time",
      () =>
        Effect.gen(function* () {
          const run = (...args: ReadonlyArray<string>) => Cli.mfg(args)
          const created = yield* run("holiday", "create", "--name", "First", "--date", "2027-05-01")
          assert.strictEqual(created.code, 0, created.stderr)
          const { id } = JSON.parse(created.stdout)
          assert.strictEqual((yield* run("holiday", "update", id, "--name", "Second")).code, 0)

          const changes = Cli.rowsOf((yield* run("history", "holiday", id)).stdout)
          assert.deepStrictEqual(
            changes.map(({ kind }) => kind),
            ["UPDATE", "INSERT"]
          )
          assert.deepInclude(changes[0], { resource: "holiday", key: id })

          const why = yield* run("why", "holiday", id, "--output", "table")
          assert.include(why.stdout, "First")
          assert.include(why.stdout, "Second")

          const past = yield* run("holiday", "get", id, "--at", String(changes[1]?.at))
          assert.strictEqual(JSON.parse(past.stdout).name, "First", past.stderr)
          const now = yield* run("holiday", "get", id)
          assert.strictEqual(JSON.parse(now.stdout).name, "Second")
        }),
      slow
    )

    it.effect(
      "shows the history of another world",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* Cli.Cli
          const made = yield* Effect.promise((): Promise<{ readonly key: string; readonly companyId: string }> =>
            fetch(`${origin}/_mock/worlds`, {
              method: "POST",
              headers: { authorization: `Bearer ${Cli.keys.admin}`, "content-type": "application/json" },
              body: JSON.stringify({ name: "other" })
            })
              .then((response) => response.text())
              .then((text) => JSON.parse(text))
          )
          const env = {
            MFG_API_KEY: made.key,
            MFG_REST_URL: `${origin}/rest`,
            MFG_BASE_URL: `${origin}/api/v1`
          }
          const created = yield* Cli.mfg(
            ["holiday", "create", "--name", "There", "--date", "2027-06-01", "--company-id", made.companyId],
            { env }
          )
          assert.strictEqual(created.code, 0, created.stderr)
          const { id } = JSON.parse(created.stdout)

          for (const [world, count] of [
            [["--world", "other"], 1],
            [["--world", "main"], 0],
            [[], 0]
          ] as const) {
            const history = yield* Cli.mfg(["history", "holiday", id, ...world])
            assert.lengthOf(Cli.rowsOf(history.stdout), count, history.stderr)
            const why = yield* Cli.mfg(["why", "holiday", id, ...world, "--output", "table"])
            assert.strictEqual(why.stdout.includes("There"), count === 1, why.stderr)
          }
          const missing = yield* Cli.mfg(["why", "holiday", id, "--world", "nowhere"])
          assert.notStrictEqual(missing.code, 0)
          assert.include(missing.stderr, "nowhere")
        }),
      slow
    )

    it.effect(
      "names a time that it cannot use, and a resource that does not exist",
      () =>
        Effect.gen(function* () {
          for (const words of [["list"], ["get", "h1"]]) {
            const early = yield* Cli.mfg(["holiday", ...words, "--at", "2001-01-01T00:00:00Z"])
            assert.notStrictEqual(early.code, 0)
            assert.match(
              early.stderr,
              /The time of Accept-Datetime is before 2\S+Z, when the history of the rows begins \(MF410\); Send a later time/
            )
            const late = yield* Cli.mfg(["holiday", ...words, "--at", "2101-01-01T00:00:00Z"])
            assert.notStrictEqual(late.code, 0)
            assert.match(
              late.stderr,
              /The time of Accept-Datetime is after 2\S+Z, the time of the service's clock \(22008\)/
            )
          }
          const malformed = yield* Cli.mfg(["holiday", "list", "--at", "yesterday"])
          assert.strictEqual(malformed.code, 2)
          assert.include(malformed.stderr, "--at")
          const unknown = yield* Cli.mfg(["why", "holidays", "h1"])
          assert.strictEqual(unknown.code, 2)
          assert.include(unknown.stderr, "holiday")
        }),
      slow
    )
  })
})
