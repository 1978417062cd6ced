/**
 * Describes the resources: their columns, keys and relations, after the domain.
 */
import * as derived from "./catalogue.derived.ts"
import type { ColumnInfo, ResourceInfo } from "./catalogue.derived.ts"

export type { ColumnInfo, RelationInfo, ResourceInfo } from "./catalogue.derived.ts"

/** All resources, in the order of the catalogue. */
export const resources: ReadonlyArray<ResourceInfo> = derived.resources

/** All resources, by name. */
export const sorted: ReadonlyArray<ResourceInfo> = resources.toSorted((one, other) =>
  one.name.localeCompare(other.name)
)

const byName = new Map(resources.map((resource) => [resource.name, resource]))

/** The resource with a name. */
export const find = (name: string): ResourceInfo | undefined => byName.get(name)

/** The column of a resource with a name. */
export const columnOf = ({ columns }: ResourceInfo, name: string): ColumnInfo | undefined =>
  columns.find((column) => column.name === name)

/** A name in words: `salesOrderFavorite` is `Sales order favorite`. */
export const titleOf = (name: string): string => {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
