/**
 * Divides writes of many rows into parts, between which a store can pause.
 */
import type { Step } from "../Change.ts"
import type { Dialect } from "../Dialect.ts"
import type { Parameter } from "../Statement.ts"
import { embedding, type Filtered, type Mutation, read, sorted, type WriteOptions } from "./AffectedRows.ts"
import * as FoundRows from "./FoundRows.ts"
import * as InsertStatement from "./InsertStatement.ts"

/** The number of rows of a part. */
const partLength = 100

/** The steps without those that follow the last events of a change. */
const withoutEnqueue = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps
    .filter((step) => step._tag !== "Enqueue" && !(step._tag === "Count" && step.isOfEvents === true))
    .map((step) =>
      step._tag === "Unsubscribed" ? { ...step, otherwise: () => withoutEnqueue(step.otherwise()) } : step
    )

/**
 * Divides a write of many rows into parts, which are staged if the dialect can do so. Their events are enqueued once, after
 * all of them are published.
 */
export const inParts = function* <O extends WriteOptions & InsertStatement.InsertOptions>(
  dialect: Dialect,
  options: O,
  isStaged: boolean,
  make: (dialect: Dialect, part: O, index: number) => Mutation
): Generator<void, Mutation> {
  const { rows } = options
  const staged: Array<ReadonlyArray<Parameter>> = []
  const parts: Array<Pick<Mutation, "affected"> & { readonly runs: number }> = []
  const steps: Array<Step> = []
  for (let start = 0; start < rows.length; start += partLength) {
    const given = rows.slice(start, start + partLength)
    const documents = isStaged ? given.map((row) => JSON.stringify(row)) : undefined
    const stagedAt = isStaged ? start : undefined
    const part = make(dialect, { ...options, rows: given, documents, stagedAt }, parts.length)
    if (isStaged) staged.push(...InsertStatement.toStaged(dialect, { owned: options.owned, rows: given, documents }))
    const isLast = start + partLength >= rows.length
    steps.push(...(isLast ? part.steps : withoutEnqueue(part.steps)))
    // The rows of an insert that returns nothing are known already.
    const known = part.steps.every((step) => step._tag !== "Run" || step.returns === 0) ? part.affected([]) : undefined
    parts.push({
      affected: known === undefined ? part.affected : () => known,
      runs: part.steps.filter(({ _tag }) => _tag === "Run").length
    })
    yield
  }
  return embedding(dialect, options, {
    steps,
    staged: isStaged ? staged : undefined,
    affected: (results) => {
      let from = 0
      return parts.flatMap(({ affected, runs }) => affected(results.slice(from, (from += runs))))
    }
  })
}

/**
 * Changes the rows that a search has found, in parts, and returns them in the order of the search. The first part receives
 * the number of all rows, the others none.
 */
export const foundInParts = function* <O extends Filtered>(
  dialect: Dialect,
  options: O,
  make: (part: O, rows: number) => ReadonlyArray<Step>
): Generator<void, Mutation> {
  const steps: Array<Step> = []
  const runs: Array<number> = []
  const parts = FoundRows.divide(options.where, partLength)
  const keys = FoundRows.of(options.where).map(([key]) => key)
  for (const [index, where] of parts.entries()) {
    const part = make({ ...options, where }, index === 0 ? keys.length : 0)
    steps.push(...(index === parts.length - 1 ? part : withoutEnqueue(part)))
    runs.push(part.filter(({ _tag }) => _tag === "Run").length)
    yield
  }
  return embedding(dialect, options, {
    steps,
    isLong: true,
    affected: (results) => {
      let end = 0
      return sorted(
        runs.flatMap((count) => read(results[(end += count) - 1] ?? [])),
        keys
      )
    }
  })
}
