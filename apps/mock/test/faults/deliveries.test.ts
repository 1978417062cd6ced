import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FaultySender from "../../src/faults/FaultySender.ts"
import * as Faults from "../../src/faults/Faults.ts"
import * as LoadedFaults from "../../src/faults/LoadedFaults.ts"
import type * as Sender from "../../src/webhooks/Sender.ts"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const message = (id: string, table = "holiday"): Sender.Message => ({
  url: "https://subscriber.example/",
  headers: { [WebhookEvent.headers.id]: id },
  body: "{}",
  table
})

/** A sender with faults, and the ids that its receiver has received. */
const setUp = (...rules: Parameters<Faults.Faults["arm"]>[0]) =>
  Effect.map(LoadedFaults.load([]), (loaded) => {
    const faults = Faults.make({ ...loaded, world: "main", now: Date.now })
    faults.arm(rules)
    const received: Array<string> = []
    const send = FaultySender.make(
      ({ headers }) =>
        Effect.sync(() => {
          received.push(String(headers[WebhookEvent.headers.id]))
          return { _tag: "Answered" as const, status: 200, headers: {}, body: "" }
        }),
      faults
    )
    return { received, send }
  })

describe("faults of deliveries", () => {
  it.effect("sends a delivery twice", () =>
    Effect.gen(function* () {
      const { received, send } = yield* setUp({ webhook: "duplicate", times: 1 })
      yield* send(message("a"))
      yield* send(message("b"))
      assert.deepStrictEqual(received, ["a", "a", "b"])
    })
  )

  it.effect("delays a delivery until its next attempt", () =>
    Effect.gen(function* () {
      const { received, send } = yield* setUp({ webhook: "delay", times: 1 })
      assert.strictEqual((yield* send(message("a")))._tag, "Unreachable")
      assert.deepStrictEqual(received, [])
      assert.strictEqual((yield* send(message("a")))._tag, "Answered")
      assert.deepStrictEqual(received, ["a"])
    })
  )

  it.effect("drops a delivery until it is sent again", () =>
    Effect.gen(function* () {
      const { received, send } = yield* setUp({ webhook: "drop" })
      assert.deepInclude(yield* send(message("a")), { _tag: "Answered", status: 200 })
      assert.deepStrictEqual(received, [])
      yield* send(message("a"))
      assert.deepStrictEqual(received, ["a"])
    })
  )

  it.live("sends a delivery after the next one, or alone after a second", () =>
    Effect.gen(function* () {
      const { received, send } = yield* setUp({ webhook: "reorder", every: 2 })
      yield* send(message("a"))
      yield* Effect.all([send(message("b")), Effect.delay(send(message("c")), 20)], { concurrency: 2 })
      assert.deepStrictEqual(received, ["a", "c", "b"])
      yield* send(message("d"))
      assert.deepStrictEqual(received, ["a", "c", "b", "d"])
    })
  )

  it.effect("leaves the deliveries of other resources alone", () =>
    Effect.gen(function* () {
      const { received, send } = yield* setUp({ match: { resource: "kanban" }, webhook: "drop" })
      yield* send(message("a"))
      yield* send(message("b", "kanban"))
      assert.deepStrictEqual(received, ["a"])
    })
  )
})

describe("the setting of fault rules", () => {
  const reasonOf = (...source: Parameters<typeof LoadedFaults.load>[0]) =>
    Effect.map(Effect.flip(LoadedFaults.load(source)), ({ message }) => message)

  it.effect("names a set or a file that cannot be loaded", () =>
    Effect.gen(function* () {
      assert.match(
        yield* reasonOf({ _tag: "Set", name: "unknown" }),
        /unknown.*expected one of flaky-network, .*hostile/
      )
      assert.match(yield* reasonOf({ _tag: "File", path: "/nowhere/faults.json" }), /\/nowhere\/faults.json.*ENOENT/)
      const folder = mkdtempSync(join(tmpdir(), "faults-"))
      const file = join(folder, "faults.json")
      writeFileSync(file, '{"outage":[{"status":503,"first":0}]}')
      const reason = yield* reasonOf({ _tag: "File", path: file })
      rmSync(folder, { recursive: true })
      assert.match(
        reason,
        /faults\.json cannot be loaded: outage\.0\.first: Expected a number between 1 and \d+, actual 0$/
      )
    })
  )

  it.effect("arms the sets that it names", () =>
    Effect.gen(function* () {
      const { armed, byHeader, names } = yield* LoadedFaults.load([
        { _tag: "Header" },
        { _tag: "Set", name: "failover" }
      ])
      assert.isTrue(byHeader)
      assert.isAbove(armed.length, 2)
      assert.sameMembers(
        [...names],
        ["flaky-network", "slow-mobile", "overloaded", "lost-answers", "failover", "hostile-gateway"]
      )
    })
  )
})
