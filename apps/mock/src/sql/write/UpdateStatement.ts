/**
 * Builds the statement that updates one row by its key and returns it. Its text is kept for each resource and set of
 * columns, and only the parameters are new.
 */
import type * as Column from "@mfgdata/domain/Column"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Dialect } from "../Dialect.ts"
import type { NewRow } from "./InsertStatement.ts"
import type { OwnedTable } from "../Owner.ts"
import * as RowUpdate from "./RowUpdate.ts"
import { type Fragment, renderSingle, sql, type Statement } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The columns of a text: those of the table, and all of them, which the document has. */
interface UpdateTemplate {
  readonly stored: ReadonlyArray<Column.Column>
  readonly columns: ReadonlyArray<Column.Column>
  readonly text: string
}

/** The columns that an update returns: the document, the key and the revision. */
const returned = (dialect: Dialect, resource: Resource.Any): Fragment => {
  const row = Table.name(resource)
  return sql`${dialect.document(row)}, ${Table.column(row, resource.key)}, ${Table.column(row, Table.revision)}`
}

/** The update as a fragment, from which the text is taken. */
const compile = (dialect: Dialect, owned: OwnedTable, key: string, values: NewRow): Fragment => {
  const { resource } = owned
  const isKey = sql`${Table.column(Table.name(resource), resource.key)} = ${dialect.constant("text", key)}`
  const where = sql`${Table.isOwned(owned)} AND ${isKey}`
  const update = RowUpdate.make(dialect, resource, RowUpdate.constants(dialect, resource, values), where)
  return sql`${update} RETURNING ${returned(dialect, resource)}`
}

const template = (dialect: Dialect, resource: Resource.Any, names: ReadonlyArray<string>): UpdateTemplate => {
  const columns = RowUpdate.columnsOf(resource, names)
  const values = Object.fromEntries(names.map((name) => [name, null]))
  return {
    columns,
    stored: columns.filter((column) => Table.typeOf(dialect, column) !== undefined),
    text: renderSingle(compile(dialect, { resource, owner: { companyId: "", userId: "" } }, "", values), dialect).text
  }
}

/** The maximum number of templates of a resource. Clients choose the columns, and most choose few sets of them. */
const capacity = 128

/** Templates are memoized: compiling an update takes longer than running it. */
const templatesOf = Memo.make((dialect: Dialect) =>
  Memo.make((resource: Resource.Any) => {
    const templates = new Map<string, UpdateTemplate>()
    return (names: ReadonlyArray<string>): UpdateTemplate => {
      const label = names.join(" ")
      const known = templates.get(label)
      if (known !== undefined) return known
      if (templates.size === capacity) templates.clear()
      const made = template(dialect, resource, names)
      templates.set(label, made)
      return made
    }
  })
)

/** Sets columns of the row with a key, and returns its document, key and revision. */
export const byKey = (dialect: Dialect, owned: OwnedTable, key: string, values: NewRow): Statement => {
  const { columns, stored, text } = templatesOf(dialect)(owned.resource)(Object.keys(values))
  return {
    text,
    isSingle: true,
    parameters: [
      ...stored.map(({ name, type }) => dialect.parameter(type, values[name] ?? null)),
      ...columns.map(({ name }) => JSON.stringify(values[name] ?? null)),
      ...Table.ownerValues(owned),
      key
    ]
  }
}
