/**
 * Compares fake rows with the service: the same rows and queries have the same results.
 */
import { assert, it } from "@effect/vitest"
import { Rows } from "@mfgdata/client"
import * as FakeRows from "@mfgdata/client/FakeRows"
import { Query, WarehouseTransfer, WarehouseTransferLine } from "@mfgdata/domain"
import * as Testing from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const world = Layer.provide(
  Layer.unwrapEffect(Effect.map(Testing.World, ({ apiKey, restUrl }) => Rows.layer({ apiKey, restUrl }))),
  Testing.layer()
)

const lines = Query.embed(WarehouseTransferLine, { as: "lines", select: ["id", "quantity"], order: ["id"] })

const queries = [
  { where: { status: "Draft" } },
  { where: { status: Query.neq("Draft"), transferDate: Query.gte("2026-01-01") } },
  { where: Query.or({ notes: null }, { transferDate: Query.lt("2026-03-01") }) },
  { where: Query.not(Query.or({ notes: null }, { status: "Completed" })) },
  { where: { notes: Query.ilike("%lorry%") } },
  { where: { notes: Query.search("lorry") } },
  { where: { notes: Query.isDistinct("x"), transferId: Query.match("0[1-5]$") } },
  { where: { createdAt: Query.gt("2026-01-15T12:00:00+02:00") } },
  { where: { tags: Query.contains(["planned"]) } },
  { where: { transferId: Query.any("like", ["*1", "*2"]) } },
  { where: Query.at(Query.text("customFields", "carrier"), Query.is(null)) },
  { order: [Query.desc("transferDate"), "id"] },
  { order: [Query.asc("notes", { nulls: "first" }), Query.desc("id")], limit: 5, offset: 2 },
  { select: ["id", { at: "transferDate" }, { day: Query.cast("transferDate", "text") }, lines] },
  { select: ["id", Query.embed(WarehouseTransferLine, { join: "inner", where: { quantity: Query.gt(10) } })] },
  { select: ["id", Query.spread(WarehouseTransferLine, { select: ["quantity"], order: ["id"] })] },
  { select: ["id", lines], where: Query.exists<typeof WarehouseTransfer, "lines">("lines") }
] as const

it.effect("fake rows have the results of the service for the queries of the typed language", () =>
  Effect.gen(function* () {
    const service = yield* Rows
    const tables = {
      warehouseTransfer: yield* service.list(WarehouseTransfer),
      warehouseTransferLine: yield* service.list(WarehouseTransferLine)
    }
    const fake = yield* FakeRows.make(tables)
    for (const query of queries) {
      // Without an order, both return rows in the order of their keys.
      const [expected, got] = yield* Effect.all([
        service.list(WarehouseTransfer, query as object),
        fake.list(WarehouseTransfer, query as object)
      ])
      assert.deepStrictEqual(got, expected, JSON.stringify(query))
    }
    const transfers = { select: ["id", Query.embed(WarehouseTransfer, { select: ["status"] })] } as const
    const through = { ...transfers, order: [Query.through("warehouseTransfer", Query.desc("status")), "id"] } as const
    assert.deepStrictEqual(
      yield* fake.list(WarehouseTransferLine, through),
      yield* service.list(WarehouseTransferLine, through)
    )
  }).pipe(Effect.provide(world))
)
