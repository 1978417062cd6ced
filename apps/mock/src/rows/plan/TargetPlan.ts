/**
 * Resolves the columns and JSON paths of a query against a resource.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Filter from "@mfgdata/domain/Filter"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import { kindOf, type Target } from "../../sql/read/Target.ts"
import * as Coercion from "./Coercion.ts"
import type { RowError } from "../RowError.ts"

/** PostgreSQL's name for the type of a target. */
export const typeOf = (target: Target): string => {
  const kind = kindOf(target)
  return kind === "json" ? Coercion.typeNames.object : Coercion.typeNames[kind]
}

/** Finds a column by its name. */
export const column = (resource: Resource.Any, name: string): Either.Either<Column.Column, RowError> => {
  const columns = Column.byName(resource)
  const column = columns.get(name)
  if (column !== undefined) return Either.right(column)
  const nearest = Suggestion.find(name, columns.keys())
  return Either.left({ _tag: "ColumnUnknown", resource: resource.resource, column: name, nearest })
}

/** The target of a path. Only objects and arrays have members, and `->>` can only be the last arrow. */
export const fromPath = (resource: Resource.Any, path: Filter.Path): Either.Either<Target, RowError> =>
  Either.flatMap(column(resource, path.column), (column) => {
    const { json } = path
    if (json.length === 0) return Either.right({ column, json })
    const type = column.type !== "object" && column.type !== "array" ? column.type : undefined
    const early = json.slice(0, -1).some(({ arrow }) => arrow === "->>")
    return type !== undefined || early
      ? Either.left({ _tag: "OperatorMismatch", operation: `${Coercion.typeNames[type ?? "text"]} -> unknown` })
      : Either.right({ column, json })
  })
