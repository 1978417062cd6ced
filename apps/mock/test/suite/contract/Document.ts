/** The resources and fields of the contract as its document lists them, with bodies made for them. */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Contract from "@mfgdata/testing-contract"
import type * as Effect from "effect/Effect"
import * as Sample from "../Sample.ts"
import type * as Service from "../Service.ts"
import { type WireType, accepted } from "./Values.ts"

export interface Field {
  readonly name: string
  readonly type: WireType
  readonly required: boolean
}

export interface Resource {
  readonly name: string
  readonly path: string
  readonly key: string
  readonly fields: ReadonlyArray<Field>
  /** The names of the fields that the service sets. */
  readonly returned: ReadonlyArray<string>
}

const wireType = (type: string): WireType => {
  if (type.startsWith("E:")) return "vocabulary"
  // The legend of the document has no other types; an unknown one has no values.
  return type as WireType
}

export const resources: ReadonlyArray<Resource> = Contract.contract.map((entry) => ({
  name: entry.resource,
  path: `/rest/${entry.resource}`,
  key: entry.key,
  fields: Contract.writable(entry).map(({ name, required, type }) => ({ name, required, type: wireType(type) })),
  returned: Contract.returned(entry)
}))

/** The names of all fields of a row. */
export const columns = ({ fields, returned }: Resource): ReadonlyArray<string> => [
  ...fields.map(({ name }) => name),
  ...returned
]

/** The fields of a row that a caller may write. */
export const written = ({ fields }: Resource, row: JsonObject): JsonObject =>
  Object.fromEntries(fields.map((field) => [field.name, row[field.name] ?? null]))

/** The address of a row. */
export const address = ({ key, path }: Resource, row: JsonObject): string =>
  `${path}?${key}=eq.${encodeURIComponent(String(row[key]))}`

/** Deletes every row of a resource. */
export const clear = ({ key, path }: Resource): Effect.Effect<void, never, Service.Service> =>
  Sample.clearPath(path, key)

/** The resource of a name. */
export const find = (name: string): Resource => {
  const resource = resources.find((resource) => resource.name === name)
  if (resource === undefined) throw new Error(`The document has a resource ${name}.`)
  return resource
}

/** Webhook urls, which have to be addresses. */
const addresses = ["https://hooks.example", "http://127.0.0.1:4999/a?b=c#d", "https://hooks.example:8443/%20/é"]

/** Sensitive values, distinct so that the log can be searched for them. */
const secrets = ["clientSecret", "code"]

const valuesOf = ({ name }: Resource, field: Field, isKey: boolean): ReadonlyArray<Json> => {
  if (name === "webhook" && field.name === "url") return addresses
  const values = accepted[field.type]
  if (isKey) return values.filter((value) => value !== "" && String(value).length < 500)
  // The key of such a row is made of its name.
  if (name === "webhookTable" && field.name === "name") {
    return values.filter((value) => String(value).length < 500)
  }
  return secrets.includes(field.name)
    ? values.map((value) => (value === "" ? "" : `${String(value)}~${field.name}`))
    : values
}

/** No value: the field is left out. */
export const absent = Symbol("absent")

/** Every value of a field, with null and absence where it is optional. */
const choices = (resource: Resource, field: Field): ReadonlyArray<Json | typeof absent> => {
  const values = valuesOf(resource, field, field.name === resource.key)
  return field.required ? values : [...values, null, absent]
}

/** The number of bodies in which each field has each of its values. */
export const rounds = (resource: Resource): number =>
  Math.max(...resource.fields.map((field) => choices(resource, field).length))

/** A body whose fields change with the number. Keys that the caller sets do not repeat. */
export const body = (resource: Resource, number: number): JsonObject =>
  Object.fromEntries(
    resource.fields.flatMap((field, place): ReadonlyArray<[string, Json]> => {
      const values = choices(resource, field)
      const value = values[(number + 7 * place) % values.length]
      return value === undefined || value === absent ? [] : [[field.name, value]]
    })
  )

/** A body of the required fields only, with ordinary values. */
export const plain = (resource: Resource): JsonObject =>
  Object.fromEntries(
    resource.fields.flatMap((field): ReadonlyArray<[string, Json]> =>
      field.required ? [[field.name, choices(resource, field)[0] as Json]] : []
    )
  )
