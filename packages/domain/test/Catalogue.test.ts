import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import * as Catalogue from "../src/Catalogue.ts"
import * as Column from "../src/Column.ts"
import * as Domain from "../src/index.ts"
import type * as Resource from "../src/Resource.ts"
import { OauthClient } from "../src/resources/OauthClient.ts"
import { WarehouseTransfer } from "../src/resources/WarehouseTransfer.ts"
import { WarehouseTransferLine } from "../src/resources/WarehouseTransferLine.ts"
import { contract, returned, writable } from "@mfgdata/testing-contract"

const resources: ReadonlyArray<Resource.Any> = Catalogue.resources

const typeOf = (column: Column.Column): string => {
  if (column.vocabulary !== undefined) return `E:${column.vocabulary.name}`
  return column.type === "text" ? "string" : column.type
}

describe("the catalogue", () => {
  it("holds and exports the resource of every file", () => {
    const files = readdirSync(new URL("../src/resources", import.meta.url)).map((file) => file.replace(".ts", ""))
    const names = resources.map(({ resource }) => resource)
    assert.deepStrictEqual(files.map((name) => name[0]?.toLowerCase() + name.slice(1)).toSorted(), names.toSorted())
    assert.includeMembers(Object.keys(Domain), files)
  })
})

describe("the contract", () => {
  it("lists the resources of the catalogue in order", () => {
    assert.deepStrictEqual(
      resources.map((resource) => resource.resource),
      contract.map((entry) => entry.resource)
    )
    assert.strictEqual(contract.flatMap(writable).length, 242)
  })

  for (const entry of contract) {
    it(`agrees with the catalogue on ${entry.resource}`, () => {
      const resource = Catalogue.find(entry.resource)
      assert.isDefined(resource)
      const columns = Column.byName(resource)
      const fields = writable(entry)
      assert.strictEqual(resource.key, entry.key)
      assert.sameMembers([...columns.keys()], [...returned(entry), ...fields.map((field) => field.name)])
      for (const field of fields) {
        const column = columns.get(field.name)
        assert.isDefined(column)
        assert.strictEqual(typeOf(column), field.type, field.name)
        assert.strictEqual(column.write, field.required ? "required" : "optional", field.name)
        assert.strictEqual(column.nullable, !field.required, field.name)
        assert.deepStrictEqual(column.reference, field.reference, field.name)
      }
      for (const name of returned(entry)) {
        assert.strictEqual(columns.get(name)?.write, "never", name)
        // until the first change there is none
        assert.strictEqual(columns.get(name)?.nullable, name === "updatedAt" || name === "updatedBy", name)
      }
    })
  }
})

describe("a lookup", () => {
  it("finds every resource by name and by path", () => {
    for (const resource of resources) {
      assert.strictEqual(Catalogue.find(resource.resource), resource)
      assert.strictEqual(Catalogue.fromPath(`/${resource.resource}`), resource)
    }
    assert.strictEqual(Catalogue.byName.warehouseTransfer, WarehouseTransfer)
  })

  it("finds nothing for other names and paths", () => {
    for (const name of ["", "company", "Kanban", "kanban/", "constructor", "__proto__"]) {
      assert.isUndefined(Catalogue.find(name))
      assert.isUndefined(Catalogue.fromPath(`/${name}`))
    }
    assert.isUndefined(Catalogue.fromPath("kanban"))
    assert.isUndefined(Catalogue.fromPath("//kanban"))
  })
})

describe("references between the resources", () => {
  it("are the four of the contract", () => {
    assert.deepStrictEqual(
      Catalogue.references.map(({ child, column, parent, field }) => [
        `${child.resource}.${column}`,
        `${parent.resource}.${field}`
      ]),
      [
        ["oauthCode.clientId", "oauthClient.clientId"],
        ["warehouseTransferLine.transferId", "warehouseTransfer.id"],
        ["salesOrderPayment.paymentTermId", "paymentTerm.id"],
        ["webhook.table", "webhookTable.table"]
      ]
    )
  })

  it("name a key or a column that is unique in the public system", () => {
    for (const { parent, field } of Catalogue.references) {
      const unique = parent.rules.unique.map(({ columns }) => columns.join())
      assert.include([parent.key, ...unique], field)
    }
  })

  it("lead up to one row and down to many", () => {
    const [up] = Catalogue.relations(WarehouseTransferLine)
    assert.deepInclude(up, { column: "transferId", target: WarehouseTransfer, field: "id", cardinality: "one" })
    const [down] = Catalogue.relations(WarehouseTransfer)
    assert.deepInclude(down, {
      column: "id",
      target: WarehouseTransferLine,
      field: "transferId",
      cardinality: "many"
    })
    assert.deepInclude(Catalogue.relations(OauthClient)[0], { column: "clientId", field: "clientId" })
    for (const resource of resources) {
      const expected = Catalogue.references.filter(({ child, parent }) => child === resource || parent === resource)
      assert.deepStrictEqual(
        Catalogue.relations(resource).map(({ reference }) => reference),
        expected
      )
    }
  })

  it("order imports parents first and deletions children first", () => {
    for (const order of [Catalogue.importOrder, Catalogue.deletionOrder]) {
      assert.sameMembers([...order], [...resources])
    }
    for (const { child, parent } of Catalogue.references) {
      assert.isBelow(Catalogue.importOrder.indexOf(parent), Catalogue.importOrder.indexOf(child))
      assert.isBelow(Catalogue.deletionOrder.indexOf(child), Catalogue.deletionOrder.indexOf(parent))
    }
  })
})
