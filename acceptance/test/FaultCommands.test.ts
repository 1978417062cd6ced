import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as BuiltService from "../src/BuiltService.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const adminKey = "mfg_fault_commands"

/** The built service, and its commands. */
const setUp = Effect.gen(function* () {
  const { key, origin } = yield* BuiltService.serve("sqlite::memory:", { adminKey })
  const bin = yield* Bin.bundle("mock")
  const env = { MFG_MOCK_ADMIN_KEY: adminKey }
  return {
    key,
    origin,
    env,
    bin,
    run: (...args: ReadonlyArray<string>) => Program.node([bin, ...args, "--url", origin], { env }),
    get: (path: string) =>
      Effect.promise(() => fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${key}` } }))
  }
})

describe("mfg-mock faults", () => {
  it.scoped(
    "arms a set and a rule, lists them with their counts, and disarms them",
    () =>
      Effect.gen(function* () {
        const { get, run } = yield* setUp
        assert.include((yield* run("faults", "list")).stderr, "No fault rule is armed.")
        const set = yield* run("faults", "set", "overloaded")
        assert.strictEqual(set.code, 0)
        assert.match(set.stdout, /retry-after/i)
        yield* run("faults", "clear")
        const one = yield* run("faults", "set", '{"name":"down","match":{"resource":"holiday"},"status":503}')
        const [id = ""] = /f\d+/.exec(one.stdout) ?? []
        assert.strictEqual((yield* get("/rest/holiday")).status, 503)
        assert.match((yield* run("faults", "list")).stdout, /down +\{"resource":"holiday"\} +\{"status":503\} +1 +1/)
        assert.include((yield* run("faults", "clear", id)).stderr, "Disarmed 1 fault rule.")
        assert.strictEqual((yield* get("/rest/holiday")).status, 200)
      }),
    300_000
  )

  it.scoped(
    "names what is wrong with a rule, a set, the key or the address",
    () =>
      Effect.gen(function* () {
        const { bin, env, origin, run } = yield* setUp
        const invalid = yield* run("faults", "set", '{"status":503,"probability":2}')
        assert.strictEqual(invalid.code, 2)
        assert.include(
          invalid.stderr,
          "mfg-mock: The rule is not accepted: probability: Expected a number above 0 and up to 1, actual 2. For example"
        )
        const unknown = yield* run("faults", "set", "unknown")
        assert.strictEqual(unknown.code, 1)
        assert.include(unknown.stderr, "lost-answers")
        const unnamed = yield* run("faults", "set", "")
        assert.strictEqual(unnamed.code, 1)
        assert.match(unnamed.stderr, /does not match the operation's schema \(set: [^\n]+\)\.\n$/)
        const keyless = yield* Program.node([bin, "faults", "list", "--url", origin], {})
        assert.include(keyless.stderr, "administrator's key")
        const wrong = yield* run("faults", "list", "--world", "nowhere")
        assert.include(wrong.stderr, "nowhere")
        const filter = yield* run("tail", "--status", "many")
        assert.include(filter.stderr, "(status: expected a status such as 404 or 4xx).")
        const stopped = yield* Program.node([bin, "faults", "list", "--url", "http://127.0.0.1:1024"], { env })
        assert.include(stopped.stderr, "The service at http://127.0.0.1:1024 failed: connect ECONNREFUSED")
      }),
    300_000
  )
})

describe("mfg-mock tail", () => {
  it.scopedLive(
    "shows requests as they happen, in one line each or as JSON",
    () =>
      Effect.gen(function* () {
        const { bin, env, get, origin } = yield* setUp
        const follow = (...args: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            // The command begins to follow at a moment of its own.
            yield* Effect.forkScoped(Effect.forever(Effect.delay(get("/rest/holiday?limit=1"), "100 millis")))
            const { end, said } = yield* Program.start([bin, "tail", "--url", origin, ...args], /holiday/, { env })
            yield* end("SIGINT")
            return said
          })
        assert.match(
          yield* follow(),
          /^\d\d:\d\d:\d\d\.\d{3} 200 +[\d.]+ ms GET +\/rest\/holiday\?limit=1 key installed/m
        )
        const [line = ""] = (yield* follow("--json", "--status", "2xx")).split("\n")
        assert.deepInclude(JSON.parse(line), { method: "GET", status: 200, resource: "holiday" })
      }),
    300_000
  )

  it.scopedLive(
    "ends at a signal while no requests happen",
    () =>
      Effect.gen(function* () {
        const { bin, env, get, origin } = yield* setUp
        for (const signal of ["SIGINT", "SIGTERM"] as const) {
          const requests = yield* Effect.forkScoped(Effect.forever(Effect.delay(get("/rest/holiday"), "100 millis")))
          const { end } = yield* Program.start([bin, "tail", "--url", origin], /holiday/, { env })
          yield* Fiber.interrupt(requests)
          yield* end(signal)
        }
      }),
    300_000
  )
})

describe("mfg-mock replay", () => {
  it.scoped(
    "sends a HAR file again, and shows the responses that differ",
    () =>
      Effect.gen(function* () {
        const { get, key, origin, run } = yield* setUp
        yield* get("/health/ready")
        yield* get("/rest/holiday?select=name&order=name")
        const har = yield* Effect.promise(async () => {
          const response = await fetch(`${origin}/_mock/traffic.har`, {
            headers: { Authorization: `Bearer ${adminKey}` }
          })
          return response.text()
        })
        const file = join(yield* Tree.make({}), "incident.har")
        writeFileSync(file, har)
        const same = yield* run("replay", file)
        assert.strictEqual(same.code, 0)
        assert.include(same.stderr, "All 1 responses are the recorded ones.")
        assert.include(same.stderr, "1 request was not sent: only those to /rest and /api/v1 are.")
        assert.notInclude(same.stderr, "recorded at")
        writeFileSync(file, har.replaceAll(origin, "https://other.example"))
        assert.include(
          (yield* run("replay", file)).stderr,
          `The requests were recorded at https://other.example. They are sent to ${origin}.`
        )
        yield* Effect.promise(() =>
          fetch(`${origin}/rest/holiday`, {
            method: "POST",
            headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
            body: JSON.stringify({ name: "a", date: "2027-05-01", companyId: "demo" })
          })
        )
        const different = yield* run("replay", file)
        assert.strictEqual(different.code, 1)
        assert.include(different.stdout, '  - 200 []\n  + 200 [{"name":"a"}]')
        assert.include(different.stderr, "1 of 1 responses differ")
        writeFileSync(file, "{")
        assert.strictEqual((yield* run("replay", file)).code, 2)
        writeFileSync(file, "{}")
        const empty = yield* run("replay", file)
        assert.include(
          empty.stderr,
          "the HAR file cannot be replayed: log: expected the log of a HAR file, with version and entries."
        )
        writeFileSync(file, "null")
        assert.strictEqual((yield* run("replay", file)).stderr, empty.stderr)
        assert.isBelow(empty.stderr.length, 300)
      }),
    300_000
  )
})
