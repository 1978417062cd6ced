/**
 * Finds the rows that differ between two databases of stores, on a thread. Rows of forks mostly have the same place in
 * both, so that the tables are read once and in order; only the others are looked up by their keys.
 */
import type * as Resource from "@mfgdata/domain/Resource"
import { identifier, join, render, sql, text } from "../../../sql/Statement.ts"
import * as SqliteDialect from "../../../sql/sqlite/SqliteDialect.ts"
import * as Table from "../../../sql/Table.ts"
import * as AsyncConnection from "./AsyncConnection.ts"

/** The place of a row in the order of a resource: its owner and its key. */
export type Place = ReadonlyArray<string>

/** A row that differs: its documents as JSON, null where it does not exist. */
export type Difference = readonly [place: Place, from: string | null, to: string | null]

export interface SqliteDiff {
  /** The first rows of a resource after a place that differ. */
  readonly rows: (resource: Resource.Any, after: Place | undefined, limit: number) => Promise<ReadonlyArray<Difference>>
  readonly close: () => Promise<void>
}

/** The schemas of the two databases. */
const [one, other] = ["store", "other"] as const

const cacheKiB = 8192

const statementOf = (resource: Resource.Any, after: Place | undefined, limit: number) => {
  const table = identifier(resource.resource)
  const columns = [...Table.ownerColumns(resource), resource.key].map(identifier)
  const from = (schema: string) => sql`${text(schema)}.${table}`
  const isSame = join(
    columns.map((column) => sql`"a".${column} IS "b".${column}`),
    " AND "
  )
  const document = identifier(Table.document)
  /** The keys of rows of one database that are not, or not the same, at their place in the other one. */
  const moved = (schema: string, elsewhere: string) => sql`
    SELECT ${join(
      columns.map((column) => sql`"a".${column}`),
      ", "
    )} FROM ${from(schema)} AS "a" LEFT JOIN ${from(elsewhere)} AS "b" ON "b"."_sequence" = "a"."_sequence"
    WHERE NOT (${isSame}) OR "b".${document} IS NOT "a".${document}`
  const joined = (alias: string) =>
    join(
      columns.map((column) => sql`${identifier(alias)}.${column} = "found".${column}`),
      " AND "
    )
  const found = join(
    columns.map((column) => sql`"found".${column}`),
    ", "
  )
  const later =
    after === undefined
      ? sql``
      : sql` AND (${found}) > (${join(
          after.map((part) => sql`${part}`),
          ", "
        )})`
  return render(
    sql`SELECT json_group_array(json_array(json_array(${join(
      columns.map((_, index) => identifier(`k${index}`)),
      ", "
    )}), "from", "to")) FROM (
      SELECT ${join(
        columns.map((column, index) => sql`"found".${column} AS ${identifier(`k${index}`)}`),
        ", "
      )}, "a".${document} AS "from", "b".${document} AS "to"
      FROM (${moved(one, other)} UNION ${moved(other, one)}) AS "found"
      LEFT JOIN ${from(one)} AS "a" ON ${joined("a")} LEFT JOIN ${from(other)} AS "b" ON ${joined("b")}
      WHERE "a".${document} IS NOT "b".${document}${later}
      ORDER BY ${found} LIMIT ${limit})`,
    SqliteDialect.dialect
  )
}

/** Compares two databases that nobody else writes. */
export const open = async (from: string, to: string, isTrusted: boolean): Promise<SqliteDiff> => {
  const options = { cacheKiB, durable: false, isReadOnly: true, threads: 4, trust: { isTrusted } }
  const connection = await AsyncConnection.open(from, options)
  try {
    await connection.script(`ATTACH '${to.replaceAll("'", "''")}' AS ${other}`)
  } catch (error) {
    await connection.close()
    throw error
  }
  return {
    rows: async (resource, after, limit) => {
      const [[json] = []] = await connection.query(statementOf(resource, after, limit))
      // The statement returns an array of such rows.
      return JSON.parse(String(json)) as ReadonlyArray<Difference>
    },
    close: async () => {
      await connection.script(`DETACH ${other}`).catch(() => undefined)
      await connection.close()
    }
  }
}
