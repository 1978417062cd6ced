/** Tests that the deletion of expired rows finds them along indexes: a batch must not depend on the size of a table. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Idempotency from "../../src/rows/Idempotency.ts"
import type { Statement } from "../../src/sql/Statement.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import type { Store } from "../../src/store/Store.ts"
import * as ExpiredEvents from "../../src/webhooks/ExpiredEvents.ts"

/** A store that records its statements. */
const recording = (store: Store["Type"]) => {
  const statements: Array<Statement> = []
  const recorder: Store["Type"] = {
    ...store,
    read: (statement) => {
      statements.push(statement)
      return store.read(statement)
    },
    change: (change) => {
      for (const { statement } of change.steps) statements.push(statement)
      return store.change(change)
    }
  }
  return { statements, store: recorder }
}

const rows = [
  `INSERT INTO "_outbox" ("sequence", "change", "companyId", "table", "key", "type", "record", "old", "at") VALUES (1, 'c', 'demo', 'holiday', 'k', 'INSERT', '{}', NULL, 1)`,
  `INSERT INTO "_delivery" VALUES (1, 1, 'demo', 'w', 'k', 'delivered', 1, NULL, NULL, 1, 1)`,
  `INSERT INTO "_idempotency" VALUES ('demo', 'u', 'k', 'h', 200, '{}', '{}', 1)`
]

describe("the deletion of expired rows", () => {
  it.scoped("reads and deletes along indexes", () =>
    Effect.gen(function* () {
      const { statements, store } = recording(yield* SqliteStore.open({ path: ":memory:" }))
      for (const text of rows) {
        const steps = [{ _tag: "Run", statement: { text, parameters: [] } }] as const
        yield* store.change({ steps, resolve: () => Either.void })
      }
      statements.splice(0)
      const events = ExpiredEvents.make({ store }, 0)
      assert.deepStrictEqual((yield* events.batch(1000, events.first)).deleted, { _delivery: 1, _outbox: 1 })
      const responses = Idempotency.expiry({ store }, 0)
      assert.deepStrictEqual((yield* responses.batch(1000, responses.first)).deleted, { _idempotency: 1 })
      assert.lengthOf(statements, 5)
      for (const { parameters, text } of statements.splice(0)) {
        const plan = yield* store.read({ text: `EXPLAIN QUERY PLAN ${text}`, parameters })
        const scans = plan
          .map(([, , , detail]) => String(detail))
          .filter((detail) => /^SCAN (?!json_each)/.test(detail))
        assert.deepStrictEqual(scans, [], text)
      }
    })
  )
})
