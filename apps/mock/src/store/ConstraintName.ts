/**
 * Names the constraints of resources, which both stores and refusals take from here.
 */

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
