/**
 * Parses the conditions, orders and selections of a command line into query parameters: `status=Draft`,
 * `quantity>10`, or the service's own `status=eq.Draft`.
 */
import type * as Column from "@mfgdata/domain/Column"
import * as Filter from "@mfgdata/domain/Filter"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import { UsageError } from "./CliError.ts"
import * as Fields from "./Fields.ts"

/** A parameter of a query. */
export type Parameter = readonly [name: string, value: string]

/** The text of a query. */
export const toText = (parameters: ReadonlyArray<Parameter>): string =>
  new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString()

const operators = ["in", "is", ...Filter.operators, ...Filter.searchOperators].join("|")

/** A value with an operator in the service's own form. */
const native = new RegExp(`^(not\\.)?(${operators})(\\([^)]*\\))?\\.`)

const tree = /^(?:not\.)?(?:and|or)=/

/** The signs between a field and a value, longer ones first, with their operators; those with `~` are PostgreSQL's. */
export const signs = [
  ["!~~*", "not.ilike", "does not match a pattern with *, ignoring case"],
  ["!~*", "not.imatch", "does not match a regular expression, ignoring case"],
  ["!~~", "not.like", "does not match a pattern with *"],
  ["~~*", "ilike", "matches a pattern with *, ignoring case"],
  ["!~", "not.match", "does not match a regular expression"],
  ["~~", "like", "matches a pattern with *"],
  ["~*", "imatch", "matches a regular expression, ignoring case"],
  ["!=", "neq", "is not"],
  [">=", "gte", "is at least"],
  ["<=", "lte", "is at most"],
  ["~", "match", "matches a regular expression"],
  [">", "gt", "is more than"],
  ["<", "lt", "is less than"],
  ["=", "eq", "is"]
] as const

const example = "--where status=Draft, --where 'quantity>10', --where status=in.(Draft,Completed)"

/** The name of a field, and a path into its JSON. */
const field = /^[A-Za-z_][\w]*(?:->>?[\w-]+)*/

const patterns: ReadonlySet<string> = new Set(["match", "imatch", "like", "ilike"])

const isPattern = (operator: string): boolean => patterns.has(operator.replace(/^not\./, ""))

/** Checks the type of a value; a value inside JSON may have any. */
const checked = (column: Column.Column, operator: string, value: string): Either.Either<unknown, UsageError> => {
  switch (column.type) {
    case "number":
    case "boolean":
    case "date":
      return isPattern(operator)
        ? Either.right(value)
        : Either.mapLeft(
            Fields.value(column, value),
            ({ problem }) => new UsageError({ problem, example: `--where '${column.name}>=${Fields.example(column)}'` })
          )
    // A filter on a timestamp accepts a date, and the other types are compared as text.
    case "text":
    case "timestamp":
    case "object":
    case "array":
      return Either.right(value)
  }
}

const readable = (parameter: Parameter, text: string): Either.Either<Parameter, UsageError> =>
  Query.parse([parameter]).pipe(
    Either.mapBoth({
      onLeft: (error) =>
        new UsageError({
          problem: `Invalid condition ${JSON.stringify(text)}: ${error.message}.`,
          expected: error.details ?? undefined,
          example
        }),
      onRight: () => parameter
    })
  )

/**
 * Parses a condition.
 *
 * @example
 * RowQuery.parse(Kanban, "quantity>10") // ["quantity", "gt.10"]
 */
export const parse = (resource: Resource.Any, text: string): Either.Either<Parameter, UsageError> => {
  if (tree.test(text)) {
    const at = text.indexOf("=")
    return readable([text.slice(0, at), text.slice(at + 1)], text)
  }
  const [path = ""] = field.exec(text) ?? []
  const rest = text.slice(path.length)
  const found = signs.find(([sign]) => rest.startsWith(sign))
  if (path === "" || found === undefined) {
    return Either.left(
      new UsageError({
        problem: `Invalid condition ${JSON.stringify(text)}: expected <field><operator><value>.`,
        example
      })
    )
  }
  const [sign, operator] = found
  const value = rest.slice(sign.length)
  const [name = ""] = path.split("->", 1)
  return Either.flatMap(Fields.column(resource, name), (column) => {
    if (sign === "=" && native.test(value)) return readable([path, value], text)
    if (value === "null" && (sign === "=" || sign === "!=")) {
      return Either.right([path, sign === "=" ? "is.null" : "not.is.null"])
    }
    const parameter: Parameter = [path, `${operator}.${value}`]
    return path === name
      ? Either.flatMap(checked(column, operator, value), () => readable(parameter, text))
      : readable(parameter, text)
  })
}

/** Parses an order: `transferDate.desc,id`, where `-transferDate` is `transferDate.desc`. */
export const order = (resource: Resource.Any, text: string): Either.Either<Parameter, UsageError> => {
  const terms = text.split(",").map((term) => (term.startsWith("-") ? `${term.slice(1)}.desc` : term))
  return Either.gen(function* () {
    for (const term of terms) {
      const [name = ""] = term.split(/[.(]|->/, 1)
      if (!term.includes("(")) yield* Fields.column(resource, name.trim())
    }
    const parameter: Parameter = ["order", terms.join(",")]
    return yield* Query.parse([parameter]).pipe(
      Either.mapBoth({
        onLeft: (error) =>
          new UsageError({
            problem: `Invalid value ${JSON.stringify(text)} for --order: ${error.message}.`,
            example: "--order transferDate.desc,id"
          }),
        onRight: () => parameter
      })
    )
  })
}

/** Parses a selection: fields of the resource, and the other terms of the service's `select`. */
export const select = (resource: Resource.Any, text: string): Either.Either<Parameter, UsageError> =>
  Either.gen(function* () {
    const parameter: Parameter = ["select", text]
    const query = yield* Query.parse([parameter]).pipe(
      Either.mapLeft(
        (error) =>
          new UsageError({
            problem: `Invalid value ${JSON.stringify(text)} for --select: ${error.message}.`,
            example: "--select id,status"
          })
      )
    )
    for (const item of query.select) if (item._tag === "Field") yield* Fields.column(resource, item.path.column)
    return parameter
  })

/** The way that the rows of a query are divided into pages: by key, by offset, or by offset in the order given. */
export type Paging = "key" | "offset" | "grouped"

/** The paging of a query: pages by key have no aggregates, and no order of an embed. */
export const paging = (parameters: ReadonlyArray<Parameter>): Paging =>
  Either.match(Query.parse(parameters), {
    onLeft: () => "grouped",
    onRight: ({ order, select }) => {
      if (select.some((item) => item._tag === "Field" && item.aggregate !== undefined)) return "grouped"
      return order.every(({ embed }) => embed === undefined) ? "key" : "offset"
    }
  })
