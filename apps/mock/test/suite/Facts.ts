/** Tests that the service behaves as facts describe: columns, vocabularies, rules, answers and errors. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Service from "./Service.ts"
import { given, layer as taught, start, TaughtService } from "./TaughtService.ts"
import { answers } from "./AnswerFacts.ts"
import { columnFacts, openColumns } from "./ColumnFacts.ts"

const seen = 1

/** A fact that describes, and changes nothing. */
export const neutral = given({
  fact: "vocabulary",
  resource: "kanban",
  column: "replenishmentSystem",
  values: ["Buy"],
  closed: "no",
  seen
})

const stores = (fresh: Service.Fresh): void => {
  it.scopedLive(
    "a store that was served without facts gets their columns, and refuses facts that its rows violate",
    () =>
      Effect.gen(function* () {
        const store = yield* fresh
        if (store._tag === "Sqlite") return
        yield* Effect.scoped(start(store, { seed: "Demo" }))
        const { ask } = yield* start(store, {
          facts: given(
            { fact: "type", resource: "nonConformance", column: "approvalRequirements", type: "array", seen },
            { fact: "column", resource: "nonConformance", column: "site", type: "text", write: "optional", seen },
            { fact: "absent", resource: "nonConformance", column: "tags", seen }
          )
        })
        const { rows } = yield* ask("GET", "/rest/nonConformance")
        assert.isAbove(rows.length, 0)
        assert.deepStrictEqual(new Set(rows.map(({ site }) => site)), new Set([null]))
        assert.isTrue(rows.every((row) => !("tags" in row)))
        assert.isTrue(rows.some(({ approvalRequirements }) => Array.isArray(approvalRequirements)))
      })
  )

  layer(taught(fresh, { facts: { _tag: "PublicSystem" }, seed: "Demo" }))("the facts of the public system", (it) => {
    it.effect("hold for the demo's rows, and for new ones", () =>
      Effect.gen(function* () {
        const { ask, companyId } = yield* TaughtService
        const { rows } = yield* ask("GET", "/rest/nonConformance")
        assert.isTrue(rows.some(({ approvalRequirements }) => Array.isArray(approvalRequirements)))
        assert.isTrue(rows.every((row) => "createdAt" in row))
        const created = yield* ask("POST", "/rest/warehouseTransfer", {
          transferId: "WT900001",
          fromLocationId: "a",
          toLocationId: "b",
          companyId
        })
        assert.strictEqual(created.status, 201, created.text)
        assert.strictEqual(created.row["status"], "Draft")
        assert.match(String(created.row["createdAt"]), /\+00:00$/)
        const repeated = yield* ask("POST", "/rest/warehouseTransfer", {
          transferId: "WT900001",
          fromLocationId: "a",
          toLocationId: "b",
          companyId
        })
        assert.deepStrictEqual(repeated.verdict, [409, "23505"])
        const other = yield* ask("POST", "/rest/warehouseTransfer", {
          transferId: "WT900002",
          fromLocationId: "a",
          toLocationId: "b",
          companyId,
          status: "Lost"
        })
        assert.deepStrictEqual(other.verdict, [400, "22P02"])
      })
    )
  })
}

/** Registers the tests of facts for a kind of store. */
export const suite = (fresh: Service.Fresh): void => {
  describe("with facts", () => {
    columnFacts(fresh)
    openColumns(fresh)
    answers(fresh)
    stores(fresh)
  })
}
