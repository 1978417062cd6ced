import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import { Holiday } from "@mfgdata/domain/resources/Holiday"
import { OauthClient } from "@mfgdata/domain/resources/OauthClient"
import { OauthCode } from "@mfgdata/domain/resources/OauthCode"
import { PaymentTerm } from "@mfgdata/domain/resources/PaymentTerm"
import { SalesOrderFavorite } from "@mfgdata/domain/resources/SalesOrderFavorite"
import { SalesOrderPayment } from "@mfgdata/domain/resources/SalesOrderPayment"
import { WarehouseTransfer } from "@mfgdata/domain/resources/WarehouseTransfer"
import { WarehouseTransferLine } from "@mfgdata/domain/resources/WarehouseTransferLine"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { StoreRefusal } from "../../../src/sql/Change.ts"
import type { Condition } from "../../../src/sql/read/Condition.ts"
import * as Mutation from "../../../src/sql/write/Mutation.ts"
import type { Selection } from "../../../src/sql/read/Selection.ts"
import { at, dialect, type Memory, open, ownedBy, owner, type Row, rowOf, stranger, whole } from "../memory.ts"
import * as oracle from "../oracle.ts"
import * as random from "../random.ts"

const eq = (resource: Resource.Any, column: string, value: string): Condition => ({
  _tag: "Compare",
  target: at(resource, column),
  operator: "eq",
  value
})

const some = (resource: Resource.Any, ...keys: ReadonlyArray<string>): Condition => ({
  _tag: "OneOf",
  target: at(resource, resource.key),
  values: keys
})

const insert = (resource: Resource.Any, rows: ReadonlyArray<Row>, by = owner) =>
  Mutation.insert(dialect, { owned: ownedBy(by, resource), rows, revision: 1, selection: whole })

const update = (
  resource: Resource.Any,
  where: ReadonlyArray<Condition>,
  set: Row,
  options: Partial<Mutation.Update> = {}
) => Mutation.update(dialect, { owned: ownedBy(owner, resource), where, set, order: [], selection: whole, ...options })

const remove = (resource: Resource.Any, where: ReadonlyArray<Condition>, options: Partial<Mutation.Remove> = {}) =>
  Mutation.remove(dialect, {
    owned: ownedBy(owner, resource),
    where,
    order: [],
    selection: whole,
    rules: "contract",
    ...options
  })

const upsert = (resource: Resource.Any, rows: ReadonlyArray<Row>, options: Partial<Mutation.Upsert> = {}) =>
  Mutation.upsert(dialect, {
    owned: ownedBy(owner, resource),
    rows,
    revision: 1,
    given: [],
    auditColumns: {},
    target: [resource.key],
    resolution: "merge",
    selection: whole,
    ...options
  })

/** Values of the columns that the public rules make unique, and the company of the writing user. */
const distinct = ({ rules }: Resource.Any, text: string, { companyId } = owner): Row => ({
  ...Object.fromEntries(rules.unique.map(({ columns: [name = ""] }) => [name, text])),
  companyId
})

/** The refusal of a mutation. */
const refusal = (memory: Memory, { steps }: Mutation.Mutation) => {
  const result = memory.change(steps)
  return "_tag" in result ? result : undefined
}

/** Checks that every column of a table equals the value in its document. */
const assertConsistent = (memory: Memory, resource: Resource.Any) => {
  for (const column of Column.fromResource(resource)) {
    if (dialect.columnType(column.type) === undefined) continue
    const text = `SELECT "${column.name}", "_doc" ->> '$."${column.name}"', "_doc" FROM "${resource.resource}"`
    for (const [value, said, document] of memory.execute({
      text: column.type === "timestamp" ? text.replace(/"[^"]*"/, `CAST($& AS TEXT)`) : text,
      parameters: []
    })) {
      const row: Row = JSON.parse(String(document))
      const wire = row[column.name] ?? null
      assert.strictEqual(value, column.type === "boolean" ? said : dialect.parameter(column.type, wire), column.name)
    }
  }
}

const json = (rows: ReadonlyArray<Mutation.Affected>): ReadonlyArray<Json> =>
  rows.map(({ json }) => JSON.parse(String(json)))

describe("Mutation.insert", () => {
  it("inserts rows with all columns and returns them in order", () => {
    const memory = open()
    const rows = ["b", "a"].map((id) => rowOf(Holiday, { id, year: 2026, updatedBy: "ann" }))
    const selection: Selection = {
      _tag: "Fields",
      fields: [{ name: "on", target: at(Holiday, "date"), cast: "text" }],
      embeds: []
    }
    assert.deepStrictEqual(
      memory.write(Mutation.insert(dialect, { owned: ownedBy(owner, Holiday), rows, revision: 1, selection })),
      ["b", "a"].map((key) => ({ json: '{"on":"2026-01-31"}', key, revision: 1, inserted: true }))
    )
    assert.deepStrictEqual(memory.list(Holiday), rows)
    assertConsistent(memory, Holiday)
  })

  it("has one text for any number of rows", () => {
    const { steps } = insert(
      Holiday,
      ["1", "2", "3"].map((id) => rowOf(Holiday, { id }))
    )
    assert.strictEqual(new Set(steps.map(({ statement }) => statement.text)).size, 1)
    assert.strictEqual(steps.length, 3)
    assert.deepStrictEqual(insert(Holiday, []).steps, [])
  })

  it("refuses a parent that the company does not have under the public rules, naming column and parent", () => {
    const memory = open("public")
    memory.insert(WarehouseTransfer, [rowOf(WarehouseTransfer, { id: "mine" })])
    memory.insert(
      WarehouseTransfer,
      [rowOf(WarehouseTransfer, { id: "theirs", companyId: stranger.companyId })],
      stranger
    )
    const lines = (...parents: ReadonlyArray<string>) =>
      insert(
        WarehouseTransferLine,
        parents.map((transferId, index) => rowOf(WarehouseTransferLine, { id: `${index}`, transferId }))
      )
    const expected: StoreRefusal = {
      _tag: "ParentMissing",
      resource: "warehouseTransferLine",
      column: "transferId",
      parent: "warehouseTransfer",
      field: "id"
    }
    assert.deepStrictEqual(refusal(memory, lines("mine", "none")), expected)
    assert.deepStrictEqual(refusal(memory, lines("theirs")), expected)
    assert.strictEqual(memory.write(lines("mine", "mine")).length, 2)
    assert.strictEqual(open().write(lines("none", "theirs")).length, 2)
    assert.strictEqual(memory.write(insert(SalesOrderPayment, [rowOf(SalesOrderPayment, { id: "1" })])).length, 1)
  })

  it("separates companies and users with equal keys", () => {
    const memory = open()
    memory.insert(Holiday, [rowOf(Holiday, { id: "1", name: "mine" })])
    memory.insert(Holiday, [rowOf(Holiday, { id: "1", name: "theirs" })], stranger)
    assert.deepStrictEqual(refusal(memory, insert(Holiday, [rowOf(Holiday, { id: "1" })])), {
      _tag: "Duplicate",
      resource: "holiday",
      columns: ["id"],
      constraint: "holiday_pkey"
    })
  })
})

describe("Mutation.update", () => {
  it("changes the same rows as plain JavaScript, and no others", () => {
    const memory = open()
    const cases = random.resource.chain((resource) =>
      fc.record({
        resource: fc.constant(resource),
        rows: random.rows(resource),
        where: random.condition(resource),
        order: random.order(resource),
        changes: random.row(resource, "key").chain((row) => {
          const { [resource.key]: _, ...others } = row
          return fc.subarray(Object.entries(others))
        })
      })
    )
    fc.assert(
      fc.property(cases, ({ changes, order, resource, rows, where }) => {
        memory.clear()
        memory.insert(resource, rows)
        memory.insert(resource, rows, stranger)
        const set = Object.fromEntries(changes)
        const after = rows.map((row) => ({ row, passes: oracle.judge(row, where) === true }))
        const changed = after.filter(({ passes }) => passes).map(({ row }) => ({ ...row, ...set }))
        const written = memory.write(update(resource, [where], set, { order }))
        assert.deepStrictEqual(
          written.map(({ json }) => json),
          changed.toSorted(oracle.compare(order, resource.key)).map((row) => JSON.stringify(row))
        )
        assert.isTrue(written.every(({ inserted, revision }) => !inserted && revision === 2))
        const expected = after.map(({ passes, row }) => (passes ? { ...row, ...set } : row))
        assert.deepStrictEqual(memory.list(resource), expected)
        assert.deepStrictEqual(memory.list(resource, { owner: stranger }), rows)
        assertConsistent(memory, resource)
      }),
      { numRuns: 200 }
    )
  })

  it("checks the parents it sets under the public rules, if it matches a row", () => {
    const memory = open("public")
    memory.insert(PaymentTerm, [rowOf(PaymentTerm, { id: "net 30" })])
    memory.insert(SalesOrderPayment, [rowOf(SalesOrderPayment, { id: "1", paymentTermId: "net 30" })])
    const set = { paymentTermId: "none" }
    assert.deepStrictEqual(refusal(memory, update(SalesOrderPayment, [eq(SalesOrderPayment, "id", "1")], set)), {
      _tag: "ParentMissing",
      resource: "salesOrderPayment",
      column: "paymentTermId",
      parent: "paymentTerm",
      field: "id"
    })
    assert.deepStrictEqual(memory.write(update(SalesOrderPayment, [eq(SalesOrderPayment, "id", "2")], set)), [])
    const [cleared] = memory.write(update(SalesOrderPayment, [some(SalesOrderPayment, "1")], { paymentTermId: null }))
    assert.include(cleared?.json, '"paymentTermId":null')
  })

  it("refuses to change a referenced field under the public rules, and no other field", () => {
    const memory = open("public")
    memory.insert(
      OauthClient,
      ["1", "2"].map((id) => rowOf(OauthClient, { id, clientId: `client ${id}` }))
    )
    memory.insert(OauthCode, [rowOf(OauthCode, { id: "1", clientId: "client 1" })])
    const where = [some(OauthClient, "1")]
    assert.deepStrictEqual(refusal(memory, update(OauthClient, where, { clientId: "other" })), {
      _tag: "StillReferenced",
      resource: "oauthClient",
      field: "clientId",
      child: "oauthCode",
      column: "clientId"
    })
    assert.strictEqual(memory.write(update(OauthClient, where, { clientId: "client 1", name: "x" })).length, 1)
    assert.strictEqual(memory.write(update(OauthClient, [some(OauthClient, "2")], { clientId: "other" })).length, 1)
  })

  it("changes a key that is writable", () => {
    const memory = open()
    memory.insert(SalesOrderFavorite, [rowOf(SalesOrderFavorite, { salesOrderId: "1" })])
    const set = { salesOrderId: "2" }
    const [row] = memory.write(update(SalesOrderFavorite, [eq(SalesOrderFavorite, "salesOrderId", "1")], set))
    assert.strictEqual(row?.key, "2")
  })
})

describe("Mutation.upsert", () => {
  const second = rowOf(Holiday, { id: "2", name: "new", year: 2027 })
  const rows = [rowOf(Holiday, { id: "1", name: "new", year: 2027 }), second]
  const standing = rowOf(Holiday, { id: "1", name: "old", year: 2026, createdBy: "bob" })
  const given = ["name"]
  const auditColumns = { updatedBy: "ann" }

  it("inserts new rows and merges the given columns into existing ones", () => {
    const memory = open()
    memory.insert(Holiday, [standing])
    const written = memory.write(upsert(Holiday, rows, { given, auditColumns }))
    assert.deepStrictEqual(
      written.map(({ inserted, key, revision }) => [key, revision, inserted]),
      [
        ["1", 2, false],
        ["2", 1, true]
      ]
    )
    assert.deepStrictEqual(memory.list(Holiday), [{ ...standing, name: "new", updatedBy: "ann" }, second])
    assert.deepStrictEqual(json(written), memory.list(Holiday))
    assertConsistent(memory, Holiday)
  })

  it("leaves existing rows unchanged when duplicates are ignored", () => {
    const memory = open()
    memory.insert(Holiday, [standing])
    const written = memory.write(upsert(Holiday, rows, { given, auditColumns, resolution: "ignore" }))
    assert.deepStrictEqual(
      written.map(({ key }) => key),
      ["2"]
    )
    assert.deepStrictEqual(memory.list(Holiday)[0], standing)
  })

  it("finds a row by other columns that the public rules make unique, and keeps its key", () => {
    const memory = open("public")
    memory.insert(OauthClient, [rowOf(OauthClient, { id: "1", clientId: "c" })])
    const row = rowOf(OauthClient, { id: "2", clientId: "c", name: "new" })
    const [written] = memory.write(upsert(OauthClient, [row], { given: ["name"], target: ["clientId"] }))
    assert.deepInclude(written, { key: "1", inserted: false })
    assert.deepStrictEqual(memory.list(OauthClient), [{ ...row, id: "1" }])
  })

  it("leaves another company's rows unchanged", () => {
    const memory = open()
    memory.insert(Holiday, [standing], stranger)
    const written = memory.write(upsert(Holiday, rows, { given, auditColumns }))
    assert.isTrue(written.every(({ inserted }) => inserted))
    assert.deepStrictEqual(memory.list(Holiday, { owner: stranger }), [standing])
  })

  it("refuses missing parents and changes of referenced fields under the public rules", () => {
    const memory = open("public")
    memory.insert(OauthClient, [rowOf(OauthClient, { id: "1", clientId: "old" })])
    memory.insert(OauthCode, [rowOf(OauthCode, { id: "1", clientId: "old" })])
    const client = upsert(OauthClient, [rowOf(OauthClient, { id: "1", clientId: "new" })], { given: ["clientId"] })
    assert.strictEqual(refusal(memory, client)?._tag, "StillReferenced")
    const code = upsert(OauthCode, [rowOf(OauthCode, { id: "1", clientId: "none" })], { given: ["clientId"] })
    assert.strictEqual(refusal(memory, code)?._tag, "ParentMissing")
  })
})

describe("Mutation.remove", () => {
  it("deletes the same rows as plain JavaScript, and returns them in order", () => {
    const memory = open()
    const cases = random.resource.chain((resource) =>
      fc.record({
        resource: fc.constant(resource),
        rows: random.rows(resource),
        where: random.condition(resource),
        order: random.order(resource)
      })
    )
    fc.assert(
      fc.property(cases, ({ order, resource, rows, where }) => {
        memory.clear()
        memory.insert(resource, rows)
        memory.insert(resource, rows, stranger)
        const passing = rows.filter((row) => oracle.judge(row, where) === true)
        assert.deepStrictEqual(
          json(memory.write(remove(resource, [where], { order }))),
          passing.toSorted(oracle.compare(order, resource.key))
        )
        assert.strictEqual(memory.list(resource).length, rows.length - passing.length)
        assert.strictEqual(memory.list(resource, { owner: stranger }).length, rows.length)
      }),
      { numRuns: 150 }
    )
  })

  it("deletes children or is refused because of them under the public rules, as the catalogue declares", () => {
    for (const { child, column, field, parent } of Catalogue.references) {
      const memory = open("public")
      for (const by of [owner, stranger]) {
        memory.insert(
          parent,
          ["1", "2"].map((id) =>
            rowOf(parent, { ...distinct(parent, id, by), [parent.key]: id, [field]: `parent ${id}` })
          ),
          by
        )
        memory.insert(
          child,
          ["1", "2"].map((id) =>
            rowOf(child, { ...distinct(child, id, by), [child.key]: id, [column]: `parent ${id}` })
          ),
          by
        )
      }
      const first = remove(parent, [eq(parent, field, "parent 1")], { rules: "public" })
      if (child.rules.onParentDelete[column] === "cascade") {
        assert.strictEqual(memory.write(first).length, 1)
        assert.deepStrictEqual(
          memory.list(child).map((row) => row[child.key]),
          ["2"]
        )
      } else {
        assert.deepStrictEqual(refusal(memory, first), {
          _tag: "StillReferenced",
          resource: parent.resource,
          field,
          child: child.resource,
          column
        })
        memory.write(remove(child, [some(child, "1")]))
        assert.strictEqual(memory.write(first).length, 1)
      }
      assert.strictEqual(memory.list(child, { owner: stranger }).length, 2)
    }
  })

  it("deletes only the matching rows under the contract rules, also if other rows refer to them", () => {
    for (const { child, column, field, parent } of Catalogue.references) {
      const memory = open()
      memory.insert(parent, [rowOf(parent, { [parent.key]: "1", [field]: "up" })])
      memory.insert(child, [rowOf(child, { [child.key]: "1", [column]: "up" })])
      assert.strictEqual(memory.write(remove(parent, [eq(parent, field, "up")])).length, 1)
      assert.strictEqual(memory.list(child).length, 1)
    }
  })

  it("omits the order for at most one row", () => {
    const byKey = remove(Holiday, [eq(Holiday, "id", "1")])
    assert.strictEqual(byKey.steps.length, 1)
    assert.strictEqual(remove(Holiday, [eq(Holiday, "name", "1")]).steps.length, 2)
  })
})
