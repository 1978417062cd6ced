/**
 * `mfg watch` at the built service: by temporary webhooks, and by polls.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Cli from "../../src/Cli.ts"
import * as Pty from "../../src/Pty.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

const run = (...args: ReadonlyArray<string>) =>
  Effect.map(Cli.mfg(args), ({ code, stderr, stdout }) => {
    assert.strictEqual(code, 0, stderr)
    return stdout.trim()
  })

const webhooks = run("webhook", "list", "--jq", ".[].name")

const holiday = (name: string) => run("holiday", "create", "--name", name, "--date", "2027-05-01", "--jq", ".id")

const term = (name: string) => {
  const numbers = ["days-due", "days-discount", "discount-percentage"].flatMap((flag) => [`--${flag}`, "1"])
  const others = ["--calculation-method", "Net", "--active", "true", "--jq", ".id"]
  return run("paymentTerm", "create", "--name", name, ...numbers, ...others)
}

/** The changes in an output. */
const changesOf = (stdout: string, name = "name") =>
  Cli.rowsOf(stdout).map(({ change, row }) => [change, (row as Readonly<Record<string, unknown>>)[name]])

describe("mfg watch", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.scoped(
      "reports every change by a temporary webhook, which Control-C removes",
      () =>
        Effect.gen(function* () {
          const before = yield* webhooks
          const { end, until } = yield* Cli.start(["watch", "holiday"])
          yield* until("stderr", /Watching holiday by a temporary webhook\. Press Control-C to stop\.\n/)
          assert.match(yield* webhooks, /^mfg watch \w{8} holiday$/m)
          const id = yield* holiday("First")
          yield* run("holiday", "update", id, "--name", "Second")
          yield* run("holiday", "delete", id, "--yes")
          yield* until("stdout", /"delete"/)
          const { code, stderr, stdout } = yield* end("SIGINT")
          assert.strictEqual(code, 130)
          assert.deepStrictEqual(changesOf(stdout), [
            ["insert", "First"],
            ["update", "Second"],
            ["delete", "Second"]
          ])
          const [first, , last] = Cli.rowsOf(stdout)
          assert.hasAllKeys(first, ["change", "time", "key", "row"])
          assert.strictEqual(first?.["key"], id)
          assert.include(stderr, `To continue, add: --since ${String(last?.["time"])}\n`)
          assert.strictEqual(yield* webhooks, before)
        }),
      slow
    )

    it.scoped(
      "reports the rows that meet conditions, also as they leave them",
      () =>
        Effect.gen(function* () {
          const where = ["--where", "name~~New*", "--template", "{{change}} {{row.name}}"]
          const hook = yield* Cli.start(["watch", "paymentTerm", ...where, "-n", "4"])
          const poll = yield* Cli.start(["watch", "paymentTerm", ...where, "-n", "3", "--poll", "--interval", "1"])
          yield* hook.until("stderr", /by a temporary webhook/)
          yield* poll.until("stderr", /by polls each second\. /)
          yield* term("Other")
          const id = yield* term("New 1")
          yield* poll.until("stdout", /insert New 1\n/)
          yield* hook.until("stdout", /insert New 1\n/)
          yield* run("paymentTerm", "update", id, "--name", "Old")
          yield* poll.until("stdout", /leave Old\n/)
          yield* hook.until("stdout", /leave Old\n/)
          yield* run("paymentTerm", "update", id, "--name", "New 2")
          assert.strictEqual((yield* poll.end()).stdout, "insert New 1\nleave Old\ninsert New 2\n")
          yield* hook.until("stdout", /New 2\n/)
          yield* run("paymentTerm", "delete", id, "--yes")
          const { code, stdout } = yield* hook.end()
          assert.strictEqual(code, 0)
          assert.strictEqual(stdout, "insert New 1\nleave Old\nupdate New 2\ndelete New 2\n")
        }),
      slow
    )

    it.scoped(
      "polls by the time of the last change, where rows have one",
      () =>
        Effect.gen(function* () {
          const { end, until } = yield* Cli.start(["watch", "workCenterShift", "--poll", "--interval", "1", "-n", "1"])
          yield* until("stderr", /by polls each second, which see no deleted rows/)
          yield* run("webhooks", "trigger", "workCenterShift", "insert")
          const { code, stdout } = yield* end()
          assert.strictEqual(code, 0)
          assert.deepStrictEqual(
            Cli.rowsOf(stdout).map(({ change }) => change),
            ["insert"]
          )
        }),
      slow
    )

    it.scoped(
      "names the latest time, also after a change of an older row",
      () =>
        Effect.gen(function* () {
          const where = ["--where", "name~~Latest*", "--poll", "--interval", "1"]
          const { end, until } = yield* Cli.start(["watch", "holiday", ...where])
          yield* until("stderr", /by polls each second/)
          const id = yield* holiday("Latest 1")
          yield* until("stdout", /Latest 1/)
          yield* run("holiday", "update", "hol_2026-12-26", "--name", "Latest 2")
          yield* until("stdout", /Latest 2/)
          const time = yield* run("holiday", "get", id, "--jq", ".createdAt")
          assert.include((yield* end("SIGINT")).stderr, `To continue, add: --since ${time}\n`)
        }),
      slow
    )

    it.scoped(
      "continues where an earlier run ended",
      () =>
        Effect.gen(function* () {
          yield* holiday("Before")
          const id = yield* holiday("Missed 1")
          const time = yield* run("holiday", "get", id, "--jq", ".createdAt")
          yield* holiday("Missed 2")
          const { end, until } = yield* Cli.start(["watch", "holiday", "--since", time, "-o", "json"])
          yield* until("stdout", /Missed 2/)
          yield* holiday("New")
          yield* until("stdout", /"New"/)
          assert.deepStrictEqual(changesOf((yield* end("SIGTERM")).stdout), [
            ["insert", "Missed 1"],
            ["insert", "Missed 2"],
            ["insert", "New"]
          ])
          const timeless = yield* Cli.mfg(["watch", "kanban", "--since", time])
          assert.strictEqual(timeless.code, 2)
          assert.match(timeless.stderr, /kanban have no time of creation or change/)
          const invalid = yield* Cli.mfg(["watch", "holiday", "--since", "yesterday"])
          assert.strictEqual(invalid.code, 2)
        }),
      slow
    )

    it.scoped(
      "polls with a key that may not create webhooks, and says why",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* Cli.Cli
          const key = yield* run("keys", "create", "--scope", "holiday:read")
          const env = { MFG_REST_URL: `${origin}/rest`, MFG_BASE_URL: `${origin}/api/v1`, MFG_API_KEY: key }
          const { end, until } = yield* Cli.start(["watch", "holiday", "-n", "1", "--interval", "1"], { env })
          yield* until("stderr", /by polls each second \(The API key does not allow this request for webhook/)
          yield* holiday("Polled")
          const { code, stdout } = yield* end()
          assert.strictEqual(code, 0)
          assert.deepStrictEqual(changesOf(stdout), [["insert", "Polled"]])
        }),
      slow
    )

    it.scoped(
      "polls where the service does not reach this machine, and removes its webhooks",
      () =>
        Effect.gen(function* () {
          const before = yield* webhooks
          const { end, until } = yield* Cli.start(["watch", "holiday", "-n", "1", "--public-url", "http://127.0.0.1:9"])
          yield* until("stderr", /by polls each 2 seconds \(the service does not reach http:\/\/127\.0\.0\.1:9\)/)
          assert.strictEqual(yield* webhooks, before)
          yield* holiday("Polled")
          assert.deepStrictEqual(changesOf((yield* end()).stdout), [["insert", "Polled"]])
        }),
      slow
    )

    it.scoped.skipIf(!Cli.hasTerminal)(
      `updates a table in its place on a terminal${Cli.hasTerminal ? "" : " (there is no script of util-linux here)"}`,
      () =>
        Effect.gen(function* () {
          const pty = yield* Pty.start(["watch", "holiday"])
          yield* pty.until(/Press Control-C to stop/)
          const first = yield* holiday("First")
          const second = yield* holiday("Second")
          yield* pty.until(/\(2 changes\)/)
          yield* run("holiday", "update", first, "--name", "Third")
          const lines = yield* pty.until(/\(3 changes\)/)
          const from = lines.findIndex((line) => /^id +change +time +name/.test(line))
          const row = (id: string, rest: string) => new RegExp(`^${id} +${rest}`)
          assert.match(lines[from + 1] ?? "", row(first, "update +\\d\\d:\\d\\d:\\d\\d +Third"))
          assert.match(lines[from + 2] ?? "", row(second, "insert +\\d\\d:\\d\\d:\\d\\d +Second"))
          assert.strictEqual(lines[from + 3], "(3 changes)")
          assert.lengthOf(
            lines.filter((line) => line.startsWith("id ")),
            1
          )
          yield* pty.type(Pty.keys.interrupt)
          assert.strictEqual((yield* pty.ended).code, 130)
          assert.notMatch(yield* webhooks, /mfg watch/)
        }),
      slow
    )

    it.scoped(
      "ends with an error when its webhook is gone",
      () =>
        Effect.gen(function* () {
          const { end, until } = yield* Cli.start(["watch", "holiday", "--interval", "1"])
          yield* until("stderr", /by a temporary webhook/)
          const id = yield* run("webhook", "list", "--where", "name~~mfg watch*", "--jq", ".[].id")
          yield* run("webhook", "delete", id, "--yes")
          const { code, stderr } = yield* end()
          assert.strictEqual(code, 6)
          assert.include(stderr, `No webhook has the key "${id}"`)
        }),
      slow
    )
  })
})
