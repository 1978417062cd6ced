/**
 * The conditions that select the rows that a search has found, and their division into parts.
 */
import type { Condition } from "../read/Condition.ts"
import type { Target } from "../read/Target.ts"

/** A found row, whose filter is evaluated again if its revision has changed. */
export type FoundRow = readonly [key: string, revision: number]

type Where = ReadonlyArray<Condition>

/** The conditions that select found rows which still match a filter. `target` is the key. */
export const conditions = (target: Target, rows: ReadonlyArray<FoundRow>, filter: Where): Where => [
  { _tag: "OneOf", target, values: rows.map(([key]) => key) },
  { _tag: "Unchanged", target, rows, otherwise: filter }
]

/** The rows that such conditions select; none for other conditions. */
export const of = (where: Where): ReadonlyArray<FoundRow> => {
  const [keys, last] = where
  return where.length === 2 && keys?._tag === "OneOf" && last?._tag === "Unchanged" ? last.rows : []
}

/** Conditions for a number of the rows each. */
export const divide = (where: Where, length: number): ReadonlyArray<Where> => {
  const [, last] = where
  if (last?._tag !== "Unchanged") return [where]
  const { otherwise, rows, target } = last
  return Array.from({ length: Math.ceil(rows.length / length) }, (_, part) =>
    conditions(target, rows.slice(part * length, (part + 1) * length), otherwise)
  )
}
