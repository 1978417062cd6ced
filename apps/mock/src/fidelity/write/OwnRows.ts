/**
 * Finds and removes the rows that a comparison has made. A row is removed by its key, after its name was read.
 */
import * as Aspects from "@mfgdata/client/contract/Aspects"
import * as JsonText from "@mfgdata/client/contract/JsonText"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import type { ComparedService } from "../ComparedService.ts"
import * as Marker from "./Marker.ts"

/** A row that could not be removed. */
export interface Left {
  readonly subject: string
  readonly key: string
  readonly reason: string
}

const most = 1000

/** The rows of a list; none where the service refuses it. */
const list = <E>(
  { ask }: ComparedService<E>,
  target: string
): Effect.Effect<ReadonlyArray<JsonObject> | undefined, E> =>
  Effect.map(ask({ method: "GET", face: "rows", target }), ({ status, text }) => {
    const body = JsonText.parse(text)
    return Aspects.isSuccess(status) && Array.isArray(body) ? body.filter(JsonText.isObject) : undefined
  })

/** The lists to search, one after the other: not every service has the filter, or orders. */
const searches = (resource: Resource.Any, nameColumn: string): ReadonlyArray<string> => {
  const path = `/${resource.resource}?limit=${most}`
  const newest = Column.byName(resource).has("createdAt") ? "createdAt" : resource.key
  return [`${path}&${nameColumn}=like.${Marker.prefix}*`, `${path}&order=${newest}.desc`, path]
}

/** The keys of the rows whose names a predicate accepts, and of those of `keys` that have such a name. */
export const find = <E>(
  service: ComparedService<E>,
  resource: Resource.Any,
  nameColumn: string,
  isWanted: (name: string) => boolean,
  keys: ReadonlyArray<string> = []
): Effect.Effect<ReadonlyArray<string>, E> =>
  Effect.gen(function* () {
    const keyOf = (row: JsonObject): ReadonlyArray<string> => {
      const { [nameColumn]: name, [resource.key]: key } = row
      return typeof name === "string" && isWanted(name) && typeof key === "string" ? [key] : []
    }
    const found = new Set<string>()
    for (const target of searches(resource, nameColumn)) {
      for (const key of ((yield* list(service, target)) ?? []).flatMap(keyOf)) found.add(key)
      if (found.size > 0) break
    }
    for (const key of keys.filter((key) => !found.has(key))) {
      const { text } = yield* service.ask({ method: "GET", face: "rows", target: targetOf(resource, key) })
      for (const own of Aspects.rowsOf(text).flatMap(keyOf)) found.add(own)
    }
    return [...found]
  })

const targetOf = ({ key, resource }: Resource.Any, value: string): string =>
  `/${resource}?${key}=eq.${encodeURIComponent(value)}`

/** Removes the rows whose names a predicate accepts, and returns those that are left. `keys` are known to be of the run. */
export const remove = <E>(
  service: ComparedService<E>,
  resource: Resource.Any,
  nameColumn: string,
  isWanted: (name: string) => boolean,
  keys: ReadonlyArray<string> = []
): Effect.Effect<ReadonlyArray<Left>, E> =>
  Effect.gen(function* () {
    const left: Array<Left> = []
    for (const key of yield* find(service, resource, nameColumn, isWanted, keys)) {
      const { status } = yield* service.ask({ method: "DELETE", face: "rows", target: targetOf(resource, key) })
      if (!Aspects.isSuccess(status) && status !== 404) {
        left.push({ subject: resource.resource, key, reason: `status ${status}` })
      }
    }
    return left
  })
