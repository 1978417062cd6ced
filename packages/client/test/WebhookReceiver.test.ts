import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpApp from "@effect/platform/HttpApp"
import type { Holiday } from "@mfgdata/domain"
import * as WebhookSecret from "@mfgdata/domain/WebhookSecret"
import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"
import * as WebhookReceiver from "../src/WebhookReceiver.ts"

const secret = WebhookSecret.fromRandom(randomBytes(32))
const secrets = [Redacted.make(secret)] as const

const record = {
  id: "hol_1",
  createdBy: "u1",
  createdAt: "2026-01-01T00:00:00Z",
  updatedBy: null,
  name: "New Year",
  date: "2027-01-01",
  year: 2027,
  companyId: "co1",
  customFields: null,
  tags: null
}
const inserted = {
  type: "INSERT",
  table: "holiday",
  companyId: "co1",
  eventId: "e1",
  timestamp: "2026-05-01T12:00:00.000Z",
  record
}

interface DeliveryOptions {
  readonly id?: string
  readonly body?: string
  readonly headers?: { readonly [name: string]: string }
}

/** Delivers an event as the service does, and returns the status and the body of the response. */
const deliver = <E, R>(app: HttpApp.Default<E, R>, options: DeliveryOptions = {}) => {
  const { id = "e1", body = JSON.stringify(inserted), headers } = options
  const request = new Request("http://receiver.test/", {
    method: "POST",
    body,
    headers: {
      "Content-Type": "application/json",
      "Webhook-Id": id,
      "Webhook-Timestamp": "0",
      "Webhook-Signature": new Webhook(secret).sign(id, new Date(0), body),
      ...headers
    }
  })
  return app.pipe(
    Effect.map(({ body, status }) => [status, body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""]),
    Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request))
  )
}

class Busy extends Data.TaggedError("Busy") {}

describe("WebhookReceiver", () => {
  it.effect("passes a typed row to the handler of its resource", () =>
    Effect.gen(function* () {
      const names: Array<Holiday["name"]> = []
      const app = WebhookReceiver.make({
        secrets,
        handlers: {
          holiday: ({ record }) => Effect.sync(() => names.push(record.name)),
          otherwise: () => Effect.die("")
        }
      })
      assert.deepStrictEqual(yield* deliver(app), [204, ""])
      assert.deepStrictEqual(names, ["New Year"])
    })
  )

  it.effect("passes other events to otherwise, and responds 204 to events without a handler", () =>
    Effect.gen(function* () {
      const tables: Array<string> = []
      const app = WebhookReceiver.make({
        secrets,
        handlers: { otherwise: (event) => Effect.sync(() => tables.push(`${event._tag} ${event.table}`)) }
      })
      const unserved = JSON.stringify({ ...inserted, table: "purchaseOrder", record: { id: 1 } })
      assert.deepStrictEqual(yield* deliver(app, { id: "e1" }), [204, ""])
      assert.deepStrictEqual(yield* deliver(app, { id: "e2", body: unserved }), [204, ""])
      assert.deepStrictEqual(tables, ["Served holiday", "Unserved purchaseOrder"])
      assert.deepStrictEqual(yield* deliver(WebhookReceiver.make({ secrets, handlers: {} })), [204, ""])
    })
  )

  it.effect("handles an event once when it is delivered again", () =>
    Effect.gen(function* () {
      let count = 0
      const app = WebhookReceiver.make({ secrets, handlers: { holiday: () => Effect.sync(() => ++count) } })
      for (const id of ["e1", "e1", "e2", "e1"]) assert.deepStrictEqual(yield* deliver(app, { id }), [204, ""])
      assert.strictEqual(count, 2)
    })
  )

  it.effect("fails with the error of the handler, and handles the event when it is retried", () =>
    Effect.gen(function* () {
      let count = 0
      const app = WebhookReceiver.make({
        secrets,
        handlers: { holiday: () => (count++ === 0 ? Effect.fail(new Busy()) : Effect.void) }
      })
      // The type has the error of the handler.
      const failing: Effect.Effect<unknown, Busy> = deliver(app)
      assert.strictEqual((yield* Effect.flip(failing))._tag, "Busy")
      assert.deepStrictEqual(yield* deliver(app), [204, ""])
      assert.strictEqual(count, 2)
    })
  )

  it.effect("handles an event once when two deliveries are concurrent", () =>
    Effect.gen(function* () {
      const [started, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let count = 0
      const handle = Effect.suspend(() => {
        count += 1
        return Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(gate))
      })
      const app = WebhookReceiver.make({ secrets, handlers: { holiday: () => handle } })
      const both = yield* Effect.forEach([1, 2], () => Effect.fork(deliver(app)))
      yield* Deferred.await(started)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(Fiber.all(both)), [
        [204, ""],
        [204, ""]
      ])
      assert.strictEqual(count, 1)
    })
  )

  it.effect("keeps as many ids as its capacity, or uses another store", () =>
    Effect.gen(function* () {
      let count = 0
      const handlers = { holiday: () => Effect.sync(() => ++count) }
      const app = WebhookReceiver.make({ secrets, handlers, seen: WebhookReceiver.inMemory(1) })
      for (const id of ["e1", "e2", "e2", "e1"]) yield* deliver(app, { id })
      assert.strictEqual(count, 3)
      const known = { has: () => Effect.succeed(true), add: () => Effect.fail(new Busy()) }
      assert.deepStrictEqual(yield* deliver(WebhookReceiver.make({ secrets, handlers, seen: known })), [204, ""])
      assert.strictEqual(count, 3)
    })
  )

  it.effect("rejects a forged signature, an old timestamp, and a body that is not an event", () =>
    Effect.gen(function* () {
      const app = WebhookReceiver.make({ secrets, handlers: { otherwise: () => Effect.die("not reached") } })
      const forged = { headers: { "Webhook-Signature": "v1,AAAA" } }
      assert.deepStrictEqual(yield* deliver(app, forged), [
        401,
        "No signature of the delivery e1 matches a secret of this receiver"
      ])
      const [late] = yield* deliver(app, { headers: { "Webhook-Timestamp": "301" } })
      assert.strictEqual(late, 401)
      assert.deepStrictEqual(yield* deliver(app, { body: "{" }), [400, "Invalid body: expected JSON in UTF-8"])
      assert.deepStrictEqual((yield* deliver(app, { body: JSON.stringify({ ...inserted, type: "TRUNCATE" }) }))[0], 400)
    })
  )

  it.effect("passes an event whose row does not match its type to otherwise, with the row as it came", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const handlers = { holiday: () => Effect.die("not reached") }
      const body = JSON.stringify({ ...inserted, record: { ...record, name: 7, shade: "red" } })
      const app = WebhookReceiver.make({
        secrets,
        handlers: {
          ...handlers,
          otherwise: (event) =>
            Effect.sync(() => {
              if (event._tag !== "Invalid") return assert.fail(event._tag)
              seen.push([event.table, event.record["name"], event.record["shade"], event.error.message])
            })
        }
      })
      assert.deepStrictEqual(yield* deliver(app, { body }), [204, ""])
      assert.deepStrictEqual(seen, [["holiday", 7, "red", "holiday.name: expected a string, got 7"]])

      assert.deepStrictEqual(yield* deliver(WebhookReceiver.make({ secrets, handlers }), { body }), [
        400,
        "holiday.name: expected a string, got 7"
      ])
      const others = WebhookReceiver.make({ secrets, handlers: { kanban: () => Effect.die("not reached") } })
      assert.deepStrictEqual(yield* deliver(others, { body }), [204, ""])
    })
  )
})

// @ts-expect-error a handler of an unknown table
void (() => WebhookReceiver.make({ secrets, handlers: { holidays: () => Effect.void } }))
