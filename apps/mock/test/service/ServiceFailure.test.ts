import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Consistency from "../../src/access/Consistency.ts"
import * as ApiKeys from "../../src/access/ApiKeys.ts"
import type * as Exchange from "../../src/Exchange.ts"
import type { RowRoute } from "../../src/rows/RowRoute.ts"
import * as Seeder from "../../src/seeds/Seeder.ts"
import * as Faults from "../../src/faults/Faults.ts"
import * as LoadedFaults from "../../src/faults/LoadedFaults.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as RequestLog from "../../src/service/RequestLog.ts"
import * as Service from "../../src/service/Service.ts"
import { StoreUnavailable } from "../../src/store/Store.ts"

const key = "mfg_installed_key"
const request: Exchange.Request = {
  method: "GET",
  target: "/rest/holiday",
  headers: { authorization: `Bearer ${key}` },
  body: ""
}

/** A service whose row route is the given function, and its log. */
const make = (rows: RowRoute) =>
  Effect.gen(function* () {
    const world = yield* Instance.open({ store: { _tag: "Sqlite", path: ":memory:" }, rules: "contract" })
    yield* Seeder.load(world, { _tag: "Empty" })
    const keys = yield* ApiKeys.make(world)
    const home = world.home()
    if (home !== undefined) keys.install(key, home)
    const lines: Array<string> = []
    const log = RequestLog.make("error", world.now, (line) => lines.push(line))
    return {
      service: Service.make({
        world,
        keys,
        limit: undefined,
        consistency: Consistency.make(world.store),
        rows,
        faults: Faults.make({ ...(yield* LoadedFaults.load([])), world: "main", now: world.now }),
        webhookSecrets: () => Effect.never,
        operations: () => Effect.never,
        admin: undefined,
        log,
        janitor: { poll: () => {} }
      }),
      world,
      keys,
      lines
    }
  })

const broken = new Error("the inside of a row")

const failures: ReadonlyArray<readonly [what: string, rows: RowRoute]> = [
  [
    "throws",
    () => {
      throw broken
    }
  ],
  ["dies at once", () => Exit.die(broken)],
  ["dies later", () => Effect.zipRight(Effect.yieldNow(), Effect.die(broken))]
]

describe("Service", () => {
  for (const [what, rows] of failures) {
    it.scoped(`responds with 500 and logs the cause, which the client does not see, when something ${what}`, () =>
      Effect.gen(function* () {
        const { lines, service } = yield* make(rows)
        const { body, headers, status } = yield* service.handle(request)
        assert.strictEqual(status, 500)
        assert.deepStrictEqual(JSON.parse(String(body)), {
          code: "XX000",
          details: null,
          hint: null,
          message: "Internal server error"
        })
        assert.lengthOf(lines, 1)
        const logged = JSON.parse(lines[0] ?? "")
        assert.include(logged.cause, "the inside of a row")
        assert.strictEqual(logged.requestId, headers["X-Request-Id"])
      })
    )
  }

  it.scoped("answers without a fiber when the row route returns its response synchronously", () =>
    Effect.gen(function* () {
      const { service } = yield* make(() => Exit.succeed({ status: 200, headers: {}, body: "" }))
      assert.isTrue(Exit.isExit(service.handle(request)))
    })
  )

  it.scoped("responds with 503 when a key cannot be looked up", () =>
    Effect.gen(function* () {
      const { keys, service } = yield* make(() => Exit.die("nobody gets here"))
      const unavailable = new StoreUnavailable({ reason: "ConnectionLost", retryAfterSeconds: 3 })
      Object.assign(keys, { verify: () => Effect.fail(unavailable) })
      const { headers, status } = yield* service.handle(request)
      assert.strictEqual(status, 503)
      assert.strictEqual(headers["Retry-After"], "3")
    })
  )

  it.scoped("has no /_mock without an administrator's key", () =>
    Effect.gen(function* () {
      const { service } = yield* make(() => Exit.die("nobody gets here"))
      assert.strictEqual((yield* service.handle({ ...request, target: "/_mock/keys" })).status, 404)
    })
  )

  it.scoped("is ready when its store is ready", () =>
    Effect.gen(function* () {
      const { service, world } = yield* make(() => Exit.die("nobody gets here"))
      const ready = Effect.suspend(() => service.handle({ ...request, target: "/health/ready" }))
      assert.strictEqual((yield* ready).status, 200)
      const unavailable = new StoreUnavailable({ reason: "CommitFailed", retryAfterSeconds: 2 })
      Object.assign(world.store, { ready: Effect.fail(unavailable) })
      const { body, headers, status } = yield* ready
      assert.strictEqual(status, 503)
      assert.deepStrictEqual(JSON.parse(String(body)), {
        status: "unready",
        reason: "CommitFailed",
        message: unavailable.message
      })
      assert.strictEqual(headers["Retry-After"], "2")
      const live = yield* service.handle({ ...request, target: "/health/live" })
      assert.strictEqual(live.status, 200)
    })
  )
})
