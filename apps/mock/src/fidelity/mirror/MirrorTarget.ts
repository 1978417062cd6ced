/**
 * Writes mirrored rows to the store of a world, with their keys and times. They fire no events: the changes happened
 * elsewhere.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as RowErrorBody from "../../rows/RowErrorBody.ts"
import * as SealedColumns from "../../rows/SealedColumns.ts"
import type { Step } from "../../sql/Change.ts"
import type { Dialect } from "../../sql/Dialect.ts"
import * as InsertStatement from "../../sql/write/InsertStatement.ts"
import * as Outbox from "../../sql/write/Outbox.ts"
import type { OwnedTable, Owner } from "../../sql/Owner.ts"
import * as Revision from "../../sql/write/Revision.ts"
import { type Fragment, identifier, join, render, sql, text } from "../../sql/Statement.ts"
import * as Table from "../../sql/Table.ts"
import type { StoreUnavailable } from "../../store/Store.ts"
import type { World } from "../../world/World.ts"
import * as StoredRow from "../../store/StoredRow.ts"

/** A row that the store does not accept. */
export interface Refusal {
  readonly key: string
  readonly reason: string
}

/** References of a column to rows that the store does not have. */
export interface Dangling {
  readonly resource: string
  readonly column: string
  readonly parent: string
  readonly rows: number
  /** Some of the values. */
  readonly examples: ReadonlyArray<string>
}

export interface MirrorTarget {
  /** The stored rows with some keys. */
  readonly find: (
    resource: Resource.Any,
    keys: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, JsonObject>, StoreUnavailable>
  /** Those of some keys that rows of the store have. */
  readonly known: (
    resource: Resource.Any,
    keys: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
  /** Inserts or replaces rows, and returns those that the rules of the store refuse. */
  readonly write: (
    resource: Resource.Any,
    rows: ReadonlyArray<JsonObject>
  ) => Effect.Effect<ReadonlyArray<Refusal>, StoreUnavailable>
  /** Deletes rows, and returns those that the rules of the store keep. */
  readonly remove: (
    resource: Resource.Any,
    keys: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Refusal>, StoreUnavailable>
  /** The keys of some rows in the order of creation, after the place of a row. */
  readonly inOrder: (
    resource: Resource.Any,
    after: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<readonly [key: string, place: number]>, StoreUnavailable>
  /** Moves rows to the end of the order of creation, in the order of their keys here. */
  readonly append: (resource: Resource.Any, keys: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
  readonly dangling: Effect.Effect<ReadonlyArray<Dangling>, StoreUnavailable>
}

/** The number of rows of one change. */
const partLength = 200
const exampleCount = 5

const placeColumns = [
  { name: "key", type: "text" },
  { name: "place", type: "number" }
] as const

/** The last place of a table, after which the query reserves some. */
const reserve = ({ name }: Dialect, resource: Resource.Any, count: number): Fragment => {
  const place = identifier(Table.sequence)
  if (name === "sqlite") return sql`SELECT coalesce(max(${place}), 0) FROM ${Table.name(resource)}`
  const sequence = sql`pg_get_serial_sequence(${`"${resource.resource}"`}::text, ${Table.sequence}::text)`
  return sql`SELECT setval(${sequence}, nextval(${sequence}) + ${count}::text::bigint) - ${count}::text::bigint`
}

/** Makes the target of the rows of an owner. */
export const make = ({ store, vault }: World["Type"], owner: Owner): MirrorTarget => {
  const { dialect } = store
  const read = (fragment: Fragment) => store.read(render(fragment, dialect), "")
  const run = (fragment: Fragment): Step => ({ _tag: "Run", statement: render(fragment, dialect) })

  const change = (owned: OwnedTable, steps: ReadonlyArray<Step>) =>
    store.change({
      companyId: owner.companyId,
      steps: [...steps, ...Outbox.changing(dialect, owned)],
      resolve: () => Either.void
    })

  const ownedBy = (resource: Resource.Any, row: JsonObject): OwnedTable => {
    const { userId } = row
    return {
      resource,
      owner: resource.rules.owner === "user" && typeof userId === "string" ? { ...owner, userId } : owner
    }
  }
  /** The condition that a row belongs to the company, and to any of its users. */
  const isOwned = (resource: Resource.Any) => {
    const [tenant = ""] = Table.ownerColumns(resource)
    return sql`${identifier(tenant)} = ${owner.companyId}`
  }
  const keyOf = (resource: Resource.Any) => Table.column(Table.name(resource), resource.key)
  const among = (resource: Resource.Any, keys: ReadonlyArray<string>) =>
    sql`${keyOf(resource)} IN (SELECT "given"."value" FROM ${dialect.each(keys, "given")})`

  const onConflict = (resource: Resource.Any): Fragment => {
    const names = [
      ...Table.stored(dialect, resource).flatMap(({ column: { name } }) => (name === resource.key ? [] : [name])),
      Table.document,
      Table.revision
    ]
    const set = names.map((name) => sql`${identifier(name)} = ${Table.column(identifier("excluded"), name)}`)
    return sql`ON CONFLICT (${Table.uniqueness(dialect, resource, [resource.key])}) DO UPDATE SET ${join(set, ", ")}`
  }

  const revision = () => Revision.first(`mirror ${performance.timeOrigin} ${performance.now()}`)

  const seal = (resource: Resource.Any): ((row: JsonObject) => JsonObject) =>
    vault !== undefined && resource === Catalogue.byName.oauthClient
      ? SealedColumns.sealRow(vault, owner.companyId)
      : (row) => row

  const upserts = (resource: Resource.Any, rows: ReadonlyArray<JsonObject>): ReadonlyArray<Step> => {
    const rest = onConflict(resource)
    const change = revision()
    return rows.map(seal(resource)).flatMap((row) => {
      const stored = { rows: [StoredRow.columns(resource, row)], documents: [JSON.stringify(row)], revision: change }
      const statements = InsertStatement.each(dialect, { owned: ownedBy(resource, row), ...stored }, rest)
      return statements.map((statement): Step => ({ _tag: "Run", statement }))
    })
  }

  /** Applies a change to all items; where the store refuses it, to each, and returns the refused ones. */
  const each = <A>(
    items: ReadonlyArray<A>,
    owned: OwnedTable,
    keyOf: (item: A) => string,
    steps: (items: ReadonlyArray<A>) => ReadonlyArray<Step>
  ): Effect.Effect<ReadonlyArray<Refusal>, StoreUnavailable> =>
    change(owned, steps(items)).pipe(
      Effect.as([]),
      Effect.catchTag("Refused", ({ refusal }) => {
        const [only] = items
        if (only === undefined || items.length > 1) {
          return Effect.map(
            Effect.forEach(items, (item) => each([item], owned, keyOf, steps)),
            (refusals) => refusals.flat()
          )
        }
        const { details, message } = RowErrorBody.make(refusal)
        return Effect.succeed([{ key: keyOf(only), reason: [message, details].filter(Boolean).join(": ") }])
      })
    )

  const parse = (document: unknown): JsonObject => JSON.parse(String(document))

  return {
    find: (resource, keys) => {
      const query = sql`SELECT ${keyOf(resource)}, ${dialect.document(Table.name(resource))}
        FROM ${Table.name(resource)} WHERE ${isOwned(resource)} AND ${among(resource, keys)}`
      return Effect.map(
        read(query),
        (rows) => new Map(rows.map(([key, document]): [string, JsonObject] => [String(key), parse(document)]))
      )
    },
    known: (resource, keys) => {
      const query = sql`SELECT ${keyOf(resource)} FROM ${Table.name(resource)} WHERE ${isOwned(resource)} AND ${among(resource, keys)}`
      return Effect.map(read(query), (rows) => new Set(rows.map(([key]) => String(key))))
    },
    write: (resource, rows) =>
      Effect.map(
        Effect.forEach(Arr.chunksOf(rows, partLength), (part) =>
          each(
            part,
            { resource, owner },
            (row) => String(row[resource.key]),
            (part) => upserts(resource, part)
          )
        ),
        (refusals) => refusals.flat()
      ),
    remove: (resource, keys) =>
      each(
        keys,
        { resource, owner },
        (key) => key,
        (keys) => [
          run(sql`DELETE FROM ${Table.name(resource)} WHERE ${isOwned(resource)} AND ${among(resource, keys)}`)
        ]
      ),
    inOrder: (resource, after, limit) => {
      const place = identifier(Table.sequence)
      const query = sql`SELECT ${keyOf(resource)}, ${place} FROM ${Table.name(resource)}
        WHERE ${isOwned(resource)} AND ${place} > ${text(String(after))} ORDER BY ${place} LIMIT ${text(String(limit))}`
      return Effect.map(read(query), (rows) => rows.map(([key, place]) => [String(key), Number(place)] as const))
    },
    append: (resource, keys) =>
      Effect.gen(function* () {
        const place = identifier(Table.sequence)
        const table = Table.name(resource)
        const [[last] = [0]] = yield* read(reserve(dialect, resource, keys.length))
        const places = keys.map((key, index) => ({ key, place: Number(last) + 1 + index }))
        const isKey = (value: Fragment) => sql`WHERE ${isOwned(resource)} AND ${keyOf(resource)} = ${value}`
        // SQLite has no fast join with a list, and PostgreSQL no fast statement.
        const moves =
          dialect.name === "sqlite"
            ? places.map(({ key, place: to }) => sql`UPDATE ${table} SET ${place} = ${to} ${isKey(sql`${key}`)}`)
            : [
                sql`UPDATE ${table} SET ${place} = "row"."place"
                  FROM ${dialect.records(placeColumns, places)} ${isKey(sql`"row"."key"`)}`
              ]
        // Places have no rules.
        yield* Effect.catchTag(change({ resource, owner }, moves.map(run)), "Refused", Effect.die)
      }),
    dangling: Effect.map(
      Effect.forEach(Catalogue.references, ({ child, column, field, parent }) => {
        const found = identifier("parent")
        const value = Table.column(Table.name(child), column)
        const from = sql`FROM ${Table.name(child)} WHERE ${isOwned(child)} AND ${value} IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM ${Table.name(parent)} AS ${found} WHERE ${Table.column(found, Table.ownerColumns(parent)[0] ?? "")}
            = ${owner.companyId} AND ${Table.column(found, field)} = ${value})`
        return Effect.gen(function* () {
          const [[rows] = [0]] = yield* read(sql`SELECT count(*) ${from}`)
          const examples =
            Number(rows) === 0
              ? []
              : yield* read(sql`SELECT DISTINCT ${value} ${from} ORDER BY 1 LIMIT ${text(String(exampleCount))}`)
          return {
            resource: child.resource,
            column,
            parent: `${parent.resource}.${field}`,
            rows: Number(rows),
            examples: examples.map(([value]) => String(value))
          }
        })
      }),
      Arr.filter(({ rows }) => rows > 0)
    )
  }
}
