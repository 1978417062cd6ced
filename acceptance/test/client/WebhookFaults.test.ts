/**
 * Deliveries under faults: duplicates, delays and another order, and a receiver that fails. Each event arrives, those of a
 * row in their order, and the receiver handles each once.
 */
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Rows, WebhookReceiver, type WebhookSignature } from "@mfgdata/client"
import { Holiday, Webhook } from "@mfgdata/domain"
import * as CalendarDate from "@mfgdata/domain/CalendarDate"
import { type HolidayId, WebhookTableName } from "@mfgdata/domain/Ids"
import * as Testing from "@mfgdata/mock/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"

/** The changes of each row: it is created, and its name changes. */
const rowCount = 8
const changes = 5

/** A receiver whose first request fails for a part of the events. */
const receiver = () => {
  const arrived: Array<string> = []
  const handled: Array<readonly [row: string, name: string]> = []
  const failing = new Set<string>()
  let handler: ((request: Request) => Promise<Response>) | undefined
  const webhooks = async (request: Request): Promise<Response> => {
    const id = request.headers.get("webhook-id") ?? ""
    arrived.push(id)
    const isFirst = !failing.has(id)
    failing.add(id)
    if (isFirst && arrived.length % 7 === 0) return new Response(null, { status: 500 })
    return handler?.(request) ?? new Response(null, { status: 503 })
  }
  const open = (secret: WebhookSignature.Secret): void => {
    const app = WebhookReceiver.make({
      secrets: [secret],
      // The deliveries are signed at the times of the test's clock.
      toleranceSeconds: Infinity,
      handlers: {
        holiday: ({ record }) =>
          Effect.sync(() => {
            if (record !== undefined) handled.push([record.id, record.name])
          })
      }
    })
    handler = HttpApp.toWebHandler(app)
  }
  return { arrived, handled, webhooks, open }
}

const rows = Layer.unwrapEffect(Effect.map(Testing.World, ({ apiKey, restUrl }) => Rows.layer({ restUrl, apiKey })))

/** Sends a request to the administrator's interface. */
const administer = (path: string, body: object) =>
  Effect.gen(function* () {
    const { adminKey } = yield* Testing.World
    yield* HttpClientRequest.post(`http://mock.test/_mock${path}`).pipe(
      HttpClientRequest.bearerToken(adminKey),
      HttpClientRequest.bodyUnsafeJson(body),
      HttpClient.execute
    )
  })

/** Lets the retries of days pass. */
const settled = Effect.gen(function* () {
  const { delivered } = yield* Testing.World
  for (let turn = 0; turn < 12; turn++) {
    yield* delivered
    yield* TestClock.adjust("6 hours")
  }
  yield* delivered
})

/** Makes all changes, and lets the retries of days pass. */
const run = ({ open }: ReturnType<typeof receiver>) =>
  Effect.gen(function* () {
    const { companyId, webhookSecret } = yield* Testing.World
    const client = yield* Rows
    const { id } = yield* client.create(Webhook, {
      name: "faults",
      table: WebhookTableName.make("holiday"),
      url: "https://receiver.test/",
      active: true,
      onInsert: true,
      onUpdate: true,
      onDelete: false,
      successCount: 0,
      errorCount: 0,
      companyId
    })
    open(yield* webhookSecret(id))
    const ids = new Map<number, HolidayId>()
    for (let change = 0; change < changes; change++) {
      for (let row = 0; row < rowCount; row++) {
        const known = ids.get(row)
        const name = `row ${row}, ${change}`
        const { id } =
          known === undefined
            ? yield* client.create(Holiday, { name, date: CalendarDate.make("2027-05-01"), companyId })
            : yield* client.update(Holiday, known, { name })
        ids.set(row, id)
      }
    }
    yield* settled
    return ids
  })

/** The names of each row in the order in which they were handled. */
const expected = (row: number) => Array.from({ length: changes }, (_, change) => `row ${row}, ${change}`)

const check = ({ handled }: ReturnType<typeof receiver>, ids: ReadonlyMap<number, string>) => {
  for (const [row, id] of ids) {
    const names = handled.filter(([handledId]) => handledId === id).map(([, name]) => name)
    assert.deepStrictEqual(names, expected(row))
  }
  assert.lengthOf(handled, rowCount * changes)
}

describe("webhooks under faults", () => {
  it.effect(
    "handles each event once, and those of a row in order",
    () => {
      const received = receiver()
      return Effect.gen(function* () {
        const { faults } = yield* Testing.World
        yield* faults.arm({ name: "twice", webhook: "duplicate", probability: 0.2 })
        yield* faults.arm({ name: "late", webhook: "delay", probability: 0.2 })
        yield* faults.arm({ name: "order", webhook: "reorder", probability: 0.1 })
        const ids = yield* run(received)
        check(received, ids)
        for (const { fired, name } of yield* faults.list) assert.isAbove(fired, 0, name)
        assert.isAbove(received.arrived.length, rowCount * changes)
      }).pipe(
        Effect.provide(
          rows.pipe(Layer.provideMerge(Testing.layer({ seed: { _tag: "Empty" }, webhooks: received.webhooks })))
        )
      )
    },
    300_000
  )

  it.effect(
    "gets what was dropped when it is delivered again",
    () => {
      const received = receiver()
      return Effect.gen(function* () {
        const { faults } = yield* Testing.World
        yield* faults.arm({ webhook: "drop", every: 5 })
        const ids = yield* run(received)
        assert.isBelow(received.handled.length, rowCount * changes)
        yield* administer("/deliveries/redeliver", { since: "1970-01-01T00:00:00Z" })
        yield* settled
        const handled = new Set(received.handled.map(([, name]) => name))
        assert.sameMembers([...handled], [...ids.keys()].flatMap(expected))
        assert.lengthOf(received.handled, rowCount * changes)
      }).pipe(
        Effect.provide(
          rows.pipe(Layer.provideMerge(Testing.layer({ seed: { _tag: "Empty" }, webhooks: received.webhooks })))
        )
      )
    },
    300_000
  )
})
