import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import { Holiday } from "@mfgdata/domain/resources/Holiday"
import { assert, describe, it } from "@effect/vitest"
import * as PostgresDialect from "../../../src/sql/postgres/PostgresDialect.ts"
import type { NewRow } from "../../../src/sql/write/InsertStatement.ts"
import * as RowUpdate from "../../../src/sql/write/RowUpdate.ts"
import * as Statement from "../../../src/sql/Statement.ts"
import * as Table from "../../../src/sql/Table.ts"
import * as UpdateStatement from "../../../src/sql/write/UpdateStatement.ts"
import { dialect, ownedBy, owner, rowOf } from "../memory.ts"

describe("UpdateStatement", () => {
  for (const each of [dialect, PostgresDialect.dialect]) {
    it(`has the parameters of an update without a template on ${each.name}`, () => {
      for (const resource of Catalogue.resources) {
        const owned = ownedBy(owner, resource)
        const values = rowOf(resource, { [resource.key]: "new" })
        const isKey = Statement.sql`${Table.column(Table.name(resource), resource.key)} = ${"old"}`
        const where = Statement.sql`${Table.isOwned(owned)} AND ${isKey}`
        const assignments = RowUpdate.constants(each, resource, values)
        const plain = Statement.render(RowUpdate.make(each, resource, assignments, where), each)
        const { parameters, text } = UpdateStatement.byKey(each, owned, "old", values)
        assert.deepStrictEqual(parameters, plain.parameters, resource.resource)
        assert.include(text, " RETURNING ")
      }
    })
  }

  it("has one text for all values of some columns, in any order", () => {
    const owned = ownedBy(owner, Holiday)
    const text = (values: NewRow) => UpdateStatement.byKey(dialect, owned, "a", values).text
    assert.strictEqual(text({ name: "One", date: "2026-01-01" }), text({ date: "2026-01-02", name: "Two" }))
    assert.notStrictEqual(text({ name: "One" }), text({ date: "2026-01-01" }))
  })

  it("compiles the text of any set of columns, more than it keeps", () => {
    const owned = ownedBy(owner, Catalogue.byName.inboundInspection)
    const names = Column.fromResource(owned.resource).map(({ name }) => name)
    const texts = Array.from({ length: 300 }, (_, bits) => {
      const some = names.filter((_, index) => (((bits + 1) >> index) & 1) === 1)
      const values = Object.fromEntries(some.map((name) => [name, null]))
      const { parameters, text } = UpdateStatement.byKey(dialect, owned, "a", values)
      assert.strictEqual(text.split("?").length - 1, parameters.length)
      for (const name of some) assert.include(text, `'$."${name}"'`)
      return text
    })
    assert.strictEqual(new Set(texts).size, texts.length)
  })
})
