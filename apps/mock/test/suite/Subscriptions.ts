/**
 * Creates webhooks of the suite's company, and reads the events that their receivers got.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as TestClock from "effect/TestClock"
import { newWebhook } from "../webhooks/newWebhook.ts"
import type * as Receiver from "../webhooks/receiver.ts"
import * as Sample from "./Sample.ts"
import * as Conformance from "./Conformance.ts"
import * as Service from "./Service.ts"

export const companyId = "acme"

export const holiday = (name: string) => ({ name, date: "2026-05-01", companyId })

/** Sets the test clock to the machine's time, which the verifier of signatures uses. */
const now = Effect.suspend(() => TestClock.setTime(Date.now()))

/** The event of a delivery, which the OpenAPI document describes. */
export const parse = ({ body }: Receiver.Arrived): JsonObject => {
  const event: JsonObject = JSON.parse(body)
  assert.isUndefined(Conformance.eventFlawOf(event), "the event is delivered as it is described")
  return event
}

export const received = ({ arrived }: Receiver.Receiver) =>
  arrived.map((one) => {
    const { record, table, type } = Either.getOrThrow(WebhookEvent.decode(parse(one)))
    return `${type} ${table} ${"name" in record ? String(record["name"]) : ""}`.trim()
  })

/** A webhook that subscribes to a table of the company. */
export const listening = (url: string, table = "holiday", flags: { readonly [flag: string]: Json } = {}) =>
  Effect.gen(function* () {
    const { ask, done } = yield* Service.Service
    yield* ask("POST", "/rest/webhookTable", { body: { module: "Users", name: table } })
    const body = newWebhook({ name: `hook of ${table}`, table, url, companyId, ...flags })
    const { row } = yield* done("POST", "/rest/webhook", { body })
    return String(row["id"])
  })

export const read = (id: string) =>
  Effect.flatMap(Service.Service, ({ done }) => Effect.map(done("GET", `/rest/webhook?id=eq.${id}`), ({ row }) => row))

export const patch = (id: string, body: JsonObject) =>
  Effect.flatMap(Service.Service, ({ done }) => done("PATCH", `/rest/webhook?id=eq.${id}`, { body }))

export const idle = Effect.flatMap(Service.Service, ({ events }) => events.idle)

export const log = Effect.map(Service.Service, ({ events }) => events.log)

/** Each test begins without rows. */
export const fresh = Effect.gen(function* () {
  yield* now
  yield* Sample.clear("operator")
  yield* Sample.clear("rival")
})
