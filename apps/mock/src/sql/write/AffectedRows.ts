/**
 * The rows that a write affects: the columns that its statements return, and how they are read.
 */
import type { Change, Rows, Step } from "../Change.ts"
import type { Dialect } from "../Dialect.ts"
import type { OwnedTable } from "../Owner.ts"
import type * as AnswerSize from "../read/AnswerSize.ts"
import type { Condition } from "../read/Condition.ts"
import type * as Order from "../read/Order.ts"
import * as SelectStatement from "../read/SelectStatement.ts"
import * as Selection from "../read/Selection.ts"
import { type Fragment, sql, type Statement, text } from "../Statement.ts"
import * as Table from "../Table.ts"
import type * as Outbox from "./Outbox.ts"

/** A row that was written or deleted. */
export interface Affected {
  /**
   * The selected JSON: null when a selected value cannot be cast, `undefined` when a required embed has no row.
   */
  readonly json: string | null | undefined
  readonly key: string
  readonly revision: number
  readonly inserted: boolean
}

export interface Mutation extends Pick<Change<never, never>, "steps" | "staged" | "isLong" | "followUp"> {
  /** Reads the rows from the results of the steps and of the statement that follows them. */
  readonly affected: (results: ReadonlyArray<Rows>) => ReadonlyArray<Affected>
  /** Reads the levels of an answer that exceeds the bound: text for `AnswerSize.levels`. */
  readonly excess?: (results: ReadonlyArray<Rows>) => string | undefined
}

/** The rows of a write: their table, and what it returns and publishes of them. */
export interface WriteOptions {
  readonly owned: OwnedTable
  readonly selection: Selection.Selection
  /** The source of the events; a write without it has no events. */
  readonly source?: Outbox.Source | undefined
  /** The limits of the returned rows and their embeds; undefined for those that are certainly within them. */
  readonly bound?: AnswerSize.Bound | undefined
}

/** A write of the rows that match. */
export interface Filtered extends WriteOptions {
  readonly where: ReadonlyArray<Condition>
  readonly order: ReadonlyArray<Order.OrderTerm>
}

/** A step whose rows have a number of columns. */
export const run = (statement: Statement, returns: number): Step => ({ _tag: "Run", statement, returns })

/** A step that returns the selected JSON, the key and the revision of each row. */
export const runRows = (statement: Statement): Step => run(statement, 3)

/** Reports whether the returned rows are read apart from the write: with embeds, or within limits. */
export const isApart = ({ bound, selection }: Pick<WriteOptions, "bound" | "selection">): boolean =>
  bound !== undefined || Selection.isEmbedding(selection)

/** The `RETURNING` clause that {@link read} reads. */
export const returning = (dialect: Dialect, options: WriteOptions): Fragment => {
  const { owned, selection } = options
  const row = Table.name(owned.resource)
  const json = isApart(options) ? text("'{}'") : Selection.toSql(dialect, row, selection)
  return sql`RETURNING ${json}, ${Table.column(row, owned.resource.key)}, ${Table.column(row, Table.revision)}`
}

/** Reads returned rows; those of the revision `first` are new. */
export const read = (rows: Rows, first?: number): ReadonlyArray<Affected> =>
  rows.map(([json, key, revision]) => ({
    json: json === null || json === undefined ? null : String(json),
    key: String(key),
    revision: Number(revision),
    inserted: Number(revision) === first
  }))

/** The rows of a list of `SelectStatement.listByKeys`. */
export const listed = ([row]: Rows): Rows => {
  const [list] = row ?? []
  // The store prints the list: each entry has the JSON, the key and the revision.
  return typeof list === "string" ? (JSON.parse(list) as Rows) : []
}

/** The levels of an answer that exceeds its bound. */
export const excessOf = ([row]: Rows = []): string | undefined => {
  const excess = row?.[3]
  return typeof excess === "string" ? excess : undefined
}

/** Reads rows that are apart by their keys after the write. */
export const embedding = (
  dialect: Dialect,
  { bound, owned, selection }: WriteOptions,
  mutation: Mutation
): Mutation => {
  if (!isApart({ bound, selection })) return mutation
  const { affected, isLong, staged, steps } = mutation
  return {
    steps,
    isLong,
    staged,
    followUp: (results) => {
      const keys = affected(results).map(({ key }) => key)
      return bound === undefined
        ? SelectStatement.byKeys(dialect, { owned, selection }, keys)
        : SelectStatement.listByKeys(dialect, { owned, selection }, keys, bound)
    },
    ...(bound === undefined ? {} : { excess: (results) => excessOf(results.at(-1)) }),
    affected: (results) => {
      const last = results.at(-1) ?? []
      const written = new Map(read(bound === undefined ? last : listed(last)).map(({ json, key }) => [key, json]))
      return affected(results.slice(0, -1)).map((row) => ({ ...row, json: written.get(row.key) }))
    }
  }
}

/** Sorts rows by the places of their keys. */
export const sorted = (rows: ReadonlyArray<Affected>, keys: ReadonlyArray<unknown>): ReadonlyArray<Affected> => {
  const places = new Map(keys.map((key, place) => [key, place]))
  const place = ({ key }: Affected): number => places.get(key) ?? keys.length
  return rows.toSorted((one, other) => place(one) - place(other))
}
