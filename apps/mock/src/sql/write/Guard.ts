/**
 * Builds the steps before a change of rows: a check of their revision, and the deletion of their children.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Step } from "../Change.ts"
import type { Dialect } from "../Dialect.ts"
import * as Outbox from "./Outbox.ts"
import * as ServiceColumn from "../ServiceColumn.ts"
import type { Matching, OwnedTable } from "../Owner.ts"
import { empty, type Fragment, commonTable, identifier, join, render, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The rows of another resource that the same owner has. */
const siblings = ({ owner }: OwnedTable, resource: Resource.Any): OwnedTable => ({ resource, owner })

const column = (resource: Resource.Any, name: string): Fragment => Table.column(Table.name(resource), name)

/** The child rows that refer to some parent rows. */
const referring = (
  { owned, where }: Matching,
  { child, column: name, field, parent }: Catalogue.Reference
): Matching => ({
  owned: siblings(owned, child),
  where: sql`${column(child, name)} IN (SELECT ${column(parent, field)} FROM ${Table.from(owned)} WHERE ${where})`
})

/** Refuses a change of an existing row when its revision is one of a list, or is not one of a list. */
export const state = (
  dialect: Dialect,
  owned: OwnedTable,
  key: string,
  refused: { readonly oneOf: ReadonlyArray<number> } | { readonly noneOf: ReadonlyArray<number> }
): Step => {
  const { resource } = owned
  const revision = identifier("revision")
  const [not, states] = "oneOf" in refused ? [empty, refused.oneOf] : [text("NOT "), refused.noneOf]
  const isOne = join([text("FALSE"), ...states.map((state) => sql`${revision} = ${ServiceColumn.long(state)}`)], " OR ")
  // The lock keeps this revision until the end of the transaction.
  const row = sql`FROM ${Table.from(owned)} WHERE ${column(resource, resource.key)} = ${key}${dialect.lock(Table.name(resource))}`
  const found = commonTable("_state", sql`SELECT ${column(resource, Table.revision)} AS ${revision} ${row}`)
  const statement = render(sql`SELECT 1 FROM ${found} WHERE ${not}(${isOne})`, dialect)
  return { _tag: "Guard", statement, refusal: { _tag: "PreconditionFailed" } }
}

/** The statement that deletes rows, without its RETURNING clause. */
export const deletion = ({ owned, where }: Matching): Fragment =>
  sql`DELETE FROM ${Table.name(owned.resource)} WHERE ${Table.isOwned(owned)} AND ${where}`

/** Deletes the children that the public rules delete together with their parents. */
export const children = (dialect: Dialect, rows: Matching, source?: Outbox.Source): ReadonlyArray<Step> =>
  Catalogue.referencesOf(rows.owned.resource)
    .filter(
      ({ child, column, parent }) => parent === rows.owned.resource && child.rules.onParentDelete[column] === "cascade"
    )
    .flatMap((reference): ReadonlyArray<Step> => {
      const found = referring(rows, reference)
      return [
        ...children(dialect, found, source),
        ...(source === undefined ? [] : [Outbox.deleted(dialect, found, source)]),
        { _tag: "Run", statement: render(deletion(found), dialect), returns: 0 }
      ]
    })
