/** Tests aggregates and groups, on a service that allows them. */
import type { Json } from "@mfgdata/domain/Json"
import { assert, describe, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { newWebhook } from "../webhooks/newWebhook.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

const lines: ReadonlyArray<readonly [journalId: string, amount: number, accrual: boolean, description: string | null]> =
  [
    ["j1", 0.1, true, "b"],
    ["j1", 0.2, true, "a"],
    ["j1", 61098214627622510, false, null],
    ["j2", -5, true, "c"],
    ["j2", 1.5, false, "é"]
  ]

const planted = Effect.gen(function* () {
  const service = yield* Service.Service
  yield* Sample.clear("operator")
  yield* service.done("POST", "/rest/journalLine", {
    body: lines.map(([journalId, amount, accrual, description], quantity) => ({
      journalId,
      amount,
      accrual,
      description,
      quantity,
      journalLineReference: "r",
      companyId,
      customFields: { kind: accrual ? "x" : "y" }
    }))
  })
  yield* service.done("POST", "/rest/journalLine", {
    as: "rival",
    body: { journalId: "j1", amount: 1000, accrual: true, quantity: 1, journalLineReference: "r", companyId: "rival" }
  })
  return service
})

const at = "/rest/journalLine?select="

const cases: ReadonlyArray<readonly [search: string, rows: ReadonlyArray<Json>]> = [
  ["count()", [{ count: 5 }]],
  ["lines:count(),described:description.count()", [{ lines: 5, described: 4 }]],
  ["count()&accrual=is.true", [{ count: 3 }]],
  ["count(),amount.sum()&amount=gt.1e300", [{ count: 0, sum: null }]],
  [
    "journalId,quantity.sum()",
    [
      { journalId: "j1", sum: 3 },
      { journalId: "j2", sum: 7 }
    ]
  ],
  [
    "journalId,amount.sum()&amount=lt.1",
    [
      { journalId: "j1", sum: 0.3 },
      { journalId: "j2", sum: -5 }
    ]
  ],
  ["amount.avg()&amount=lt.1", [{ avg: -1.56666666666667 }]],
  ["least:amount.min(),most:amount.max()", [{ least: -5, most: 61098214627622510 }]],
  ["first:description.min(),last:description.max()", [{ first: "a", last: "é" }]],
  [
    "journalId,accrual,count()&order=accrual.desc,journalId.desc",
    [
      { journalId: "j2", accrual: true, count: 1 },
      { journalId: "j1", accrual: true, count: 2 },
      { journalId: "j2", accrual: false, count: 1 },
      { journalId: "j1", accrual: false, count: 1 }
    ]
  ],
  ["journalId,count()&limit=1&offset=1", [{ journalId: "j2", count: 2 }]],
  [
    "description,count()&order=description.desc.nullslast&limit=2",
    [
      { description: "é", count: 1 },
      { description: "c", count: 1 }
    ]
  ],
  [
    "kind:customFields->>kind,count()",
    [
      { kind: "x", count: 3 },
      { kind: "y", count: 2 }
    ]
  ],
  [
    "customFields,count()",
    [
      { customFields: { kind: "x" }, count: 3 },
      { customFields: { kind: "y" }, count: 2 }
    ]
  ],
  ["reference:journalLineReference::text,count()", [{ reference: "r", count: 5 }]]
]

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const [search, expected] of cases) {
    it.effect(`select=${search}`, () =>
      Effect.gen(function* () {
        const { done } = yield* planted
        assert.deepStrictEqual<ReadonlyArray<Json>>((yield* done("GET", at + search)).rows, expected)
      })
    )
  }

  it.effect("finds the first and the last timestamp to the microsecond, and writes them in one form", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      const moments = [
        "1969-12-31T23:59:59.9999999Z",
        "2026-01-01T02:00:00+02:00",
        "2026-01-01T00:00:00.0000019Z",
        "2026-001T00Z",
        "2026-01-01T00:00:00.12+00:00"
      ]
      const table = (yield* done("POST", "/rest/webhookTable", { body: { module: "m", name: "t" } })).row["table"]
      yield* done("POST", "/rest/webhook", {
        body: moments.map((lastSuccess, number) =>
          newWebhook({ name: String(number), table: table ?? null, companyId, lastSuccess })
        )
      })
      const ends = "/rest/webhook?select=first:lastSuccess.min(),last:lastSuccess.max()"
      const { rows } = yield* done("GET", ends)
      assert.deepStrictEqual(rows, [{ first: "1969-12-31T23:59:59.999999Z", last: "2026-01-01T00:00:00.120Z" }])
      for (const [filter, first, last] of [
        ["name=in.(1,3)", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
        ["name=in.(1,2,3)", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000001Z"],
        ["name=eq.none", null, null]
      ] as const) {
        assert.deepStrictEqual((yield* done("GET", `${ends}&${filter}`)).rows, [{ first, last }], filter)
      }
      // An offset can put a timestamp outside the years that UTC can write.
      yield* done("PATCH", "/rest/webhook?name=eq.0", { body: { lastSuccess: "0001-01-01T00:00:00.5+00:30" } })
      yield* done("PATCH", "/rest/webhook?name=eq.1", { body: { lastSuccess: "9999-12-31T24:00:00.000Z" } })
      assert.deepStrictEqual((yield* done("GET", ends)).rows, [
        { first: "0001-01-01T23:29:00.500+23:59", last: "9999-12-31T00:01:00.000-23:59" }
      ])
    })
  )

  it.effect("refuses a sum or an average beyond the largest number, and adds whole numbers beyond 64 bits", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted
      const line = { accrual: true, quantity: 1, journalLineReference: "r", companyId }
      yield* done("POST", "/rest/journalLine", {
        body: [
          ["over", 1.7e308],
          ["over", 1.7e308],
          ["under", -1.7e308],
          ["whole", 9e18],
          ["whole", 9e18]
        ].map(([journalId, amount]) => ({ ...line, journalId, amount }))
      })
      for (const select of ["amount.sum()", "amount.avg()", "journalId,amount.sum()", "count(),mean:amount.avg()"]) {
        const refused = yield* ask("GET", at + select)
        assert.deepStrictEqual(refused.verdict, [400, "22003"], select)
        assert.include(refused.text, "value out of range: overflow")
      }
      const { rows } = yield* done("GET", `${at}journalId,amount.sum()&journalId=in.(under,whole)`)
      assert.deepStrictEqual(rows, [
        { journalId: "under", sum: -1.7e308 },
        { journalId: "whole", sum: 1.8e19 }
      ])
    })
  )

  it.effect("counts groups", () =>
    Effect.gen(function* () {
      const { ask } = yield* planted
      const reply = yield* ask("GET", `${at}journalId,count()&limit=1`, { headers: { prefer: "count=exact" } })
      assert.deepStrictEqual([reply.status, reply.headers["content-range"]], [206, "0-0/2"])
      const accept = "application/vnd.pgrst.object+json"
      const one = yield* ask("GET", `${at}count()`, { headers: { accept } })
      assert.deepStrictEqual(one.row, { count: 5 })
    })
  )

  describe("refusals", () => {
    const refusals: ReadonlyArray<readonly [search: string, status: number, code: string]> = [
      ["description.sum()", 404, "42883"],
      ["accrual.min()", 404, "42883"],
      ["count()&order=amount", 400, "42803"],
      ["journalId,count()&order=amount", 400, "42803"],
      ["amount.sum()::text", 400, "PGRST127"],
      ["nothing.sum()", 400, "42703"],
      ["amount.median()", 400, "PGRST100"]
    ]
    for (const [search, status, code] of refusals) {
      it.effect(`${code} for select=${search}`, () =>
        Effect.gen(function* () {
          const { ask } = yield* Service.Service
          assert.deepStrictEqual((yield* ask("GET", at + search)).verdict, [status, code])
        })
      )
    }

    it.effect("PGRST127 for more values than a store can group by", () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        const select = (count: number) => Array.from({ length: count }, (_, index) => `a${index}:amount`).join(",")
        yield* done("GET", `${at}count(),${select(199)}`)
        assert.deepStrictEqual((yield* ask("GET", `${at}count(),${select(200)}`)).verdict, [400, "PGRST127"])
      })
    )

    it.effect("PGRST127 next to and inside of embeds, and in writes", () =>
      Effect.gen(function* () {
        const { ask } = yield* Service.Service
        for (const select of ["count(),warehouseTransferLine(id)", "id,warehouseTransferLine(quantity.sum())"]) {
          const reply = yield* ask("GET", `/rest/warehouseTransfer?select=${select}`)
          assert.deepStrictEqual(reply.verdict, [400, "PGRST127"])
        }
        const reply = yield* ask("DELETE", "/rest/holiday?id=eq.a&select=count()")
        assert.deepStrictEqual(reply.verdict, [400, "PGRST127"])
      })
    )
  })
}
