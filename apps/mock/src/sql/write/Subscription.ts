/**
 * Builds the conditions and the query that find webhooks that have subscribed to events of a resource.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Memo from "@mfgdata/domain/Memo"
import type { Dialect } from "../Dialect.ts"
import type { OwnedTable } from "../Owner.ts"
import { chain, type Fragment, renderSingle, sql, type Statement } from "../Statement.ts"
import * as Table from "../Table.ts"

const { webhook } = Catalogue.byName

/** The types of events, and the column of a webhook that subscribes to each. */
export const flags = { INSERT: "onInsert", UPDATE: "onUpdate", DELETE: "onDelete" } as const
export type EventType = keyof typeof flags

/** The webhooks of the owner's company that have subscribed to an event of the table, by any of the wanted columns. */
const listeners = ({ owner, resource: { resource } }: OwnedTable, wanted: ReadonlyArray<string>): Fragment => {
  const hook = Table.name(webhook)
  const ofTable = sql`${Table.column(hook, "table")} = ${resource} AND ${Table.column(hook, "active")}`
  const flagged = chain(
    wanted.map((flag) => Table.column(hook, flag)),
    " OR "
  )
  return sql`SELECT 1 FROM ${Table.from({ resource: webhook, owner })} WHERE ${ofTable} AND ${flagged}`
}

/** The webhooks of the owner's company that have subscribed to a type of event, one row for each. */
export const subscribers = (owned: OwnedTable, type: EventType): Fragment => listeners(owned, [flags[type]])

/** Tests whether a webhook of the owner's company has subscribed to a type of event. */
export const exists = (owned: OwnedTable, type: EventType): Fragment => sql`EXISTS (${subscribers(owned, type)})`

/** The text is memoized, because most writes need it. */
const findText = Memo.make(
  (dialect: Dialect): string =>
    renderSingle(
      sql`${listeners({ resource: webhook, owner: { companyId: "", userId: "" } }, Object.values(flags))} LIMIT 1`,
      dialect
    ).text
)

/** Finds out whether a webhook of the owner's company has subscribed to any event of a resource. */
export const find = (dialect: Dialect, { owner, resource }: OwnedTable): Statement => ({
  text: findText(dialect),
  parameters: [...Table.ownerValues({ resource: webhook, owner }), resource.resource],
  isSingle: true
})
