/**
 * Parses and prints the parameters of a query and of its embeds.
 */
import { LimitNegative, TextRefused } from "../QueryError.ts"
import type { Query } from "../Select.ts"
import * as Text from "../Text.ts"
import * as FilterGrammar from "./FilterGrammar.ts"
import * as EmbedScope from "./EmbedScope.ts"
import * as OrderGrammar from "./OrderGrammar.ts"
import * as Path from "./PathGrammar.ts"
import { Scanner } from "./Scanner.ts"
import * as SelectGrammar from "./SelectGrammar.ts"

/** Parameters of a body, which list names. */
export const bodyParameters = ["columns", "on_conflict"] as const

/** Decoded names and values. */
export type Parameters = Iterable<readonly [name: string, value: string]>

/** A limit or offset that is not a whole number is an error (`strict`) or ignored (`lenient`, as in PostgREST). */
export type Page = "strict" | "lenient"

/** Parses a query, in which `select`, `order`, `limit` and `offset` without a value are absent; throws a `QueryError`. */
export const read = (parameters: Parameters, page: Page): Query => {
  const root = EmbedScope.make()
  const budget: FilterGrammar.Budget = { filters: 0 }
  const others: Array<readonly [string, string]> = []
  let select: string | undefined
  for (const parameter of parameters) {
    const [name, value] = parameter
    const flaw = Text.flaw(name) ?? Text.flaw(value)
    if (flaw !== undefined) throw new TextRefused({ parameter: name, flaw })
    if (name === "select") select ??= value === "" ? undefined : value
    else if (!bodyParameters.some((known) => known === name)) others.push(parameter)
  }
  if (select !== undefined) {
    SelectGrammar.read(new Scanner({ parameter: "select", subject: "select parameter", text: select }), root)
  }
  for (const [name, value] of others) readParameter(root, name, value, budget, page)
  return root.query
}

const readParameter = (
  root: EmbedScope.EmbedScope,
  name: string,
  value: string,
  budget: FilterGrammar.Budget,
  page: Page
): void => {
  const dot = name.lastIndexOf(".")
  const way = dot < 0 ? undefined : name.slice(0, dot)
  const kind = name.slice(dot + 1)
  switch (kind) {
    case "order": {
      const level = levelAt(root, name, way)
      if (value === "") return
      const order = OrderGrammar.read(new Scanner({ parameter: name, subject: "order", text: value }))
      for (const term of order) {
        if (term.embed !== undefined) EmbedScope.at(level, term.embed, name)
        level.query.order.push(term)
      }
      return
    }
    case "limit":
    case "offset": {
      const level = levelAt(root, name, way)
      if (value !== "") level.query[kind] = readCount(name, kind, value, page)
      return
    }
    case "and":
    case "or": {
      const negated = way === "not" || (way?.endsWith(".not") ?? false)
      const level = levelAt(root, name, negated ? way?.slice(0, -4) || undefined : way)
      const text = `${negated ? "not." : ""}${kind}${value}`
      const scanner = new Scanner({ parameter: name, subject: "logic tree", text: value }, text)
      level.query.where.push(FilterGrammar.readTree(scanner, budget))
      return
    }
    default: {
      const path = new Scanner({ parameter: name, subject: "tree path", text: name })
      const names = Path.readNames(path)
      const column = Path.readSteps(path, names.at(-1) ?? "")
      path.expectEnd([...Path.afterName, '"."'])
      const level = names.slice(0, -1).reduce((level, embed) => EmbedScope.at(level, embed, name), root)
      const scanner = new Scanner({ parameter: name, subject: "filter", text: value })
      level.query.where.push(FilterGrammar.readFilter(scanner, column, budget))
    }
  }
}

/** The scope of an embed with the path `embed.embed`; the root without a path. */
const levelAt = (root: EmbedScope.EmbedScope, parameter: string, way: string | undefined): EmbedScope.EmbedScope => {
  if (way === undefined) return root
  const scanner = new Scanner({ parameter, subject: "tree path", text: way })
  const names = Path.readNames(scanner)
  scanner.expectEnd([...Path.afterName, '"."'])
  return names.reduce((level, name) => EmbedScope.at(level, name, parameter), root)
}

const digits = /\d+/y
const integer = /^\s*(-?\d+)\s*$/

const readCount = (parameter: string, subject: string, text: string, page: Page): number | undefined => {
  if (page === "lenient") {
    const count = Number(integer.exec(text)?.[1] ?? Number.NaN)
    if (count < 0 && subject === "limit") throw new LimitNegative({ parameter })
    return count >= 0 ? bounded(count) : undefined
  }
  const scanner = new Scanner({ parameter, subject, text })
  const count = scanner.match(digits) ?? scanner.fail(["digit"])
  scanner.expectEnd(["digit"])
  return bounded(Number(count))
}

// Larger numbers are not exact, and no store has as many rows. Adding zero turns -0 into 0.
const bounded = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER) + 0

/** Parses the names of `columns` or `on_conflict`; throws a `QueryError`. */
export const readNames = (parameter: (typeof bodyParameters)[number], text: string): ReadonlyArray<string> => {
  const scanner = new Scanner({ parameter, subject: `${parameter} parameter`, text })
  const names: Array<string> = []
  do {
    scanner.spaces()
    names.push(Path.readName(scanner))
    scanner.spaces()
  } while (scanner.take(","))
  scanner.expectEnd(['","'])
  return names
}

/** Prints a query, and those of its embeds with the prefix `way`. */
export const write = (query: Query, into: URLSearchParams, way = ""): void => {
  if (way === "" && query.select.length > 0) into.append("select", SelectGrammar.write(query.select))
  for (const filter of query.where) {
    const [name, value] = FilterGrammar.writeParameter(filter)
    into.append(way + name, value)
  }
  if (query.order.length > 0) into.append(`${way}order`, OrderGrammar.write(query.order))
  if (query.limit !== undefined) into.append(`${way}limit`, String(query.limit))
  if (query.offset !== undefined) into.append(`${way}offset`, String(query.offset))
  for (const item of query.select) {
    if (item._tag === "Embed") write(item.query, into, `${way}${Path.writeName(item.alias ?? item.resource)}.`)
  }
}
