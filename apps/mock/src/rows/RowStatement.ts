/**
 * Compiles a plan to SQL, with the function that makes an outcome of the returned rows. A refusal rolls back a write.
 */
import * as Column from "@mfgdata/domain/Column"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import * as AnswerSize from "../sql/read/AnswerSize.ts"
import type { Change, Rows, Step } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import * as FoundRows from "../sql/write/FoundRows.ts"
import * as Mutation from "../sql/write/Mutation.ts"
import type * as Outbox from "../sql/write/Outbox.ts"
import type { OwnedTable } from "../sql/Owner.ts"
import * as SelectStatement from "../sql/read/SelectStatement.ts"
import * as Revision from "../sql/write/Revision.ts"
import * as Selection from "../sql/read/Selection.ts"
import type { Statement } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import { overflowed } from "../store/Store.ts"
import type { Slices } from "../world/Slices.ts"
import type { Outcome, RolledBack, WrittenRow } from "./Outcome.ts"
import type { RowError } from "./RowError.ts"
import * as Cost from "./cost/Cost.ts"
import * as PastRetrieval from "./PastRetrieval.ts"
import * as RowSearch from "./RowSearch.ts"
import type { StatementTarget } from "./RowSearch.ts"
import * as WriteBound from "./WriteBound.ts"
import type { Read, RowPlan } from "./plan/RowPlan.ts"

export interface Query {
  readonly _tag: "Query"
  readonly statement: Statement
  readonly resolve: (rows: Rows) => Either.Either<Outcome, RowError>
}

export interface Write {
  readonly _tag: "Change"
  readonly change: Change<Outcome, RowError | RolledBack>
}

type WritePlan = Exclude<RowPlan, Read>

const wrongCount = ({ responseShape }: RowPlan, count: number): RowError =>
  responseShape.exactlyOne === "absent" ? { _tag: "RowAbsent" } : { _tag: "NotSingular", count }

/** Refuses a number of rows other than one where the response needs exactly one. */
const checkCount = (plan: RowPlan, count: number): Either.Either<void, RowError> =>
  plan.responseShape.exactlyOne === undefined || count === 1 ? Either.void : Either.left(wrongCount(plan, count))

/** The refusal of a row without JSON: one of its values could not be cast. */
const castFailed = ({ selection }: RowPlan) => ({
  _tag: "CastFailed" as const,
  casts: Selection.castFields(selection).map(({ cast, target }) => ({ column: target.column.name, type: cast }))
})

/** The refusal of a page with a row without JSON: a sum is too large, or a value could not be cast. */
const unprintable = (plan: RowPlan): RowError =>
  plan.selection._tag === "Fields" && plan.selection.aggregates !== undefined && castFailed(plan).casts.length === 0
    ? overflowed()
    : castFailed(plan)

const tooLarge = ({ _tag }: RowPlan, { bytes }: AnswerSize.Bound, embed: string | undefined): RowError => ({
  _tag: "AnswerTooLarge",
  bytes,
  embed,
  isFixed: _tag !== "Read" && bytes === WriteBound.mostRepeated
})

/** The refusal of an answer that exceeds the limits, which names the first embed that does. */
const excessive = (plan: RowPlan, excess: string, bound: AnswerSize.Bound): RowError => {
  if (excess === SelectStatement.excessiveGroups) return { _tag: "GroupsTooLarge", bytes: bound.bytes }
  let rows = 0
  let bytes = 0
  for (const level of AnswerSize.levels(plan.selection, excess)) {
    const { path } = level
    if (path !== "") rows += level.rows
    bytes += level.bytes
    if (rows > bound.embedded) return { _tag: "EmbedTooLarge", rows: bound.embedded, embed: path }
    if (bytes > bound.bytes) {
      return tooLarge(plan, bound, path === "" ? undefined : path)
    }
  }
  return tooLarge(plan, bound, undefined)
}

const page = (plan: Read, { dialect }: StatementTarget, bound: AnswerSize.Bound | undefined): Query => ({
  _tag: "Query",
  statement: SelectStatement.page(dialect, { ...plan, owned: plan, bound }),
  resolve: ([row]) => {
    const [rows, count = 0, counted, excess] = row ?? []
    if (bound !== undefined && typeof excess === "string") return Either.left(excessive(plan, excess, bound))
    if (typeof rows !== "string") return Either.left(unprintable(plan))
    const { offset } = plan
    const total = plan.counted ? Number(counted) : undefined
    if (total !== undefined && offset > total) return Either.left({ _tag: "RangeBeyond", offset, total })
    return Either.map(checkCount(plan, Number(count)), () => ({
      _tag: "Page",
      rows,
      count: Number(count),
      total,
      offset
    }))
  }
})

/** An owner and a key whose values are parameters, so that they do not appear in a statement's text. */
const anyOwner = { companyId: "", userId: "" }
const anyKey = ""

/** The text that reads a whole row by its key. Compiling it takes a fifth of the time of such a read, so it is memoized. */
const retrievalTexts = Memo.make((dialect: Dialect) =>
  Memo.make((resource: Resource.Any): string => {
    const where = Column.fromResource(resource).flatMap((column): Read["where"] =>
      column.name === resource.key
        ? [{ _tag: "Compare", operator: "eq", target: { column, json: [] }, value: anyKey }]
        : []
    )
    return SelectStatement.one(dialect, {
      owned: { resource, owner: anyOwner },
      selection: { _tag: "Document" },
      where
    }).text
  })
)

/** Reads a whole row by its key. */
const retrieval = (owned: OwnedTable, key: string, dialect: Dialect): Statement => ({
  text: retrievalTexts(dialect)(owned.resource),
  parameters: [...Table.ownerValues(owned), key],
  isSingle: true
})

/** The key of a read that names one row by its key and nothing else. */
const keyOf = ({ counted, limit = 1, offset, resource, where }: Read): string | undefined => {
  const [condition] = where
  if (counted || limit < 1 || offset > 0 || where.length !== 1 || condition?._tag !== "Compare") return undefined
  const { operator, target, value } = condition
  const isKey = operator === "eq" && target.column.name === resource.key && target.json.length === 0
  return isKey && typeof value === "string" ? value : undefined
}

/** A text of this many UTF-16 units may have more bytes than a limit. */
const mayExceed = (text: string, bytes: number): boolean => text.length * 3 > bytes && Buffer.byteLength(text) > bytes

const one = (plan: Read, key: string, target: StatementTarget, bound: AnswerSize.Bound | undefined): Query => {
  const { dialect, limits } = target
  return {
    _tag: "Query",
    statement:
      plan.selection._tag === "Document"
        ? plan.owner.asOf === undefined
          ? retrieval(plan, key, dialect)
          : PastRetrieval.make(plan, key, plan.owner.asOf)
        : SelectStatement.one(dialect, { owned: plan, selection: plan.selection, where: plan.where, bound }),
    resolve: ([row]) => {
      if (row === undefined) return Either.left(wrongCount(plan, 0))
      const [json, revision, excess] = row
      if (bound !== undefined && typeof excess === "string") return Either.left(excessive(plan, excess, bound))
      if (typeof json !== "string") return Either.left(castFailed(plan))
      return mayExceed(json, limits.bytes)
        ? Either.left({ _tag: "AnswerTooLarge", bytes: limits.bytes, embed: undefined, isFixed: false })
        : Either.right({ _tag: "One", row: json, revision: Number(revision) })
    }
  }
}

/** The number of rows above which a write is compiled in slices. */
const manyRows = 500

/** Reports whether a search has found many rows. */
const isDivided = ({ where }: Pick<Read, "where">): boolean => FoundRows.of(where).length > manyRows

const mutation = function* (
  plan: WritePlan,
  dialect: Dialect,
  given: Outbox.Source,
  hasSubscribers: boolean | "unlikely",
  bound: AnswerSize.Bound | undefined
): Slices<Mutation.Mutation> {
  const source = hasSubscribers === "unlikely" ? { ...given, isUnlikely: true } : hasSubscribers ? given : undefined
  switch (plan._tag) {
    case "Insert": {
      const { rows, selection } = plan
      const options = { owned: plan, rows, selection, source, bound, revision: Revision.first(given.change) }
      return rows.length > manyRows ? yield* Mutation.insertMany(dialect, options) : Mutation.insert(dialect, options)
    }
    case "Upsert": {
      const options = { ...plan, owned: plan, source, bound, revision: Revision.first(given.change) }
      return plan.rows.length > manyRows
        ? yield* Mutation.upsertMany(dialect, options)
        : Mutation.upsert(dialect, options)
    }
    case "Update": {
      const { expected, order, selection, set, unreadable, where } = plan
      const options = { owned: plan, where, order, selection, set, expected, unreadable, source, bound }
      return isDivided(plan) ? yield* Mutation.updateMany(dialect, options) : Mutation.update(dialect, options)
    }
    case "Delete": {
      // The children that are deleted with a row may have subscribers if the row has none.
      const options = { ...plan, owned: plan, source: given, bound }
      return isDivided(plan) && Mutation.isDivisible(options)
        ? yield* Mutation.removeMany(dialect, options)
        : Mutation.remove(dialect, options)
    }
  }
}

const isWritten = (row: Mutation.Affected): row is WrittenRow => row.json !== null

/** Reports whether a write that is refused after it ran has changed nothing: it affects at most one row, or any number. */
const isFinal = (plan: WritePlan): boolean => {
  if (plan.rollback || Selection.castFields(plan.selection).length > 0) return false
  switch (plan._tag) {
    case "Insert":
    case "Upsert":
      return plan.responseShape.exactlyOne === undefined || plan.rows.length === 1
    case "Update":
    case "Delete":
      return RowSearch.isByKey(plan)
        ? plan.maxAffected !== 0
        : plan.responseShape.exactlyOne === undefined && plan.maxAffected === undefined
  }
}

/** The maximum number of embedded rows of an answer, each counted as often as it appears. */
export const mostEmbedded = 100_000

const write = function* (plan: WritePlan, target: StatementTarget, source: Outbox.Source): Slices<Write> {
  const bound = WriteBound.make(plan, target)
  const { affected, excess, followUp, isLong, staged, steps } = yield* mutation(
    plan,
    target.dialect,
    source,
    target.hasSubscribers(plan),
    bound
  )
  const most = "maxAffected" in plan ? (plan.maxAffected ?? Infinity) : Infinity
  const resolve = (results: ReadonlyArray<Rows>): Either.Either<Outcome, RowError | RolledBack> => {
    const beyond = excess?.(results)
    if (bound !== undefined && beyond !== undefined) return Either.left(excessive(plan, beyond, bound))
    const rows = affected(results)
    if (!rows.every(isWritten)) return Either.left(castFailed(plan))
    if (rows.length > most) return Either.left({ _tag: "TooManyAffected", count: rows.length })
    const outcome = { _tag: "Written", rows } as const
    const shown = rows.filter(({ json }) => json !== undefined)
    return Either.flatMap(checkCount(plan, shown.length), () =>
      plan.rollback ? Either.left<RolledBack>({ _tag: "RolledBack", outcome }) : Either.right(outcome)
    )
  }
  const change = { steps, staged, isLong, followUp, isFinal: bound === undefined && isFinal(plan), resolve }
  return { _tag: "Change", change }
}

/** The statements of an update that changes nothing: a read, after guards that check the expected values. */
const unchanged = (plan: Read, expected: Mutation.NewRow, query: Query, dialect: Dialect): Write => ({
  _tag: "Change",
  change: {
    steps: [
      ...Mutation.unchanged(dialect, { ...plan, owned: plan, expected }),
      { _tag: "Run", statement: query.statement }
    ],
    isFinal: true,
    resolve: ([rows = []]) => query.resolve(rows)
  }
})

/** The statement of a read of a cost. */
export const read = (plan: Read, target: StatementTarget, { bytes, embedded }: Cost.Cost): Query => {
  const { limits } = target
  const bound = bytes <= limits.bytes && embedded <= limits.embedded ? undefined : limits
  const key = plan.responseShape.exactlyOne === undefined ? undefined : keyOf(plan)
  return key === undefined ? page(plan, target, bound) : one(plan, key, target, bound)
}

/** The statements of a write, or of an update that changes nothing. `source` makes its id and time, for its events. */
export const change = function* (
  plan: RowPlan,
  target: StatementTarget,
  source: () => Outbox.Source
): Slices<Write["change"]> {
  if (plan._tag !== "Read") return (yield* write(plan, target, source())).change
  const { expected = {} } = plan
  return unchanged(plan, expected, read(plan, target, Cost.make(plan, target.tableSize)), target.dialect).change
}

/** Refuses an update or a deletion of more rows than a limit. A write by key changes one. */
export const sizeGuard = (plan: RowPlan, dialect: Dialect, limit: number): ReadonlyArray<Step> => {
  if ((plan._tag !== "Update" && plan._tag !== "Delete") || RowSearch.isByKey(plan)) return []
  // A search finds as many rows as the limit allows.
  if (FoundRows.of(plan.where).length > 0) return []
  const { parameters, text } = SelectStatement.keys(dialect, { owned: plan, where: plan.where, order: [] })
  const beyond = { text: `${text} LIMIT 1 OFFSET ${limit}`, parameters }
  return [{ _tag: "Guard", statement: beyond, refusal: { _tag: "ChangeTooLarge", limit } }]
}
