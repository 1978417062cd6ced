/**
 * Generates writes of every resource with an invalid body: its JSON, its values, and its missing fields.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as fc from "effect/FastCheck"
import { type InvalidRequest, invalidUtf8, malformed, word, wrongValues } from "./HostileValues.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const json = { "content-type": "application/json" }
const postgrest = { ...json, "content-profile": "public", "accept-profile": "public" }

const resources: ReadonlyArray<Resource.Any> = Catalogue.resources
const anyResource = fc.constantFrom(...resources)

interface Place {
  readonly resource: Resource.Any
  readonly column: Column.Column
}

/** The columns that a test needs, of any resource; some resources have none. */
const place = (isMeant: (column: Column.Column, resource: Resource.Any) => boolean): fc.Arbitrary<Place> =>
  fc.constantFrom(
    ...resources.flatMap((resource) =>
      Column.fromResource(resource)
        .filter((column) => isMeant(column, resource))
        .map((column) => ({ resource, column }))
    )
  )

/** Invalid writes, for a store with the rows of `parents`. */
export const make = (parents: Sample.Parents): ReadonlyArray<fc.Arbitrary<InvalidRequest>> => {
  const { companyId } = Service.members.operator
  const whole = (resource: Resource.Any) => Sample.body(resource, 2, { parents, companyId })
  const at = (resource: Resource.Any) => Sample.address(resource, parents.get(resource.resource))

  const creating = (resource: Resource.Any, body: object): InvalidRequest => ({
    method: "POST",
    target: `/rest/${resource.resource}`,
    headers: json,
    body: JSON.stringify(body)
  })

  /** A write of a body, to a row or as a new one. */
  const writing = (resource: Resource.Any, body: Uint8Array | string, headers: InvalidRequest["headers"] = json) =>
    fc
      .constantFrom(
        { method: "POST", target: `/rest/${resource.resource}` },
        { method: "PATCH", target: at(resource) },
        { method: "PUT", target: at(resource) }
      )
      .map((request): InvalidRequest => ({ ...request, headers, body }))

  const replacing = (resource: Resource.Any, column: string, value: unknown, headers?: InvalidRequest["headers"]) =>
    writing(resource, JSON.stringify({ ...whole(resource), [column]: value }), headers)

  const wrongType = place(({ write }) => write !== "never").chain(({ column, resource }) =>
    fc.constantFrom(...wrongValues[column.type]).chain((value) => replacing(resource, column.name, value))
  )

  const unreadable = place(({ type, write }) => write !== "never" && type !== "text").chain(({ column, resource }) =>
    fc
      .constantFrom("x'", "';--", "{", "[", "\u0000")
      .chain((value) => replacing(resource, column.name, value, postgrest))
  )

  const unknown = fc
    .tuple(anyResource, word)
    .filter(([{ columns }, name]) => !Object.hasOwn(columns, name))
    .chain(([resource, name]) => {
      const body = JSON.stringify(whole(resource))
      return writing(resource, `${body.slice(0, -1)},${JSON.stringify(name)}:1}`)
    })

  const setByService = place(({ write }) => write === "never").map(({ column, resource }) =>
    creating(resource, { ...whole(resource), [column.name]: "given" })
  )

  const missing = place(({ write }) => write === "required").map(({ column, resource }) => {
    const { [column.name]: _, ...others } = whole(resource)
    return creating(resource, others)
  })

  const cleared = place(({ name, write }, { key }) => write === "required" && name !== key).map(
    ({ column, resource }): InvalidRequest => ({
      method: "PATCH",
      target: at(resource),
      headers: json,
      body: JSON.stringify({ [column.name]: null })
    })
  )

  const otherType = fc
    .tuple(anyResource, fc.constantFrom("application/xml", "multipart/form-data", "text/plain", "__proto__"))
    .chain(([resource, type]) => writing(resource, JSON.stringify(whole(resource)), { "content-type": type }))

  const csv = fc
    .tuple(anyResource, fc.constantFrom('"', "a\n1,2", 'a"b\n', "name\nx", "id,id,id\n1,2", "\u0000\n\u0000"))
    .map(([resource, body]): InvalidRequest => ({
      method: "POST",
      target: `/rest/${resource.resource}`,
      headers: { "content-type": "text/csv" },
      body
    }))

  const unfiltered = fc
    .tuple(anyResource, fc.constantFrom("PATCH", "DELETE"))
    .map(([resource, method]): InvalidRequest => ({
      method,
      target: `/rest/${resource.resource}`,
      headers: json,
      body: JSON.stringify(whole(resource))
    }))

  return [
    ...[malformed, invalidUtf8].map((bodies) =>
      fc.tuple(anyResource, bodies).chain(([resource, body]) => writing(resource, body))
    ),
    wrongType,
    unreadable,
    unknown,
    setByService,
    missing,
    cleared,
    otherType,
    csv,
    unfiltered
  ]
}
