/**
 * Plans writes: checks the values of a request, and fills in the columns that the service sets.
 */
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as ResourceRules from "@mfgdata/domain/ResourceRules"
import * as Either from "effect/Either"
import * as Iterable from "effect/Iterable"
import type { NewRow } from "../../sql/write/Mutation.ts"
import type * as StoredGuard from "../../sql/write/StoredGuard.ts"
import type { Slices } from "../../world/Slices.ts"
import * as ColumnDefaults from "./ColumnDefaults.ts"
import * as ExpectedValues from "./ExpectedValues.ts"
import * as LevelPlan from "./LevelPlan.ts"
import type { Payload } from "../request/Payload.ts"
import * as RightCheck from "./RightCheck.ts"
import * as ReadPlan from "./ReadPlan.ts"
import type { RowError } from "../RowError.ts"
import type { PlanContext } from "./PlanContext.ts"
import type { Delete, Insert, Read, Update, Upsert } from "./RowPlan.ts"
import type { RowRequest } from "../request/RowRequest.ts"
import type { ResponseShape } from "./ResponseShape.ts"
import * as TargetPlan from "./TargetPlan.ts"
import * as ValuePlan from "./ValuePlan.ts"

type Result<A> = Either.Either<A, RowError>

const valueOptions = (
  { columns, preferences, shape }: RowRequest,
  { textual }: Payload,
  writing: "insert" | "update",
  withKey: boolean
): ValuePlan.ValueOptions => ({
  writing,
  coerced: textual || shape === "postgrest",
  columns,
  missing: columns === undefined ? "default" : (preferences.missing ?? "null"),
  withKey
})

/** The part that the plans of all writes have in common. */
const common = ({ preferences, query, resource }: RowRequest, responseShape: ResponseShape, context: PlanContext) =>
  Either.map(LevelPlan.make(resource, { ...query, where: [], order: [] }, context), ({ selection }) => ({
    resource,
    owner: context.caller,
    selection,
    counted: preferences.count !== undefined,
    rollback: preferences.tx === "rollback",
    responseShape
  }))

const maxAffected = ({ preferences }: RowRequest): number | undefined =>
  preferences.handling === "strict" ? preferences["max-affected"] : undefined

/** Columns of the owner, which every unique constraint includes implicitly. */
const owners = ["companyId", "userId"]

/** The unique columns that on_conflict names: the key, or columns of a unique rule. */
const conflictTarget = (
  { onConflict, resource }: RowRequest,
  rules: PlanContext["rules"]
): Result<ReadonlyArray<string>> => {
  const { key } = resource
  if (onConflict === undefined) return Either.right([key])
  return Either.flatMap(
    Either.all(Iterable.map(onConflict, (name) => TargetPlan.column(resource, name))),
    (columns) => {
      const wanted = new Set(columns.map(({ name }) => name).filter((name) => !owners.includes(name)))
      const unique = ResourceRules.areEnforced(resource, rules) ? resource.rules.unique : []
      const target = [[key], ...unique.map(({ columns }) => columns)].find(
        (columns) => columns.length === wanted.size && columns.every((column) => wanted.has(column))
      )
      return target === undefined ? Either.left({ _tag: "ConflictTargetUnknown" }) : Either.right(target)
    }
  )
}

/** The rows of which none before has the same values in the target columns. A null equals no other one. */
const distinct = function* (rows: ReadonlyArray<NewRow>, target: ReadonlyArray<string>): Slices<ReadonlyArray<NewRow>> {
  const known = new Set<string>()
  const found: Array<NewRow> = []
  for (const row of rows) {
    const values = target.map((column) => row[column] ?? null)
    const name = JSON.stringify(values)
    if (!known.has(name) || values.includes(null)) found.push(row)
    known.add(name)
    yield
  }
  return found
}

/** The values of all records. It is a loop because every write runs it. */
const recordsOf = function* (
  resource: Resource.Any,
  { records }: Payload,
  options: ValuePlan.ValueOptions,
  context: PlanContext
): Slices<Result<ReadonlyArray<ValuePlan.Record>>> {
  const read: Array<ValuePlan.Record> = []
  for (const record of records) {
    const one = ValuePlan.read(resource, record, options, context)
    if (Either.isLeft(one)) return Either.left(one.left)
    read.push(one.right)
    yield
  }
  return Either.right(read)
}

/** An insert; or an upsert, if duplicates are merged or ignored and the rows may have any. */
export const create = function* (
  request: RowRequest,
  payload: Payload,
  responseShape: ResponseShape,
  context: PlanContext
): Slices<Result<Insert | Upsert>> {
  const { preferences, resource } = request
  const { resolution } = preferences
  const options = valueOptions(request, payload, "insert", resolution !== undefined)
  const plan = common(request, responseShape, context)
  if (Either.isLeft(plan)) return Either.left(plan.left)
  const records = yield* recordsOf(resource, payload, options, context)
  if (Either.isLeft(records)) return Either.left(records.left)
  const complement = ColumnDefaults.complement(resource, context)
  const rows: Array<NewRow> = []
  for (const { values } of records.right) {
    rows.push(complement(values))
    yield
  }
  const insert: Insert = { _tag: "Insert", ...plan.right, rows }
  const expected = ExpectedValues.make(resource, records.right, rows)
  const isPlain = resolution === undefined
  const allowed = isPlain ? ExpectedValues.onlyDefaults(expected) : Either.void
  if (Either.isLeft(allowed)) return Either.left(allowed.left)
  for (const record of records.right) {
    const whole = ValuePlan.complete(resource, record.values)
    if (Either.isLeft(whole)) return Either.left(whole.left)
    const right = RightCheck.subscribed(resource, record.values, context.caller)
    if (Either.isLeft(right)) return Either.left(right.left)
    yield
  }
  return isPlain ? Either.right(insert) : yield* upsert(request, records.right, insert, expected, context)
}

/** An upsert that merges or ignores duplicates. */
const upsert = function* (
  request: RowRequest,
  records: ReadonlyArray<ValuePlan.Record>,
  insert: Insert,
  expected: ReadonlyArray<StoredGuard.Expected>,
  context: PlanContext
): Slices<Result<Insert | Upsert>> {
  const { preferences, resource } = request
  const { rows } = insert
  const target = conflictTarget(request, context.rules)
  if (Either.isLeft(target)) return Either.left(target.left)
  const names = new Set<string>()
  for (const { values } of records) {
    for (const name in values) names.add(name)
    yield
  }
  // The service makes new keys, so these rows have no duplicates.
  if (rows.length > 0 && target.right.includes(resource.key) && !names.has(resource.key)) {
    return Either.map(ExpectedValues.onlyDefaults(expected), () => insert)
  }
  const merges = preferences.resolution === "merge-duplicates"
  const first = yield* distinct(rows, target.right)
  if (merges && first.length < rows.length) return Either.left({ _tag: "ConflictRepeated" })
  return Either.right({
    ...insert,
    rows: first,
    _tag: "Upsert",
    given: [...names].filter((name) => name !== resource.key && !target.right.includes(name)),
    auditColumns: ColumnDefaults.auditColumns(resource, context),
    target: target.right,
    resolution: merges ? "merge" : "ignore",
    expected: [...ExpectedValues.ofKeys(request, records, rows), ...expected]
  })
}

/** The upsert of a whole row by its key. Columns that the body omits become null. */
export const put = (
  request: RowRequest,
  payload: Payload,
  responseShape: ResponseShape,
  context: PlanContext
): Result<Upsert> =>
  Either.gen(function* () {
    const { key, query, resource, shape } = request
    if (query.limit !== undefined || query.offset !== undefined) {
      return yield* Either.left<RowError>({ _tag: "PutPaged" })
    }
    if (key === undefined) return yield* Either.left<RowError>({ _tag: "PutFiltered" })
    const plan = yield* common(request, responseShape, context)
    const [first] = payload.records
    const record: JsonObject | undefined = shape === "contract" ? { [resource.key]: key, ...first } : first
    const options = valueOptions(request, payload, "insert", true)
    const one = record === undefined ? undefined : yield* ValuePlan.read(resource, record, options, context)
    const values: ValuePlan.Values = one?.values ?? {}
    if (values[resource.key] !== key) return yield* Either.left<RowError>({ _tag: "PutKeyDiffers" })
    yield* ValuePlan.complete(resource, values)
    const rows = [ColumnDefaults.complement(resource, context)(values)]
    yield* RightCheck.subscribed(resource, values, context.caller)
    const written = Column.fromResource(resource).filter(({ write }) => write !== "never")
    return {
      _tag: "Upsert",
      ...plan,
      rows,
      given: written.map(({ name }) => name).filter((name) => name !== resource.key),
      auditColumns: ColumnDefaults.auditColumns(resource, context),
      target: [resource.key],
      resolution: "replace",
      expected: one === undefined ? [] : ExpectedValues.make(resource, [one], rows)
    }
  })

/** An update; or a read, if the body changes nothing. It has no generator, because every PATCH runs it. */
export const update = (
  request: RowRequest,
  payload: Payload,
  responseShape: ResponseShape,
  context: PlanContext
): Result<Update | Read> => {
  const { caller } = context
  const { key, preferences, query, resource, shape } = request
  if (query.where.length === 0) return Either.left({ _tag: "FilterMissing", statement: "UPDATE" })
  if (shape === "contract" && payload.many && !payload.textual) {
    return Either.left({ _tag: "BodyMalformed", reason: "A JSON object is expected." })
  }
  const scope = ReadPlan.scope(request, responseShape, context)
  if (Either.isLeft(scope)) return Either.left(scope.left)
  const options = valueOptions(request, payload, "update", key !== undefined)
  const record = ValuePlan.read(resource, payload.records[0] ?? {}, options, context)
  if (Either.isLeft(record)) return Either.left(record.left)
  const { service: expected, values } = record.right
  const compared = RightCheck.compared(resource, expected, caller)
  if (Either.isLeft(compared)) return Either.left(compared.left)
  // The body may repeat the key. Only a writable key may change.
  const given = values[resource.key]
  const repeated = given === undefined || given === key
  if (!repeated && Column.byName(resource).get(resource.key)?.write === "never") {
    return Either.left({ _tag: "FieldSetByService", column: resource.key, writing: "update" })
  }
  const changed = repeated && given !== undefined ? ValuePlan.without(values, (name) => name === resource.key) : values
  const set = ColumnDefaults.changes(resource, changed, context)
  const allowed = Either.flatMap(ValuePlan.unbroken(resource, set), () => RightCheck.subscribed(resource, set, caller))
  if (Either.isLeft(allowed)) return Either.left(allowed.left)
  if (Object.keys(set).length === 0) {
    const limit = shape === "contract" ? undefined : 0
    return Either.right({ _tag: "Read", ...scope.right, counted: false, limit, offset: 0, expected })
  }
  return Either.right({
    _tag: "Update",
    ...scope.right,
    set: { ...set, ...ColumnDefaults.auditColumns(resource, context) },
    expected,
    unreadable: RightCheck.unreadable(resource, set, caller),
    maxAffected: maxAffected(request),
    rollback: preferences.tx === "rollback"
  })
}

export const remove = (request: RowRequest, responseShape: ResponseShape, context: PlanContext): Result<Delete> =>
  request.query.where.length === 0
    ? Either.left({ _tag: "FilterMissing", statement: "DELETE" })
    : Either.map(ReadPlan.scope(request, responseShape, context), (scope) => ({
        _tag: "Delete",
        ...scope,
        rules: context.rules,
        maxAffected: maxAffected(request),
        rollback: request.preferences.tx === "rollback"
      }))
