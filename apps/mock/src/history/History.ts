/**
 * The history of the rows of a world: what changed, why, and the way back.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { BodyStream } from "../Exchange.ts"
import type { Change, Origin, Step } from "../sql/Change.ts"
import type { OwnedTable } from "../sql/Owner.ts"
import * as SelectStatement from "../sql/read/SelectStatement.ts"
import { micros } from "../sql/ServiceColumn.ts"
import { sql } from "../sql/Statement.ts"
import * as Revision from "../sql/write/Revision.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { Refused, StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import * as HistoryFeed from "./HistoryFeed.ts"
import * as HistoryLog from "./HistoryLog.ts"
import * as RowRestore from "./RowRestore.ts"

/** The row is not as the change left it. */
export class RowDiffers extends Data.TaggedError("RowDiffers")<{
  readonly sequence: number
  readonly reason: "deleted" | "created" | "changed" | "unknown"
  /** The fields that differ, with the value that the change left, and the value now. */
  readonly fields: ReadonlyArray<{ readonly name: string; readonly left: Json; readonly now: Json }>
}> {
  override get message() {
    const { fields, reason, sequence } = this
    const found = {
      deleted: "the row has been deleted since",
      created: "the row exists again",
      changed: `the row has changed since: ${fields.map(({ name }) => name).join(", ")} ${fields.length === 1 ? "differs" : "differ"}`,
      unknown: "the row after it is not known, because the history was off in the meantime"
    }
    return `the change ${sequence} cannot be undone: ${found[reason]}`
  }
}

/** The change overwrote or deleted a secret, which the history does not keep. */
export class SecretLost extends Data.TaggedError("SecretLost")<{ readonly sequence: number }> {
  override get message() {
    return `the change ${this.sequence} cannot be undone: it overwrote or deleted a secret, which the history does not keep`
  }
}

/** The time is not within the history. */
export class TimeOutside extends Data.TaggedError("TimeOutside")<{
  readonly to: Timestamp.Timestamp
  readonly begins: Timestamp.Timestamp | undefined
}> {
  override get message() {
    return this.begins === undefined
      ? `the time ${this.to} is in the future`
      : `the time ${this.to} is before ${this.begins}, when the history of the rows begins`
  }
}

type Unavailable = HistoryLog.HistoryOff | HistoryLog.Failure

export interface History {
  /** The selected changes, newest first. */
  readonly list: (
    filter: HistoryLog.Filter,
    limit: number,
    before?: number
  ) => Effect.Effect<ReadonlyArray<HistoryLog.Entry>, Unavailable>
  /** Follows the selected changes after a number, or from now on. */
  readonly follow: (
    filter: HistoryLog.Filter,
    after: number | undefined
  ) => Effect.Effect<BodyStream, HistoryLog.HistoryOff>
  /** Makes the opposite of a change and returns it. */
  readonly undo: (
    sequence: number,
    origin: Origin
  ) => Effect.Effect<AdminApi.HistoryEntry, Unavailable | HistoryLog.ChangeMissing | RowDiffers | SecretLost | Refused>
  /** Changes all rows back to a time, and returns the number of changes. */
  readonly rewind: (
    to: Timestamp.Timestamp,
    origin: Origin
  ) => Effect.Effect<number, HistoryLog.HistoryOff | StoreUnavailable | TimeOutside | Refused>
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The fields of a row whose values differ from those that a change left. */
const differences = ({ resource, shown: { after } }: HistoryLog.Entry, row: JsonObject): RowDiffers["fields"] =>
  Column.fromResource(resource).flatMap(({ name, sensitive }) =>
    sensitive || isSame(after?.[name], row[name]) ? [] : [{ name, left: after?.[name] ?? null, now: row[name] ?? null }]
  )

export const make = (world: Pick<World["Type"], "newId" | "now" | "rules" | "store">): History => {
  const { newId, now, rules, store } = world
  const { dialect } = store
  const log = HistoryLog.make(store)
  const tables = ServiceTables.make(store)

  const kept = Effect.suspend(() =>
    store.history === undefined ? Effect.fail(new HistoryLog.HistoryOff()) : Effect.succeed(store.history)
  )

  const ownedBy = ({ companyId, ownerId, resource }: HistoryLog.Entry): OwnedTable => ({
    resource,
    owner: { companyId, userId: ownerId ?? "" }
  })

  /** The row of a change as it is now. */
  const read = (entry: HistoryLog.Entry) => {
    const owned = ownedBy(entry)
    const where = [
      { _tag: "Compare", operator: "eq", target: SelectStatement.keyOf(owned), value: entry.shown.key }
    ] as const
    const statement = SelectStatement.one(dialect, { owned, selection: { _tag: "Document" }, where })
    return Effect.map(store.read(statement, owned.owner.companyId), ([found]) => {
      if (found === undefined) return undefined
      const row: JsonObject = JSON.parse(String(found[0]))
      return { row, revision: Number(found[1]) }
    })
  }

  const sourceOf = (owned: OwnedTable) => {
    const hasSubscribers = store.hasSubscribers(owned)
    const source = { change: newId(), at: micros(now()) }
    if (hasSubscribers === "unlikely") return { ...source, isUnlikely: true }
    return hasSubscribers ? source : undefined
  }

  const apply = (steps: ReadonlyArray<Step>, origin: Origin, isLong = false) => {
    const change: Change<void, never> = { steps, origin, isLong, resolve: () => Either.void }
    return store.change(change)
  }

  /** The steps that undo a change of a row that is as the change left it. */
  const opposite = (
    entry: HistoryLog.Entry,
    found: { readonly row: JsonObject; readonly revision: number } | undefined
  ) => {
    const { hides, shown } = entry
    const { after, before, key, kind, sequence } = shown
    const owned = ownedBy(entry)
    const source = sourceOf(owned)
    const refuse = (reason: RowDiffers["reason"], fields: RowDiffers["fields"] = []) =>
      Either.left(new RowDiffers({ sequence, reason, fields }))
    if (hides) return Either.left(new SecretLost({ sequence }))
    if (kind === "DELETE") {
      if (found !== undefined) return refuse("created")
      const revision = Revision.first(newId())
      return before === null
        ? refuse("unknown")
        : Either.right(RowRestore.create(dialect, { owned, revision, source }, before, sequence))
    }
    if (found === undefined) return refuse("deleted")
    if (after === null) return refuse("unknown")
    const fields = differences(entry, found.row)
    if (fields.length > 0) return refuse("changed", fields)
    const target = { owned, key, revision: found.revision, source }
    if (kind === "INSERT") return Either.right(RowRestore.remove(dialect, target, rules()))
    const set = Object.fromEntries(Object.entries(before ?? {}).filter(([name, value]) => !isSame(value, after[name])))
    return Either.right(RowRestore.update(dialect, target, set))
  }

  return {
    list: (filter, limit, before) =>
      Effect.zipRight(
        kept,
        Effect.flatMap(
          log.find(filter, before === undefined ? HistoryLog.newest : { _tag: "Before", sequence: before }, limit),
          log.load
        )
      ),
    follow: (filter, after) => Effect.map(kept, (history) => HistoryFeed.make(store, history, log, filter, after)),
    undo: (sequence, origin) =>
      Effect.gen(function* () {
        yield* kept
        const [entry] = yield* log.load([sequence])
        if (entry === undefined) return yield* new HistoryLog.ChangeMissing({ sequence })
        yield* apply(yield* opposite(entry, yield* read(entry)), origin)
        const { companyId, shown } = entry
        const { key, resource } = shown
        const made = yield* log.find({ companyId, resource, key }, HistoryLog.newest, 1)
        const [undone] = yield* log.load(made)
        return undone?.shown ?? shown
      }),
    rewind: (to, origin) =>
      Effect.gen(function* () {
        yield* kept
        const time = Number(Timestamp.toMicros(to))
        if (time > micros(now())) return yield* new TimeOutside({ to, begins: undefined })
        const [span] = yield* tables.read(sql`SELECT "begins" FROM "_historySpan" WHERE "ended" IS NULL`)
        if (span === undefined) return yield* new HistoryLog.HistoryOff()
        const begins = Number(span[0])
        if (time < begins) return yield* new TimeOutside({ to, begins: Timestamp.fromMicros(BigInt(begins)) })
        const changed = yield* tables.read(sql`SELECT "resource", max("sequence") FROM "_history"
          WHERE "at" > ${time} GROUP BY "resource"`)
        const names = new Set(changed.map(([resource]) => resource))
        const resources = Catalogue.importOrder.filter(({ resource }) => names.has(resource))
        if (resources.length === 0) return 0
        const last = Math.max(...changed.map(([, sequence]) => Number(sequence)))
        yield* apply(RowRestore.rewind(dialect, resources, time, Revision.first(newId())), origin, true)
        const [counted] = yield* tables.read(sql`SELECT count(*) FROM "_history" WHERE "sequence" > ${last}
          AND "requestId" = ${origin.requestId ?? ""}`)
        return Number(counted?.[0])
      })
  }
}

/** The origin of a change that an administrator makes. */
export const administrator = (request: string, requestId: string): Origin => ({
  requestId,
  request,
  apiKey: "administrator",
  userId: null
})
