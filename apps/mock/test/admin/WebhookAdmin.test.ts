import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Webhook } from "standardwebhooks"
import type * as Sender from "../../src/webhooks/Sender.ts"
import type * as Settings from "../../src/Settings.ts"
import * as webhookService from "./webhookService.ts"
import * as Measurement from "../Measurement.ts"

/** A service with one webhook, whose receiver responds with the given status. */
const make = (clock: Settings.Settings["clock"]) =>
  Effect.gen(function* () {
    const sent: Array<Sender.Message> = []
    let status = 500
    const send: Sender.Sender = (message) =>
      Effect.sync(() => {
        sent.push(message)
        return { _tag: "Answered", status, headers: {}, body: "" }
      })
    const ask = yield* webhookService.open(send, clock)
    const { body: hook } = yield* ask("POST", "/rest/webhook", webhookService.hook("https://receiver.test/hook"))
    const create = ask("POST", "/rest/holiday", webhookService.holiday)
    return { ask, create, id: String(hook.id), sent, answer: (next: number) => (status = next) }
  }).pipe(Effect.orDie)

describe("the administrator's operations on webhooks", () => {
  it.scoped("shows a secret once, rolls it, and refuses an unknown webhook", () =>
    Effect.gen(function* () {
      const { ask, create, id, sent } = yield* make("virtual")
      const first = yield* ask("POST", `/_mock/webhooks/${id}/secret`)
      assert.strictEqual(first.status, 200)
      const again = yield* ask("POST", `/_mock/webhooks/${id}/secret`)
      assert.deepInclude(again.body, { status: 409, code: "CONFLICT" })
      assert.notInclude(JSON.stringify(again.body), "whsec_")
      const rolled = yield* ask("POST", `/_mock/webhooks/${id}/secret/roll`, { overlapSeconds: 60 })
      assert.strictEqual(rolled.status, 201)
      yield* create
      yield* ask("POST", "/_mock/clock/advance", { seconds: 0 })
      const [message] = sent
      for (const { body } of [first, rolled]) {
        assert.deepInclude(new Webhook(body.secret).verify(message?.body ?? "", { ...message?.headers }), {
          type: "INSERT",
          table: "holiday"
        })
      }
      for (const path of ["webhooks/none/secret", "webhooks/none/secret/roll", "deliveries/7/redeliver"]) {
        assert.strictEqual((yield* ask("POST", `/_mock/${path}`)).status, 404)
      }
      assert.strictEqual((yield* ask("GET", "/_mock/deliveries/none")).status, 404)
    })
  )

  it.scoped("lists deliveries by a filter, and refuses an invalid filter", () =>
    Effect.gen(function* () {
      const { answer, ask, create, id, sent } = yield* make("virtual")
      answer(200)
      yield* create
      yield* create
      yield* ask("POST", "/_mock/clock/advance", { seconds: 0 })
      const list = (search: string) =>
        Effect.map(ask("GET", `/_mock/deliveries${search}`), ({ body }): ReadonlyArray<JsonObject> => body)
      const [newest = {}, oldest = {}] = yield* list("")
      assert.deepInclude(newest, { webhookId: id, state: "delivered", attempts: 1, table: "holiday" })
      assert.deepStrictEqual(yield* list("?limit=1"), [newest])
      assert.deepStrictEqual(yield* list(`?after=${String(newest["id"])}`), [oldest])
      assert.deepStrictEqual(yield* list(`?eventId=${String(oldest["eventId"])}`), [oldest])
      assert.deepStrictEqual(yield* list("?state=dead"), [])
      assert.lengthOf(yield* list(`?webhookId=${id}&table=holiday&companyId=demo`), 2)
      for (const search of ["?limit=0", "?limit=many", "?state=lost", "?since=today", "?webhook=1", "?after=x"]) {
        assert.strictEqual((yield* ask("GET", `/_mock/deliveries${search}`)).status, 400, search)
      }
      const one = yield* ask("GET", `/_mock/deliveries/${String(oldest["id"])}`)
      assert.deepInclude(one.body.body, { type: "INSERT", eventId: oldest["eventId"] })
      assert.deepInclude(one.body.log[0], { outcome: "delivered", status: 200, number: 1 })
      const since = oldest["createdAt"]
      assert.deepStrictEqual((yield* ask("POST", "/_mock/deliveries/redeliver", { since })).body, { count: 2 })
      yield* ask("POST", "/_mock/clock/advance", { seconds: 0 })
      assert.lengthOf(sent, 4)
      assert.strictEqual((yield* ask("POST", "/_mock/deliveries/redeliver", {})).status, 400)
    })
  )

  it.scoped("moves a virtual clock, with the attempts that become due", () =>
    Effect.gen(function* () {
      const { ask, create, sent } = yield* make("virtual")
      const clock = (what: string, body: object = {}) => ask("POST", `/_mock/clock/${what}`, body)
      assert.deepInclude((yield* ask("GET", "/_mock/clock")).body, { kind: "virtual", frozen: false })
      assert.strictEqual((yield* clock("freeze")).body.frozen, true)
      assert.deepStrictEqual((yield* clock("set", { to: "2030-01-01T00:00:00Z" })).body, {
        kind: "virtual",
        now: "2030-01-01T00:00:00.000Z",
        frozen: true,
        inFlight: [],
        ran: []
      })
      assert.strictEqual((yield* create).body.createdAt, "2030-01-01T00:00:00.000Z")
      assert.strictEqual((yield* clock("advance", { seconds: 5 })).body.now, "2030-01-01T00:00:05.000Z")
      assert.lengthOf(sent, 2)
      const { body: advanced } = yield* clock("advance", { seconds: 28 * 3600 })
      assert.lengthOf(sent, 8)
      const moments = sent.map(({ headers }) => Number(headers["webhook-timestamp"]))
      const ran: ReadonlyArray<{ readonly at: string }> = advanced.ran
      assert.deepStrictEqual(
        ran.map(({ at }) => Math.floor(Date.parse(at) / 1000)),
        moments.slice(2)
      )
      assert.isAtLeast((moments[7] ?? 0) - (moments[6] ?? 0), 9 * 3600)
      assert.strictEqual((yield* clock("resume")).body.frozen, false)
      for (const [what, body] of [
        ["advance", { seconds: -1 }],
        ["advance", {}],
        ["set", { to: "tomorrow" }],
        ["set", {}]
      ] as const) {
        assert.strictEqual((yield* clock(what, body)).status, 400)
      }
    })
  )

  it.scoped("moves a virtual clock past a receiver that hangs, and lists the attempts in flight", () =>
    Effect.gen(function* () {
      const send: Sender.Sender = ({ url }) =>
        url.includes("hang") ? Effect.never : Effect.succeed({ _tag: "Answered", status: 500, headers: {}, body: "" })
      const ask = yield* webhookService.open(send, "virtual", 100)
      const { body: row } = yield* ask("POST", "/rest/webhook", webhookService.hook("https://hang.example/"))
      yield* ask("POST", "/rest/webhook", { ...webhookService.hook("https://fail.example/"), name: "failing" })
      yield* ask("POST", "/_mock/clock/freeze", {})
      yield* ask("POST", "/_mock/clock/set", { to: "2030-01-01T00:00:00Z" })
      yield* ask("POST", "/rest/holiday", webhookService.holiday)
      // The default of the timeout is 30 s, and the receiver hangs forever.
      const { millis, result } = yield* Measurement.timed(ask("POST", "/_mock/clock/advance", { seconds: 600 }))
      assert.isBelow(millis, 20_000)
      const { body, status } = result
      assert.strictEqual(status, 200)
      assert.strictEqual(body.now, "2030-01-01T00:10:00.000Z")
      assert.lengthOf(body.inFlight, 1)
      assert.deepInclude(body.inFlight[0], { companyId: "demo", webhookId: row.id })
      assert.isAbove(body.inFlight[0].seconds, 0)
      assert.deepStrictEqual(
        (yield* ask("GET", "/_mock/clock")).body.inFlight[0].deliveryId,
        body.inFlight[0].deliveryId
      )
      const { body: delivery } = yield* ask("GET", `/_mock/deliveries/${body.inFlight[0].deliveryId}`)
      assert.strictEqual(delivery.state, "pending")
    })
  )

  it.scoped("refuses to move the system clock", () =>
    Effect.gen(function* () {
      const { ask } = yield* make("system")
      assert.deepInclude((yield* ask("GET", "/_mock/clock")).body, { kind: "system", frozen: false })
      const { body } = yield* ask("POST", "/_mock/clock/advance", { seconds: 1 })
      assert.deepInclude(body, { status: 409, code: "CONFLICT" })
      assert.include(body.message, "--clock virtual")
    })
  )
})
