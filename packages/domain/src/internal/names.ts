/** The names of a non-empty table, in its order. */
export const names = <const Table extends { readonly [name: string]: unknown }>(table: Table) =>
  // `Object.keys` loses the types of the names, and that there is one.
  Object.keys(table) as [keyof Table & string, ...Array<keyof Table & string>]
