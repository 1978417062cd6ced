/**
 * Finds webhooks with due deliveries in parts of bounded size: some webhooks of each company at a time, in rotation, so
 * that the cost of a part does not grow with the webhooks or the deliveries of a company.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Effect from "effect/Effect"
import { micros } from "../sql/ServiceColumn.ts"
import { type Fragment, identifier, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import type { DueCompany } from "./ClaimShare.ts"

/** The due webhooks of one part. */
interface Part {
  readonly due: ReadonlyArray<DueCompany>
  /** No other webhook was due at the time of the last change. */
  readonly isComplete: boolean
  /** The moment at which the next later delivery is due, in milliseconds since 1970. */
  readonly next: number | undefined
}

export interface DueWebhooks {
  /**
   * The next part, without the companies that are full. `version` counts the changes after which others may be due.
   */
  readonly next: (version: number, isFull: (companyId: string) => boolean) => Effect.Effect<Part, StoreUnavailable>
  /** Continues the rotation of a company with a webhook of the last part. */
  readonly rewind: (companyId: string, webhookId: string) => void
}

/** The sizes of a part: its companies, its webhooks in all, and those of one company. */
interface Sizes {
  readonly companies: number
  readonly all: number
  readonly least: number
  readonly most: number
}

const defaults: Sizes = { companies: 256, all: 512, least: 4, most: 128 }

/** The place in a rotation: the next name, and the version at which the rotation began. */
interface Place {
  readonly from: string
  readonly began: number
}

/** The least text after a name, as no name contains U+0000. */
const after = (name: string): string => `${name}\u0001`

const { webhook } = Catalogue.byName
const partColumns = [
  { name: "companyId", type: "text" },
  { name: "from", type: "text" }
] as const

export const make = (
  { now, store }: Pick<World["Type"], "now" | "store">,
  holder: string,
  sizes: Sizes = defaults
): DueWebhooks => {
  const { dialect } = store
  const tables = ServiceTables.make(store)
  const places = new Map<string, Place>()
  let companies: Place = { from: "", began: 0 }
  let isCovered = true

  const pending = sql`"settledAt" IS NULL AND "dueAt" IS NOT NULL`
  const isFree = sql`${pending} AND ("leasedBy" IS NULL OR "leasedBy" <> ${holder})`

  /** The distinct names in a column of the pending deliveries, found one by one in the index. */
  const distinct = (name: "companyId" | "webhookId", scope: Fragment, from: Fragment, count: number): Fragment => {
    const column = identifier(name)
    const first = (condition: Fragment) =>
      sql`SELECT ${column} FROM "_delivery" WHERE ${scope}${column} ${condition} AND ${pending} ORDER BY ${column} LIMIT 1`
    return sql`WITH RECURSIVE "part" ("name", "number") AS (
      SELECT (${first(sql`>= ${from}`)}), 1 UNION ALL
      SELECT (${first(text('> "part"."name"'))}), "part"."number" + 1 FROM "part"
      WHERE "part"."name" IS NOT NULL AND "part"."number" < ${text(String(count))})`
  }

  const companyNames = (from: string) =>
    Effect.map(
      tables.read(
        sql`${distinct("companyId", text(""), sql`${from}`, sizes.companies)}
          SELECT "name" FROM "part" WHERE "name" IS NOT NULL ORDER BY "number"`
      ),
      (rows) => rows.map(([name]) => String(name))
    )

  /** Pending webhooks of a company, with 1 for those that are active and have a due delivery. */
  const webhooks = (companyId: Fragment, from: Fragment, count: number): Fragment => {
    const row = Table.name(webhook)
    const isActive = sql`SELECT 1 FROM ${row} WHERE "_tenant" = ${companyId} AND "id" = "part"."name" AND "active" LIMIT 1`
    const isDue = sql`SELECT 1 FROM "_delivery" WHERE "companyId" = ${companyId} AND "webhookId" = "part"."name"
      AND ${isFree} AND "dueAt" <= ${micros(now())} LIMIT 1`
    // Not EXISTS, which PostgreSQL may answer by hashing all webhooks and deliveries of the company.
    return sql`${distinct("webhookId", sql`"companyId" = ${companyId} AND `, from, count)}
      SELECT "name", CASE WHEN (${isActive}) = 1 AND (${isDue}) = 1 THEN 1 ELSE 0 END AS "isDue"
      FROM "part" WHERE "name" IS NOT NULL ORDER BY "number"`
  }

  /** The webhooks of each company, in rows of the company, the webhook and 1 for a due one. */
  const find = (found: ReadonlyArray<{ readonly companyId: string; readonly from: string }>, count: number) => {
    if (dialect.unpack === undefined || found.length === 0) {
      return Effect.map(
        Effect.forEach(found, ({ companyId, from }) =>
          Effect.map(tables.read(webhooks(sql`${companyId}`, sql`${from}`, count)), (rows) =>
            rows.map((row) => [companyId, ...row])
          )
        ),
        (parts) => parts.flat()
      )
    }
    const column = (name: (typeof partColumns)[number]["name"]) => Table.column(text(`"row"`), name)
    const each = webhooks(column("companyId"), column("from"), count)
    return tables.read(sql`SELECT ${column("companyId")}, "found"."name", "found"."isDue"
      FROM ${dialect.unpack(
        partColumns,
        found.map(({ companyId, from }) => ({ companyId, from }))
      )}, LATERAL (${each}) AS "found"`)
  }

  const later = Effect.suspend(() =>
    Effect.map(
      tables.read(sql`SELECT "dueAt" FROM "_delivery" WHERE ${isFree} AND "dueAt" > ${micros(now())}
        ORDER BY "dueAt" LIMIT 1`),
      ([row]) => (row === undefined ? undefined : Number(row[0]) / 1000)
    )
  )

  return {
    next: (version, isFull) =>
      Effect.gen(function* () {
        if (companies.from === "") {
          companies = { from: "", began: version }
          isCovered = true
        }
        const names = yield* companyNames(companies.from)
        const open = names.filter((name) => !isFull(name))
        const count = Math.max(sizes.least, Math.min(sizes.most, Math.floor(sizes.all / Math.max(1, open.length))))
        const starts = open.map((companyId) => ({
          companyId,
          ...(places.get(companyId) ?? { from: "", began: version })
        }))
        const rows = yield* find(starts, count)
        const due = starts.map(({ began, companyId, from }): DueCompany => {
          const found = rows.filter(([name]) => name === companyId)
          const last = found.at(-1)
          if (found.length < count || last === undefined) {
            places.delete(companyId)
            // A rotation that began before the last change may have passed a webhook that is due since.
            if (from !== "" && began !== version) isCovered = false
          } else {
            places.set(companyId, { from: after(String(last[1])), began: from === "" ? version : began })
            isCovered = false
          }
          return { companyId, webhookIds: found.flatMap(([, id, isDue]) => (Number(isDue) === 1 ? [String(id)] : [])) }
        })
        const lastName = names.at(-1)
        const isLast = names.length < sizes.companies || lastName === undefined
        const isComplete = isLast && isCovered && companies.began === version
        companies = { ...companies, from: isLast ? "" : after(lastName) }
        return { due: due.filter(({ webhookIds }) => webhookIds.length > 0), isComplete, next: yield* later }
      }),
    rewind: (companyId, webhookId) =>
      void places.set(companyId, { from: webhookId, began: places.get(companyId)?.began ?? -1 })
  }
}
