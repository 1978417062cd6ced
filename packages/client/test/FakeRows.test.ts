import { assert, describe, it } from "@effect/vitest"
import { Conflict, OptionInvalid, Rows, ServiceUnavailable, Unauthorized } from "@mfgdata/client"
import * as FakeRows from "@mfgdata/client/FakeRows"
import { fromService } from "@mfgdata/client/promise"
import {
  CompanyId,
  Holiday,
  HolidayId,
  JournalLine,
  LocationId,
  Query,
  WarehouseTransfer,
  WarehouseTransferId,
  WarehouseTransferLine
} from "@mfgdata/domain"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"

const transfer = (id: string, status: string, others: Partial<FakeRows.FakeRow<typeof WarehouseTransfer>> = {}) => ({
  id,
  transferId: id.toUpperCase(),
  fromLocationId: "plant",
  toLocationId: "harbour",
  status,
  companyId: "demo",
  ...others
})

const line = (id: string, transferId: string, quantity: number) => ({
  id,
  transferId,
  itemId: `item_${id}`,
  quantity,
  shippedQuantity: 0,
  receivedQuantity: 0,
  fromLocationId: "plant",
  toLocationId: "harbour",
  companyId: "demo"
})

const tables: FakeRows.Tables = {
  warehouseTransfer: [
    transfer("a", "Draft", { transferDate: "2026-03-01", notes: "By lorry, both pallets", tags: ["planned", "east"] }),
    transfer("b", "Completed", { transferDate: "2026-01-15", customFields: { carrier: { name: "North" }, weight: 7 } }),
    transfer("c", "Draft", { createdAt: "2026-02-01T10:00:00+02:00", customFields: { weight: 12 } })
  ],
  warehouseTransferLine: [line("1", "a", 4), line("2", "a", 9), line("3", "b", 1)]
}

const id = (text: string) => WarehouseTransferId.make(text)

const with_ = <A, E>(use: (rows: Rows["Type"]) => Effect.Effect<A, E>, options?: FakeRows.Options) =>
  Effect.provide(Effect.flatMap(Rows, use), FakeRows.layer(tables, options))

describe("fake rows", () => {
  type Where = Query.Where<typeof WarehouseTransfer>
  const filters: ReadonlyArray<readonly [Where, string]> = [
    [{ status: "Draft" }, "ac"],
    [{ status: Query.neq("Draft") }, "b"],
    [{ status: Query.in(["Completed", "Other"]) }, "b"],
    [{ notes: null }, "bc"],
    [{ notes: Query.is("not_null") }, "a"],
    [{ transferDate: Query.gte("2026-02-01") }, "a"],
    [{ transferDate: Query.lt("2026-02-01") }, "b"],
    [{ transferDate: Query.not(Query.lt("2026-02-01")) }, "a"],
    [{ createdAt: Query.eq("2026-02-01T08:00:00Z") }, "c"],
    [{ createdAt: Query.gt("2026-02-01T08:00:00Z") }, ""],
    [{ notes: Query.like("By *pallets") }, "a"],
    [{ notes: Query.ilike("by lorry_%") }, "a"],
    [{ notes: Query.like("by*") }, ""],
    [{ notes: Query.match("^By .*s$") }, "a"],
    [{ notes: Query.imatch("PALLET") }, "a"],
    [{ notes: Query.search("pallets lorry") }, "a"],
    [{ notes: Query.search("both pallets", { syntax: "phrase" }) }, "a"],
    [{ notes: Query.search("lorry pallets", { syntax: "phrase" }) }, ""],
    [{ notes: Query.isDistinct("x") }, "abc"],
    [{ tags: Query.contains(["east"]) }, "a"],
    [{ tags: Query.containedBy(["east", "planned", "x"]) }, "a"],
    [{ tags: Query.overlaps(["x", "planned"]) }, "a"],
    [{ customFields: Query.contains({ carrier: { name: "North" } }) }, "b"],
    [{ transferId: Query.any("like", ["A*", "B*"]) }, "ab"],
    [{ transferId: Query.all("like", ["A*", "B*"]) }, ""],
    [Query.or({ id: id("a") }, { status: "Completed" }), "ab"],
    [Query.and({ status: "Draft" }, { notes: null }), "c"],
    [Query.not(Query.or({ id: id("a") }, { status: "Completed" })), "c"],
    [Query.at(Query.text("customFields", "carrier", "name"), Query.eq("North")), "b"],
    [Query.at(Query.json("customFields", "weight"), Query.gt(7)), "c"]
  ]

  it.effect("are those that match each kind of filter", () =>
    with_((rows) =>
      Effect.gen(function* () {
        for (const [where, expected] of filters) {
          const found = yield* rows.list(WarehouseTransfer, { where, select: ["id"] })
          const text = JSON.stringify(Query.make(WarehouseTransfer, { where }).where)
          assert.strictEqual(found.map(({ id }) => id).join(""), expected, text)
          assert.strictEqual(yield* rows.count(WarehouseTransfer, { where }), expected.length, text)
        }
      })
    )
  )

  it.effect("have selections, orders, offsets and embeds", () =>
    with_((rows) =>
      Effect.gen(function* () {
        const ids = (order: ReadonlyArray<ReturnType<typeof Query.asc<"transferDate" | "status" | "id">>>) =>
          Effect.map(rows.list(WarehouseTransfer, { select: ["id"], order }), (found) =>
            found.map(({ id }) => id).join("")
          )
        assert.strictEqual(yield* ids([Query.asc("transferDate")]), "bac")
        assert.strictEqual(yield* ids([Query.desc("transferDate")]), "cab")
        assert.strictEqual(yield* ids([Query.desc("transferDate", { nulls: "last" })]), "abc")
        assert.strictEqual(yield* ids([Query.desc("status"), Query.desc("id")]), "cab")
        const lines = Query.embed(WarehouseTransferLine, {
          as: "lines",
          select: ["quantity"],
          order: [Query.desc("quantity")],
          limit: 1
        })
        assert.deepStrictEqual(
          yield* rows.list(WarehouseTransfer, { select: [{ at: "transferDate" }, lines], limit: 2, offset: 1 }),
          [
            { at: "2026-01-15", lines: [{ quantity: 1 }] },
            { at: null, lines: [] }
          ] as never
        )
        const inner = Query.embed(WarehouseTransferLine, {
          as: "lines",
          select: [],
          join: "inner",
          where: { quantity: 4 }
        })
        assert.lengthOf(yield* rows.list(WarehouseTransfer, { select: ["id", inner] }), 1)
        const transfers = yield* rows.list(WarehouseTransferLine, {
          select: ["id", Query.embed(WarehouseTransfer, { select: ["status"] })],
          order: [Query.through("warehouseTransfer", Query.asc("status")), "id"]
        })
        assert.deepStrictEqual(
          transfers.map(({ id, warehouseTransfer }) => `${id} ${warehouseTransfer?.status}`),
          ["3 Completed", "1 Draft", "2 Draft"]
        )
        const spread = yield* rows.retrieve(WarehouseTransfer, id("a"), {
          select: [Query.spread(WarehouseTransferLine, { select: ["quantity"] })]
        })
        assert.deepStrictEqual(spread, { quantity: [4, 9] })
        const where = Query.exists<typeof WarehouseTransfer, "lines">("lines")
        assert.lengthOf(yield* rows.list(WarehouseTransfer, { select: ["id", lines], where }), 2)
      })
    )
  )

  it.effect("have pages, streams, cursors and batches", () =>
    with_((rows) =>
      Effect.gen(function* () {
        const page = yield* rows.page(WarehouseTransfer, { limit: 2, count: true })
        assert.deepInclude(page, { total: 3, hasMore: true })
        const next = yield* rows.page(WarehouseTransfer, { limit: 2, after: page.next })
        assert.deepStrictEqual(
          next.rows.map(({ id }) => String(id)),
          ["c"]
        )
        const streamed = yield* Stream.runCollect(
          rows.stream(WarehouseTransfer, { pageSize: 1, order: [Query.desc("status")] })
        )
        assert.strictEqual(
          Chunk.join(
            Chunk.map(streamed, ({ id }) => String(id)),
            ""
          ),
          "acb"
        )
        const found = yield* Effect.forEach(["a", "x", "c"], (key) => rows.find(WarehouseTransfer, id(key)), {
          batching: true
        })
        assert.deepStrictEqual(
          found.map(({ _tag }) => _tag),
          ["Some", "None", "Some"]
        )
      })
    )
  )

  it.effect("are created, changed, upserted and removed", () =>
    with_((rows) =>
      Effect.gen(function* () {
        const values = {
          transferId: "T9",
          fromLocationId: LocationId.make("plant"),
          toLocationId: LocationId.make("harbour"),
          status: "Draft",
          companyId: CompanyId.make("demo")
        }
        const created = yield* rows.create(WarehouseTransfer, values)
        const plain: object = created
        assert.deepInclude(plain, {
          ...values,
          id: "warehouseTransfer_1",
          notes: null,
          createdAt: "1970-01-01T00:00:00.000Z"
        })
        assert.deepStrictEqual(yield* rows.retrieve(WarehouseTransfer, created.id), created)
        const { etag } = yield* rows.retrieveVersioned(WarehouseTransfer, created.id)
        const changed = yield* rows.update(WarehouseTransfer, created.id, { notes: "urgent" }, { ifMatch: etag })
        assert.strictEqual(changed.notes, "urgent")
        const stale = rows.update(WarehouseTransfer, created.id, { notes: null }, { ifMatch: etag })
        assert.strictEqual((yield* Effect.flip(stale))._tag, "PreconditionFailed")
        assert.strictEqual((yield* rows.modify(WarehouseTransfer, created.id, () => ({ notes: null }))).notes, null)
        const upserted = { ...values, id: id("z") }
        assert.strictEqual((yield* rows.upsert(WarehouseTransfer, upserted)).id, "z")
        assert.strictEqual(
          (yield* rows.upsert(WarehouseTransfer, { ...upserted, status: "Completed" })).status,
          "Completed"
        )
        yield* rows.remove(WarehouseTransfer, created.id)
        assert.strictEqual((yield* Effect.flip(rows.remove(WarehouseTransfer, created.id)))._tag, "RowNotFound")
        assert.strictEqual((yield* Effect.flip(rows.update(WarehouseTransfer, id("x"), {})))._tag, "RowNotFound")
        const results = yield* rows.createMany(WarehouseTransfer, [values, { ...values, transferId: "\u0000" }, values])
        assert.deepStrictEqual(results.map(Either.isRight), [true, false, true])
        assert.strictEqual(yield* rows.count(WarehouseTransfer), 6)
        assert.strictEqual(yield* rows.count(Holiday), 0)
      })
    )
  )

  it.effect("conflict where a key is taken", () =>
    Effect.gen(function* () {
      const { SalesOrderFavorite, SalesOrderId } = yield* Effect.promise(() => import("@mfgdata/domain"))
      const salesOrderId = SalesOrderId.make("so_1")
      yield* Effect.flatMap(Rows, (rows) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(rows.create(SalesOrderFavorite, { salesOrderId }))
          assert.deepInclude(error, { _tag: "Conflict", fields: ["salesOrderId"] })
        })
      ).pipe(Effect.provide(FakeRows.layer({ salesOrderFavorite: [{ salesOrderId: "so_1" }] })))
    })
  )

  it.effect("fail by method", () =>
    Effect.gen(function* () {
      const conflict = new Conflict({ resource: "holiday", fields: ["date"], code: "23505", detail: "taken" })
      const down = new ServiceUnavailable({ subject: "holiday", status: 503, code: undefined, retryAfter: undefined })
      let calls = 0
      const failures: FakeRows.Failures = {
        create: conflict,
        createMany: conflict,
        stream: down,
        list: ({ resource }) => (resource === "journalLine" ? down : undefined),
        retrieve: () => (++calls === 1 ? down : undefined)
      }
      yield* with_(
        (rows) =>
          Effect.gen(function* () {
            assert.strictEqual(yield* Effect.flip(rows.create(Holiday, {} as never)), conflict)
            assert.deepStrictEqual(yield* rows.createMany(Holiday, [{} as never]), [Either.left(conflict)])
            assert.strictEqual(yield* Effect.flip(Stream.runDrain(rows.stream(Holiday))), down)
            assert.strictEqual(yield* Effect.flip(rows.list(JournalLine)), down)
            assert.lengthOf(yield* rows.list(WarehouseTransfer), 3)
            const retrieved = rows.retrieve(WarehouseTransfer, id("a"))
            assert.strictEqual(yield* Effect.flip(retrieved), down)
            assert.strictEqual((yield* retrieved).id, "a")
          }),
        { failures }
      )
    })
  )

  it.effect("refuse what they do not support, by name", () =>
    with_((rows) =>
      Effect.gen(function* () {
        const refused = [
          [Query.fromText("select=count()"), "aggregates"],
          [{ where: { notes: Query.search("a | b", { syntax: "tsquery" }) } }, "full-text"],
          [{ select: [{ at: Query.cast("transferDate", "timestamptz") }] }, "timestamptz"]
        ] as const
        for (const [query, feature] of refused) {
          const error = yield* Effect.flip(rows.list(WarehouseTransfer, query as object))
          assert.strictEqual(error._tag, "QueryRejected")
          assert.include(error.message, `Fake rows do not support`)
          assert.include(error.message, feature)
        }
      })
    )
  )

  it.effect("are checked: an invalid row is named", () =>
    Effect.gen(function* () {
      const made = yield* Effect.exit(
        FakeRows.make({ holiday: [{ name: "x", date: "2027-02-30", companyId: "demo" }] })
      )
      const defect = Exit.isFailure(made) ? Cause.squash(made.cause) : undefined
      assert.instanceOf(defect, OptionInvalid)
      assert.include(defect.message, "holiday[0]")
      assert.include(defect.message, "date")
    })
  )

  it("serve code without Effect", async () => {
    const unauthorized = new Unauthorized({ subject: "holiday", code: undefined, detail: "expired" })
    const service = Effect.runSync(
      FakeRows.make(
        { holiday: [{ name: "May Day", date: "2027-05-01", companyId: "demo" }] },
        { failures: { count: unauthorized } }
      )
    )
    const rows = fromService(service)
    const [day] = await rows.list(Holiday)
    assert.deepInclude(day, { name: "May Day", year: 2027 })
    assert.strictEqual((await rows.find(Holiday, HolidayId.make("holiday_1")))?.name, "May Day")
    assert.strictEqual(
      await rows.count(Holiday).then(
        () => assert.fail(),
        (error: unknown) => error
      ),
      unauthorized
    )
  })
})
