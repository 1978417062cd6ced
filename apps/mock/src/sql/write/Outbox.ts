/**
 * Builds the steps of a change that write its webhook events: one row of the outbox for each changed row, and one
 * delivery for each subscribed webhook. These steps come before the writes, so that they read the old rows; they write
 * nothing when no webhook is subscribed.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Step } from "../Change.ts"
import type { Dialect, Member } from "../Dialect.ts"
import * as InsertStatement from "./InsertStatement.ts"
import type { NewRow } from "./InsertStatement.ts"
import type { Matching, OwnedTable } from "../Owner.ts"
import { commonTable, empty, type Fragment, identifier, join, literal, render, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Subscription from "./Subscription.ts"

/** The change that all its events name. */
export interface Source {
  /** The unique identifier of the change, which is part of the ids of its events. */
  readonly change: string
  /** Microseconds since 1970. */
  readonly at: number
  /** The trace context of the request, as text, if it has one. */
  readonly trace?: string | null
  /** Set when no subscriber is known: the change finds out whether there is one before it writes events. */
  readonly isUnlikely?: boolean
}

const isWebhook = ({ resource }: OwnedTable): boolean => resource.resource === Catalogue.byName.webhook.resource
const asText = (value: Fragment | string): Fragment => sql`CAST(${value} AS text)`

/** The key of a row, its content after the event, and before it. */
interface EventImage {
  readonly key: Fragment
  readonly record: Fragment
  readonly old: Fragment
}

const publish = (
  dialect: Dialect,
  owned: OwnedTable,
  { at, change, trace = null }: Source,
  type: Subscription.EventType | Fragment,
  { key, old, record }: EventImage,
  rest: Fragment
): Step => ({
  _tag: "Publish",
  returns: "events",
  statement: render(
    sql`INSERT INTO "_outbox" ("change", "companyId", "table", "type", "key", "record", "old", "at", "trace")
      SELECT ${asText(change)}, ${asText(owned.owner.companyId)}, ${asText(owned.resource.resource)}, ${asText(type)},
        ${asText(key)}, ${asText(record)}, ${asText(old)}, CAST(${at} AS bigint), CAST(${trace} AS text) ${rest}
      RETURNING "sequence", "change", "companyId", "table", "type", "key", "at"`,
    dialect
  )
})

/** A row as events show it: without the values of sensitive columns. */
const shown = (resource: Resource.Any, row: NewRow): NewRow => {
  const hidden = Column.sensitiveNames(resource)
  return hidden.length === 0 ? row : { ...row, ...Object.fromEntries(hidden.map((name) => [name, null])) }
}

/** A document as events show it. */
const hidden = (dialect: Dialect, resource: Resource.Any, document: Fragment): Fragment => {
  const names = Column.sensitiveNames(resource)
  const members = names.map((name) => ({ name, json: dialect.literal(null) }))
  return members.length === 0 ? document : dialect.replace(document, members)
}

const nothing = text("NULL")

/** Writes the event of a new row, unless a row matches `existing`. */
export const inserted = (
  dialect: Dialect,
  owned: OwnedTable,
  source: Source,
  row: NewRow,
  existing?: Fragment
): Step => {
  const { resource } = owned
  const isNew =
    existing === undefined ? empty : sql` AND NOT EXISTS (SELECT 1 FROM ${Table.from(owned)} WHERE ${existing})`
  return publish(
    dialect,
    owned,
    source,
    "INSERT",
    {
      key: sql`${String(row[resource.key] ?? "")}`,
      record: sql`${JSON.stringify(shown(resource, row))}`,
      old: nothing
    },
    sql`WHERE ${Subscription.exists(owned, "INSERT")}${isNew}`
  )
}

/** Writes the events of new rows. */
export const insertedAll = (
  dialect: Dialect,
  owned: OwnedTable,
  source: Source,
  { rows, ...place }: Pick<InsertStatement.InsertOptions, "rows" | "stagedAt">
): ReadonlyArray<Step> => {
  const { resource } = owned
  const given = InsertStatement.given(dialect, { owned, rows, ...place })
  if (given !== undefined) {
    const row = identifier("given")
    const image = {
      key: Table.column(row, resource.key),
      record: hidden(dialect, resource, Table.column(row, Table.document)),
      old: nothing
    }
    const rest = sql`FROM ${given} WHERE ${Subscription.exists(owned, "INSERT")} ORDER BY "given"."place"`
    return [publish(dialect, owned, source, "INSERT", image, rest)]
  }
  if (dialect.unpack === undefined || rows.length < 2) return rows.map((row) => inserted(dialect, owned, source, row))
  const shownRows = rows.map((row) => shown(resource, row))
  const key = Column.fromResource(resource).filter(({ name }) => name === resource.key)
  const image = {
    key: Table.column(text(`"row"`), resource.key),
    record: text(`"given"."document"`),
    old: nothing
  }
  const unpacked = dialect.unpack(key, shownRows)
  const rest = sql`FROM ${unpacked} WHERE ${Subscription.exists(owned, "INSERT")} ORDER BY "given"."place"`
  return [publish(dialect, owned, source, "INSERT", image, rest)]
}

/** The rows of an upsert, the unique columns that identify an existing one, and the members that it gets. */
export interface UpsertImage {
  readonly rows: ReadonlyArray<NewRow>
  readonly target: ReadonlyArray<Column.Column>
  /** The columns whose values the given row has. */
  readonly given: ReadonlyArray<string>
  /** The same members of every row. */
  readonly constants: ReadonlyArray<Member>
  readonly ignoresExisting: boolean
}

/** Writes the events of the rows of an upsert, none of which identifies the same row as another. */
export const upserted = (
  dialect: Dialect,
  unpack: NonNullable<Dialect["unpack"]>,
  owned: OwnedTable,
  source: Source,
  { constants, given, ignoresExisting, rows, target }: UpsertImage
): Step => {
  const { resource } = owned
  const row = Table.name(resource)
  const stored = identifier("stored")
  const key = Column.fromResource(resource).filter(({ name }) => name === resource.key)
  const columns = [...target, ...key.filter(({ name }) => target.every((column) => column.name !== name))]
  const documents = commonTable(
    "_given",
    sql`SELECT "given"."place", "given"."document", ${join(
      columns.map(({ name }) => Table.column(identifier("row"), name)),
      ", "
    )} FROM ${unpack(
      columns,
      rows.map((row) => shown(resource, row))
    )}`
  )
  const isTarget = join(
    target.map(({ name }) => sql`${Table.column(row, name)} = ${Table.column(identifier("_given"), name)}`),
    " AND "
  )
  const members = given.map((name) => ({ name, json: sql`"_given"."document" -> ${literal(name)}` }))
  const replaced = document(dialect, resource, [
    ...members.filter(({ name }) => constants.every((constant) => constant.name !== name)),
    ...constants
  ])
  const existing = commonTable(
    "_stored",
    sql`SELECT "_given"."place", ${Table.column(row, resource.key)} AS "key", ${replaced} AS "record",
      ${document(dialect, resource, [])} AS "old"
      FROM ${documents} JOIN ${Table.from(owned)} ON ${isTarget}${dialect.lock(row)}`
  )
  const isNew = sql`${stored}."place" IS NULL`
  const isWanted = sql`CASE WHEN ${isNew} THEN ${Subscription.exists(owned, "INSERT")} ELSE ${
    ignoresExisting ? text("FALSE") : Subscription.exists(owned, "UPDATE")
  } END`
  const image = {
    key: sql`CASE WHEN ${isNew} THEN ${Table.column(identifier("_given"), resource.key)} ELSE ${stored}."key" END`,
    record: sql`CASE WHEN ${isNew} THEN "_given"."document"::text ELSE ${stored}."record"::text END`,
    old: sql`${stored}."old"::text`
  }
  const rest = sql`FROM ${documents} LEFT JOIN ${existing} AS ${stored} ON ${stored}."place" = "_given"."place"
    WHERE ${isWanted} ORDER BY "_given"."place"`
  return publish(dialect, owned, source, sql`CASE WHEN ${isNew} THEN 'INSERT' ELSE 'UPDATE' END`, image, rest)
}

/** The document of a stored row as events show it, with some members replaced. */
const document = (dialect: Dialect, resource: Resource.Any, members: ReadonlyArray<Member>): Fragment => {
  const row = Table.name(resource)
  const hidden = Column.sensitiveNames(resource).map((name) => ({ name, json: dialect.literal(null) }))
  const replaced = [...members.filter(({ name }) => hidden.every((other) => other.name !== name)), ...hidden]
  return replaced.length === 0 ? dialect.document(row) : dialect.replace(Table.column(row, Table.document), replaced)
}

/** The rows that match, locked until the end of the transaction. */
const rows = (dialect: Dialect, { owned, where }: Matching, type: Subscription.EventType): Fragment =>
  sql`FROM ${Table.from(owned)} WHERE ${Subscription.exists(owned, type)} AND ${where}${dialect.lock(Table.name(owned.resource))}`

const keyOf = ({ resource }: OwnedTable): Fragment => Table.column(Table.name(resource), resource.key)

/** Writes the events of rows whose members are replaced. */
export const updated = (dialect: Dialect, found: Matching, source: Source, members: ReadonlyArray<Member>): Step =>
  publish(
    dialect,
    found.owned,
    source,
    "UPDATE",
    {
      key: keyOf(found.owned),
      record: document(dialect, found.owned.resource, members),
      old: document(dialect, found.owned.resource, [])
    },
    rows(dialect, found, "UPDATE")
  )

/** Writes the events of rows that are deleted. */
export const deleted = (dialect: Dialect, found: Matching, source: Source): Step =>
  publish(
    dialect,
    found.owned,
    source,
    "DELETE",
    { key: keyOf(found.owned), record: document(dialect, found.owned.resource, []), old: nothing },
    rows(dialect, found, "DELETE")
  )

/** The steps that write events and their deliveries, or one that finds out whether they are needed. */
export const unlessUnlikely = (
  dialect: Dialect,
  owned: OwnedTable,
  source: Source,
  extent: Deliveries.Extent,
  publish: (source: Source) => ReadonlyArray<Step>
): ReadonlyArray<Step> => {
  const steps = () => [
    ...Deliveries.before(dialect, owned, extent),
    ...publish(source),
    ...Deliveries.after(dialect, owned, source.change, extent)
  ]
  return source.isUnlikely === true
    ? [{ _tag: "Unsubscribed", statement: Subscription.find(dialect, owned), owned, otherwise: steps }]
    : steps()
}

/** Reports that the change writes webhooks, so that the subscribers of the store read them again. */
export const changing = (dialect: Dialect, owned: OwnedTable): ReadonlyArray<Step> =>
  isWebhook(owned) ? [{ _tag: "Publish", statement: render(sql`SELECT 1`, dialect), returns: 1 }] : []

/** The condition that finds the records about some webhooks in tables of the service. */
const about = ({ owned, where }: Matching): Fragment => sql`"companyId" = ${owned.owner.companyId} AND "webhookId" IN (
  SELECT ${keyOf(owned)} FROM ${Table.from(owned)} WHERE ${where})`

/** Resets the failure count of webhooks that are updated. */
export const resetFailures = (dialect: Dialect, owned: OwnedTable, found: () => Matching): ReadonlyArray<Step> =>
  isWebhook(owned)
    ? [{ _tag: "Publish", statement: render(sql`DELETE FROM "_webhookFailure" WHERE ${about(found())}`, dialect) }]
    : []

/** Deletes the secrets of webhooks that are deleted, and drops their pending deliveries. */
export const dropWebhooks = (dialect: Dialect, found: Matching, { at }: Source): ReadonlyArray<Step> => {
  if (!isWebhook(found.owned)) return []
  const gone = about(found)
  return [
    sql`UPDATE "_delivery" SET "state" = 'dropped', "settledAt" = CAST(${at} AS bigint), "leasedBy" = NULL
      WHERE "settledAt" IS NULL AND ${gone}`,
    sql`DELETE FROM "_webhookSecret" WHERE ${gone}`,
    sql`DELETE FROM "_webhookFailure" WHERE ${gone}`
  ].map((fragment) => ({ _tag: "Publish", statement: render(fragment, dialect) }))
}
