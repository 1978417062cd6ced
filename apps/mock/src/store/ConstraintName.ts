/**
 * Names the constraints of resources, which both stores and refusals take from here.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { StoreRefusal } from "../sql/Change.ts"

/** The name of the uniqueness of some columns, as PostgreSQL would give it. */
export const unique = (resource: string, columns: ReadonlyArray<string>): string =>
  `${resource}_${columns.join("_")}_key`

/** The name of the uniqueness of a resource's key. */
export const primaryKey = (resource: string): string => `${resource}_pkey`

/** The name of a condition on the rows of a resource. */
export const check = (resource: string, name: string): string => `${resource}_${name}`

/** The columns of a constraint that callers may see: those of the service begin with an underscore. */
export const visible = (columns: ReadonlyArray<string>): ReadonlyArray<string> =>
  columns.filter((column) => !column.startsWith("_"))

/** The name of a reference. */
export const reference = ({ child, column }: Catalogue.Reference): string => `${child.resource}_${column}_fkey`

/** The refusal that a broken reference is, by its name and by the resource that was written: the child or the parent. */
export const brokenReference = (name: string, written: string): StoreRefusal | undefined => {
  const found = Catalogue.references.find((one) => reference(one) === name)
  if (found === undefined) return undefined
  const { child, column, field, parent } = found
  return written === child.resource
    ? { _tag: "ParentMissing", resource: child.resource, column, parent: parent.resource, field }
    : { _tag: "StillReferenced", resource: parent.resource, field, child: child.resource, column }
}
