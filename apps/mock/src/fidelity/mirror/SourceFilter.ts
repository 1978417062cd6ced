/**
 * Parses the conditions that select rows of a source: `<resource>:<condition>`.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Filter from "@mfgdata/domain/Filter"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Either from "effect/Either"

/** A parameter of a query. */
export type Parameter = readonly [name: string, value: string]

const native = new RegExp(
  `^(not\\.)?(${["in", "is", ...Filter.operators, ...Filter.searchOperators].join("|")})(\\([^)]*\\))?\\.`
)

/** The signs between a field and a value, longer ones first, with their operators. */
const signs = [
  ["!=", "neq"],
  [">=", "gte"],
  ["<=", "lte"],
  [">", "gt"],
  ["<", "lt"],
  ["=", "eq"]
] as const

const example = "--where warehouseTransfer:status=Draft"

/** The resource with a name. */
export const resource = (name: string): Either.Either<Resource.Any, UsageError> =>
  Either.fromNullable(
    Catalogue.find(name),
    () =>
      new UsageError({
        problem: `There is no resource ${JSON.stringify(name)}.`,
        nearest: Suggestion.find(
          name,
          Catalogue.resources.map(({ resource }) => resource)
        )
      })
  )

const column = (resource: Resource.Any, name: string): Either.Either<string, UsageError> => {
  const names = [...Column.byName(resource).keys()]
  return names.includes(name) || name === ""
    ? Either.right(name)
    : Either.left(
        new UsageError({
          problem: `${resource.resource} has no field ${JSON.stringify(name)}.`,
          nearest: Suggestion.find(name, names)
        })
      )
}

const parameterOf = (text: string): Parameter | undefined => {
  const [, path, rest] = /^([A-Za-z_]\w*(?:->>?[\w-]+)*)(.*)$/s.exec(text) ?? []
  const found = signs.find(([sign]) => rest?.startsWith(sign))
  if (path === undefined || rest === undefined || found === undefined) return undefined
  const [sign, operator] = found
  const value = rest.slice(sign.length)
  if (sign === "=" && native.test(value)) return [path, value]
  if (value === "null" && sign === "=") return [path, "is.null"]
  if (value === "null" && sign === "!=") return [path, "not.is.null"]
  return [path, `${operator}.${value}`]
}

/** Parses a condition on the rows of a resource. */
export const parse = (
  text: string
): Either.Either<{ readonly resource: Resource.Any; readonly parameter: Parameter }, UsageError> => {
  const colon = text.indexOf(":")
  const parameter = parameterOf(text.slice(colon + 1))
  const problem = `Invalid condition ${JSON.stringify(text)}`
  if (colon < 1 || parameter === undefined) {
    return Either.left(
      new UsageError({ problem: `${problem}: expected <resource>:<field><operator><value>.`, example })
    )
  }
  return Either.gen(function* () {
    const found = yield* resource(text.slice(0, colon))
    yield* column(found, parameter[0].split("->", 1)[0] ?? "")
    yield* Either.mapLeft(
      Query.parse([parameter]),
      (error) =>
        new UsageError({ problem: `${problem}: ${error.message}.`, expected: error.details ?? undefined, example })
    )
    return { resource: found, parameter }
  })
}
