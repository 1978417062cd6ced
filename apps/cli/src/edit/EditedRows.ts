/**
 * Writes rows as a table of comma-separated values for an editor, and reads it back.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Csv from "@mfgdata/shell/output/Csv"
import * as Effect from "effect/Effect"
import { InputMalformed } from "../CliError.ts"
import * as Fields from "../Fields.ts"

const namesOf = (resource: Resource.Any): ReadonlyArray<string> => [
  ...new Set([resource.key, ...Fields.writable(resource).map(({ name }) => name)])
]

/** The table of some rows: the key, and the writable fields. */
export const write = (resource: Resource.Any, rows: ReadonlyArray<JsonObject>): string => {
  const names = namesOf(resource)
  return Csv.line(names) + rows.map((row) => Csv.line(names.map((name) => row[name] ?? null))).join("")
}

/** The rows of a table by their keys. A row that was removed from the table is left as it is. */
export const read = (
  resource: Resource.Any,
  path: string,
  text: string,
  known: ReadonlySet<string>
): Effect.Effect<ReadonlyMap<string, JsonObject>, InputMalformed> =>
  Effect.gen(function* () {
    const malformed = (line: number, reason: string) => new InputMalformed({ path, line, reason })
    const reader = Csv.reader()
    const records: Array<Csv.Record> = []
    for (const read of [reader.push(text), reader.end()]) {
      if ("line" in read) return yield* malformed(read.line, "misplaced quote")
      records.push(...read)
    }
    const [header, ...lines] = records
    if (header === undefined) return new Map<string, JsonObject>()
    const columns = yield* Effect.forEach(header.fields, (name) =>
      Effect.mapError(Fields.column(resource, name ?? ""), ({ message }) => malformed(header.line, message))
    )
    const rows = new Map<string, JsonObject>()
    for (const { fields, line } of lines) {
      if (fields.length !== columns.length) {
        return yield* malformed(line, `the line has ${fields.length} fields, the header ${columns.length}`)
      }
      const values: Record<string, Json> = {}
      for (const [index, column] of columns.entries()) {
        const text = fields[index] ?? null
        values[column.name] =
          text === null
            ? null
            : yield* Effect.mapError(Fields.value(column, text), ({ message }) => malformed(line, message))
      }
      const key = String(values[resource.key] ?? "")
      if (!known.has(key)) return yield* malformed(line, `unknown ${resource.key} ${JSON.stringify(key)}`)
      if (rows.has(key)) return yield* malformed(line, `the ${resource.key} ${JSON.stringify(key)} occurs twice`)
      rows.set(key, values)
    }
    return rows
  })
