/**
 * Reads the plans that PostgreSQL makes for recorded statements: the tables that they scan, and the conditions.
 */
import postgres from "postgres"

/** A table that a statement reads or changes, with the conditions of the scan. */
interface Scan {
  readonly table: string
  readonly conditions: string
}

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Cond"?: string
  readonly "Recheck Cond"?: string
  readonly Filter?: string
  readonly Plans?: ReadonlyArray<Node>
}

const scansOf = (node: Node): ReadonlyArray<Scan> => {
  const { "Node Type": type, Plans = [], "Relation Name": table } = node
  const below = type === "Bitmap Heap Scan" ? Plans : []
  const conditions = [node, ...below].flatMap((part) => [part["Index Cond"], part["Recheck Cond"], part.Filter])
  const own = table === undefined || type === "ModifyTable" ? [] : [{ table, conditions: conditions.join(" ") }]
  return [...own, ...Plans.flatMap(scansOf)]
}

/** The kinds of statements that have plans. */
const isPlanned = (text: string): boolean => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)

export interface Plans {
  /** The scans of a statement; undefined for one without a plan. */
  readonly scans: (text: string) => Promise<ReadonlyArray<Scan> | undefined>
  readonly close: () => Promise<void>
}

/** Connects to a database. Nothing is run but literal statements. */
export const open = (url: string): Plans => {
  const sql = postgres(url, { max: 1, fetch_types: false, prepare: false, onnotice: () => undefined })
  return {
    scans: async (text) => {
      if (!isPlanned(text)) return undefined
      const [row] = await sql.unsafe(`EXPLAIN (FORMAT JSON) ${text}`).values()
      // The format of EXPLAIN.
      const plans = row?.[0] as ReadonlyArray<{ readonly Plan: Node }> | undefined
      return plans?.flatMap(({ Plan }) => scansOf(Plan))
    },
    close: () => sql.end()
  }
}
