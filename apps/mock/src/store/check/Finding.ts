/**
 * The findings of a check of a store. None contains a value of a row.
 */

/** A row, by its number in its table, or the readable rows around a damaged part. */
type Place = { readonly row: number } | { readonly after: number; readonly before: number | undefined }

export type Finding =
  /** Pages of the file that cannot be used, in the words of the database. */
  | { readonly _tag: "Structure"; readonly text: string }
  /** An index that differs from its table, or that is not valid. */
  | { readonly _tag: "Index"; readonly text: string }
  /** Rows that cannot be read: a text that is not UTF-8, or pages. */
  | { readonly _tag: "Unreadable"; readonly table: string; readonly place: Place; readonly text: string }
  /** A document that is not a row of its resource. */
  | { readonly _tag: "Document"; readonly table: string; readonly place: Place; readonly text: string }
  /** Columns whose values are not those of the document. */
  | {
      readonly _tag: "Columns"
      readonly table: string
      readonly place: Place
      readonly columns: ReadonlyArray<string>
    }
  /** A row that refers to a missing one. */
  | { readonly _tag: "Orphan"; readonly table: string; readonly place: Place; readonly parent: string }

const placeOf = (place: Place): string =>
  "row" in place
    ? `row ${place.row}`
    : place.before === undefined
      ? `rows after ${place.after}`
      : `rows between ${place.after} and ${place.before}`

/** The finding as one line. */
export const message = (finding: Finding): string => {
  switch (finding._tag) {
    case "Structure":
    case "Index":
      return finding.text.replaceAll(/\s*\n\s*/g, " ")
    case "Unreadable":
      return `${finding.table}, ${placeOf(finding.place)}: cannot be read (${finding.text})`
    case "Document":
      return `${finding.table}, ${placeOf(finding.place)}: the document is not a row of the resource (${finding.text})`
    case "Columns":
      return `${finding.table}, ${placeOf(finding.place)}: the columns ${finding.columns.join(", ")} differ from the document`
    case "Orphan":
      return `${finding.table}, ${placeOf(finding.place)}: refers to a missing row of ${finding.parent}`
  }
}
