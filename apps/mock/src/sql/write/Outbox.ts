/**
 * What a write tells webhooks, as statements that belong to its change: one row of the outbox for each row that
 * changes, and a delivery for each webhook that listens. They stand before what they tell of, so that rows are read as
 * they were; nothing is written where nobody listens.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Step } from "../Change.ts"
import type { Dialect, Member } from "../Dialect.ts"
import type { NewRow } from "./InsertStatement.ts"
import type { Matching, OwnedTable } from "../Owner.ts"
import { chain, empty, type Fragment, render, renderSingle, sql, type Statement, text } from "../Statement.ts"
import * as Table from "../Table.ts"

/** The change that tells: what its events have in common. */
export interface Source {
  /** Different for every change; a part of the ids of its events. */
  readonly change: string
  /** Microseconds since 1970. */
  readonly at: number
}

/** What happened to a row, and the webhooks' column that asks for it. */
const flags = { INSERT: "onInsert", UPDATE: "onUpdate", DELETE: "onDelete" } as const
type Type = keyof typeof flags

const { webhook } = Catalogue.byName

const asText = (value: Fragment | string): Fragment => sql`CAST(${value} AS text)`

/** The webhooks of the owner's company that listen to what a flag stands for, or to any of some. */
const listeners = ({ owner, resource: { resource } }: OwnedTable, wanted: ReadonlyArray<string>): Fragment => {
  const hook = Table.name(webhook)
  const ofTable = sql`${Table.column(hook, "table")} = ${resource} AND ${Table.column(hook, "active")}`
  const flagged = chain(
    wanted.map((flag) => Table.column(hook, flag)),
    " OR "
  )
  return sql`SELECT 1 FROM ${Table.from({ resource: webhook, owner })} WHERE ${ofTable} AND ${flagged}`
}

/** Whether a webhook of the owner's company listens. */
const hasSubscriber = (owned: OwnedTable, type: Type): Fragment => sql`EXISTS (${listeners(owned, [flags[type]])})`

/** Asks whether a webhook of the owner's company listens to anything that happens to a resource's rows. */
export const subscribers = (dialect: Dialect, owned: OwnedTable): Statement =>
  renderSingle(sql`${listeners(owned, Object.values(flags))} LIMIT 1`, dialect)

interface EventImage {
  readonly key: Fragment
  readonly record: Fragment
  readonly old: Fragment
}

const publish = (
  dialect: Dialect,
  owned: OwnedTable,
  { at, change }: Source,
  type: Type,
  { key, old, record }: EventImage,
  rest: Fragment
): Step => ({
  _tag: "Publish",
  returns: "events",
  statement: render(
    sql`INSERT INTO "_outbox" ("change", "companyId", "table", "type", "key", "record", "old", "at")
      SELECT ${asText(change)}, ${asText(owned.owner.companyId)}, ${asText(owned.resource.resource)}, ${asText(type)},
        ${asText(key)}, ${asText(record)}, ${asText(old)}, CAST(${at} AS bigint) ${rest}
      RETURNING "sequence", "change", "companyId", "table", "type", "key", "at"`,
    dialect
  )
})

const sensitive = (resource: Resource.Any): ReadonlyArray<Column.Column> =>
  Column.fromResource(resource).filter(({ sensitive }) => sensitive)

/** A row as events show it. */
const shown = (resource: Resource.Any, row: NewRow): NewRow => {
  const hidden = sensitive(resource)
  return hidden.length === 0 ? row : { ...row, ...Object.fromEntries(hidden.map(({ name }) => [name, null])) }
}

const nothing = text("NULL")

/** Tells of a new row; of none where one stands already. */
export const inserted = (
  dialect: Dialect,
  owned: OwnedTable,
  source: Source,
  row: NewRow,
  standing?: Fragment
): Step => {
  const { resource } = owned
  const isNew =
    standing === undefined ? empty : sql` AND NOT EXISTS (SELECT 1 FROM ${Table.from(owned)} WHERE ${standing})`
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
    sql`WHERE ${hasSubscriber(owned, "INSERT")}${isNew}`
  )
}

/** Tells of new rows where none stand. */
export const insertedAll = (
  dialect: Dialect,
  owned: OwnedTable,
  source: Source,
  rows: ReadonlyArray<NewRow>
): ReadonlyArray<Step> => {
  const { resource } = owned
  if (dialect.unpack === undefined || rows.length < 2) return rows.map((row) => inserted(dialect, owned, source, row))
  const shownRows = rows.map((row) => shown(resource, row))
  const key = Column.fromResource(resource).filter(({ name }) => name === resource.key)
  const image = {
    key: Table.column(text(`"row"`), resource.key),
    record: text(`"given"."document"`),
    old: nothing
  }
  const unpacked = dialect.unpack(key, shownRows)
  const rest = sql`FROM ${unpacked} WHERE ${hasSubscriber(owned, "INSERT")} ORDER BY "given"."place"`
  return [publish(dialect, owned, source, "INSERT", image, rest)]
}

/** The document of a row that stands, as events show it once some members are replaced. */
const document = (dialect: Dialect, resource: Resource.Any, members: ReadonlyArray<Member>): Fragment => {
  const row = Table.name(resource)
  const hidden = sensitive(resource).map(({ name }) => ({ name, json: dialect.literal(null) }))
  const replaced = [...members.filter(({ name }) => hidden.every((other) => other.name !== name)), ...hidden]
  return replaced.length === 0 ? dialect.document(row) : dialect.replace(Table.column(row, Table.document), replaced)
}

/** The rows that pass; they stay as they are read until the change is over. */
const rows = (dialect: Dialect, { owned, where }: Matching, type: Type): Fragment =>
  sql`FROM ${Table.from(owned)} WHERE ${hasSubscriber(owned, type)} AND ${where}${dialect.lock(Table.name(owned.resource))}`

const keyOf = ({ resource }: OwnedTable): Fragment => Table.column(Table.name(resource), resource.key)

/** Tells of rows whose members will be replaced. */
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

/** Tells of rows that will be gone. */
export const deleted = (dialect: Dialect, found: Matching, source: Source): Step =>
  publish(
    dialect,
    found.owned,
    source,
    "DELETE",
    { key: keyOf(found.owned), record: document(dialect, found.owned.resource, []), old: nothing },
    rows(dialect, found, "DELETE")
  )

const wanted = text(
  `CASE "event"."type" ${Object.entries(flags)
    .map(([type, flag]) => `WHEN '${type}' THEN "webhook"."${flag}"`)
    .join(" ")} END`
)

/**
 * Makes a delivery of each event of a change for each webhook that listens. One is due at once, unless another of the
 * same webhook and row is unfinished: then it waits for that one. Who delivers that one is kept from finishing it
 * unseen until the change is over; where that is too late already the new one is due at once, and whoever takes
 * deliveries still sees that their order is kept.
 */
export const enqueue = (dialect: Dialect, { change }: Source): Step => {
  const before = sql`SELECT 1 FROM "_delivery" AS "before" WHERE "before"."companyId" = "event"."companyId"
    AND "before"."webhookId" = "webhook"."id" AND "before"."key" = "event"."key" AND "before"."settledAt" IS NULL`
  return {
    _tag: "Enqueue",
    statement: render(
      sql`INSERT INTO "_delivery" ("sequence", "companyId", "webhookId", "key", "state", "attempts", "dueAt", "createdAt")
        SELECT "event"."sequence", "event"."companyId", "webhook"."id", "event"."key", 'pending', 0,
          CASE WHEN NOT EXISTS (${before}${dialect.lock(text('"before"'), "skip")}) THEN "event"."at" END, "event"."at"
        FROM "_outbox" AS "event" JOIN "webhook" ON "webhook"."_tenant" = "event"."companyId"
          AND "webhook"."table" = "event"."table" AND "webhook"."active" AND ${wanted}
        WHERE "event"."change" = ${change} ORDER BY "event"."sequence"`,
      dialect
    )
  }
}

/** Says that webhooks are about to change, which those who deliver want to know. */
export const changing = (dialect: Dialect, { resource }: OwnedTable): ReadonlyArray<Step> =>
  resource === webhook ? [{ _tag: "Publish", statement: render(sql`SELECT 1`, dialect), returns: 1 }] : []

/** What is kept about some webhooks. */
const about = ({ owned, where }: Matching): Fragment => sql`"companyId" = ${owned.owner.companyId} AND "webhookId" IN (
  SELECT ${keyOf(owned)} FROM ${Table.from(owned)} WHERE ${where})`

/** A webhook that was changed has the patience of a new one. */
export const forgiven = (dialect: Dialect, found: Matching): ReadonlyArray<Step> =>
  found.owned.resource === webhook
    ? [{ _tag: "Publish", statement: render(sql`DELETE FROM "_webhookTrouble" WHERE ${about(found)}`, dialect) }]
    : []

/** What goes with webhooks that will be gone: their secrets, and deliveries that nobody waits for any more. */
export const forgotten = (dialect: Dialect, found: Matching, { at }: Source): ReadonlyArray<Step> => {
  if (found.owned.resource !== webhook) return []
  const gone = about(found)
  return [
    sql`UPDATE "_delivery" SET "state" = 'dropped', "settledAt" = CAST(${at} AS bigint), "leasedBy" = NULL
      WHERE "settledAt" IS NULL AND ${gone}`,
    sql`DELETE FROM "_webhookSecret" WHERE ${gone}`,
    sql`DELETE FROM "_webhookTrouble" WHERE ${gone}`
  ].map((fragment) => ({ _tag: "Publish", statement: render(fragment, dialect) }))
}
