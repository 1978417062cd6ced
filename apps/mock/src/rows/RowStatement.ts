/**
 * Compiles a plan to SQL, with the function that makes an outcome of the returned rows. A refusal rolls back a write.
 */
import * as Column from "@mfgdata/domain/Column"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import type { Change, Rows, Step } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import * as Mutation from "../sql/write/Mutation.ts"
import type * as Outbox from "../sql/write/Outbox.ts"
import type { OwnedTable } from "../sql/Owner.ts"
import * as SelectStatement from "../sql/read/SelectStatement.ts"
import * as Revision from "../sql/write/Revision.ts"
import * as Selection from "../sql/read/Selection.ts"
import type { Statement } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import type { Slices } from "../world/Slices.ts"
import type { Outcome, RolledBack, WrittenRow } from "./Outcome.ts"
import type { RowError } from "./RowError.ts"
import type { Read, RowPlan } from "./plan/RowPlan.ts"

export type RowStatement = Query | Write

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
const castFailed = ({ selection }: RowPlan): RowError => ({
  _tag: "CastFailed",
  casts: Selection.castFields(selection).map(({ cast, target }) => ({ column: target.column.name, type: cast }))
})

const list = (plan: Read, dialect: Dialect): Statement => {
  const { counted, limit, offset, order, selection, where } = plan
  return SelectStatement.page(dialect, { owned: plan, selection, where, order, limit, offset, counted })
}

const page = (plan: Read, dialect: Dialect): Query => ({
  _tag: "Query",
  statement: list(plan, dialect),
  resolve: ([row]) => {
    const [rows, count = 0, counted] = row ?? []
    if (typeof rows !== "string") return Either.left(castFailed(plan))
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

const find = (plan: Read, key: string, dialect: Dialect): Statement =>
  plan.selection._tag === "Document"
    ? retrieval(plan, key, dialect)
    : SelectStatement.one(dialect, { owned: plan, selection: plan.selection, where: plan.where })

const one = (plan: Read, key: string, dialect: Dialect): Query => ({
  _tag: "Query",
  statement: find(plan, key, dialect),
  resolve: ([row]) => {
    if (row === undefined) return Either.left(wrongCount(plan, 0))
    const [json, revision] = row
    return typeof json === "string"
      ? Either.right({ _tag: "One", row: json, revision: Number(revision) })
      : Either.left(castFailed(plan))
  }
})

/** The number of rows above which a write is compiled in slices. */
const manyRows = 500

const mutation = function* (
  plan: WritePlan,
  dialect: Dialect,
  given: Outbox.Source,
  hasSubscribers: boolean | "unlikely"
): Slices<Mutation.Mutation> {
  const source = hasSubscribers === "unlikely" ? { ...given, isUnlikely: true } : hasSubscribers ? given : undefined
  switch (plan._tag) {
    case "Insert": {
      const { rows, selection } = plan
      const options = { owned: plan, rows, selection, source, revision: Revision.first(given.change) }
      return rows.length > manyRows ? yield* Mutation.insertMany(dialect, options) : Mutation.insert(dialect, options)
    }
    case "Upsert": {
      const options = { ...plan, owned: plan, source, revision: Revision.first(given.change) }
      return plan.rows.length > manyRows
        ? yield* Mutation.upsertMany(dialect, options)
        : Mutation.upsert(dialect, options)
    }
    case "Update": {
      const { expected, order, selection, set, unreadable, where } = plan
      return Mutation.update(dialect, { owned: plan, where, order, selection, set, expected, unreadable, source })
    }
    case "Delete":
      // The children that are deleted with a row may have subscribers if the row has none.
      return Mutation.remove(dialect, { ...plan, owned: plan, source: given })
  }
}

const isWritten = (row: Mutation.Affected): row is WrittenRow => row.json !== null

const isByKey = ({ resource, where }: Extract<WritePlan, { readonly where: unknown }>): boolean => {
  const [condition] = where
  const isEqual = condition?._tag === "Compare" && condition.operator === "eq"
  return where.length === 1 && isEqual && condition.target.column.name === resource.key
}

/** Reports whether a write that is refused after it ran has changed nothing: it affects at most one row, or any number. */
const isFinal = (plan: WritePlan): boolean => {
  if (plan.rollback || Selection.castFields(plan.selection).length > 0) return false
  switch (plan._tag) {
    case "Insert":
    case "Upsert":
      return plan.responseShape.exactlyOne === undefined || plan.rows.length === 1
    case "Update":
    case "Delete":
      return isByKey(plan)
        ? plan.maxAffected !== 0
        : plan.responseShape.exactlyOne === undefined && plan.maxAffected === undefined
  }
}

const write = function* (
  plan: WritePlan,
  { dialect, hasSubscribers }: StatementTarget,
  source: Outbox.Source
): Slices<RowStatement> {
  const { affected, followUp, steps } = yield* mutation(plan, dialect, source, hasSubscribers(plan))
  const most = "maxAffected" in plan ? (plan.maxAffected ?? Infinity) : Infinity
  const resolve = (results: ReadonlyArray<Rows>): Either.Either<Outcome, RowError | RolledBack> => {
    const rows = affected(results)
    if (!rows.every(isWritten)) return Either.left(castFailed(plan))
    if (rows.length > most) return Either.left({ _tag: "TooManyAffected", count: rows.length })
    const outcome = { _tag: "Written", rows } as const
    const shown = rows.filter(({ json }) => json !== undefined)
    return Either.flatMap(checkCount(plan, shown.length), () =>
      plan.rollback ? Either.left<RolledBack>({ _tag: "RolledBack", outcome }) : Either.right(outcome)
    )
  }
  return { _tag: "Change", change: { steps, followUp, isFinal: isFinal(plan), resolve } }
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

/** The properties of the store that statements depend on. */
export interface StatementTarget {
  readonly dialect: Dialect
  readonly hasSubscribers: (owned: OwnedTable) => boolean | "unlikely"
}

/** The statements of a plan. `source` makes the id and the time of a write, for its events. */
export const make = function* (
  plan: RowPlan,
  target: StatementTarget,
  source: () => Outbox.Source
): Slices<RowStatement> {
  if (plan._tag !== "Read") return yield* write(plan, target, source())
  const { dialect } = target
  const key = plan.responseShape.exactlyOne === undefined ? undefined : keyOf(plan)
  const query = key === undefined ? page(plan, dialect) : one(plan, key, dialect)
  const { expected = {} } = plan
  return Object.keys(expected).length === 0 ? query : unchanged(plan, expected, query, dialect)
}

/** Selects the keys of all rows of an owner. */
export const keys = ({ owner, resource }: OwnedTable, dialect: Dialect): Statement =>
  SelectStatement.keys(dialect, { owned: { owner, resource }, where: [], order: [] })

/** Refuses an update or a deletion of more rows than a limit. A write by key changes one. */
export const sizeGuard = (plan: RowPlan, dialect: Dialect, limit: number): ReadonlyArray<Step> => {
  if ((plan._tag !== "Update" && plan._tag !== "Delete") || isByKey(plan)) return []
  const { parameters, text } = SelectStatement.keys(dialect, { owned: plan, where: plan.where, order: [] })
  const beyond = { text: `${text} LIMIT 1 OFFSET ${limit}`, parameters }
  return [{ _tag: "Guard", statement: beyond, refusal: { _tag: "ChangeTooLarge", limit } }]
}
