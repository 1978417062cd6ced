/**
 * Reads the history of the rows: the changes that a filter selects, each with the row before and after it. The row after
 * a change is the row before the next change of the same key, or the row itself.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Rows } from "../sql/Change.ts"
import * as PastRow from "../sql/PastRow.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { empty, type Fragment, identifier, join, renderSingle, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import type { Store, StoreUnavailable } from "../store/Store.ts"

/** The service keeps no history. */
export class HistoryOff extends Data.TaggedError("HistoryOff") {
  override get message() {
    return "the service does not keep the history of its rows: start it with --history on"
  }
}

/** No change has this number any more, or ever had it. */
export class ChangeMissing extends Data.TaggedError("ChangeMissing")<{ readonly sequence: number }> {
  override get message() {
    return `the history has no change ${this.sequence}`
  }
}

/** Selects changes; an absent field selects all. */
export interface Filter {
  readonly companyId?: string | undefined
  readonly resource?: string | undefined
  readonly key?: string | undefined
  readonly since?: Timestamp.Timestamp | undefined
  readonly until?: Timestamp.Timestamp | undefined
  readonly request?: string | undefined
  readonly user?: string | undefined
}

/** A change, with what the interface does not show. */
export interface Entry {
  readonly shown: AdminApi.HistoryEntry
  readonly resource: Resource.Any
  readonly companyId: string
  /** The user whose row it is, where a resource has rows of users. */
  readonly ownerId: string | null
  /** The revision of the row after the change. */
  readonly revision: number
  /** Set when a sensitive value was lost by the change. */
  readonly hides: boolean
  /** The method and the path of the request. */
  readonly request: string | null
}

/** The part of the changes: older than one, or newer than one up to another, and their number. */
type Range =
  | { readonly _tag: "Before"; readonly sequence: number }
  | { readonly _tag: "After"; readonly sequence: number; readonly last: number }

export type Failure = StoreUnavailable | QueryStopped

export interface HistoryLog {
  /** The numbers of changes: the newest first of those before one, the oldest first of those after one. */
  readonly find: (filter: Filter, range: Range, limit: number) => Effect.Effect<ReadonlyArray<number>, Failure>
  /** The changes of some numbers, in their order, without those that have expired. */
  readonly load: (sequences: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Entry>, StoreUnavailable>
}

/** Numbers of JavaScript reach as far. */
export const newest: Range = { _tag: "Before", sequence: Number.MAX_SAFE_INTEGER }

const consumer = { companyId: "", keyId: "administrator" }

const conditions = (filter: Filter, range: Range): ReadonlyArray<Fragment> => {
  const { companyId, key, request, resource, since, until, user } = filter
  const terms =
    range._tag === "Before"
      ? [sql`"sequence" < ${ServiceColumn.long(range.sequence)}`]
      : [sql`"sequence" > ${ServiceColumn.long(range.sequence)}`, sql`"sequence" <= ${ServiceColumn.long(range.last)}`]
  if (companyId !== undefined) terms.push(sql`"companyId" = ${companyId}`)
  if (resource !== undefined) terms.push(sql`"resource" = ${resource}`)
  if (key !== undefined) terms.push(sql`"key" = ${key}`)
  if (request !== undefined) terms.push(sql`"requestId" = ${request}`)
  if (user !== undefined) terms.push(sql`"userId" = ${user}`)
  if (since !== undefined) terms.push(sql`"at" >= ${ServiceColumn.long(Number(Timestamp.toMicros(since)))}`)
  if (until !== undefined) terms.push(sql`"at" <= ${ServiceColumn.long(Number(Timestamp.toMicros(until)))}`)
  return terms
}

/** The documents of a row before and after changes: `[sequence, before, after]`. */
const documents = ({ document }: Store["Type"]["dialect"], resource: Resource.Any, among: Fragment): Fragment => {
  const [past, next, now] = [identifier("past"), identifier("next"), identifier("now")]
  const table = identifier(PastRow.tableName(resource))
  const [tenant = "", user] = Table.ownerColumns(resource)
  const isOwn = user === undefined ? empty : sql` AND ${Table.column(now, user)} = "change"."ownerId"`
  const following = sql`SELECT "later"."sequence" FROM "_history" AS "later"
    WHERE "later"."companyId" = "change"."companyId" AND "later"."resource" = "change"."resource"
      AND "later"."key" = "change"."key" AND "later"."sequence" > "change"."sequence"
      ${user === undefined ? empty : text(`AND "later"."ownerId" = "change"."ownerId"`)}
    ORDER BY "later"."sequence" LIMIT 1`
  const overwritten = sql`SELECT ${document(next)} FROM ${table} AS ${next}
    WHERE ${Table.column(next, PastRow.change)} = (${following})
      AND ${Table.column(next, Table.revision)} = "change"."revision"`
  const stored = sql`SELECT ${document(now)} FROM ${Table.name(resource)} AS ${now}
    WHERE ${Table.column(now, tenant)} = "change"."companyId"
      AND ${Table.column(now, resource.key)} = "change"."key"${isOwn}
      AND ${Table.column(now, Table.revision)} = "change"."revision"`
  return sql`SELECT "change"."sequence", ${document(past)}, coalesce((${overwritten}), (${stored}))
    FROM "_history" AS "change" LEFT JOIN ${table} AS ${past}
      ON ${Table.column(past, PastRow.change)} = "change"."sequence" WHERE ${among}`
}

/** A document without its sensitive values. */
const withoutSecrets = (resource: Resource.Any, json: Rows[number][number] | undefined): JsonObject | null => {
  if (typeof json !== "string") return null
  const row: JsonObject = JSON.parse(json)
  const hidden = Column.sensitiveNames(resource)
  return hidden.length === 0 ? row : { ...row, ...Object.fromEntries(hidden.map((name) => [name, null])) }
}

const textOrNull = (value: Rows[number][number] | undefined): string | null =>
  typeof value === "string" ? value : null

export const make = (store: Pick<Store["Type"], "change" | "dialect" | "query" | "read">): HistoryLog => {
  const { dialect, query } = store
  const tables = ServiceTables.make(store)

  const load = (sequences: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      if (sequences.length === 0) return []
      const rows = yield* tables.read(sql`SELECT "sequence", "resource", "at", "companyId", "key", "ownerId", "kind",
        "revision", "hides", "requestId", "request", "apiKey", "userId" FROM "_history"
        WHERE ${dialect.numbered(text('"sequence"'), sequences)}`)
      const texts = new Map<number, Rows[number]>()
      for (const [name, some] of Object.entries(Arr.groupBy(rows, ([, resource]) => String(resource)))) {
        const resource = Catalogue.find(name)
        if (resource === undefined) continue
        const among = dialect.numbered(
          text('"change"."sequence"'),
          some.map(([sequence]) => Number(sequence))
        )
        for (const found of yield* tables.read(documents(dialect, resource, among))) texts.set(Number(found[0]), found)
      }
      const entries = rows.flatMap((row): ReadonlyArray<Entry> => {
        const [sequence, name, at, companyId, key, ownerId, kind, revision, hides, requestId, request, apiKey, userId] =
          row
        const resource = Catalogue.find(String(name))
        if (resource === undefined) return []
        const [, before, after] = texts.get(Number(sequence)) ?? []
        const shown = {
          sequence: Number(sequence),
          at: Timestamp.fromMicros(BigInt(at ?? 0)),
          resource: resource.resource,
          key: String(key),
          // The triggers write only these kinds.
          kind: String(kind) as AdminApi.HistoryEntry["kind"],
          before: withoutSecrets(resource, before),
          after: withoutSecrets(resource, after),
          requestId: textOrNull(requestId),
          apiKey: textOrNull(apiKey),
          userId: textOrNull(userId)
        }
        return [
          {
            shown,
            resource,
            companyId: String(companyId),
            ownerId: textOrNull(ownerId),
            revision: Number(revision),
            hides: Number(hides) === 1,
            request: textOrNull(request)
          }
        ]
      })
      const places = new Map(entries.map((entry) => [entry.shown.sequence, entry]))
      return sequences.flatMap((sequence) => places.get(sequence) ?? [])
    })

  return {
    find: (filter, range, limit) => {
      const direction = text(range._tag === "Before" ? "DESC" : "ASC")
      const found = sql`SELECT "sequence" FROM "_history" WHERE ${join(conditions(filter, range), " AND ")}
        ORDER BY "sequence" ${direction} LIMIT ${text(String(limit))}`
      const listed = dialect.concatenate(text(`CAST("sequence" AS text)`), text("','"), empty)
      // One row, as a query of any size returns; numbers are sorted again, because the list has no order.
      return Effect.map(
        query(renderSingle(sql`SELECT ${listed} FROM (${found}) AS "found"`, dialect), consumer),
        ([row]) => {
          const list = typeof row?.[0] === "string" ? row[0].split(",").map(Number) : []
          return list.toSorted((one, other) => (range._tag === "Before" ? other - one : one - other))
        }
      )
    },
    load
  }
}
