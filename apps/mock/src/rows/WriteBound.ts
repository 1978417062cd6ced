/**
 * Decides whether the rows that a write returns may exceed the limits, so that they are measured before they are built.
 */
import type * as AnswerSize from "../sql/read/AnswerSize.ts"
import * as Selection from "../sql/read/Selection.ts"
import * as FoundRows from "../sql/write/FoundRows.ts"
import type { Slices } from "../world/Slices.ts"
import * as Cost from "./cost/Cost.ts"
import type { Read, RowPlan } from "./plan/RowPlan.ts"
import type { RowError } from "./RowError.ts"
import * as RowSearch from "./RowSearch.ts"

type WritePlan = Exclude<RowPlan, Read>
type StatementTarget = RowSearch.StatementTarget

/** The maximum number of embedded rows that a write returns, because it reads them while it holds the store. */
export const mostEmbedded = 10_000

/**
 * The maximum bytes that a write returns whose selection has a column several times, or a cast. Without these, a write
 * returns no more than is sent or stored.
 */
export const mostRepeated: number = 8 * 1024 * 1024

/** The most bytes that the given values of a write take in its answer. */
const givenBytes = function* ({ rows, selection }: Extract<WritePlan, { readonly rows: unknown }>): Slices<number> {
  if (selection._tag === "Document") return 0
  /** The number of times that each column is printed. A cast value is printed as a text, with its quotes escaped. */
  const times = new Map<string, number>()
  for (const { cast, target } of selection.fields) {
    const { name } = target.column
    times.set(name, (times.get(name) ?? 0) + (cast === undefined ? 1 : 2))
  }
  let bytes = 0
  for (const row of rows) {
    for (const [name, count] of times) bytes += count * Buffer.byteLength(JSON.stringify(row[name] ?? null))
    yield
  }
  return bytes
}

/** The number of rows that a write may return. */
const writtenRows = (plan: WritePlan, { maxBatch, tableSize }: StatementTarget): number => {
  if ("rows" in plan) return plan.rows.length
  if (RowSearch.isByKey(plan)) return 1
  // The size of a table may be older than a search.
  return Math.max(FoundRows.of(plan.where).length, Math.min(tableSize(plan.resource).rows, maxBatch))
}

/** The refusal of a write whose given values exceed the limit. */
export const check = function* (plan: RowPlan): Slices<RowError | undefined> {
  if (!("rows" in plan) || !Selection.isRepeating(plan.selection)) return undefined
  return (yield* givenBytes(plan)) <= mostRepeated
    ? undefined
    : { _tag: "AnswerTooLarge", bytes: mostRepeated, embed: undefined, isFixed: true }
}

/** The limits of the rows that a write returns, if stored values may exceed them. */
export const make = (plan: WritePlan, target: StatementTarget): AnswerSize.Bound | undefined => {
  const { selection } = plan
  const isRepeating = Selection.isRepeating(selection) && plan._tag !== "Insert"
  if (!isRepeating && !Selection.isEmbedding(selection)) return undefined
  const most = isRepeating ? mostRepeated : Infinity
  const bound = { bytes: Math.min(target.limits.bytes, most), embedded: mostEmbedded }
  const { bytes, embedded } = Cost.answer(plan, writtenRows(plan, target), target.tableSize)
  return bytes <= bound.bytes && embedded <= bound.embedded ? undefined : bound
}
