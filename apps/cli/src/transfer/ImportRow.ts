/**
 * Converts a row of a file to a row to create: writable fields with values of their types, and references to the rows
 * that the import has created.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Decoder from "@mfgdata/domain/Decoder"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import * as Company from "../service/Company.ts"
import * as Fields from "../Fields.ts"
import type { Content } from "./ImportFile.ts"

/** The new keys by the old ones, for each referenced resource. */
export type Renamed = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A row to create. */
export interface ImportRow {
  /** The key in the file. */
  readonly key: string | undefined
  readonly values: JsonObject
}

export interface Reader {
  readonly read: (content: Content, renamed: Renamed) => Either.Either<ImportRow, string>
}

export interface Options {
  /** The default company of rows that need one. */
  readonly companyId: string | undefined
  /** The company of all rows, in place of that in the file. */
  readonly company: string | undefined
}

const unknown = (resource: Resource.Any, name: string): string => {
  const nearest = Suggestion.find(name, Column.byName(resource).keys())
  return `unknown field ${JSON.stringify(name)} of ${resource.resource}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`
}

/** Parses a field of a CSV file; an empty one is null. */
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
      // The service sets the default of a null field, or refuses a required one.
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

/** The columns that reference keys which the service sets, with their resources. */
const referencesOf = (
  resource: Resource.Any
): ReadonlyArray<{ readonly column: string; readonly parent: Resource.Any }> =>
  Catalogue.references
    .filter(({ child, field, parent }) => child === resource && field === parent.key)
    .map(({ column, parent }) => ({ column, parent }))

/** True when rows of a resource get new keys, and rows of another reference them. */
export const isReferred = (resource: Resource.Any, by: ReadonlyArray<Resource.Any>): boolean =>
  resource.writes[resource.key] === undefined &&
  by.some((child) => referencesOf(child).some(({ parent }) => parent === resource))

const rewrite = (values: JsonObject, columns: ReturnType<typeof referencesOf>, renamed: Renamed): JsonObject => {
  const changed = columns.flatMap(({ column, parent }) => {
    const old = values[column]
    const key = typeof old === "string" ? renamed.get(parent.resource)?.get(old) : undefined
    return key === undefined ? [] : [[column, key] as const]
  })
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) }
}

/** Replaces the references of values to rows that have new keys. */
export const withReferences = (resource: Resource.Any, values: JsonObject, renamed: Renamed): JsonObject =>
  rewrite(values, referencesOf(resource), renamed)

/** A reader for rows of a resource. */
export const make = (resource: Resource.Any, { company, companyId }: Options): Reader => {
  const decode = Decoder.make(resource.resource, Resource.createSchema(resource))
  const columns = referencesOf(resource)
  const ownCompany = company !== undefined && resource.writes["companyId"] !== undefined ? { companyId: company } : {}
  return {
    read: (content, renamed) =>
      Either.flatMap(fieldsOf(resource, content), (fields) => {
        const values = Company.fill(resource, rewrite({ ...fields, ...ownCompany }, columns, renamed), companyId)
        return Either.mapBoth(decode(values), {
          onLeft: ({ message }) => message,
          onRight: () => ({ key: keyOf(resource, content), values })
        })
      })
  }
}
