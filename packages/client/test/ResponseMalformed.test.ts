import { assert, describe, it } from "@effect/vitest"
import { Holiday, WarehouseTransfer, WarehouseTransferId } from "@mfgdata/domain"
import * as Effect from "effect/Effect"
import { id, row, values } from "./fixtures/holiday.ts"
import { rows as scripted } from "./fixtures/scripted.ts"
import { once } from "./fixtures/calls.ts"

describe("a response", () => {
  const read = (body: unknown, status = 200) =>
    Effect.flatMap(scripted([{ status, body }], once), ({ rows }) => rows.retrieve(Holiday, id))

  it.effect("can be a row or an array of one, with any status of success", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read(row), yield* read([row], 206))
      const { rows } = yield* scripted([{ status: 200, body: row }], once)
      assert.lengthOf(yield* rows.list(Holiday), 1)
      for (const [status, body] of [
        [200, row],
        [201, [row]],
        [202, row]
      ] as const) {
        const { rows } = yield* scripted([{ status, body }], once)
        assert.strictEqual((yield* rows.create(Holiday, values)).id, id)
        assert.strictEqual((yield* rows.update(Holiday, id, {})).id, id)
        assert.strictEqual((yield* rows.upsert(Holiday, { ...values, id })).id, id)
        yield* rows.remove(Holiday, id)
      }
    })
  )

  it.effect("can hold fields and vocabulary words that this version does not know", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ ...row, colour: "red" }), yield* read(row))
      const transfer = {
        ...Object.fromEntries(Object.keys(WarehouseTransfer.columns).map((name) => [name, null])),
        id: "wt_1",
        transferId: "T1",
        fromLocationId: "a",
        toLocationId: "b",
        companyId: "c",
        createdBy: "u",
        createdAt: "2026-01-01T00:00:00Z",
        status: "Teleported"
      }
      const { rows } = yield* scripted([{ status: 200, body: transfer }], once)
      assert.strictEqual(
        (yield* rows.retrieve(WarehouseTransfer, WarehouseTransferId.make("wt_1"))).status,
        "Teleported"
      )
    })
  )

  it.effect("without a field of every row names the field", () =>
    Effect.gen(function* () {
      const { name: _, ...rest } = row
      const error = yield* Effect.flip(read(rest))
      assert.strictEqual(error._tag, "ResponseMalformed")
      assert.strictEqual(
        error.message,
        'http://service.test returned data that does not match the schema in the row "hol_1": holiday.name: expected a string, got nothing'
      )
    })
  )

  for (const [name, body] of [
    ["with HTML in place of JSON", "<html>Welcome</html>"],
    ["with incomplete JSON", '[{"id":"hol_1","na'],
    ["without a body", ""],
    ["with a JSON string", '"hello"'],
    ["with two rows in place of one", [row, row]]
  ] as const) {
    it.effect(`${name} is malformed`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(read(body))
        assert.strictEqual(error._tag, "ResponseMalformed")
        assert.match(
          error.message,
          /^Expected (?:JSON|one row) from http:\/\/service\.test, got status 200|^http:\/\/service\.test returned data/
        )
        assert.notInclude(error.message, "Welcome")
      })
    )
  }

  it.effect("without a Content-Range is malformed to count, and without an ETag to retrieveVersioned", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([{ status: 200, body: row }], once)
      assert.include((yield* Effect.flip(rows.count(Holiday))).message, "Content-Range")
      assert.include((yield* Effect.flip(rows.retrieveVersioned(Holiday, id))).message, "an ETag")
    })
  )
})
