import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Relationship from "../../../src/rows/plan/Relationship.ts"
import * as RowErrorBody from "../../../src/rows/RowErrorBody.ts"

const { warehouseTransfer, warehouseTransferLine } = Catalogue.byName

/** A line with two references to transfers, which no resource of the catalogue has. */
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
  it("PGRST201: lists all of several relationships, with the hint for each", () => {
    const error = RowErrorBody.make(Either.getOrThrow(Either.flip(find("warehouseTransfer"))))
    assert.deepInclude(error, {
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
    assert.include(error.hint ?? "", "'warehouseTransfer!warehouseTransferLine_originId_fkey'")
  })

  it("follows a hint that names a column or a constraint", () => {
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

  it("finds no relationship by another name", () => {
    assert.isTrue(Either.isLeft(find("warehouseTransfer", "other")))
    assert.isTrue(Either.isLeft(find("holiday")))
  })

  it("finds at most one relationship between two resources of the catalogue", () => {
    for (const resource of Catalogue.resources) {
      const targets = Catalogue.relations(resource).map(({ target }) => target.resource)
      assert.strictEqual(new Set(targets).size, targets.length)
    }
  })
})
