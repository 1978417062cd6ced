/**
 * Makes rows of every resource from the catalogue, so that a new resource has rows here.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Service from "./Service.ts"

/** A day for each number, all of one month. */
const day = (number: number): string => `2026-03-${String(number + 1).padStart(2, "0")}`

/** A value of a column that increases with the number; booleans alternate. */
export const value = ({ address, name, type, vocabulary }: Column.Column, number: number): Json => {
  switch (type) {
    case "text":
      if (address) return `https://${name}.example/${number}`
      return vocabulary?.known[number % vocabulary.known.length] ?? `${name} ${number}`
    case "number":
      return number + 0.5
    case "boolean":
      return number % 2 === 1
    case "date":
      return day(number)
    case "timestamp":
      return Timestamp.canonical(Timestamp.make(`${day(number)}T10:20:30.000${number}00Z`))
    case "object":
      return { number, name: { text: `${name}, ${number}` }, list: [number, null, "a"] }
    case "array":
      return [`${name} ${number}`, 'both, "quoted"']
  }
}

/** The parent rows of a resource, by their resource. */
export type Parents = ReadonlyMap<string, JsonObject>

const parentOf = (resource: Resource.Any, column: string, parents: Parents): Json | undefined => {
  const reference = Catalogue.references.find(({ child, column: name }) => child === resource && name === column)
  return reference === undefined ? undefined : (parents.get(reference.parent.resource)?.[reference.field] ?? null)
}

export interface Options {
  readonly parents: Parents
  readonly companyId: string
  /** Leaves out the optional fields. */
  readonly sparse?: boolean
}

/** The body of a create that is valid under every rule set. */
export const body = (
  resource: Resource.Any,
  number: number,
  { companyId, parents, sparse = false }: Options
): JsonObject => {
  const body: { [column: string]: Json } = {}
  for (const column of Column.fromResource(resource)) {
    const { name, write } = column
    if (write === "never" || (sparse && write === "optional")) continue
    body[name] = name === "companyId" ? companyId : (parentOf(resource, name, parents) ?? value(column, number))
  }
  for (const check of resource.rules.checks) {
    if (check._tag === "OneOf" && check.column in body) {
      body[check.column] = check.values[number % check.values.length] ?? null
    }
    if (check._tag === "PresentWhen" && (check.column in body || body[check.when] === check.equals)) {
      body[check.column] ??= `${check.column} ${number}`
      body[check.when] = check.equals
    }
    const [first] = check._tag === "Required" ? check.anyOf : []
    if (first !== undefined) body[first] = `${first} ${number}`
  }
  return body
}

const refersTo = (child: Resource.Any, parent: Resource.Any): boolean =>
  Catalogue.references.some((reference) => reference.child === child && reference.parent === parent)

/** The direct and indirect parents of a resource, parents first. */
export const ancestors = (resource: Resource.Any): ReadonlyArray<Resource.Any> => {
  const found = new Set<Resource.Any>()
  for (const other of Catalogue.deletionOrder) {
    if ([resource, ...found].some((child) => refersTo(child, other))) found.add(other)
  }
  return [...found].toReversed()
}

/** Creates a row of each of the resources, which are ordered parents first. */
export const plant = (
  who: Service.Who,
  resources: ReadonlyArray<Resource.Any> = Catalogue.importOrder,
  number = 1
): Effect.Effect<Parents, never, Service.Service> =>
  Effect.gen(function* () {
    const { done } = yield* Service.Service
    const rows = new Map<string, JsonObject>()
    const { companyId } = Service.members[who]
    for (const resource of resources) {
      const sample = body(resource, number, { companyId, parents: rows })
      const reply = yield* done("POST", `/rest/${resource.resource}`, { as: who, body: sample })
      rows.set(resource.resource, reply.row)
    }
    return rows
  })

/** The number of rows that one request deletes. */
const batch = 5000

/** Deletes every row below a path. */
export const clearPath = (path: string, key: string, who?: Service.Who): Effect.Effect<void, never, Service.Service> =>
  Effect.gen(function* () {
    const { done } = yield* Service.Service
    const asking = who === undefined ? {} : { as: who }
    const next = yield* done("GET", `${path}?select=${key}&order=${key}&limit=2&offset=${batch}`, asking)
    const [row]: ReadonlyArray<JsonObject> = JSON.parse(next.text)
    const filter = row === undefined ? "not.is.null" : `lt.${encodeURIComponent(String(row[key]))}`
    yield* done("DELETE", `${path}?${key}=${filter}`, asking)
    if (row !== undefined) yield* clearPath(path, key, who)
  })

/** Deletes every row of the resources, which are ordered parents first. */
export const clear = (
  who: Service.Who,
  resources: ReadonlyArray<Resource.Any> = Catalogue.importOrder
): Effect.Effect<void, never, Service.Service> =>
  Effect.gen(function* () {
    const { done } = yield* Service.Service
    const hasRows = ({ key, resource }: Resource.Any) =>
      Effect.map(done("GET", `/rest/${resource}?select=${key}&limit=1`, { as: who }), ({ text }) => text !== "[]")
    // Most have none, and their reads do not wait for each other.
    const present = yield* Effect.filter(resources.toReversed(), hasRows, { concurrency: 8 })
    for (const { key, resource } of present) yield* clearPath(`/rest/${resource}`, key, who)
  })

/** The key of a row, as text. */
export const keyOf = ({ key }: Resource.Any, row: JsonObject | undefined): string => String(row?.[key])

/** The address of a row. */
export const address = (resource: Resource.Any, row: JsonObject | undefined): string =>
  `/rest/${resource.resource}?${resource.key}=eq.${encodeURIComponent(keyOf(resource, row))}`
