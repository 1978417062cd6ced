/**
 * Decides whether the rows that a write returns may exceed the limits, so that they are measured before they are built.
 */
import type * as AnswerSize from "../sql/read/AnswerSize.ts"
import * as Selection from "../sql/read/Selection.ts"
import * as FoundRows from "../sql/write/FoundRows.ts"
import type { Slices } from "../world/Slices.ts"
import * as Cost from "./cost/Cost.ts"
import type { Read, RowPlan } from "./plan/RowPlan.ts"
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

/** The bytes of the largest row of a write. */
const largestRow = function* ({ rows }: Extract<WritePlan, { readonly rows: unknown }>): Slices<number> {
  let largest = 0
  for (const row of rows) {
    largest = Math.max(largest, Buffer.byteLength(JSON.stringify(row)))
    yield
  }
  return largest
}

/** The sizes of tables with the rows of a write. */
const sizesWith = function* (plan: WritePlan, { tableSize }: StatementTarget): Slices<StatementTarget["tableSize"]> {
  if (!("rows" in plan)) return tableSize
  const largest = yield* largestRow(plan)
  return (resource) => {
    const size = tableSize(resource)
    if (resource !== plan.resource) return size
    return { ...size, bytes: plan._tag === "Insert" ? largest : Math.max(size.bytes, largest) }
  }
}

/** The number of rows that a write may return. */
const writtenRows = (plan: WritePlan, { maxBatch, tableSize }: StatementTarget): number => {
  if ("rows" in plan) return plan.rows.length
  if (RowSearch.isByKey(plan)) return 1
  // The size of a table may be older than a search.
  return Math.max(FoundRows.of(plan.where).length, Math.min(tableSize(plan.resource).rows, maxBatch))
}

/** The limits of the rows that a write returns, if they may exceed them. */
export const make = function* (plan: WritePlan, target: StatementTarget): Slices<AnswerSize.Bound | undefined> {
  const { selection } = plan
  const isRepeating = Selection.isRepeating(selection)
  if (!isRepeating && !Selection.isEmbedding(selection)) return undefined
  const most = isRepeating ? mostRepeated : Infinity
  const bound = { bytes: Math.min(target.limits.bytes, most), embedded: mostEmbedded }
  const sizes = isRepeating ? yield* sizesWith(plan, target) : target.tableSize
  const { bytes, embedded } = Cost.answer(plan, writtenRows(plan, target), sizes)
  return bytes <= bound.bytes && embedded <= bound.embedded ? undefined : bound
}
