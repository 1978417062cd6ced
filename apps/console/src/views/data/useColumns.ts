/**
 * The columns of a grid.
 */
import { useMemo } from "preact/hooks"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Catalogue from "../../service/Catalogue.ts"
import type * as GridQuery from "./query/GridQuery.ts"

/** The widths of columns in pixels, by type. */
export const widths: { readonly [T in Catalogue.ColumnInfo["type"]]: number } = {
  text: 180,
  number: 110,
  boolean: 90,
  date: 130,
  timestamp: 210,
  object: 180,
  array: 150
}

/** A column that the text of a query makes, such as an embed. */
const made = (name: string): Catalogue.ColumnInfo => ({
  name,
  type: "text",
  nullable: true,
  write: "never",
  reference: undefined,
  vocabulary: undefined,
  sensitive: false,
  address: false,
  isOpaque: true
})

/** The columns of a query: the chosen ones, or those that its text makes of the rows. */
export const useColumns = (
  resource: Catalogue.ResourceInfo,
  query: GridQuery.GridQuery,
  first: JsonObject | undefined
): ReadonlyArray<Catalogue.ColumnInfo> => {
  const isText = query.terms.some((term) => term._tag === "Text" && term.name === "select")
  const names = isText
    ? Object.keys(first ?? {})
    : query.columns.length > 0
      ? query.columns
      : resource.columns.map(({ name }) => name)
  return useMemo(() => names.map((name) => Catalogue.columnOf(resource, name) ?? made(name)), [resource, names.join()])
}
