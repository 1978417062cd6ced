/**
 * Brings the rows of one resource from the source to the target, in phases that an interrupted run continues: the rows
 * (all, or those that have changed), the keys (after changed rows alone), and the order of creation.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import * as Cursor from "@mfgdata/client/Cursor"
import type * as Rows from "@mfgdata/client/Rows"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { StoreUnavailable } from "../../store/Store.ts"
import type { Scrub } from "../scrub/Scrub.ts"
import * as CreationOrder from "./CreationOrder.ts"
import type { Counts, MirrorState, Pass } from "./MirrorState.ts"
import type { MirrorTarget, Refusal } from "./MirrorTarget.ts"
import type { Parameter } from "./SourceFilter.ts"
import * as SourceReader from "./SourceReader.ts"
import * as StoredRow from "../../store/StoredRow.ts"
import type { UnforeseenValues } from "./UnforeseenValues.ts"

/** The rows of a resource to bring. */
interface Selection {
  readonly where: ReadonlyArray<Parameter>
  /** The maximum number of rows, in the order of their keys. */
  readonly limit: number | undefined
  /** A digest of this selection and of the rules. */
  readonly digest: string
}

export interface Options {
  readonly rows: Rows.Service
  readonly target: MirrorTarget
  readonly state: MirrorState
  readonly run: number
  readonly scrub: Scrub
  readonly unforeseen: UnforeseenValues
  readonly selection: Selection
  /** The columns of the source's rows. */
  readonly columns: ReadonlySet<string>
  /** Receives the number of rows of each page. */
  readonly progress: (rows: number) => Effect.Effect<void>
}

/** The outcome for a resource. */
export interface Outcome {
  readonly resource: string
  readonly counts: Counts
  readonly refused: ReadonlyArray<Refusal>
  /** True when only changed rows were read. */
  readonly isIncremental: boolean
  readonly order: CreationOrder.Order
  /** The numbers of rows that were read and that the source has, where they differ. */
  readonly unsteady: { readonly read: number; readonly now: number } | undefined
}

/** The number of keys in one address. */
const keysLength = 100
/** The time before the last change that is read again, for changes that became visible late. */
const overlapMicros = 10_000_000n
/** The maximum number of times that rows are read again because they have changed in the meantime. */
const maxRounds = 3
/** The maximum number of refused rows that are listed. */
const maxRefused = 1000

const none: Counts = { read: 0, created: 0, changed: 0, reread: 0 }

const changedAt = "updatedAt"

const sorted = (_: string, value: Json): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** Compares rows; the fields of objects have no order. */
const isSame = (one: JsonObject, other: JsonObject): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || JSON.stringify(one, sorted) === JSON.stringify(other, sorted)

/** A webhook without its activity: its subscribers must not get events of the mirror. */
const paused = (resource: Resource.Any, row: JsonObject): JsonObject =>
  resource === Catalogue.byName.webhook ? { ...row, active: false } : row

/** A text that not every store can keep. */
const isUnstorable = (row: JsonObject): boolean => JSON.stringify(row).includes("\\u0000")

/** The pass over a resource. */
export const make = (
  resource: Resource.Any,
  { columns, progress, rows, run, scrub, selection, state, target, unforeseen }: Options
): Effect.Effect<Outcome, QueryError | StoreUnavailable> => {
  const { digest, limit = Infinity, where } = selection
  const { key, resource: name } = resource
  const source = SourceReader.make(rows, resource, where)
  const refused: Array<Refusal> = []

  /** Stores rows that are new or differ, notes their keys, and the pass after them. */
  const take = (raw: ReadonlyArray<JsonObject>, after: (counts: Counts) => Pass, counts: Counts) =>
    Effect.gen(function* () {
      const [keyless, keyed] = Arr.partition(raw, (row) => typeof row[key] === "string")
      const documents = keyed.map((row) => StoredRow.document(resource, paused(resource, scrub.row(resource, row))))
      const keys = documents.map((row) => String(row[key]))
      const stored = yield* target.find(resource, keys)
      const isNew = (row: JsonObject) => !stored.has(String(row[key]))
      const written = documents.filter((row) => {
        const known = stored.get(String(row[key]))
        return known === undefined || !isSame(known, row)
      })
      for (const row of documents) unforeseen.add(resource, row)
      const [storable, unstorable] = Arr.partition(written, isUnstorable)
      const refusals = [
        ...keyless.map(() => ({ key: "", reason: `its ${key} is not text` })),
        ...unstorable.map((row) => ({ key: String(row[key]), reason: "it contains the character U+0000" })),
        ...(yield* target.write(resource, storable))
      ]
      refused.push(...refusals.slice(0, maxRefused - refused.length))
      const kept = new Set(refusals.map(({ key }) => key))
      const done = written.filter((row) => !kept.has(String(row[key])))
      const created = done.filter(isNew).length
      const next = {
        ...counts,
        read: counts.read + raw.length,
        created: counts.created + created,
        changed: counts.changed + done.length - created
      }
      const pass = after(next)
      state.commit(name, keys, pass)
      yield* progress(raw.length)
      return pass
    })

  /** The place to continue from; none where the rules replace the key, because the cursor has it. */
  const place = (rows: ReadonlyArray<JsonObject>, cursor: Cursor.Cursor | undefined) => {
    const last = rows.at(-1)?.[key]
    return cursor === undefined || typeof last !== "string" || scrub.key(resource, last) !== last ? {} : { cursor }
  }

  /** Reads pages of rows, from the cursor of the pass. */
  const readRows = (begun: Pass, ...more: ReadonlyArray<Parameter>) =>
    Effect.gen(function* () {
      let pass = begun
      let cursor = pass.cursor === undefined ? undefined : Cursor.fromText(pass.cursor)
      let left = limit - (cursor === undefined ? 0 : pass.counts.read)
      while (left > 0) {
        const { hasMore, next, rows } = yield* source.page(cursor, left, ...more)
        pass = yield* take(rows, (counts) => ({ ...withoutCursor(pass), counts, ...place(rows, next) }), pass.counts)
        left -= rows.length
        cursor = next
        if (!hasMore) break
      }
      return pass
    })

  /** Reads the keys of all rows, and the rows that the target lacks. */
  const readKeys = (begun: Pass) =>
    Effect.gen(function* () {
      let pass = begun
      let cursor = pass.cursor === undefined ? undefined : Cursor.fromText(pass.cursor)
      for (let hasMore = true; hasMore;) {
        const page = yield* source.page(cursor, Infinity, ["select", key])
        const keys = page.rows.map((row) => String(row[key]))
        const localKeys = keys.map((one) => scrub.key(resource, one))
        const stored = yield* target.known(resource, localKeys)
        const missing = keys.filter((_, index) => !stored.has(localKeys[index] ?? ""))
        for (let start = 0; start < missing.length; start += keysLength) {
          const list = missing.slice(start, start + keysLength).map((one) => `"${one.replaceAll(/["\\]/g, "\\$&")}"`)
          const { rows } = yield* source.page(undefined, keysLength, [key, `in.(${list.join()})`])
          pass = yield* take(rows, (counts) => ({ ...pass, counts }), pass.counts)
        }
        pass = { ...withoutCursor(pass), ...place(page.rows, page.next) }
        state.commit(
          name,
          localKeys.filter((one) => stored.has(one)),
          pass
        )
        cursor = page.next
        hasMore = page.hasMore
      }
      return pass
    })

  /** Reads the rows again that have changed since the pass began. */
  const readChanges = (begun: Pass) =>
    Effect.gen(function* () {
      let pass = begun
      for (let round = 0; round < maxRounds; round++) {
        const { changed, created, read, reread } = pass.counts
        const condition = pass.before === undefined ? "not.is.null" : `gt.${pass.before}`
        pass = yield* readRows(withoutCursor(pass), [changedAt, condition])
        const again = pass.counts.changed - changed
        const news = pass.counts.created - created
        pass = { ...pass, counts: { read: read + news, created: created + news, changed, reread: reread + again } }
        if (again + news === 0) break
      }
      return pass
    })

  const begin = Effect.gen(function* () {
    const last = state.pass(name)
    if (last?.run === run) return last
    const isSelected = last?.phase === "done" && last.selection === digest && selection.limit === undefined
    const latest = columns.has(changedAt) ? yield* source.latest(changedAt) : undefined
    // A time that the rules replace must not be kept.
    const before = latest !== undefined && isKept(latest) ? latest : undefined
    const pass: Pass = {
      run,
      selection: digest,
      phase: "rows",
      ...(before === undefined ? {} : { before }),
      ...(isSelected && last.before !== undefined ? { since: last.before } : {}),
      counts: none
    }
    return pass
  })

  const isKept = (time: string): boolean =>
    Timestamp.is(time) && scrub.row(resource, { [changedAt]: time })[changedAt] === time

  const next = (pass: Pass, phase: Pass["phase"]): Pass => {
    const moved = { ...withoutCursor(pass), phase }
    state.commit(name, [], moved)
    return moved
  }

  return Effect.gen(function* () {
    let pass = yield* begin
    const { since } = pass
    if (pass.phase === "rows") {
      if (since === undefined) {
        pass = yield* readRows(pass)
        if (columns.has(changedAt) && limit === Infinity) pass = yield* readChanges(pass)
        pass = next(pass, "order")
      } else {
        const from = Timestamp.fromMicros(Timestamp.toMicros(since) - overlapMicros)
        pass = next(yield* readRows(pass, [changedAt, `gte.${from}`]), "keys")
      }
    }
    if (pass.phase === "keys") pass = next(yield* readKeys(pass), "order")
    const count = yield* source.count
    const order =
      pass.counts.created > 0
        ? yield* CreationOrder.apply(resource, count ?? pass.counts.read, source, target, (one) =>
            scrub.key(resource, one)
          )
        : "as listed"
    const now = since === undefined && limit === Infinity ? count : undefined
    if (pass.phase !== "done") pass = next(pass, "done")
    const { read } = pass.counts
    return {
      resource: name,
      counts: pass.counts,
      refused,
      isIncremental: since !== undefined,
      order,
      unsteady: now === undefined || now === read ? undefined : { read, now }
    }
  })
}

const withoutCursor = (pass: Pass): Pass => Struct.omit(pass, "cursor")
