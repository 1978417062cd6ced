/**
 * The table of a store as its catalog describes it.
 */
export interface StoredTable {
  readonly name: string
  readonly columns: ReadonlyArray<string>
}
