/** Tests the refusals of embeds, foreign rows, and the number of embeds in a query. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { bounds } from "@mfgdata/domain/QueryError"
import { assert, describe, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Embeds from "./Embeds.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  describe("refusals", () => {
    const cases: ReadonlyArray<readonly [search: string, status: number, code: string, words: string]> = [
      ["select=id,webhook(*)", 400, "PGRST200", "'webhook'"],
      ["select=id,warehouseTransferLines(*)", 400, "PGRST200", "Perhaps you meant 'warehouseTransferLine'"],
      ["select=id,warehouseTransferLine!itemId(*)", 400, "PGRST200", "using the hint 'itemId'"],
      ["select=id&warehouseTransferLine.itemId=eq.a", 400, "PGRST108", "'warehouseTransferLine'"],
      [
        "select=id,l:warehouseTransferLine(*)&warehouseTransferLine.limit=1",
        400,
        "PGRST108",
        "Change 'warehouseTransferLine' to 'l'"
      ],
      ["select=id,warehouseTransferLine(*)&warehouseTransferLine=eq.a", 400, "PGRST120", "'warehouseTransferLine'"],
      [
        "select=id,warehouseTransferLine(*)&or=(id.eq.a,warehouseTransferLine.gt.a)",
        400,
        "PGRST120",
        "'warehouseTransferLine'"
      ],
      [
        "select=id,warehouseTransferLine(*)&order=warehouseTransferLine(itemId)",
        400,
        "PGRST118",
        "'warehouseTransferLine'"
      ],
      ["select=id&order=warehouseTransferLine(itemId)", 400, "PGRST108", "'warehouseTransferLine'"],
      ["select=id,warehouseTransferLine(nothing)", 400, "42703", "warehouseTransferLine.nothing"],
      [
        "select=id,warehouseTransferLine(*)&warehouseTransferLine.nothing=eq.a",
        400,
        "42703",
        "warehouseTransferLine.nothing"
      ],
      ["select=id,warehouseTransferLine(*)&warehouseTransferLine.quantity=eq.a", 400, "22P02", "numeric"],
      ["select=id,warehouseTransferLine(*),warehouseTransferLine(id)", 400, "42712", "warehouseTransferLine"],
      ["select=id,warehouseTransferLine(itemId::integer)", 400, "22P02", "itemId"]
    ]
    for (const [search, status, code, words] of cases) {
      it.effect(`${code} for ${search}`, () =>
        Effect.gen(function* () {
          const { ask } = yield* Embeds.planted
          const reply = yield* ask("GET", `/rest/warehouseTransfer?${search}`)
          assert.deepStrictEqual(reply.verdict, [status, code])
          assert.include(reply.text, words)
        })
      )
    }
  })

  it.effect("never shows or counts what another company owns, in either direction", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      const probes = Embeds.both.flatMap(([resource, { target }]) =>
        [
          `select=*,${target.resource}(*)`,
          `select=*,...${target.resource}(*)`,
          `select=*,${target.resource}!inner(*)`,
          `select=*,${target.resource}()&${target.resource}=is.null`,
          `select=*,${target.resource}()&${target.resource}=not.is.null`
        ].map((search) => ({ target: `/rest/${resource.resource}?${search}`, headers: { prefer: "count=exact" } }))
      )
      const ask = Effect.forEach(probes, ({ headers, target }) =>
        Effect.map(done("GET", target, { as: "rival", headers }), ({ headers, text }) => [
          target,
          headers["content-range"],
          text
        ])
      )
      yield* Sample.clear("operator")
      yield* Sample.clear("rival")
      yield* Sample.plant("rival", Catalogue.importOrder)
      const alone = yield* ask
      const theirs = yield* Sample.plant("operator", Catalogue.importOrder, 2)
      assert.deepStrictEqual(yield* ask, alone)
      // Rows of the other company have the names that these rows refer to, and are not found.
      const client = yield* done("POST", "/rest/oauthClient", {
        as: "rival",
        body: { ...Sample.body(Catalogue.byName.oauthClient, 2, { companyId: "rival", parents: new Map() }) }
      })
      assert.strictEqual(client.row["clientId"], theirs.get("oauthClient")?.["clientId"])
      const codes = yield* done(
        "GET",
        `/rest/oauthClient?id=eq.${String(client.row["id"])}&select=oauthCode(id)&limit=1`,
        {
          as: "rival"
        }
      )
      assert.deepStrictEqual(codes.rows, [{ oauthCode: [] }])
      yield* Sample.clear("rival")
    })
  )

  it.effect("requires the scope to read the embedded resource", () =>
    Effect.gen(function* () {
      const { ask, keys } = yield* Embeds.planted
      const { companyId, userId } = Service.members.operator
      const scopes = ["warehouseTransfer:*"] as const
      const { key } = yield* Effect.orDie(
        keys.create({ name: "transfers", companyId, userId, scopes, expiresAt: null })
      )
      const headers = { authorization: `Bearer ${Redacted.value(key)}` }
      const own = yield* ask("GET", "/rest/warehouseTransfer?select=id", { headers })
      assert.strictEqual(own.status, 200)
      for (const select of [
        "warehouseTransferLine(id)",
        "warehouseTransferLine()",
        "...warehouseTransferLine!inner(id)"
      ]) {
        const reply = yield* ask("GET", `/rest/warehouseTransfer?select=id,${select}`, { headers })
        assert.deepStrictEqual(reply.verdict, [403, "42501"])
        assert.include(reply.text, "warehouseTransferLine:read")
      }
    })
  )

  it.effect("runs the largest filters of a query, at the top and at the deepest level", () =>
    Effect.gen(function* () {
      const { done } = yield* Embeds.planted
      const names = ["warehouseTransferLine", "warehouseTransfer"] as const
      const levels = Array.from({ length: bounds.embeds }, (_, depth) => names[depth % 2] ?? "")
      const select = levels.reduceRight((select, name) => `id,${name}!inner(${select})`, "id")
      const light = "notes.gt.5"
      const heavy = `customFields->a->b.cs.${JSON.stringify('{"a":[{"b":[1],"c":[2]}]}')}`
      // Two branches of equal depth while the budget lasts, and below that as deep as allowed.
      const worst = (depth: number, budget: number): string => {
        if (depth === 0 || budget < 3) return heavy
        const twins = budget > 2 ** 5
        const half = (budget - 1) / 2
        const branches = twins
          ? `${worst(depth - 1, half)},${worst(depth - 1, half)}`
          : `${light},${worst(depth - 1, budget - 2)}`
        return `${depth % 3 === 0 ? "not." : ""}${depth % 2 === 0 ? "and" : "or"}(${branches})`
      }
      const tree = worst(bounds.depth - 1, bounds.filters - 3)
      for (const way of ["", `${levels.join(".")}.`]) {
        const target = `/rest/warehouseTransfer?select=${select}&${way}or=${encodeURIComponent(`(id.is.null,${tree})`)}`
        const reply = yield* done("GET", target, { headers: { prefer: "count=exact" } })
        assert.deepStrictEqual(reply.rows, [])
      }
    })
  )

  it.effect("accepts as many embeds next to each other as a store can join, and refuses more", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Embeds.planted
      const select = (count: number) =>
        Array.from({ length: count }, (_, index) => `a${index}:warehouseTransferLine(quantity)`)
      const most = yield* done("GET", `/rest/warehouseTransfer?select=id,${select(32).join(",")}`)
      assert.lengthOf(Object.keys(most.rows[0] ?? {}), 33)
      const more = yield* ask("GET", `/rest/warehouseTransfer?select=id,${select(33).join(",")}`)
      assert.deepStrictEqual(more.verdict, [400, "PGRST127"])
      const spread = (count: number) => Array.from({ length: count }, (_, index) => `q${index}:quantity`).join(",")
      const widest = yield* done("GET", `/rest/warehouseTransfer?select=...warehouseTransferLine(${spread(500)})`)
      assert.lengthOf(Object.keys(widest.rows[0] ?? {}), 500)
      const wider = yield* ask("GET", `/rest/warehouseTransfer?select=...warehouseTransferLine(${spread(501)})`)
      assert.deepStrictEqual(wider.verdict, [400, "PGRST127"])
    })
  )
}
