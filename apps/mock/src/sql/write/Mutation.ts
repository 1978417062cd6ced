/**
 * Builds the statements of a write and reads their results. Every write sets a row's columns and its document. One file,
 * because insert, upsert, update and delete share the steps that write rows and events.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as ResourceRules from "@mfgdata/domain/ResourceRules"
import type { Step } from "../Change.ts"
import type { Dialect } from "../Dialect.ts"
import * as Filter from "../read/Filter.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Guard from "./Guard.ts"
import * as InsertStatement from "./InsertStatement.ts"
import * as Outbox from "./Outbox.ts"
import * as Order from "../read/Order.ts"
import type { Matching, OwnedTable } from "../Owner.ts"
import * as RowUpdate from "./RowUpdate.ts"
import * as StoredGuard from "./StoredGuard.ts"
import * as SelectStatement from "../read/SelectStatement.ts"
import { empty, type Fragment, identifier, join, render, renderSingle, sql, type Statement } from "../Statement.ts"
import * as Table from "../Table.ts"
import * as UpdateStatement from "./UpdateStatement.ts"
import type * as AffectedRows from "./AffectedRows.ts"
import {
  embedding,
  excessOf,
  type Filtered,
  isApart,
  listed,
  read,
  returning,
  run,
  runRows,
  sorted,
  type WriteOptions
} from "./AffectedRows.ts"
import { foundInParts, inParts } from "./MutationParts.ts"

export type NewRow = InsertStatement.NewRow
export type Affected = AffectedRows.Affected
export type Mutation = AffectedRows.Mutation

export interface Insert extends WriteOptions, InsertStatement.InsertOptions {}

/** An upsert of rows of which no two identify the same existing row: the database writes a row once in a statement. */
export interface Upsert extends Insert {
  /** The columns that a merge overwrites, without the key. */
  readonly given: ReadonlyArray<string>
  /** The columns that the service sets in a merge. */
  readonly auditColumns: NewRow
  /** The unique columns that identify an existing row. */
  readonly target: ReadonlyArray<string>
  readonly resolution: "merge" | "replace" | "ignore"
  /** Values of columns that the service sets, which must equal the stored values. */
  readonly expected?: ReadonlyArray<StoredGuard.Expected>
}

export interface Update extends Filtered {
  readonly set: NewRow
  /** Values of columns that the service sets, which must equal the stored values of every row. */
  readonly expected?: NewRow
  /** Tables that no matching webhook may be of, because its address changes and the key cannot read them. */
  readonly unreadable?: ReadonlyArray<string>
}

export interface Remove extends Filtered {
  /** The rule set in force: the public rules delete some children together with their parents. */
  readonly rules: ResourceRules.RuleSet
}

const typeOf = (resource: Resource.Any, name: string): Column.Type => Column.byName(resource).get(name)?.type ?? "text"

const insertions = (
  dialect: Dialect,
  options: Insert,
  onConflict: Fragment,
  make = InsertStatement.make
): ReadonlyArray<Step> => {
  const rest = sql`${onConflict} ${returning(dialect, options)}`
  return make(dialect, options, rest).map(runRows)
}

/** The steps that write the events of a change, after its guards and before its writes. */
const publishing = (
  dialect: Dialect,
  { owned, source }: WriteOptions,
  extent: Deliveries.Extent,
  publish: (source: Outbox.Source) => ReadonlyArray<Step>
): ReadonlyArray<Step> => [
  ...(source === undefined ? [] : Outbox.unlessUnlikely(dialect, owned, source, extent, publish)),
  ...Outbox.changing(dialect, owned)
]

/** Inserts rows that are part of a change. */
const inserting = (dialect: Dialect, options: Insert, extent: Deliveries.Extent): Mutation => {
  const { owned, revision, rows, selection } = options
  const isKnown = selection._tag === "Document"
  const isSerialized = isKnown && (rows.length === 1 || dialect.unpack === undefined)
  const documents = options.documents ?? (isSerialized ? rows.map((row) => JSON.stringify(row)) : undefined)
  return {
    steps: [
      ...publishing(dialect, options, extent, (source) => Outbox.insertedAll(dialect, owned, source, options)),
      ...(isKnown
        ? InsertStatement.make(dialect, { ...options, documents }).map((statement) => run(statement, 0))
        : insertions(dialect, options, empty))
    ],
    affected: (results) =>
      isKnown
        ? rows.map((row, index) => ({
            json: documents?.[index] ?? JSON.stringify(row),
            key: String(row[owned.resource.key]),
            revision,
            inserted: true
          }))
        : results.flatMap((rows) => read(rows, revision))
  }
}

/** Inserts rows. Without a selection the rows are returned as they were given, and not read from the store. */
export const insert = (dialect: Dialect, options: Insert): Mutation =>
  embedding(dialect, options, inserting(dialect, options, Deliveries.extentOf("INSERT", options.rows.length)))

/**
 * Ends an upsert, to be tried again, if the existing row was committed after the statement began: its event, which is
 * written before the row, says that the row is new. Null otherwise.
 */
const retryUnseen = (dialect: Dialect, { owned, source }: Upsert): Fragment | undefined => {
  if (source === undefined || dialect.retryUnless === undefined) return undefined
  const { key } = owned.resource
  const row = Table.name(owned.resource)
  const seen = identifier("seen")
  const same = [...Table.ownerColumns(owned.resource), key].map(
    (name) => sql`${Table.column(seen, name)} = ${Table.column(row, name)}`
  )
  // A plan that hashes the rows reads those of the company alone.
  const ofCompany = sql`${Table.column(seen, Table.tenant)} = ${owned.owner.companyId}`
  return dialect.retryUnless(sql`SELECT 1 FROM ${row} AS ${seen} WHERE ${join([ofCompany, ...same], " AND ")}`)
}

const merging = (dialect: Dialect, options: Upsert): Fragment => {
  const { given, owned, resolution, target, auditColumns } = options
  const { resource } = owned
  const conflict = sql`ON CONFLICT (${Table.uniqueness(dialect, resource, target)})`
  const retry = retryUnseen(dialect, options)
  if (resolution === "ignore") {
    const key = identifier(resource.key)
    return retry === undefined
      ? sql`${conflict} DO NOTHING`
      : sql`${conflict} DO UPDATE SET ${key} = ${Table.column(identifier("excluded"), resource.key)} WHERE ${retry} IS NOT NULL`
  }
  const excluded = identifier("excluded")
  const overwritten = RowUpdate.columnsOf(
    resource,
    given.filter((name) => !(name in auditColumns))
  ).map((column) => ({
    column,
    value: Table.column(excluded, column.name),
    json: dialect.json(excluded, { column, json: [] })
  }))
  const assignments = RowUpdate.set(dialect, resource, [
    ...overwritten,
    ...RowUpdate.constants(dialect, resource, auditColumns)
  ])
  return sql`${conflict} DO UPDATE SET ${assignments}${retry === undefined ? empty : sql` WHERE ${retry} IS NULL`}`
}

/** The condition that finds the existing row of an upsert. */
const existing = (dialect: Dialect, { owned, target }: Upsert, row: NewRow): Fragment =>
  join(
    target.map((name) => {
      const type = typeOf(owned.resource, name)
      const value = dialect.typed(type, sql`${dialect.parameter(type, row[name] ?? null)}`)
      return sql`${Table.column(Table.name(owned.resource), name)} = ${value}`
    }),
    " AND "
  )

const upserting = (dialect: Dialect, options: Upsert): ReadonlyArray<Step> => {
  const { owned, resolution, rows, source, target } = options
  const { unpack } = dialect
  const onConflict = merging(dialect, options)
  const extent = rows.length > 1 ? Deliveries.published : Deliveries.single
  if (source === undefined) {
    return [...insertions(dialect, options, onConflict), ...publishing(dialect, options, Deliveries.single, () => [])]
  }
  if (unpack === undefined) return upsertingEach(dialect, options, onConflict, source, extent)
  const image = {
    rows,
    target: RowUpdate.columnsOf(owned.resource, target),
    given: options.given,
    constants: RowUpdate.membersOf(RowUpdate.constants(dialect, owned.resource, options.auditColumns)),
    ignoresExisting: resolution === "ignore"
  }
  return [
    ...publishing(dialect, options, extent, (source) => [Outbox.upserted(dialect, unpack, owned, source, image)]),
    ...insertions(dialect, options, onConflict)
  ]
}

/** Writes the rows one by one, each after its events. */
const upsertingEach = (
  dialect: Dialect,
  options: Upsert,
  onConflict: Fragment,
  source: Outbox.Source,
  extent: Deliveries.Extent
): ReadonlyArray<Step> => {
  const { given, owned, resolution, rows, auditColumns } = options
  const writes = insertions(dialect, options, onConflict, InsertStatement.each)
  const steps = writes.flatMap((write, index): ReadonlyArray<Step> => {
    const row = rows[index] ?? {}
    const where = existing(dialect, options, row)
    const values = { ...Object.fromEntries(given.map((name) => [name, row[name] ?? null])), ...auditColumns }
    const members = RowUpdate.membersOf(RowUpdate.constants(dialect, owned.resource, values))
    return [
      Outbox.inserted(dialect, owned, source, row, where),
      ...(resolution === "ignore" ? [] : [Outbox.updated(dialect, { owned, where }, source, members)]),
      write
    ]
  })
  return [...steps, ...Deliveries.after(dialect, owned, source.change, extent), ...Outbox.changing(dialect, owned)]
}

const merge = (dialect: Dialect, options: Upsert): Mutation => {
  const { expected = [], owned, revision, target } = options
  return {
    steps: [
      ...StoredGuard.repeated(dialect, owned, RowUpdate.columnsOf(owned.resource, target), expected),
      ...upserting(dialect, options)
    ],
    affected: (results) => results.flatMap((rows) => read(rows, revision))
  }
}

/** Inserts rows, or updates those that exist. */
export const upsert = (dialect: Dialect, options: Upsert): Mutation =>
  embedding(dialect, options, merge(dialect, options))

/** Inserts many rows, as {@link insert} does. */
export const insertMany = (dialect: Dialect, options: Insert): Generator<void, Mutation> =>
  inParts(dialect, options, dialect.staged !== undefined, (dialect, part, index) =>
    inserting(dialect, part, index === 0 ? Deliveries.extentOf("INSERT", options.rows.length) : Deliveries.single)
  )

/**
 * Upserts many rows, as {@link upsert} does. All expected values are checked before the first row is written. Rows with
 * events are not staged, because each is written after its own events.
 */
export const upsertMany = (dialect: Dialect, options: Upsert): Generator<void, Mutation> =>
  inParts(dialect, options, dialect.staged !== undefined && options.source === undefined, (dialect, part, index) =>
    merge(dialect, index === 0 ? part : { ...part, expected: [] })
  )

/** The key of a write that names one row by its key and nothing else. */
const keyOf = ({ owned, where }: Filtered): string | undefined => {
  const [condition] = where
  if (where.length !== 1 || condition?._tag !== "Compare" || condition.operator !== "eq") return undefined
  const { target, value } = condition
  const isKey = target.column.name === owned.resource.key && target.json.length === 0
  return isKey && typeof value === "string" ? value : undefined
}

const isByKey = (options: Filtered): boolean => keyOf(options) !== undefined

/**
 * The order of rows after a change. Assigned columns have the same value in all rows, so they are removed from the order;
 * rows that the change makes equal in all terms are ordered by their key.
 */
export const orderAfter = (
  { order, resource }: Pick<Filtered, "order"> & Pick<OwnedTable, "resource">,
  set: NewRow
): Filtered["order"] => {
  const terms = order.filter(({ target, through }) => !((through?.column ?? target.column.name) in set))
  return terms.length === 0 && order.length > 0 ? Order.byKey(resource) : terms
}

/**
 * Changes rows and returns them in order. A write does not return rows in order, so a query before it reads their keys
 * in order.
 */
const inOrder = (dialect: Dialect, options: Filtered, set: NewRow, change: ReadonlyArray<Step>): Mutation => {
  if (isByKey(options)) return { steps: change, affected: (results) => read(results.at(-1) ?? []) }
  const order = orderAfter({ order: options.order, resource: options.owned.resource }, set)
  return {
    steps: [run(SelectStatement.keys(dialect, { ...options, order }), 1), ...change],
    affected: ([keys = [], ...results]) =>
      sorted(
        read(results.at(-1) ?? []),
        keys.map(([key]) => key)
      )
  }
}

const finished = (dialect: Dialect, options: Filtered, fragment: Fragment): Statement =>
  isByKey(options) ? renderSingle(fragment, dialect) : render(fragment, dialect)

const matching = (dialect: Dialect, { owned, where }: Filtered): Matching => ({
  owned,
  where: Filter.toSql(dialect, Table.name(owned.resource), where)
})

/** Refuses a write when a matching row does not have the expected values of columns that the service sets. */
export const unchanged = (dialect: Dialect, options: Filtered & Pick<Update, "expected">): ReadonlyArray<Step> => {
  const { expected = {}, owned } = options
  const columns = RowUpdate.columnsOf(owned.resource, Object.keys(expected))
  return columns.length === 0 ? [] : StoredGuard.unchanged(dialect, matching(dialect, options), columns, expected)
}

/** The statement that changes the rows. That of one row by its key, returned as a whole, is compiled already. */
const changing = (dialect: Dialect, options: Update, found: () => Matching): Statement => {
  const { owned, selection, set } = options
  const key = keyOf(options)
  if (key !== undefined && selection._tag === "Document") return UpdateStatement.byKey(dialect, owned, key, set)
  const where = sql`${Table.isOwned(owned)} AND ${found().where}`
  const assignments = RowUpdate.constants(dialect, owned.resource, set)
  const change = RowUpdate.make(dialect, owned.resource, assignments, where)
  return finished(dialect, options, sql`${change} ${returning(dialect, options)}`)
}

/** The events of the rows that match. */
const extentOf = (options: Filtered): Deliveries.Extent => (isByKey(options) ? Deliveries.single : Deliveries.published)

const updating = (dialect: Dialect, options: Update, extent = extentOf(options)): ReadonlyArray<Step> => {
  const { owned, set, unreadable = [] } = options
  const found = () => matching(dialect, options)
  return [
    ...unchanged(dialect, options),
    ...(unreadable.length === 0
      ? []
      : [StoredGuard.noneOf(dialect, found(), "table", unreadable, { _tag: "WebhookUnreadable" })]),
    ...publishing(dialect, options, extent, (source) => {
      const assignments = RowUpdate.constants(dialect, owned.resource, set)
      return [Outbox.updated(dialect, found(), source, RowUpdate.membersOf(assignments))]
    }),
    ...Outbox.resetFailures(dialect, owned, found),
    runRows(changing(dialect, options, found))
  ]
}

/** Updates the rows that match; their owner stays the same. */
export const update = (dialect: Dialect, options: Update): Mutation =>
  embedding(dialect, options, inOrder(dialect, options, options.set, updating(dialect, options)))

/** Updates many rows that a search has found, as {@link update} does. */
export const updateMany = (dialect: Dialect, options: Update): Generator<void, Mutation> =>
  foundInParts(dialect, options, (part, rows) => updating(dialect, part, Deliveries.extentOf("UPDATE", rows)))

const removing = (dialect: Dialect, options: Remove, extent?: Deliveries.Extent): ReadonlyArray<Step> => {
  const found = matching(dialect, options)
  const isParent = hasChildren(options.owned.resource, options.rules)
  const known = extent ?? (isParent ? Deliveries.published : extentOf(options))
  return [
    ...(isParent ? Guard.children(dialect, found, options.source) : []),
    ...publishing(dialect, options, known, (source) => [Outbox.deleted(dialect, found, source)]),
    ...(options.source === undefined ? [] : Outbox.dropWebhooks(dialect, found, options.source)),
    runRows(finished(dialect, options, sql`${Guard.deletion(found)} ${returning(dialect, options)}`))
  ]
}

/** Reports whether rules concern the rows that refer to those of a resource. */
const hasChildren = (resource: Resource.Any, rules: ResourceRules.RuleSet): boolean =>
  ResourceRules.areEnforced(resource, rules) &&
  Catalogue.referencesOf(resource).some(({ parent }) => parent === resource)

/** Reports whether rows can be deleted in parts: neither their embeds nor references depend on rows of other parts. */
export const isDivisible = ({
  owned,
  rules,
  ...shown
}: Pick<Remove, "bound" | "owned" | "rules" | "selection">): boolean =>
  !isApart(shown) && !hasChildren(owned.resource, rules)

/** Deletes many rows that a search has found, as {@link remove} does. They must be divisible. */
export const removeMany = (dialect: Dialect, options: Remove): Generator<void, Mutation> =>
  foundInParts(dialect, options, (part, rows) => removing(dialect, part, Deliveries.extentOf("DELETE", rows)))

/** Deletes the rows that match; the public rules delete some children with them. */
export const remove = (dialect: Dialect, options: Remove): Mutation => {
  const deletion = removing(dialect, options)
  if (!isApart(options)) return inOrder(dialect, options, {}, deletion)
  // Embedded rows may be deleted together with the rows, so they are read first.
  const { bound } = options
  const before =
    bound === undefined
      ? runRows(SelectStatement.all(dialect, options))
      : run(SelectStatement.listRows(dialect, options, bound), 4)
  return {
    steps: [before, ...deletion],
    ...(bound === undefined ? {} : { excess: ([before]) => excessOf(before) }),
    affected: ([before = [], ...results]) => {
      const shown = read(bound === undefined ? before : listed(before))
      const keys = new Set(shown.map(({ key }) => key))
      const others = read(results.at(-1) ?? []).filter(({ key }) => !keys.has(key))
      return [...shown, ...others.map((row) => ({ ...row, json: undefined }))]
    }
  }
}
