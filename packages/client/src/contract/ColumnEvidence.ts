/**
 * Collects the forms of the values that each column has in rows: types, nulls, words of vocabularies, and the texts of
 * timestamps and numbers.
 */
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Schema from "effect/Schema"
import type { JsonType } from "./Difference.ts"

/** The evidence of one column. */
export interface Evidence {
  /** The types of values other than null, and those of the elements of arrays. */
  readonly types: ReadonlyArray<JsonType>
  readonly elements: ReadonlyArray<JsonType>
  readonly hasNull: boolean
  /** The words of a vocabulary. */
  readonly words: ReadonlyArray<string>
  /** The forms of timestamps and numbers. */
  readonly forms: ReadonlyArray<string>
  /** True where the client cannot read a value whose JSON type is the declared one. */
  readonly isUnreadable: boolean
}

export type ByColumn = { readonly [column: string]: Evidence }

/** The type of a JSON value. */
export const typeOf = (value: Json): JsonType => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  const type = typeof value
  return type === "string" || type === "number" || type === "boolean" ? type : "object"
}

const jsonTypes: { readonly [T in Column.Type]: JsonType } = {
  text: "string",
  number: "number",
  boolean: "boolean",
  date: "string",
  timestamp: "string",
  object: "object",
  array: "array"
}

/** The JSON type of the values of a declared column. */
export const declaredType = ({ type }: Column.Column): JsonType => jsonTypes[type]

/** The form of a timestamp: its separator, its fraction and its offset. */
const timestampForm = (text: string): string | undefined => {
  const [, separator, fraction = "", offset = "no offset"] =
    /^\d{4}-\d{2}-\d{2}([T ])\d{2}:\d{2}:\d{2}(?:\.(\d+))?(Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(text) ?? []
  if (separator === undefined) return "another form"
  // A service that cuts zeros from the end has any number of digits up to its own.
  const digits = fraction.length > 3 ? "microseconds" : fraction.length > 0 ? "milliseconds" : undefined
  return [separator === "T" ? "T" : "space", digits, offset.replaceAll(/\d/g, "0")].filter(Boolean).join(", ")
}

/** The forms of the numbers of a column in the text of a response, other than the shortest. */
const numberForms = (text: string, column: string): ReadonlyArray<string> => {
  const pattern = new RegExp(String.raw`"${column}"\s*:\s*-?\d+\.(\d*)(?=[\s,}\]])`, "g")
  return Array.from(text.matchAll(pattern)).some(([, fraction = ""]) => /0$|^$/.test(fraction))
    ? ["trailing zeros"]
    : []
}

const formsOf = (column: Column.Column | undefined, values: ReadonlyArray<Json>, text: string) => {
  if (column?.type === "number") return numberForms(text, column.name)
  // The form of other timestamps is that of the request that wrote them.
  if (column?.type !== "timestamp" || column.write !== "never") return []
  return values.flatMap((value) => (typeof value === "string" ? (timestampForm(value) ?? []) : []))
}

const unique = <A extends string>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)].toSorted()

/** The evidence of some rows, and of the text that they were read from. */
export const fromRows = (resource: Resource.Any, rows: ReadonlyArray<JsonObject>, text: string): ByColumn => {
  const declared = Column.byName(resource)
  const schemas = Column.schemas(resource, "contract")
  const names = unique(rows.flatMap((row) => Object.keys(row)))
  return Object.fromEntries(
    names.map((name): [string, Evidence] => {
      const values = rows.flatMap((row) => (Object.hasOwn(row, name) ? [row[name] ?? null] : []))
      const present = values.filter((value) => value !== null)
      const column = declared.get(name)
      const schema = schemas[name]
      const type = column === undefined ? undefined : declaredType(column)
      const isReadable = schema === undefined ? () => true : Schema.is(schema)
      const words = column?.vocabulary === undefined ? [] : present.filter((value) => typeof value === "string")
      return [
        name,
        {
          types: unique(present.map(typeOf)),
          elements: unique(present.flatMap((value) => (Array.isArray(value) ? value.map(typeOf) : []))),
          hasNull: present.length < values.length,
          words: unique(words),
          forms: unique(formsOf(column, present, text)),
          isUnreadable: present.some((value) => typeOf(value) === type && !isReadable(value))
        }
      ]
    })
  )
}

const either = (one: Evidence | undefined, other: Evidence | undefined): Evidence | undefined =>
  one === undefined || other === undefined
    ? (one ?? other)
    : {
        types: unique([...one.types, ...other.types]),
        elements: unique([...one.elements, ...other.elements]),
        hasNull: one.hasNull || other.hasNull,
        words: unique([...one.words, ...other.words]),
        forms: unique([...one.forms, ...other.forms]),
        isUnreadable: one.isUnreadable || other.isUnreadable
      }

/** The evidence of both. */
export const combine = (one: ByColumn, other: ByColumn): ByColumn =>
  Object.fromEntries(
    unique([...Object.keys(one), ...Object.keys(other)]).flatMap((name) => {
      const evidence = either(one[name], other[name])
      return evidence === undefined ? [] : [[name, evidence]]
    })
  )
