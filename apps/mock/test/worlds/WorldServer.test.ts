/**
 * Many worlds side by side, and their life: idle, put away, deleted, and back after a restart.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { Message } from "../../src/webhooks/Sender.ts"
import * as Measurement from "../Measurement.ts"
import * as Wait from "../Wait.ts"
import * as Server from "./server.ts"

const companyId = "demo"
const holiday = (name: string) => ({ name, date: "2027-01-01", companyId })

const scratch = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "worlds-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

describe("a service with worlds", () => {
  it.live(
    "keeps a hundred worlds apart that are used side by side: rows, clocks, idempotency, webhooks and keys",
    () =>
      Effect.gen(function* () {
        const sent: Array<Message> = []
        const { admin, ask, create } = yield* Server.start({
          send: (message) =>
            Effect.sync(() => {
              sent.push(message)
              return { _tag: "Answered", status: 204, headers: {}, body: "" } as const
            })
        })
        const count = 100
        const numbers = Array.from({ length: count }, (_, index) => index)
        const worlds = yield* Effect.forEach(numbers, (n) => create({ name: `w${n}`, idleSeconds: 600 }), {
          concurrency: 10
        })
        const use = (n: number) =>
          Effect.gen(function* () {
            const key = worlds[n] ?? ""
            yield* admin("POST", `/clock/freeze?world=w${n}`)
            const at = new Date(Date.UTC(2030, 0, 1) + n * 60_000).toISOString()
            yield* admin("POST", `/clock/set?world=w${n}`, { to: at })
            const webhook = {
              name: `hook ${n}`,
              table: "holiday",
              url: `http://receiver.test/${n}`,
              active: true,
              onInsert: true,
              onUpdate: false,
              onDelete: false,
              successCount: 0,
              errorCount: 0,
              companyId
            }
            const hooked = yield* ask(key, "POST", "/rest/webhook", webhook)
            assert.strictEqual(hooked.status, 201, hooked.text)
            for (const round of [1, 2, 3]) {
              // The same idempotency key in every world.
              const headers = { "idempotency-key": `round-${round}` }
              const made = yield* ask(key, "POST", "/rest/holiday", holiday(`of ${n}, ${round}`), headers)
              assert.strictEqual(made.status, 201, made.text)
              assert.strictEqual(made.json["createdAt"], at)
              const again = yield* ask(key, "POST", "/rest/holiday", holiday(`of ${n}, ${round}`), headers)
              assert.deepStrictEqual(again.json, made.json)
              assert.strictEqual(again.headers["Idempotency-Replayed"], "true")
            }
            const { list } = yield* ask(key, "GET", "/rest/holiday?name=like.of*&select=name&order=name")
            assert.deepStrictEqual(
              list.map(({ name }) => name),
              [1, 2, 3].map((round) => `of ${n}, ${round}`)
            )
          })
        yield* Effect.forEach(numbers, use, { concurrency: 25, discard: true })
        yield* Wait.untilTrue(() => sent.length >= 3 * count)
        assert.lengthOf(sent, 3 * count)
        for (const n of numbers) {
          const own = sent.filter(({ url }) => url === `http://receiver.test/${n}`)
          assert.lengthOf(own, 3)
          for (const { body } of own) assert.include(body, `of ${n}, `)
        }
        const main = yield* ask(Server.keys.apiKey, "GET", "/rest/holiday?name=like.of*")
        assert.lengthOf(main.list, 0)
        const { list } = yield* admin("GET", "/worlds")
        assert.lengthOf(list, count + 1)
      }).pipe(Effect.scoped),
    300_000
  )

  it.live("holds the pending deliveries of the parent in a fork until they are asked for", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      let isUp = false
      const { admin, ask, create } = yield* Server.start({
        send: ({ body }) =>
          Effect.sync(() => {
            sent.push(body)
            return isUp
              ? ({ _tag: "Answered", status: 204, headers: {}, body: "" } as const)
              : ({ _tag: "Unreachable", reason: "down" } as const)
          })
      })
      const webhook = { name: "hook", table: "holiday", url: "http://receiver.test/", companyId }
      const flags = { active: true, onInsert: true, onUpdate: true, onDelete: true, successCount: 0, errorCount: 0 }
      const hooked = yield* ask(Server.keys.apiKey, "POST", "/rest/webhook", { ...webhook, ...flags })
      assert.strictEqual(hooked.status, 201, hooked.text)
      const made = yield* ask(Server.keys.apiKey, "POST", "/rest/holiday", holiday("Pending"))
      yield* Wait.untilTrue(() => sent.length >= 1)
      const key = yield* create({ name: "fork" })
      isUp = true
      const held = yield* admin("GET", "/deliveries?world=fork&state=held")
      assert.lengthOf(held.list, 1)
      assert.lengthOf((yield* admin("GET", "/deliveries?state=pending")).list, 1)
      // A new change of the same row is delivered, and does not wait for the held one.
      const patched = yield* ask(key, "PATCH", `/rest/holiday?id=eq.${String(made.json["id"])}`, { name: "Renamed" })
      assert.strictEqual(patched.status, 200, patched.text)
      yield* Wait.untilTrue(() => sent.length >= 2)
      assert.include(sent[1], "Renamed")
      const again = yield* admin("POST", "/deliveries/redeliver?world=fork", {
        state: "held",
        since: "2000-01-01T00:00:00Z"
      })
      assert.deepStrictEqual(again.json, { count: 1 })
      yield* Wait.untilTrue(() => sent.length >= 3)
      assert.include(sent[2], "Pending")
      // The parent still has its own.
      assert.lengthOf((yield* admin("GET", "/deliveries?state=pending")).list, 1)
    }).pipe(Effect.scoped)
  )

  it.live(
    "puts an idle world away, and brings it back at its next request",
    () =>
      Effect.gen(function* () {
        const { admin, ask, create } = yield* Server.start()
        const key = yield* create({ name: "one", idleSeconds: 1 })
        yield* ask(key, "POST", "/rest/holiday", holiday("Mine"))
        yield* admin("POST", "/clock/freeze?world=one")
        const stateOf = Effect.map(admin("GET", "/worlds/one"), ({ json }) => json["state"])
        const clock = yield* admin("POST", "/clock/set?world=one", { to: "2031-01-01T00:00:00.000Z" })
        assert.strictEqual(yield* stateOf, "open")
        yield* Wait.until(stateOf, (state) => state === "idle")
        const { list } = yield* ask(key, "GET", "/rest/holiday?name=eq.Mine")
        assert.lengthOf(list, 1)
        assert.strictEqual(yield* stateOf, "open")
        assert.deepStrictEqual((yield* admin("GET", "/clock?world=one")).json, clock.json)
      }).pipe(Effect.scoped),
    Measurement.retried
  )

  for (const operation of ["history", "traffic"]) {
    it.live(
      `keeps a world open while its ${operation} is followed`,
      () =>
        Effect.gen(function* () {
          const { admin, ask, create, follow } = yield* Server.start({ history: "on" })
          const key = yield* create({ name: "one", idleSeconds: 1 })
          const state = Effect.map(admin("GET", "/worlds/one"), ({ json }) => json["state"])
          yield* Effect.gen(function* () {
            const next = yield* follow(`/${operation}?world=one&resource=holiday`)
            assert.match(yield* next, /^: /)
            const start = performance.now()
            yield* Wait.untilTrue(() => performance.now() - start > 3500)
            assert.strictEqual(yield* state, "open")
            assert.strictEqual((yield* ask(key, "POST", "/rest/holiday", holiday("Followed"))).status, 201)
            assert.include(yield* next, "Followed")
          }).pipe(Effect.scoped)
          yield* Wait.until(state, (state) => state === "idle")
        }).pipe(Effect.scoped),
      Measurement.retried
    )
  }

  it.live("puts a world away again that was used after a time without open worlds", () =>
    Effect.gen(function* () {
      const { admin, ask, create } = yield* Server.start()
      const key = yield* create({ name: "one", idleSeconds: 1 })
      const state = Effect.map(admin("GET", "/worlds/one"), ({ json }) => json["state"])
      assert.strictEqual(yield* state, "idle")
      // At least one look for idle worlds finds none.
      const start = performance.now()
      yield* Wait.untilTrue(() => performance.now() - start > 2500)
      assert.strictEqual((yield* ask(key, "GET", "/rest/holiday")).status, 200)
      assert.strictEqual(yield* state, "open")
      yield* Wait.until(state, (state) => state === "idle")
    }).pipe(Effect.scoped)
  )

  it.live(
    "deletes a world that nobody uses for --keep-worlds",
    () =>
      Effect.gen(function* () {
        const { admin, ask, create } = yield* Server.start({ keepWorlds: 1500 })
        const key = yield* create({ name: "one", idleSeconds: 1 })
        assert.strictEqual((yield* ask(key, "GET", "/rest/holiday")).status, 200)
        yield* Wait.until(admin("GET", "/worlds"), ({ list }) => list.length === 1)
        assert.strictEqual((yield* ask(key, "GET", "/rest/holiday")).status, 401)
      }).pipe(Effect.scoped),
    Measurement.retried
  )

  it.live("refuses more worlds than --max-worlds", () =>
    Effect.gen(function* () {
      const { admin, create } = yield* Server.start({ maxWorlds: 2 })
      yield* create({ name: "one" })
      yield* create({ name: "two" })
      const refused = yield* admin("POST", "/worlds", { name: "three" })
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "as many as --max-worlds allows")
      yield* admin("DELETE", "/worlds/one")
      assert.strictEqual((yield* admin("POST", "/worlds", { name: "three" })).status, 201)
    }).pipe(Effect.scoped)
  )

  for (const durableWorlds of ["off", "on"] as const) {
    it.live(`has its worlds after a restart, with --durable-worlds ${durableWorlds}`, () =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const settings = { durableWorlds, store: { _tag: "Sqlite", path: path.join(folder, "mock.db") } as const }
        const { key, other } = yield* Effect.gen(function* () {
          const { admin, ask, create } = yield* Server.start(settings)
          const key = yield* create({ name: "one" })
          yield* ask(key, "POST", "/rest/holiday", holiday("Mine"))
          yield* admin("POST", "/worlds/one/snapshots", { name: "before" })
          yield* ask(key, "POST", "/rest/holiday", holiday("Later"))
          yield* admin("POST", "/clock/freeze?world=one")
          yield* admin("POST", "/faults?world=one", { match: { resource: "kanban" }, status: 503 })
          const other = String((yield* admin("POST", "/keys?world=one", { name: "other" })).json["key"])
          yield* create({ name: "unused", from: "one" })
          return { key, other }
        }).pipe(Effect.scoped)
        const { admin, ask } = yield* Server.start(settings)
        const names = (key: string) =>
          Effect.map(ask(key, "GET", "/rest/holiday?or=(name.eq.Mine,name.eq.Later)&order=name"), ({ list }) =>
            list.map(({ name }) => name)
          )
        assert.deepStrictEqual(yield* names(key), ["Later", "Mine"])
        assert.deepStrictEqual(yield* names(other), ["Later", "Mine"])
        assert.strictEqual((yield* admin("GET", "/clock?world=one")).json["frozen"], true)
        assert.strictEqual((yield* ask(key, "GET", "/rest/kanban")).status, 503)
        assert.strictEqual((yield* admin("POST", "/worlds/one/snapshots/before/restore")).status, 200)
        assert.deepStrictEqual(yield* names(key), ["Mine"])
        assert.strictEqual((yield* ask(key, "GET", "/rest/kanban")).status, 200)
        assert.strictEqual((yield* admin("POST", "/worlds/one/reset")).status, 200)
        assert.deepStrictEqual(yield* names(key), [])
        assert.include((yield* admin("GET", "/worlds/unused")).json, { state: "idle", from: "one" })
      }).pipe(Effect.scoped)
    )
  }

  it.live("continues the rules of faults of the parent in a fork, and lets it change its own", () =>
    Effect.gen(function* () {
      const { admin, ask, create } = yield* Server.start()
      yield* admin("POST", "/faults", { match: { resource: "kanban" }, status: 503 })
      const key = yield* create({ name: "one" })
      assert.strictEqual((yield* ask(key, "GET", "/rest/kanban")).status, 503)
      yield* admin("DELETE", "/faults?world=one")
      assert.strictEqual((yield* ask(key, "GET", "/rest/kanban")).status, 200)
      assert.strictEqual((yield* ask(Server.keys.apiKey, "GET", "/rest/kanban")).status, 503)
    }).pipe(Effect.scoped)
  )

  it.live("forks and compares the state of a time, and sends nothing for the way back", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const { admin, ask, create } = yield* Server.start({
        history: "on",
        send: ({ body }) =>
          Effect.sync(() => {
            sent.push(body)
            return { _tag: "Answered", status: 204, headers: {}, body: "" } as const
          })
      })
      const flags = { active: true, onInsert: true, onUpdate: true, onDelete: true, successCount: 0, errorCount: 0 }
      const webhook = { name: "hook", table: "holiday", url: "http://receiver.test/", companyId, ...flags }
      const key = yield* create({ name: "one" })
      yield* ask(key, "POST", "/rest/webhook", webhook)
      yield* admin("POST", "/clock/freeze?world=one")
      const at = (to: string) => admin("POST", "/clock/set?world=one", { to })
      yield* at("2030-01-01T00:00:00.000Z")
      yield* ask(key, "POST", "/rest/holiday", holiday("First"))
      yield* at("2030-01-02T00:00:00.000Z")
      yield* ask(key, "POST", "/rest/holiday", holiday("Second"))
      yield* Wait.untilTrue(() => sent.length >= 2)
      const past = yield* create({ name: "past", from: "one", asOf: "2030-01-01T12:00:00.000Z" })
      const names = Effect.map(ask(past, "GET", "/rest/holiday?or=(name.eq.First,name.eq.Second)"), ({ list }) =>
        list.map(({ name }) => name)
      )
      assert.deepStrictEqual(yield* names, ["First"])
      yield* ask(past, "POST", "/rest/holiday", holiday("Third"))
      yield* Wait.untilTrue(() => sent.length >= 3)
      yield* admin("POST", "/worlds/past/reset")
      assert.deepStrictEqual(yield* names, ["First"])
      const { json } = yield* admin("GET", "/diff?from=one@2030-01-01T12:00:00.000Z&to=one&resource=holiday")
      assert.include(JSON.stringify(json), "Second")
      assert.notInclude(JSON.stringify(json), "First")
      // Those of the two creates, and that of the new row of the fork.
      assert.deepStrictEqual(
        sent.map((body) => /First|Second|Third/.exec(body)?.[0]),
        ["First", "Second", "Third"]
      )
      for (const [to, reason] of [
        ["2001-01-01T00:00:00.000Z", "when the history of the rows begins"],
        ["2101-01-01T00:00:00.000Z", "is in the future"]
      ] as const) {
        for (const refused of [
          yield* admin("POST", "/worlds", { from: "one", asOf: to }),
          yield* admin("GET", `/diff?from=one@${to}&to=one`),
          yield* admin("POST", "/worlds/one/rewind", { to })
        ]) {
          assert.strictEqual(refused.status, 422, refused.text)
          assert.strictEqual(refused.json["code"], "UNPROCESSABLE_CONTENT")
          assert.include(refused.text, reason)
        }
      }
      const time = yield* admin("GET", "/diff?from=one@yesterday&to=one")
      assert.strictEqual(time.status, 400)
      assert.include(time.text, "Invalid time")
      assert.lengthOf((yield* admin("GET", "/worlds")).list, 3)
    }).pipe(Effect.scoped)
  )
})
