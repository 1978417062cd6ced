import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Relationship from "../../../src/rows/plan/Relationship.ts"
import * as RowErrorBody from "../../../src/rows/RowErrorBody.ts"

const { warehouseTransfer, warehouseTransferLine } = Catalogue.byName

/** A line that refers to a transfer twice, as no resource does. */
const relations: ReadonlyArray<Catalogue.Relation> = ["transferId", "originId"].map((column) => ({
  column,
  target: warehouseTransfer,
  field: "id",
  cardinality: "one",
  reference: { child: warehouseTransferLine, column, parent: warehouseTransfer, field: "id" }
}))

const find = (resource: string, hint?: string) =>
  Relationship.find(warehouseTransferLine, { resource, hint }, relations)

describe("Relationship", () => {
  it("PGRST201: tells all of several relations, and how each is asked for", () => {
    const told = RowErrorBody.make(Either.getOrThrow(Either.flip(find("warehouseTransfer"))))
    assert.deepInclude(told, {
      status: 300,
      code: "PGRST201",
      message:
        "Could not embed because more than one relationship was found for 'warehouseTransferLine' and 'warehouseTransfer'",
      details: ["transferId", "originId"].map((column) => ({
        cardinality: "many-to-one",
        embedding: "warehouseTransferLine with warehouseTransfer",
        relationship: `warehouseTransferLine_${column}_fkey using warehouseTransferLine(${column}) and warehouseTransfer(id)`
      }))
    })
    assert.include(told.hint ?? "", "'warehouseTransfer!warehouseTransferLine_originId_fkey'")
  })

  it("follows the hint: a column or a constraint", () => {
    for (const hint of ["originId", "warehouseTransferLine_originId_fkey"]) {
      assert.deepStrictEqual(
        Either.map(find("warehouseTransfer", hint), ({ column }) => column),
        Either.right("originId")
      )
    }
    assert.deepStrictEqual(
      Either.map(find("originId"), ({ column }) => column),
      Either.right("originId")
    )
  })

  it("finds none by another name", () => {
    assert.isTrue(Either.isLeft(find("warehouseTransfer", "other")))
    assert.isTrue(Either.isLeft(find("holiday")))
  })

  it("leads between two resources of the catalogue in one way at most", () => {
    for (const resource of Catalogue.resources) {
      const targets = Catalogue.relations(resource).map(({ target }) => target.resource)
      assert.strictEqual(new Set(targets).size, targets.length)
    }
  })
})
