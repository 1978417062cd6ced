/**
 * References as changes must leave them: statements that find what a change would break. A store's own constraints
 * stand behind them, but name neither the column nor the parent.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Step, StoreRefusal } from "../Change.ts"
import type { Dialect } from "../Dialect.ts"
import * as Outbox from "./Outbox.ts"
import * as ServiceColumn from "../ServiceColumn.ts"
import type { Matching, Owned } from "../Owner.ts"
import { empty, type Fragment, hoist, identifier, join, render, renderSingle, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The same owner's rows of another resource. */
const siblings = ({ owner }: Owned, resource: Resource.Any): Owned => ({ resource, owner })

const column = (resource: Resource.Any, name: string): Fragment => Table.column(Table.name(resource), name)

/** The rows of a child that refer to some rows of its parent. */
const referring = (
  { owned, where }: Matching,
  { child, column: name, field, parent }: Catalogue.Reference
): Matching => ({
  owned: siblings(owned, child),
  where: sql`${column(child, name)} IN (SELECT ${column(parent, field)} FROM ${Table.from(owned)} WHERE ${where})`
})

const guard = (dialect: Dialect, { owned, where }: Matching, refusal: StoreRefusal): Step => ({
  _tag: "Guard",
  statement: renderSingle(sql`SELECT 1 FROM ${Table.from(owned)} WHERE ${where} LIMIT 1`, dialect),
  refusal
})

const stillReferenced = ({ child, column, field, parent }: Catalogue.Reference): StoreRefusal => ({
  _tag: "StillReferenced",
  resource: parent.resource,
  field,
  child: child.resource,
  column
})

const texts = (rows: ReadonlyArray<{ readonly [column: string]: unknown }>, name: string): ReadonlyArray<string> => [
  ...new Set(rows.map((row) => row[name]).filter((value) => typeof value === "string"))
]

/**
 * Refuses rows that refer to no parent of the same owner, one guard for each column that refers to one. With
 * `matching` they only count when there are rows to write them to.
 */
export const parents = (
  dialect: Dialect,
  owned: Owned,
  rows: ReadonlyArray<{ readonly [column: string]: unknown }>,
  matching?: Fragment
): ReadonlyArray<Step> =>
  Catalogue.references.flatMap(({ child, column: name, field, parent }): ReadonlyArray<Step> => {
    const values = child === owned.resource ? texts(rows, name) : []
    if (values.length === 0) return []
    const theirs = Table.from(siblings(owned, parent))
    const standing = sql`SELECT 1 FROM ${theirs} WHERE ${column(parent, field)} = "each"."value"`
    const orphan = sql`SELECT 1 FROM ${dialect.each(values, "each")} WHERE NOT EXISTS (${standing})`
    const refusal: StoreRefusal = {
      _tag: "ParentMissing",
      resource: child.resource,
      column: name,
      parent: parent.resource,
      field
    }
    return matching === undefined
      ? [{ _tag: "Guard", statement: renderSingle(sql`${orphan} LIMIT 1`, dialect), refusal }]
      : [guard(dialect, { owned, where: sql`${matching} AND EXISTS (${orphan})` }, refusal)]
  })

/** Refuses to change a field of rows that others refer to by it. */
export const fields = (
  dialect: Dialect,
  { owned, where }: Matching,
  values: { readonly [column: string]: unknown }
): ReadonlyArray<Step> =>
  Catalogue.references.flatMap((reference): ReadonlyArray<Step> => {
    const { field, parent } = reference
    const value = parent === owned.resource ? values[field] : undefined
    if (typeof value !== "string") return []
    const changing = { owned, where: sql`${where} AND ${column(parent, field)} <> ${value}` }
    return [guard(dialect, referring(changing, reference), stillReferenced(reference))]
  })

/** Refuses a change of the row of a key when it stands and is in one of some states, or in none of them. */
export const state = (
  dialect: Dialect,
  owned: Owned,
  key: string,
  refused: { readonly oneOf: ReadonlyArray<number> } | { readonly noneOf: ReadonlyArray<number> }
): Step => {
  const { resource } = owned
  const revision = identifier("revision")
  const [not, states] = "oneOf" in refused ? [empty, refused.oneOf] : [text("NOT "), refused.noneOf]
  const isOne = join([text("FALSE"), ...states.map((state) => sql`${revision} = ${ServiceColumn.long(state)}`)], " OR ")
  // The row stays in the state that is found, also where others write at the same time.
  const row = sql`FROM ${Table.from(owned)} WHERE ${column(resource, resource.key)} = ${key}${dialect.lock(Table.name(resource))}`
  const found = hoist("_state", sql`SELECT ${column(resource, Table.revision)} AS ${revision} ${row}`)
  const statement = render(sql`SELECT 1 FROM ${found} WHERE ${not}(${isOne})`, dialect)
  return { _tag: "Guard", statement, refusal: { _tag: "PreconditionFailed" } }
}

/** The statement that deletes some rows, without what it returns. */
export const deletion = ({ owned, where }: Matching): Fragment =>
  sql`DELETE FROM ${Table.name(owned.resource)} WHERE ${Table.isOwned(owned)} AND ${where}`

/** What goes before rows do: the children that go with them, and a refusal where a child restricts. */
export const children = (dialect: Dialect, rows: Matching, source?: Outbox.Source): ReadonlyArray<Step> =>
  Catalogue.references
    .filter(({ parent }) => parent === rows.owned.resource)
    .flatMap((reference): ReadonlyArray<Step> => {
      const found = referring(rows, reference)
      return reference.child.rules.onParentDelete[reference.column] === "cascade"
        ? [
            ...children(dialect, found, source),
            ...(source === undefined ? [] : [Outbox.deleted(dialect, found, source)]),
            { _tag: "Run", statement: render(deletion(found), dialect), returns: 0 }
          ]
        : [guard(dialect, found, stillReferenced(reference))]
    })
