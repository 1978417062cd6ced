/**
 * Lists the formats of rows.
 */

/** Each format of rows, and its description. */
export const formats = [
  ["table", "columns that fit the terminal; --wide shows all of them"],
  ["json", "one JSON array, or one object for one row"],
  ["ndjson", "a JSON object in each line"],
  ["csv", "comma-separated values with a header"],
  ["yaml", "a YAML list, or one mapping for one row"]
] as const

export type Format = (typeof formats)[number][0]

/** The names of the formats. */
export const names: ReadonlyArray<Format> = formats.map(([name]) => name)
