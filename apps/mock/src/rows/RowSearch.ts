/**
 * Builds the small queries that precede a request's own statements: for the rows of a filtered write, for the number of
 * rows that an index finds, and for the keys that a new key must differ from.
 */
import * as Either from "effect/Either"
import type { Rows } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import type { OwnedTable } from "../sql/Owner.ts"
import type * as AnswerSize from "../sql/read/AnswerSize.ts"
import type { Condition } from "../sql/read/Condition.ts"
import * as SelectStatement from "../sql/read/SelectStatement.ts"
import type { Statement } from "../sql/Statement.ts"
import * as FoundRows from "../sql/write/FoundRows.ts"
import * as Mutation from "../sql/write/Mutation.ts"
import type { Sizes } from "./cost/ConditionCost.ts"
import * as Cost from "./cost/Cost.ts"
import type { Delete, Read, Update } from "./plan/RowPlan.ts"
import type { RowError } from "./RowError.ts"

/** The properties of the store that statements depend on, and the limits of an answer. */
export interface StatementTarget {
  readonly dialect: Dialect
  readonly hasSubscribers: (owned: OwnedTable) => boolean | "unlikely"
  readonly tableSize: Sizes
  readonly limits: AnswerSize.Bound
  /** The maximum number of rows that one request writes. */
  readonly maxBatch: number
}

/** Reports whether a plan names one row by its key and nothing else. */
export const isByKey = ({ resource, where }: Pick<Read, "resource" | "where">): boolean => {
  const [condition] = where
  const isEqual = condition?._tag === "Compare" && condition.operator === "eq"
  return where.length === 1 && isEqual && condition.target.column.name === resource.key
}

/** The plans that find their rows by a filter and write them. */
export type FilteredPlan = Update | Delete | Read

/** Finds the rows of a filtered write before the write; undefined for one that needs no search. */
export const search = (
  plan: FilteredPlan,
  { dialect, limits, maxBatch, tableSize }: StatementTarget
): Search | undefined => {
  const { resource, selection, where } = plan
  const { class: cost } = Cost.make(
    { resource, where, selection: { _tag: "Document" }, order: [], offset: 0, limit: undefined, counted: false },
    tableSize
  )
  if (cost === "inline") return undefined
  // The rows of a write in parts are in the order of the search.
  const order = Mutation.orderAfter(plan, "set" in plan ? plan.set : {})
  const statement = SelectStatement.found(dialect, { owned: plan, selection, where, order, limit: maxBatch + 1 })
  return {
    statement,
    resolve: ([row]) => {
      const [list, count, bytes] = row ?? []
      if (Number(count) > maxBatch) return Either.left({ _tag: "ChangeTooLarge", limit: maxBatch })
      if (Number(bytes) > limits.bytes) return Either.left({ _tag: "RowsTooLarge", bytes: limits.bytes })
      // The store prints the list.
      const rows = JSON.parse(String(list)) as ReadonlyArray<FoundRows.FoundRow>
      return Either.right(FoundRows.conditions(SelectStatement.keyOf(plan), rows, where))
    }
  }
}

/** A query for the rows to write, and the conditions that select them. */
export interface Search {
  readonly statement: Statement
  readonly resolve: (rows: Rows) => Either.Either<ReadonlyArray<Condition>, RowError>
}

/** Counts the rows of a probe. */
export const probe = (plan: Read, { condition, most }: Cost.Probe, { dialect }: StatementTarget): Statement =>
  SelectStatement.countUpTo(dialect, { owned: plan, where: [condition] }, most + 1)

/** The maximum number of keys that a new key made from a name is compared with. */
const mostKeys = 10_000

/** Reads the keys of the rows of an owner. */
export const keys = ({ owner, resource }: OwnedTable, dialect: Dialect): Statement =>
  SelectStatement.keyList(dialect, { owner, resource }, mostKeys)

/** The keys that {@link keys} reads. */
export const keysOf = ([row]: Rows): ReadonlyArray<string> =>
  // The store prints the list of texts.
  JSON.parse(String(row?.[0] ?? "[]")) as ReadonlyArray<string>
