import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as path from "node:path"
import * as Mutation from "../../../src/sql/write/Mutation.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { owner, rowOf, stranger, whole } from "../../sql/memory.ts"
import { scratch } from "../scratch.ts"

const { holiday, paymentTerm, webhook, webhookTable } = Catalogue.byName
const hooks = { resource: webhook, owner }

describe("SubscriptionCache", () => {
  it.scoped("is current as soon as a change of webhooks is answered, also one without events", () =>
    Effect.gen(function* () {
      const store = yield* SqliteStore.open({ path: ":memory:" })
      const perform = ({ steps }: Mutation.Mutation) => store.change({ steps, resolve: () => Either.void })
      const heard = () =>
        [
          { resource: holiday, owner },
          { resource: holiday, owner: stranger },
          { resource: paymentTerm, owner }
        ].map(store.hasSubscribers)
      const set = (values: Mutation.NewRow) =>
        perform(Mutation.update(store.dialect, { owned: hooks, where: [], order: [], selection: whole, set: values }))
      const insert = (resource: typeof webhook | typeof webhookTable, row: Mutation.NewRow) =>
        perform(
          Mutation.insert(store.dialect, { owned: { resource, owner }, rows: [row], revision: 1, selection: whole })
        )
      assert.deepStrictEqual(heard(), [false, false, false])
      yield* insert(webhookTable, rowOf(webhookTable, { table: "holiday", name: "holiday" }))
      yield* insert(webhook, rowOf(webhook, { id: "w1", table: "holiday", active: true, onDelete: true }))
      assert.deepStrictEqual(heard(), [true, false, false])

      const file = path.join(yield* scratch, "heard.db")
      yield* store.save(file)
      yield* set({ active: false })
      assert.deepStrictEqual(heard(), [false, false, false])
      yield* set({ active: true, onDelete: false })
      assert.deepStrictEqual(heard(), [false, false, false])
      yield* set({ onUpdate: true })
      assert.deepStrictEqual(heard(), [true, false, false])
      yield* perform(
        Mutation.remove(store.dialect, { owned: hooks, where: [], order: [], selection: whole, rules: "contract" })
      )
      assert.deepStrictEqual(heard(), [false, false, false])
      yield* store.restore(file)
      assert.deepStrictEqual(heard(), [true, false, false])
    })
  )
})
