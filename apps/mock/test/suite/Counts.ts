/** Tests counts of rows and of embedded rows, on a service without other aggregates. */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Embeds from "./Embeds.ts"
import * as Service from "./Service.ts"

const postgrest = "/rest/v1/warehouseTransfer"

/** Searches of transfers in order of their names, without, with three and with two lines. */
const cases: ReadonlyArray<readonly [search: string, rows: ReadonlyArray<Json>]> = [
  ["select=count", [{ count: 3 }]],
  ["select=count()", [{ count: 3 }]],
  ["select=transfers:count", [{ transfers: 3 }]],
  ["select=count&status=eq.Completed", [{ count: 2 }]],
  ["select=count&status=eq.nothing", [{ count: 0 }]],
  [
    "select=transferId,warehouseTransferLine(count)",
    [
      { transferId: "none", warehouseTransferLine: [{ count: 0 }] },
      { transferId: "three", warehouseTransferLine: [{ count: 3 }] },
      { transferId: "two", warehouseTransferLine: [{ count: 2 }] }
    ]
  ],
  [
    "select=transferId,lines:warehouseTransferLine(total:count(),again:count)&lines.quantity=gt.2&lines.limit=1",
    [
      { transferId: "none", lines: [{ total: 0, again: 0 }] },
      { transferId: "three", lines: [{ total: 2, again: 2 }] },
      { transferId: "two", lines: [{ total: 1, again: 1 }] }
    ]
  ],
  [
    "select=transferId,bolts:warehouseTransferLine(count),lines:warehouseTransferLine(itemId)&bolts.itemId=eq.bolt&lines.order=itemId&lines.limit=1",
    [
      { transferId: "none", bolts: [{ count: 0 }], lines: [] },
      { transferId: "three", bolts: [{ count: 1 }], lines: [{ itemId: "bolt" }] },
      { transferId: "two", bolts: [{ count: 1 }], lines: [{ itemId: "bolt" }] }
    ]
  ],
  [
    "select=transferId,warehouseTransferLine!inner(count)&warehouseTransferLine.itemId=eq.screw",
    [{ transferId: "three", warehouseTransferLine: [{ count: 1 }] }]
  ],
  [
    "select=transferId,warehouseTransferLine(count)&warehouseTransferLine=is.null",
    [{ transferId: "none", warehouseTransferLine: [{ count: 0 }] }]
  ]
]

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const [search, expected] of cases) {
    it.effect(`counts with ${search}`, () =>
      Effect.gen(function* () {
        const { done } = yield* Embeds.planted
        const order = search.startsWith("select=transferId") ? "&order=transferId" : ""
        for (const mount of ["/rest/warehouseTransfer", postgrest]) {
          const { rows } = yield* done("GET", `${mount}?${search}${order}`)
          assert.deepStrictEqual<ReadonlyArray<Json>>(rows, expected)
        }
      })
    )
  }

  it.effect("counts the parent of a row as one or none, and the rows inside of an embed", () =>
    Effect.gen(function* () {
      const { done, three } = yield* Embeds.planted
      const parent = "/rest/warehouseTransferLine?itemId=eq.screw&select=itemId,warehouseTransfer(count)"
      assert.deepStrictEqual((yield* done("GET", parent)).rows, [{ itemId: "screw", warehouseTransfer: { count: 1 } }])
      const nested =
        "/rest/warehouseTransferLine?itemId=eq.screw&select=warehouseTransfer(transferId,warehouseTransferLine(count))"
      assert.deepStrictEqual((yield* done("GET", nested)).rows, [
        { warehouseTransfer: { transferId: "three", warehouseTransferLine: [{ count: 3 }] } }
      ])
      yield* done("PATCH", "/rest/warehouseTransferLine?itemId=eq.screw", { body: { transferId: "elsewhere" } })
      assert.deepStrictEqual((yield* done("GET", parent)).rows, [{ itemId: "screw", warehouseTransfer: { count: 0 } }])
      const at = `/rest/warehouseTransfer?id=eq.${String(three["id"])}&select=transferId,warehouseTransferLine(count)`
      const counted: JsonObject = { transferId: "three", warehouseTransferLine: [{ count: 2 }] }
      assert.deepStrictEqual((yield* done("GET", at)).row, counted)
      assert.deepStrictEqual((yield* done("PATCH", at, { body: { notes: "n" } })).row, counted)
    })
  )

  it.effect("counts more rows than a list returns, and the rows of the caller's company alone", () =>
    Effect.gen(function* () {
      const { done, two } = yield* Embeds.planted
      const [line = {}] = (yield* done("GET", "/rest/warehouseTransferLine?itemId=eq.nut&limit=1&select=*")).rows
      const copy = { ...Struct.omit(line, "id"), transferId: two["id"] ?? null }
      yield* done("POST", "/rest/warehouseTransferLine", { body: Array.from({ length: 1200 }, () => copy) })
      const at = "/rest/warehouseTransfer?transferId=eq.two&select=warehouseTransferLine(count)"
      assert.deepStrictEqual((yield* done("GET", at)).rows, [{ warehouseTransferLine: [{ count: 1202 }] }])
      const { rows } = yield* done("GET", "/rest/warehouseTransferLine?select=count", { as: "rival" })
      assert.deepStrictEqual(rows, [{ count: 0 }])
    })
  )

  it.effect("refuses groups and other aggregates, which --aggregates allows, and counts without a place", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      for (const [search, code] of [
        ["select=status,count", "PGRST123"],
        ["select=id.max()", "PGRST123"],
        ["select=id,warehouseTransferLine(itemId,count)", "PGRST123"],
        ["select=id,warehouseTransferLine(quantity.sum())", "PGRST123"],
        ["select=count,warehouseTransferLine(id)", "PGRST123"],
        ["select=id,...warehouseTransferLine(count)", "PGRST127"],
        ["select=id,warehouseTransferLine(count)&warehouseTransferLine.limit=0", "PGRST127"],
        ["select=id,warehouseTransferLine(count)&warehouseTransferLine.offset=1", "PGRST127"],
        ["select=count::text", "PGRST127"],
        ["select=id,warehouseTransferLine(count)&warehouseTransferLine.order=itemId", "42803"],
        ["select=count->a", "42703"]
      ] as const) {
        assert.deepStrictEqual((yield* ask("GET", `${postgrest}?${search}`)).verdict, [400, code], search)
      }
    })
  )
}
