/**
 * Checks values against vocabularies, which the public rules close.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type { Json } from "@mfgdata/domain/Json"
import * as Either from "effect/Either"
import * as Coercion from "./Coercion.ts"
import type { RowError } from "../RowError.ts"

/** Reports whether a column accepts only the known values of its vocabulary. */
export const isClosed = (column: Column.Column, rules: RuleSet): boolean =>
  rules === "public" && column.vocabulary !== undefined

/** Returns the value if its column accepts it. */
export const check = <A extends Json>(column: Column.Column, value: A, rules: RuleSet): Either.Either<A, RowError> => {
  const { vocabulary } = column
  if (rules === "contract" || vocabulary === undefined || typeof value !== "string") return Either.right(value)
  return vocabulary.known.includes(value)
    ? Either.right(value)
    : Either.left({
        _tag: "VocabularyValueUnknown",
        vocabulary: vocabulary.name,
        column: column.name,
        known: vocabulary.known,
        shown: Coercion.show(column, value)
      })
}
