/**
 * What of a row in a file is written: fields that may be written, of the right type, with references to the rows that
 * were written before.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Decoder from "@mfgdata/domain/Decoder"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import * as Company from "../Company.ts"
import * as Fields from "../Fields.ts"
import type { Content } from "./Source.ts"

/** The new keys of rows by their old ones, for each resource that is referred to. */
type Renamed = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A row to be written. */
export interface Incoming {
  /** Its key in the file. */
  readonly key: string | undefined
  readonly values: JsonObject
}

export interface Reading {
  readonly read: (content: Content, renamed: Renamed) => Either.Either<Incoming, string>
}

export interface Options {
  /** The company of rows that name none and need one. */
  readonly companyId: string | undefined
  /** The company of all rows, whatever they name. */
  readonly company: string | undefined
}

const unknown = (resource: Resource.Any, name: string): string => {
  const nearest = Suggestion.find(name, Column.byName(resource).keys())
  return `${resource.resource} has no field ${JSON.stringify(name)}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`
}

/** A text of a CSV file as a value: what holds nothing is null. */
const fromText = (column: Column.Column, text: string | null): Either.Either<Json, string> =>
  text === null
    ? Either.right(null)
    : Either.mapLeft(Fields.value(column, text), ({ problem }) => problem.replace(/\.$/, ""))

const fieldsOf = (resource: Resource.Any, content: Content): Either.Either<JsonObject, string> => {
  if (content._tag === "Flawed") return Either.left(content.reason)
  const columns = Column.byName(resource)
  return Either.gen(function* () {
    const values: Record<string, Json> = {}
    for (const [name, value] of Object.entries(content.fields)) {
      const column = columns.get(name)
      if (column === undefined) return yield* Either.left(unknown(resource, name))
      if (column.write === "never") continue
      // What a file leaves open the service may fill, and a required field must be given.
      if (value === null) continue
      values[name] = content._tag === "Texts" ? yield* fromText(column, String(value)) : value
    }
    return values
  })
}

const keyOf = (resource: Resource.Any, content: Content): string | undefined => {
  const key = content._tag === "Flawed" ? undefined : content.fields[resource.key]
  return typeof key === "string" ? key : undefined
}

/** The columns of a resource whose values are keys that the service sets, and of which resource. */
const referring = (resource: Resource.Any): ReadonlyArray<{ readonly column: string; readonly parent: Resource.Any }> =>
  Catalogue.references
    .filter(({ child, field, parent }) => child === resource && field === parent.key)
    .map(({ column, parent }) => ({ column, parent }))

/** Whether rows of a resource get new keys that rows of another refer to. */
export const isReferred = (resource: Resource.Any, by: ReadonlyArray<Resource.Any>): boolean =>
  resource.writes[resource.key] === undefined &&
  by.some((child) => referring(child).some(({ parent }) => parent === resource))

const rewrite = (values: JsonObject, columns: ReturnType<typeof referring>, renamed: Renamed): JsonObject => {
  const changed = columns.flatMap(({ column, parent }) => {
    const old = values[column]
    const key = typeof old === "string" ? renamed.get(parent.resource)?.get(old) : undefined
    return key === undefined ? [] : [[column, key] as const]
  })
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) }
}

/** Reads rows of a resource. */
export const make = (resource: Resource.Any, { company, companyId }: Options): Reading => {
  const decode = Decoder.make(resource.resource, Resource.createSchema(resource))
  const columns = referring(resource)
  const named = company !== undefined && resource.writes["companyId"] !== undefined ? { companyId: company } : {}
  return {
    read: (content, renamed) =>
      Either.flatMap(fieldsOf(resource, content), (fields) => {
        const values = Company.fill(resource, rewrite({ ...fields, ...named }, columns, renamed), companyId)
        return Either.mapBoth(decode(values), {
          onLeft: ({ message }) => message,
          onRight: () => ({ key: keyOf(resource, content), values })
        })
      })
  }
}
