/**
 * Names the constraints of resources for both stores and for refusals.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { StoreRefusal } from "../sql/Change.ts"

/** The name of a unique constraint, in PostgreSQL's pattern. */
export const unique = (resource: string, columns: ReadonlyArray<string>): string =>
  `${resource}_${columns.join("_")}_key`

/** The name of the primary key of a resource. */
export const primaryKey = (resource: string): string => `${resource}_pkey`

/** The name of a check constraint. */
export const check = (resource: string, name: string): string => `${resource}_${name}`

/** The public columns of a constraint: those of the service begin with an underscore. */
export const visible = (columns: ReadonlyArray<string>): ReadonlyArray<string> =>
  columns.filter((column) => !column.startsWith("_"))

/** The name of a foreign key. */
export const reference = ({ child, column }: Catalogue.Reference): string => `${child.resource}_${column}_fkey`

/** The refusal of a broken reference. `written` is the resource that was written: the child or the parent. */
export const brokenReference = (name: string, written: string): StoreRefusal | undefined => {
  const found = Catalogue.references.find((one) => reference(one) === name)
  if (found === undefined) return undefined
  const { child, column, field, parent } = found
  return written === child.resource
    ? { _tag: "ParentMissing", resource: child.resource, column, parent: parent.resource, field }
    : { _tag: "StillReferenced", resource: parent.resource, field, child: child.resource, column }
}
