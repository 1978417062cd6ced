/** The names in a table that has at least one, in the order in which it lists them. */
export const names = <const Table extends { readonly [name: string]: unknown }>(table: Table) =>
  // What `Object.keys` forgets: the names are the table's own, and there are some.
  Object.keys(table) as [keyof Table & string, ...Array<keyof Table & string>]
