/**
 * Writes rows as CSV, JSON or lines of JSON, page by page.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as CellText from "../value/CellText.ts"
import * as Delimited from "./Delimited.ts"

export const formats = ["csv", "json", "ndjson"] as const
export type Format = (typeof formats)[number]

export const mediaTypes: { readonly [F in Format]: string } = {
  csv: "text/csv",
  json: "application/json",
  ndjson: "application/x-ndjson"
}

const field = (value: Json | undefined): Delimited.Field =>
  value === null || value === undefined ? null : CellText.plain(value)

/** The text of pages of rows, one piece for each page. */
export async function* write(
  format: Format,
  columns: ReadonlyArray<string> | undefined,
  pages: AsyncIterable<ReadonlyArray<JsonObject>>
): AsyncGenerator<string> {
  let names = columns
  let isFirst = true
  for await (const page of pages) {
    names ??= page[0] && Object.keys(page[0])
    const chosen = names ?? []
    const texts = page.map((row) => {
      if (format === "csv")
        return Delimited.print(
          chosen.map((name) => field(row[name])),
          ","
        )
      const text = JSON.stringify(
        columns === undefined ? row : Object.fromEntries(columns.map((name) => [name, row[name] ?? null]))
      )
      return format === "ndjson" ? `${text}\n` : text
    })
    const head = isFirst
      ? format === "csv"
        ? Delimited.print(chosen, ",")
        : format === "json"
          ? "[\n"
          : ""
      : format === "json" && texts.length > 0
        ? ",\n"
        : ""
    isFirst = false
    yield head + texts.join(format === "json" ? ",\n" : "")
  }
  if (format === "json") yield isFirst ? "[]\n" : "\n]\n"
}

/** The pages of an export; `fetch` returns the rows at an offset, after the last row of the page before. */
export async function* pages(
  fetch: (offset: number, limit: number, after: JsonObject | undefined) => Promise<ReadonlyArray<JsonObject>>,
  limit = Infinity,
  pageSize = 1000
): AsyncGenerator<ReadonlyArray<JsonObject>> {
  let after: JsonObject | undefined
  for (let offset = 0; offset < limit;) {
    const size = Math.min(pageSize, limit - offset)
    const rows = await fetch(offset, size, after)
    if (rows.length > 0 || offset === 0) yield rows
    if (rows.length < size) return
    offset += rows.length
    after = rows.at(-1)
  }
}
