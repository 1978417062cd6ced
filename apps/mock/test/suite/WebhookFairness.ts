/**
 * Tests that the webhooks of one company, however many, do not delay the deliveries of another.
 */
import type { Json } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as DueWebhooks from "../../src/webhooks/DueWebhooks.ts"
import * as Receiver from "../webhooks/receiver.ts"
import { fresh, idle } from "./Subscriptions.ts"
import * as Service from "./Service.ts"
import { newWebhook } from "../webhooks/newWebhook.ts"

const companies = { operator: "acme", rival: "rival" }
type Who = keyof typeof companies

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)

/** Webhooks of a company that subscribe to new holidays. */
const subscribe = (as: Who, urls: ReadonlyArray<string>, flags: { readonly [flag: string]: Json } = {}) =>
  Effect.gen(function* () {
    const { ask, done } = yield* Service.Service
    yield* ask("POST", "/rest/webhookTable", { as, body: { module: "Users", name: "holiday" } })
    const inserts = { onUpdate: false, onDelete: false }
    const body = urls.map((url) => newWebhook({ url, companyId: companies[as], ...inserts, ...flags }))
    yield* done("POST", "/rest/webhook", { as, body })
  })

/** Creates holidays, each of which is an event. */
const publish = (as: Who, count: number) =>
  Effect.flatMap(Service.Service, ({ done }) =>
    done("POST", "/rest/holiday", {
      as,
      body: numbered(count).map((name) => ({ name, date: "2026-05-01", companyId: companies[as] })),
      headers: { prefer: "return=minimal" }
    })
  )

/** A receiver with the number of its requests after which an effect succeeds. */
const counting = (count: number, behaviour: Receiver.Behaviour) =>
  Effect.gen(function* () {
    const reached = yield* Deferred.make<void>()
    const receiver: Receiver.Receiver = yield* Receiver.open((response, request) => {
      if (typeof behaviour === "number") response.writeHead(behaviour).end()
      else behaviour(response, request)
      if (receiver.arrived.length >= count) Deferred.unsafeDone(reached, Effect.void)
    })
    return { receiver, reached: Deferred.await(reached) }
  })

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.scoped("delivers to one company while the 100 webhooks of another do not answer", () =>
    Effect.gen(function* () {
      yield* fresh
      const hanging = yield* counting(128, () => undefined)
      const answering = yield* counting(20, 204)
      yield* subscribe(
        "operator",
        numbered(100).map((name) => `${hanging.receiver.url}${name}`)
      )
      yield* subscribe("rival", [answering.receiver.url])
      yield* publish("operator", 16)
      yield* hanging.reached
      // The attempts above last 15 seconds, after which more would arrive.
      yield* publish("rival", 20)
      yield* answering.reached
      assert.lengthOf(hanging.receiver.arrived, 128)
    })
  )

  it.scoped("delivers to one company before a large backlog of another ends", () =>
    Effect.gen(function* () {
      yield* fresh
      const backlog = 80 * 16
      const busy = yield* counting(80, 204)
      const other = yield* counting(1, 204)
      yield* subscribe(
        "operator",
        numbered(80).map((name) => `${busy.receiver.url}${name}`)
      )
      yield* subscribe("rival", [other.receiver.url])
      yield* publish("operator", 16)
      yield* busy.reached
      yield* publish("rival", 1)
      yield* other.reached
      assert.isBelow(busy.receiver.arrived.length, backlog)
      yield* idle
      assert.lengthOf(busy.receiver.arrived, backlog)
    })
  )

  it.scoped("finds due webhooks in parts, with every company in each and every webhook in turn", () =>
    Effect.gen(function* () {
      const { world } = yield* Service.Service
      yield* fresh
      const receiver = yield* Receiver.open(500)
      yield* subscribe(
        "operator",
        numbered(50).map(() => receiver.url)
      )
      yield* subscribe("rival", [receiver.url])
      yield* publish("operator", 1)
      yield* publish("rival", 1)
      yield* idle
      const dueLater = { ...world, now: () => world.now() + 60_000 }
      const due = DueWebhooks.make(dueLater, "another", { companies: 10, all: 16, least: 1, most: 8 })
      const seen = new Set<string>()
      for (let part = 1; part <= 7; part++) {
        const { due: companies, isComplete } = yield* due.next(1, () => false)
        assert.deepStrictEqual(
          companies.map(({ companyId }) => companyId),
          ["acme", "rival"]
        )
        const [acme] = companies
        for (const id of acme?.webhookIds ?? []) seen.add(id)
        assert.lengthOf(acme?.webhookIds ?? [], part === 7 ? 2 : 8)
        assert.strictEqual(seen.size, part === 7 ? 50 : part * 8)
        assert.strictEqual(isComplete, part === 7)
      }
      const complete: Array<boolean> = []
      for (let part = 1; part <= 7; part++) {
        // A change in the middle of the rotation may concern a webhook of its beginning.
        complete.push((yield* due.next(part < 4 ? 2 : 3, () => false)).isComplete)
      }
      assert.notInclude(complete, true)
      const [first] = (yield* due.next(2, () => false)).due
      due.rewind("acme", first?.webhookIds[3] ?? "")
      const [again] = (yield* due.next(2, () => false)).due
      assert.strictEqual(again?.webhookIds[0], first?.webhookIds[3])
      assert.deepStrictEqual(
        (yield* due.next(2, (companyId) => companyId === "acme")).due.map(({ companyId }) => companyId),
        ["rival"]
      )
    })
  )
}
