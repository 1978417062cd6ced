/** Requests about a row that responses must not give away to other companies. */
import * as Column from "@mfgdata/domain/Column"
import * as Filter from "@mfgdata/domain/Filter"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Sample from "./Sample.ts"

/** A request about a row with certain values; nothing else depends on the values. */
export interface Probe {
  readonly method: string
  readonly target: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

/** The text of a value in a filter. */
const literal = (value: Json): string =>
  Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join(",")}}`
    : typeof value === "string"
      ? value
      : JSON.stringify(value)

const inAddress = (value: Json): string => encodeURIComponent(literal(value))

const quoted = (value: Json): string => encodeURIComponent(JSON.stringify(literal(value)))

const object = { accept: "application/vnd.pgrst.object+json" }

/** Every operator on every column. */
export const reads = (resource: Resource.Any, row: JsonObject): ReadonlyArray<Probe> =>
  Column.fromResource(resource).flatMap(({ name }) => {
    const value = row[name] ?? null
    if (value === null) return []
    const filters = [
      ...Filter.operators.map((operator) => `${operator}.${inAddress(value)}`),
      ...Filter.quantifiableOperators.flatMap((operator) =>
        Filter.quantifiers.map((quantifier) => `${operator}(${quantifier}).{${quoted(value)}}`)
      ),
      ...Filter.searchOperators.map((operator) => `${operator}.${inAddress(value)}`),
      `in.(${quoted(value)})`
    ]
    const targets = filters.flatMap((filter) => [`${name}=${filter}`, `${name}=not.${filter}`])
    const tree = `or=(${name}.eq.${quoted(value)},and(${name}.gte.${quoted(value)},${name}.lte.${quoted(value)}))`
    return [...targets, tree].map((search) => ({ method: "GET", target: `${resource.resource}?${search}` }))
  })

/** Conditional requests, with the entity tag of the victim's row. */
export const conditions = (at: string, tag: string, body: JsonObject): ReadonlyArray<Probe> =>
  ["*", tag, `W/${tag}`, `"0", ${tag}`].flatMap((value) =>
    ["if-match", "if-none-match"].flatMap((name): ReadonlyArray<Probe> => {
      const headers = { [name]: value }
      return [
        { method: "GET", target: at, headers },
        { method: "HEAD", target: at, headers },
        { method: "DELETE", target: at, headers },
        { method: "PATCH", target: at, headers, body },
        { method: "PATCH", target: at, headers: { ...headers, prefer: "tx=rollback" }, body: {} },
        { method: "PUT", target: at, headers, body }
      ]
    })
  )

/** Pages after the victim's row, in every order; and the number of rows around it. */
export const pages = ({ key, resource }: Resource.Any, row: JsonObject): ReadonlyArray<Probe> => {
  const id = quoted(row[key] ?? null)
  const counted = { prefer: "count=exact" }
  return Object.entries(row).flatMap(([name, value]): ReadonlyArray<Probe> => {
    if (value === null || typeof value === "object") return []
    const text = quoted(value)
    return ["gt", "lt"].flatMap((after) => [
      {
        method: "GET",
        target: `${resource}?or=(${name}.${after}.${text},and(${name}.eq.${text},${key}.${after}.${id}))&order=${name}.desc,${key}&limit=2`,
        headers: counted
      },
      {
        method: "HEAD",
        target: `${resource}?${name}=${after}.${inAddress(value)}&order=${name}.asc.nullsfirst`,
        headers: counted
      },
      {
        method: "GET",
        target: `${resource}?${name}=${after}.${inAddress(value)}&limit=1&offset=1`,
        headers: { prefer: "count=estimated" }
      },
      {
        method: "DELETE",
        target: `${resource}?${name}=eq.${inAddress(value)}`,
        headers: { prefer: "count=exact, tx=rollback" }
      }
    ])
  })
}

/** Every verb on a row, in both shapes, with its preferences. */
export const verbs = (resource: Resource.Any, row: JsonObject, body: JsonObject): ReadonlyArray<Probe> => {
  const value = encodeURIComponent(Sample.keyOf(resource, row))
  const at = `${resource.resource}?${resource.key}=eq.${value}`
  const { [resource.key]: _, ...change } = body
  const withKey = { ...body, [resource.key]: row[resource.key] ?? null }
  const postgrest = { "content-profile": "public", "accept-profile": "public" }
  const upserts = ["merge", "ignore"].flatMap((resolution) =>
    [resource.resource, `${resource.resource}?on_conflict=${resource.key}`].map((target) => ({
      method: "POST",
      target,
      body: [withKey],
      headers: { ...postgrest, prefer: `resolution=${resolution}-duplicates, return=representation` }
    }))
  )
  return [
    ...["GET", "HEAD", "DELETE", "OPTIONS"].flatMap((method) =>
      [{}, object, postgrest, { prefer: "count=exact, return=representation" }, { accept: "text/csv" }].map(
        (headers) => ({
          method,
          target: at,
          headers
        })
      )
    ),
    ...["&limit=1", "&select=*", "&offset=1", `&order=${resource.key}.desc`].map((more) => ({
      method: "GET",
      target: at + more,
      headers: { prefer: "count=exact" }
    })),
    { method: "GET", target: at, headers: { range: "0-4" } },
    ...[{}, change].flatMap((body) =>
      [
        {},
        object,
        postgrest,
        { prefer: "return=minimal" },
        { prefer: "handling=strict, max-affected=0" },
        { prefer: "tx=rollback, count=exact" }
      ].map((headers) => ({ method: "PATCH", target: at, headers, body }))
    ),
    { method: "PATCH", target: `${resource.resource}?${resource.key}=in.(${value})`, body: change },
    { method: "DELETE", target: `${resource.resource}?${resource.key}=in.(${value})` },
    { method: "PUT", target: at, body },
    { method: "PUT", target: at, body: withKey, headers: { ...postgrest, prefer: "return=representation" } },
    ...upserts
  ]
}
