/**
 * Finds a field of a row by its name, or by a path into its objects and lists: `id`, `customFields.shift`, `tags.0`.
 */
import * as Suggestion from "@mfgdata/domain/Suggestion"
import type { Json } from "@mfgdata/domain/Json"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Either from "effect/Either"
import type { Row } from "./Table.ts"

const inside = (value: Json | undefined, name: string): Json | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  // Lists have indexes as names.
  return Object.hasOwn(value, name) ? (value as { readonly [name: string]: Json })[name] : undefined
}

/** The value at a path; null where there is none. */
export const value = (row: Row, path: string): Json =>
  path.split(".").reduce<Json | undefined>((found, name) => inside(found, name), row) ?? null

/** Refuses a path whose first name no row has. */
export const check = (
  rows: ReadonlyArray<Row>,
  paths: ReadonlyArray<string>,
  flag: string
): Either.Either<void, UsageError> => {
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  const unknown = rows.length === 0 ? undefined : paths.find((path) => !names.has(path.split(".", 1)[0] ?? ""))
  return unknown === undefined
    ? Either.void
    : Either.left(
        new UsageError({
          problem: `Unknown field ${JSON.stringify(unknown)} in --${flag}.`,
          nearest: Suggestion.find(unknown, names),
          expected: `The fields of the output are ${[...names].join(", ")}.`
        })
      )
}
