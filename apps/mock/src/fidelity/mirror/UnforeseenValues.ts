/**
 * Collects what rows have and the contract does not foresee: further columns, values of other types, and values outside
 * the known vocabularies. It sees rows after their scrub, and keeps a value only if it is one of a vocabulary.
 */
import * as Column from "@mfgdata/domain/Column"
import * as Decoder from "@mfgdata/domain/Decoder"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** A difference between rows and the contract, and the number of rows that have it. */
export interface Unforeseen {
  readonly resource: string
  readonly column: string
  readonly problem: "unknown column" | "missing column" | "other type" | "unknown value"
  readonly expected: string
  readonly found: string
  readonly rows: number
  /** The key of the first of the rows. */
  readonly key: string
}

export interface UnforeseenValues {
  readonly add: (resource: Resource.Any, row: JsonObject) => void
  readonly list: () => ReadonlyArray<Unforeseen>
}

/** The maximum number of different values of a column that are listed. */
const maxValues = 50

const kindOf = (value: Json): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "string" ? "text" : typeof value

const decoderOf = Memo.make((resource: Resource.Any) =>
  Decoder.make(resource.resource, Schema.Struct(Column.schemas(resource, "contract")))
)

export const make = (): UnforeseenValues => {
  const found = new Map<string, { -readonly [K in keyof Unforeseen]: Unforeseen[K] }>()
  const valuesOf = new Map<string, number>()

  const note = (entry: Omit<Unforeseen, "rows">) => {
    const place = JSON.stringify([entry.resource, entry.column, entry.problem, entry.found])
    const known = found.get(place)
    if (known !== undefined) known.rows += 1
    else found.set(place, { ...entry, rows: 1 })
  }

  return {
    add: (resource, row) => {
      const columns = Column.byName(resource)
      const common = { resource: resource.resource, key: String(row[resource.key]) }
      for (const [column, value] of Object.entries(row)) {
        const known = columns.get(column)
        if (known === undefined) {
          note({ ...common, column, problem: "unknown column", expected: "no such column", found: kindOf(value) })
        } else if (known.vocabulary !== undefined && typeof value === "string" && !isWord(known, value)) {
          const place = `${common.resource}.${column}`
          const count = valuesOf.get(place) ?? 0
          const isNew = !found.has(JSON.stringify([common.resource, column, "unknown value", value]))
          if (isNew) valuesOf.set(place, count + 1)
          const shown = isNew && count >= maxValues ? "other values" : value
          note({ ...common, column, problem: "unknown value", expected: "a known value", found: shown })
        }
      }
      const decoded = decoderOf(resource)(row)
      if (Either.isRight(decoded)) return
      for (const { expected, path } of decoded.left.issues) {
        const column = String(path[0] ?? "")
        const isMissing = !Object.hasOwn(row, column)
        const problem = isMissing ? "missing column" : "other type"
        note({ ...common, column, problem, expected, found: isMissing ? "nothing" : kindOf(row[column] ?? null) })
      }
    },
    list: () => [...found.values()]
  }
}

const isWord = ({ vocabulary }: Column.Column, value: string): boolean =>
  vocabulary === undefined || vocabulary.known.includes(value)
