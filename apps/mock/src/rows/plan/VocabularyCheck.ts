/**
 * Checks values against vocabularies, which the public rules close.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Json } from "@mfgdata/domain/Json"
import * as Coercion from "./Coercion.ts"
import type { RowError } from "../RowError.ts"

/** Reports whether a column accepts only the known values of its vocabulary. */
export const isClosed = (column: Column.Column, rules: RuleSet): boolean =>
  rules === "public" && column.vocabulary !== undefined

/** The refusal of a value that is not in the closed vocabulary of its column. */
export const refusal = (column: Column.Column, value: Json, rules: RuleSet): RowError | undefined => {
  const { vocabulary } = column
  if (rules === "contract" || vocabulary === undefined || typeof value !== "string") return undefined
  return vocabulary.known.includes(value)
    ? undefined
    : {
        _tag: "VocabularyValueUnknown",
        vocabulary: vocabulary.name,
        column: column.name,
        known: vocabulary.known,
        shown: Coercion.show(column, value)
      }
}
