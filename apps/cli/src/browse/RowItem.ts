/**
 * The items of a row's screen: its fields, then the resources whose rows may refer to it.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Fields from "../Fields.ts"

export type RowItem =
  | {
      readonly _tag: "Field"
      readonly name: string
      readonly value: Json
      /** The field of another resource that the value refers to, where the service has that resource. */
      readonly reference: Catalogue.Reference | undefined
    }
  | {
      readonly _tag: "Children"
      readonly child: Resource.Any
      /** The column of the child that refers to the row. */
      readonly column: string
      readonly value: Json
    }

const referenceOf = (resource: Resource.Any, name: string): Catalogue.Reference | undefined =>
  Catalogue.references.find(({ child, column }) => child === resource && column === name)

/** The items of a row. */
export const of = (resource: Resource.Any, row: JsonObject): ReadonlyArray<RowItem> => {
  const fields = Fields.names(resource).flatMap((name): ReadonlyArray<RowItem> => {
    const value = row[name] ?? null
    return name in row
      ? [{ _tag: "Field", name, value, reference: value === null ? undefined : referenceOf(resource, name) }]
      : []
  })
  const children = Catalogue.references.flatMap(({ child, column, field, parent }): ReadonlyArray<RowItem> => {
    const value = row[field] ?? null
    return parent === resource && value !== null ? [{ _tag: "Children", child, column, value }] : []
  })
  return [...fields, ...children]
}
