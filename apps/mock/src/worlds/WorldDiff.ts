/**
 * Compares two worlds row by row: the rows that only one of them has, and the fields that differ in the others.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqliteDiff from "../store/sqlite/readers/SqliteDiff.ts"
import { unavailable } from "../store/Store.ts"
import { CursorInvalid, DifferencesTooMany, ResourceUnknown } from "./WorldError.ts"
import type { Captured } from "./Capture.ts"

type Request = AdminApi.Request<"diffWorlds">
type Differences = ReadonlyArray<SqliteDiff.Difference>

/** The end of a page: the resource, and the place of its last row. */
const Cursor = Schema.Struct({ resource: Schema.String, place: Schema.Array(Schema.String) })

const CursorText = Schema.compose(Schema.StringFromBase64Url, Schema.parseJson(Cursor))
const decodeCursor = Schema.decodeOption(CursorText)
const encodeCursor = Schema.encodeSync(CursorText)

/** The number of differing rows up to which those of one resource are compared by their content. */
const mostByContent = 100_000

/** The document of a row as the diff shows it, without secrets. */
const shown = (resource: Resource.Any, document: string): JsonObject => {
  // The store wrote the document.
  const row: JsonObject = JSON.parse(document)
  const hidden = Column.sensitiveNames(resource).filter((name) => Object.hasOwn(row, name))
  return hidden.length === 0 ? row : { ...row, ...Object.fromEntries(hidden.map((name) => [name, null])) }
}

const changedRow = (resource: Resource.Any, [place, from, to]: SqliteDiff.Difference) => {
  const [before, after]: readonly [JsonObject, JsonObject] = [JSON.parse(from ?? "{}"), JSON.parse(to ?? "{}")]
  const names = Arr.dedupe([...Object.keys(before), ...Object.keys(after)])
  const differs = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const sensitive = new Set(Column.sensitiveNames(resource))
  const valueOf = (row: JsonObject, name: string) => (sensitive.has(name) ? null : (row[name] ?? null))
  return {
    companyId: place[0] ?? "",
    key: place.at(-1) ?? "",
    fields: Object.fromEntries(
      names.filter(differs).map((name) => [name, { from: valueOf(before, name), to: valueOf(after, name) }])
    )
  }
}

const toResource = (resource: Resource.Any, differences: Differences) => ({
  added: differences.flatMap(([, from, to]) => (from === null && to !== null ? [shown(resource, to)] : [])),
  removed: differences.flatMap(([, from, to]) => (to === null && from !== null ? [shown(resource, from)] : [])),
  changed: differences
    .filter(([, from, to]) => from !== null && to !== null)
    .map((difference) => changedRow(resource, difference))
})

/** The content of a row without its key, what the service sets, and the ids of rows that only one world has. */
const contentOf = (resource: Resource.Any, document: string, ids: ReadonlySet<unknown>): string => {
  const row: JsonObject = JSON.parse(document)
  const columns = Column.fromResource(resource).filter(({ name, write }) => write !== "never" && name !== resource.key)
  return JSON.stringify(columns.map(({ name }) => (ids.has(row[name]) ? "id" : (row[name] ?? null))))
}

/** Removes pairs of an added and a removed row with the same content, and rows that differ in nothing else. */
const withoutIds = (resource: Resource.Any, differences: Differences, ids: ReadonlySet<unknown>): Differences => {
  const removed = new Map<string, Array<SqliteDiff.Difference>>()
  for (const difference of differences) {
    const [, from, to] = difference
    if (from === null || to !== null) continue
    const content = contentOf(resource, from, ids)
    const same = removed.get(content)
    if (same === undefined) removed.set(content, [difference])
    else same.push(difference)
  }
  const paired = new Set<SqliteDiff.Difference>()
  for (const difference of differences) {
    const [, from, to] = difference
    if (from !== null || to === null) continue
    const partner = removed.get(contentOf(resource, to, ids))?.shift()
    if (partner !== undefined) paired.add(difference).add(partner)
  }
  const isSame = ([, from, to]: SqliteDiff.Difference) =>
    from !== null && to !== null && contentOf(resource, from, ids) === contentOf(resource, to, ids)
  return differences.filter((difference) => !paired.has(difference) && !isSame(difference))
}

const isAfter = ([place]: SqliteDiff.Difference, after: SqliteDiff.Place): boolean => {
  const index = place.findIndex((part, index) => part !== after[index])
  return index !== -1 && (place[index] ?? "") > (after[index] ?? "")
}

/** Compares the captured states of two worlds. */
export const make = (
  { after, from, ignoreIds, limit, resource: only, to }: Request,
  [one, other]: readonly [Captured, Captured]
) =>
  Effect.gen(function* () {
    const resources = Catalogue.resources.filter(({ resource }) => only === undefined || resource === only)
    if (only !== undefined && resources.length === 0) return yield* new ResourceUnknown({ resource: only })
    const cursor = after === undefined ? Option.none() : decodeCursor(after)
    if (after !== undefined && Option.isNone(cursor)) return yield* new CursorInvalid({ after })
    const start = Option.match(cursor, {
      onNone: () => 0,
      onSome: ({ resource }) => resources.findIndex((candidate) => candidate.resource === resource)
    })
    if (start === -1) return yield* new CursorInvalid({ after: after ?? "" })
    const place = Option.getOrUndefined(Option.map(cursor, ({ place }) => place))

    const compared = yield* Effect.acquireUseRelease(
      Effect.tryPromise({
        try: () => SqliteDiff.open(one.file, other.file, one.isTrusted && other.isTrusted),
        catch: (cause) => unavailable("ConnectionLost", cause)
      }),
      (diff) => {
        const rows = (resource: Resource.Any, after: SqliteDiff.Place | undefined, limit: number) =>
          Effect.tryPromise({
            try: () => diff.rows(resource, after, limit),
            catch: (cause) => unavailable("ConnectionLost", cause)
          })
        return Effect.gen(function* () {
          const pages: Array<readonly [Resource.Any, Differences]> = []
          let left = limit + 1
          const add = (resource: Resource.Any, differences: Differences) => {
            if (differences.length > 0) pages.push([resource, differences.slice(0, left)])
            left -= Math.min(left, differences.length)
          }
          if (!ignoreIds) {
            for (const [index, resource] of resources.entries()) {
              if (index < start || left === 0) continue
              add(resource, yield* rows(resource, index === start ? place : undefined, left))
            }
            return pages
          }
          const whole = new Map<Resource.Any, Differences>()
          const ids = new Set<unknown>()
          // A row may refer to one of a resource that is not compared.
          for (const resource of Catalogue.resources) {
            const differences = yield* rows(resource, undefined, mostByContent + 1)
            if (differences.length > mostByContent) {
              return yield* new DifferencesTooMany({ resource: resource.resource, limit: mostByContent })
            }
            whole.set(resource, differences)
            for (const [place, from, to] of differences) if (from === null || to === null) ids.add(place.at(-1))
          }
          for (const [index, resource] of resources.entries()) {
            if (index < start || left === 0) continue
            const found = withoutIds(resource, whole.get(resource) ?? [], ids)
            add(resource, index === start && place !== undefined ? found.filter((row) => isAfter(row, place)) : found)
          }
          return pages
        })
      },
      (diff) => Effect.promise(() => diff.close())
    )
    const count = compared.reduce((sum, [, differences]) => sum + differences.length, 0)
    const last = compared.at(-1)
    const isMore = count > limit
    // One row more than the page has shows that there is a next page.
    const page = compared.map(([resource, differences]) =>
      isMore && resource === last?.[0]
        ? ([resource, differences.slice(0, -1)] as const)
        : ([resource, differences] as const)
    )
    const end = page.findLast(([, differences]) => differences.length > 0)
    const next =
      isMore && end !== undefined ? encodeCursor({ resource: end[0].resource, place: end[1].at(-1)?.[0] ?? [] }) : null
    return {
      from,
      to,
      resources: Object.fromEntries(
        page
          .filter(([, differences]) => differences.length > 0)
          .map(([resource, differences]) => [resource.resource, toResource(resource, differences)])
      ),
      next
    }
  })
