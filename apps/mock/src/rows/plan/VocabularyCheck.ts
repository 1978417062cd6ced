/**
 * Checks values against vocabularies, which the public rules close; facts about a service close them for writes.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Json } from "@mfgdata/domain/Json"
import * as Coercion from "./Coercion.ts"
import type { RowError } from "../RowError.ts"

/** Reports whether a column accepts only the known values of its vocabulary. */
export const isClosed = (column: Column.Column, rules: RuleSet): boolean =>
  column.vocabulary !== undefined && (rules === "public" || column.vocabulary.closed === "always")

/** The refusal of a value that is not in the vocabulary of its column. */
const unlisted = (column: Column.Column, value: Json): RowError | undefined => {
  const { vocabulary } = column
  if (vocabulary === undefined) return undefined
  // An array column has a vocabulary of its elements.
  const values = Array.isArray(value) ? value : [value]
  const unknown = values.find((value) => typeof value === "string" && !vocabulary.known.includes(value))
  return unknown === undefined
    ? undefined
    : {
        _tag: "VocabularyValueUnknown",
        vocabulary: vocabulary.name,
        column: column.name,
        known: vocabulary.known,
        shown: Coercion.show(column, unknown)
      }
}

/** The refusal of a value that a column is compared with. */
export const refusal = (column: Column.Column, value: Json, rules: RuleSet): RowError | undefined =>
  isClosed(column, rules) ? unlisted(column, value) : undefined

/** The refusal of a value that is written to a column. */
export const refusalOfWrite = (column: Column.Column, value: Json, rules: RuleSet): RowError | undefined =>
  column.vocabulary?.closed === "writes" ? unlisted(column, value) : refusal(column, value, rules)
