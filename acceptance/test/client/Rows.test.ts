/**
 * Tests every method of `Rows` against the service in this process.
 */
import { assert, describe, it } from "@effect/vitest"
import { Cursor, Rows } from "@mfgdata/client"
import {
  CalendarDate,
  CompanyId,
  Holiday,
  HolidayId,
  type Resource,
  Query,
  WarehouseTransfer,
  WarehouseTransferId,
  WarehouseTransferLine
} from "@mfgdata/domain"
import type * as Order from "@mfgdata/domain/Order"
import * as Testing from "@mfgdata/mock/testing"
import * as Clock from "effect/Clock"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

const rowsOf = Layer.unwrapEffect(
  Effect.map(Testing.World, ({ apiKey, restUrl }) => Rows.layer({ apiKey, restUrl, retry: { times: 0 } }))
)
const demo = Layer.provideMerge(rowsOf, Testing.layer())
const empty = Layer.provideMerge(rowsOf, Testing.layer({ seed: { _tag: "Empty" } }))

const companyId = CompanyId.make("demo")
const transferId = WarehouseTransferId.make("wt_000007")
const nowhere = WarehouseTransferId.make("wt_nowhere")

const holiday = (name: string, day = "2027-05-01"): Resource.Create<typeof Holiday> => ({
  name,
  date: CalendarDate.make(day),
  companyId
})

describe("Rows", () => {
  it.layer(demo)("of the demo", (it) => {
    it.effect("lists complete rows, in the order of their keys", () =>
      Effect.gen(function* () {
        const rows = yield* Effect.flatMap(Rows, (rows) => rows.list(WarehouseTransfer))
        assert.isAbove(rows.length, 2)
        assert.deepStrictEqual(
          rows.map(({ id }) => id),
          rows.map(({ id }) => id).toSorted()
        )
        assert.hasAllKeys(rows[0], Object.keys(WarehouseTransfer.columns))
      })
    )

    it.effect("lists the selected, filtered and ordered rows", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const found = yield* rows.list(WarehouseTransfer, {
          select: ["id", { moved: "transferDate", text: Query.cast("transferDate", "text") }],
          where: { transferDate: Query.is("not_null") },
          order: [Query.desc("transferDate")],
          limit: 3
        })
        assert.lengthOf(found, 3)
        for (const row of found) assert.hasAllKeys(row, ["id", "moved", "text"])
        const days = found.map(({ moved }) => String(moved))
        assert.deepStrictEqual(days, days.toSorted().toReversed())
      })
    )

    it.effect("lists by a raw query, and by the key alone", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const text = yield* rows.list(WarehouseTransfer, Query.fromText("?select=id&id=eq.wt_000007&limit=1"))
        assert.deepStrictEqual(text, [{ id: "wt_000007" }])
        const one = yield* rows.list(WarehouseTransfer, { where: { id: transferId } })
        assert.deepStrictEqual(
          one.map(({ id }) => id),
          [transferId]
        )
        assert.deepStrictEqual(yield* rows.list(WarehouseTransfer, { where: { id: nowhere } }), [])
        const flaw = yield* Effect.flip(rows.list(WarehouseTransfer, Query.fromText("id=equals.wt_000007")))
        assert.strictEqual(flaw._tag, "QueryRejected")
      })
    )

    it.effect("embeds along references in both directions", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const [line] = yield* rows.list(WarehouseTransferLine, {
          select: ["id", Query.embed(WarehouseTransfer, { as: "of", select: ["id"] })],
          where: { transferId },
          limit: 1
        })
        assert.deepStrictEqual(line?.of, { id: transferId })
        const { lines } = yield* rows.retrieve(WarehouseTransfer, transferId, {
          select: [Query.embed(WarehouseTransferLine, { as: "lines", select: ["id"] })]
        })
        assert.include(
          lines.map(({ id }) => id),
          line?.id
        )
      })
    )

    it.effect("retrieves and finds", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const row = yield* rows.retrieve(WarehouseTransfer, transferId)
        assert.strictEqual(row.id, transferId)
        const part = yield* rows.retrieve(WarehouseTransfer, transferId, { select: ["status"] })
        assert.deepStrictEqual(part, { status: row.status })
        assert.deepStrictEqual(yield* rows.find(WarehouseTransfer, transferId), Option.some(row))
        assert.deepStrictEqual(yield* rows.find(WarehouseTransfer, nowhere), Option.none())
        const error = yield* Effect.flip(rows.retrieve(WarehouseTransfer, nowhere))
        assert.strictEqual(error.message, 'No warehouseTransfer has the key "wt_nowhere"')
      })
    )

    it.effect("counts", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const all = yield* rows.list(WarehouseTransfer)
        assert.strictEqual(yield* rows.count(WarehouseTransfer), all.length)
        assert.strictEqual(yield* rows.count(WarehouseTransfer, { where: { id: transferId } }), 1)
        assert.strictEqual(yield* rows.count(WarehouseTransfer, Query.fromText("id=eq.x&order=id")), 0)
      })
    )

    it.effect("pages in any order", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const order = [Query.desc("transferDate"), "status"] as const
        const all = yield* rows.list(WarehouseTransfer, { order })
        const seen: Array<string> = []
        let after: Cursor.Cursor | undefined
        do {
          const page = yield* rows.page(WarehouseTransfer, {
            select: ["transferId"],
            order,
            limit: 2,
            after,
            count: true
          })
          assert.strictEqual(page.total, all.length)
          assert.isNotEmpty(page.rows)
          for (const row of page.rows) {
            assert.hasAllKeys(row, ["transferId"])
            seen.push(row.transferId)
          }
          after = page.hasMore ? Cursor.fromText(JSON.parse(JSON.stringify(page.next))) : undefined
        } while (after !== undefined)
        assert.deepStrictEqual(
          seen,
          all.map(({ transferId }) => transferId)
        )
      })
    )

    it.effect("returns the cursor after a row, and that of the last page", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const carrier = Query.asc(Query.text("customFields", "carrier"))
        type Term = Order.ColumnOrder<Resource.Column<typeof WarehouseTransfer>>
        const orders: ReadonlyArray<ReadonlyArray<Term>> = [
          [Query.desc("transferDate"), Query.asc("status")],
          [Query.asc("notes", { nulls: "first" })],
          [carrier, Query.desc("id")],
          []
        ]
        for (const order of orders) {
          const all = yield* rows.list(WarehouseTransfer, { order: [...order, "id"] })
          for (const [index, row] of all.entries()) {
            const after = Cursor.fromRow(WarehouseTransfer, order, row)
            const page = yield* rows.page(WarehouseTransfer, { order, after })
            assert.deepStrictEqual(page.rows, all.slice(index + 1))
            const last = all.at(-1) ?? assert.fail()
            assert.deepInclude(page, { hasMore: false, next: Cursor.fromRow(WarehouseTransfer, order, last) })
          }
        }
        const none = yield* rows.page(WarehouseTransfer, { where: { status: "Nowhere" } })
        assert.deepStrictEqual(none, { rows: [], next: undefined, hasMore: false, total: undefined })
      })
    )

    it.effect("streams all rows, and continues after a key", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const all = yield* rows.list(WarehouseTransfer)
        const streamed = yield* Stream.runCollect(rows.stream(WarehouseTransfer, { pageSize: 3 }))
        assert.deepStrictEqual(Chunk.toReadonlyArray(streamed), all)
        const fourth = all[3] ?? assert.fail()
        const after = Cursor.fromKey(WarehouseTransfer, fourth.id)
        const rest = yield* Stream.runCollect(rows.stream(WarehouseTransfer, { pageSize: 3, after }))
        assert.deepStrictEqual(Chunk.toReadonlyArray(rest), all.slice(4))
        const text = rows.stream(WarehouseTransfer, {
          ...Query.fromText("select=status&order=status.desc"),
          limit: 4,
          pageSize: 3
        })
        const some = Chunk.toReadonlyArray(yield* Stream.runCollect(text))
        assert.lengthOf(some, 4)
        assert.hasAllKeys(some[0], ["status"])
      })
    )
  })

  it.layer(empty)("that are written", (it) => {
    it.effect("are created, changed and removed", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const created = yield* rows.create(Holiday, holiday("Founding day"))
        assert.strictEqual(created.year, null)
        const updated = yield* rows.update(Holiday, created.id, { tags: ["new"], year: 2028 })
        assert.deepStrictEqual(updated, { ...created, tags: ["new"], year: 2028, updatedBy: created.createdBy })
        yield* rows.remove(Holiday, created.id)
        assert.strictEqual((yield* Effect.flip(rows.remove(Holiday, created.id)))._tag, "RowNotFound")
        assert.strictEqual((yield* Effect.flip(rows.update(Holiday, created.id, {})))._tag, "RowNotFound")
      })
    )

    it.effect("are updated and removed at the version that was read, and at no other", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const { id } = yield* rows.create(Holiday, holiday("Versioned"))
        const { etag } = yield* rows.retrieveVersioned(Holiday, id)
        yield* rows.update(Holiday, id, { year: 1 }, { ifMatch: etag })
        const late = yield* Effect.flip(rows.update(Holiday, id, { year: 2 }, { ifMatch: etag }))
        assert.strictEqual(late._tag, "PreconditionFailed")
        assert.strictEqual((yield* Effect.flip(rows.remove(Holiday, id, { ifMatch: etag })))._tag, "PreconditionFailed")
        assert.strictEqual((yield* rows.retrieve(Holiday, id)).year, 1)
        yield* rows.remove(Holiday, id, { ifMatch: (yield* rows.retrieveVersioned(Holiday, id)).etag })
        assert.deepStrictEqual(yield* rows.find(Holiday, id), Option.none())
      })
    )

    it.effect("are modified concurrently without losing a change", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const { id } = yield* rows.create(Holiday, { ...holiday("Counter"), year: 0 })
        const increment = rows.modify(Holiday, id, ({ year }) => ({ year: (year ?? 0) + 1 }))
        // Each retry waits a little, which the test clock would never let pass.
        yield* Effect.all(
          Array.from({ length: 5 }, () => increment),
          { concurrency: "unbounded" }
        ).pipe(Effect.withClock(Clock.make()))
        assert.strictEqual((yield* rows.retrieve(Holiday, id)).year, 5)
      })
    )

    it.effect("are created or changed by their key", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const id = HolidayId.make("hol_upserted")
        const created = yield* rows.upsert(Holiday, { ...holiday("Once"), id })
        assert.strictEqual(created.id, id)
        assert.strictEqual((yield* rows.upsert(Holiday, { ...holiday("Twice"), id })).name, "Twice")
        assert.strictEqual((yield* rows.retrieve(Holiday, id)).createdAt, created.createdAt)
      })
    )

    it.effect("are created once per idempotency key, and refused with another payload under it", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const idempotencyKey = "founding-day"
        const first = yield* rows.create(Holiday, holiday("Named"), { idempotencyKey })
        assert.deepStrictEqual(yield* rows.create(Holiday, holiday("Named"), { idempotencyKey }), first)
        const other = yield* Effect.flip(rows.create(Holiday, holiday("Another"), { idempotencyKey }))
        assert.deepInclude(other, { _tag: "RowRejected", status: 422 })
      })
    )

    it.effect("are created in batches, with a result for each row", () =>
      Effect.gen(function* () {
        const rows = yield* Rows
        const values = Array.from({ length: 25 }, (_, index) => ({
          ...holiday(`Day ${index}`),
          ...(index % 3 === 0 && { tags: ["third"] }),
          ...(index === 13 && { name: "broken \u0000" })
        }))
        const results = yield* rows.createMany(Holiday, values, { batchSize: 10 })
        assert.deepStrictEqual(
          results.map((result) => (Either.isRight(result) ? result.right.name : result.left._tag)),
          values.map(({ name }, index) => (index === 13 ? "RowRejected" : name))
        )
        const stored = yield* rows.count(Holiday, { where: { name: Query.like("Day %") } })
        assert.strictEqual(stored, 24)
      })
    )
  })
})
