/**
 * SQL as text with parameters beside it, and the fragments it is composed of. Values never enter the text.
 */

/** What every driver takes. Booleans, dates and JSON are brought into one of these by the dialect. */
export type Parameter = string | number | null

/** What every driver returns. */
export type Value = string | number | null

/** Text cut open where parameters stand: there is always one chunk more than there are parameters. */
export interface Fragment {
  readonly chunks: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
}

/** A finished statement. Its text is its shape: equal texts share one prepared statement. */
export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
}
