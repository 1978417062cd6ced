/**
 * The description of a table in the catalog of the database.
 */
export interface StoredTable {
  readonly name: string
  readonly columns: ReadonlyArray<string>
}
