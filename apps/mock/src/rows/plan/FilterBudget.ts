/**
 * Counts the conditions of a query on all levels. A filter whose value makes several comparisons counts as several
 * conditions, so that no short filter costs more than the longest list of simple ones.
 */
import { bounds } from "@mfgdata/domain/QueryError"
import * as Either from "effect/Either"
import { type Condition, holdsObject } from "../../sql/read/Condition.ts"
import * as Containment from "../../sql/read/Containment.ts"
import type { Selection } from "../../sql/read/Selection.ts"
import type { RowError } from "../RowError.ts"

/** The parts that count as conditions, by the noun of the error message. */
const nouns = {
  conditions: "conditions",
  words: "words of full-text queries",
  alternatives: "alternatives of patterns",
  elements: "elements of compared JSON"
} as const

type Part = keyof typeof nouns
type Counts = Record<Part, number>

const add = (condition: Condition, counts: Counts): void => {
  switch (condition._tag) {
    case "And":
    case "Or":
      for (const one of condition.conditions) add(one, counts)
      return
    case "Not":
      return add(condition.condition, counts)
    case "Match": {
      const { branches, words } = condition.pattern
      if (words === undefined) counts.alternatives += Math.max(branches.length, 1)
      else counts.words += words
      return
    }
    case "Contains":
    case "ContainedBy":
    case "Overlaps":
      counts.elements += Containment.sizeOf(condition.value)
      return
    case "OneOf": {
      // The other values are compared as one list.
      const objects = condition.values.filter(holdsObject)
      counts.conditions++
      for (const value of objects) counts.elements += Containment.sizeOf(value)
      return
    }
    case "Compare":
      if (holdsObject(condition.value)) counts.elements += Containment.sizeOf(condition.value)
      else counts.conditions++
      return
    case "Exists":
      // Required embeds add these; the grammar counts those of the request.
      return
    default:
      counts.conditions++
  }
}

const addAll = (where: ReadonlyArray<Condition>, selection: Selection, counts: Counts): void => {
  for (const condition of where) add(condition, counts)
  if (selection._tag === "Document") return
  for (const { related, selection: inner } of selection.embeds) addAll(related.where, inner, counts)
}

/** The error of a query with these numbers of parts. */
export const tooLarge = (counts: Partial<Counts>): RowError => {
  // The keys of a literal are its declared keys.
  const parts = (Object.keys(nouns) as ReadonlyArray<Part>).filter((part) => (counts[part] ?? 0) > 0)
  return {
    _tag: "FilterTooLarge",
    limit: bounds.filters,
    counted: parts.map((part) => `${counts[part]} ${nouns[part]}`)
  }
}

/** Refuses a level whose conditions, with those of the levels inside it, exceed the limit of a query. */
export const check = <A extends { readonly where: ReadonlyArray<Condition>; readonly selection: Selection }>(
  level: A
): Either.Either<A, RowError> => {
  const counts: Counts = { conditions: 0, words: 0, alternatives: 0, elements: 0 }
  addAll(level.where, level.selection, counts)
  const { alternatives, conditions, elements, words } = counts
  return conditions + words + alternatives + elements > bounds.filters
    ? Either.left(tooLarge(counts))
    : Either.right(level)
}
