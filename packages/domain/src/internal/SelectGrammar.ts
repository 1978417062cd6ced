/**
 * Parses and prints `select`: columns with their renames, paths, casts and aggregates, and embeds with their own select in
 * brackets.
 */
import { bounds, endOfInput, QueryTooLarge } from "../QueryError.ts"
import * as Select from "../Select.ts"
import * as EmbedScope from "./EmbedScope.ts"
import * as Path from "./PathGrammar.ts"
import type { Scanner } from "./Scanner.ts"

const aliasEnd = /:(?!:)/y
const aggregate = new RegExp(`\\.(?:${Select.aggregates.join("|")})\\(\\)`, "y")

const afterItem = ['","', endOfInput]

/** Reads the value of the select parameter into a scope. */
export const read = (scanner: Scanner, level: EmbedScope.EmbedScope): void => {
  readItems(scanner, level, 0)
  scanner.expectEnd(['","'])
}

const readItems = (scanner: Scanner, level: EmbedScope.EmbedScope, depth: number): void => {
  scanner.spaces()
  if (scanner.atEnd() || scanner.startsWith(")")) return
  do {
    scanner.spaces()
    readItem(scanner, level, depth)
    scanner.spaces()
  } while (scanner.take(","))
}

const readItem = (scanner: Scanner, level: EmbedScope.EmbedScope, depth: number): void => {
  if (scanner.take("*")) {
    if (!itemEnds(scanner)) scanner.fail(['")"', ...afterItem])
    return EmbedScope.add(level, { _tag: "All" })
  }
  if (scanner.take("...")) return readEmbed(scanner, level, depth, Path.readName(scanner), undefined, true)
  let quoted = scanner.startsWith('"')
  let name = Path.readName(scanner)
  let alias: string | undefined
  if (scanner.match(aliasEnd) !== undefined) {
    alias = name
    quoted = scanner.startsWith('"')
    name = Path.readName(scanner)
  }
  // A resource called count is embedded by its quoted name.
  const counts = !quoted && name === "count" && scanner.take("()")
  if (!counts && (scanner.startsWith("!") || scanner.startsWith("("))) {
    return readEmbed(scanner, level, depth, name, alias, false)
  }
  EmbedScope.add(level, counts ? { _tag: "Count", alias, cast: readCast(scanner) } : readField(scanner, name, alias))
  if (!itemEnds(scanner)) scanner.fail([...Path.afterName, '"::"', '"."', '")"', ...afterItem])
}

const itemEnds = (scanner: Scanner): boolean => {
  scanner.spaces()
  return scanner.atEnd() || scanner.startsWith(",") || scanner.startsWith(")")
}

const readField = (scanner: Scanner, column: string, alias: string | undefined): Select.Field => {
  const path = Path.readSteps(scanner, column)
  scanner.spaces()
  const cast = readCast(scanner)
  const call = scanner.match(aggregate)?.slice(1, -2)
  const name = Select.aggregates.find((known) => known === call)
  return {
    _tag: "Field",
    path,
    alias,
    cast,
    aggregate: name === undefined ? undefined : { function: name, cast: readCast(scanner) }
  }
}

const readCast = (scanner: Scanner): string | undefined =>
  scanner.take("::") ? Path.readIdentifier(scanner, ["letter", "digit"]) : undefined

const readEmbed = (
  scanner: Scanner,
  level: EmbedScope.EmbedScope,
  depth: number,
  resource: string,
  alias: string | undefined,
  spread: boolean
): void => {
  let hint: string | undefined
  let join: Select.Join = "left"
  while (scanner.take("!")) {
    const quoted = scanner.startsWith('"')
    const word = Path.readName(scanner)
    if (!quoted && (word === "inner" || word === "left")) join = word
    else hint ??= word
  }
  scanner.expect("(")
  if (depth === bounds.embeds) throw new QueryTooLarge({ parameter: scanner.source.parameter, bound: "embeds" })
  const inner = EmbedScope.make()
  EmbedScope.add(level, { _tag: "Embed", resource, alias, hint, join, spread, query: inner.query }, inner)
  readItems(scanner, inner, depth + 1)
  if (!scanner.take(")")) scanner.fail(['","', '")"'])
}

/** Prints items as the value of the select parameter; filters, order and page of an embed are other parameters. */
export const write = (items: ReadonlyArray<Select.Item>): string => items.map(writeItem).join(",")

const writeItem = (item: Select.Item): string => {
  if (item._tag === "All") return "*"
  const alias = item.alias === undefined ? "" : `${Path.writeName(item.alias)}:`
  switch (item._tag) {
    case "Count":
      return `${alias}count()${writeCast(item.cast)}`
    case "Field": {
      const call = item.aggregate === undefined ? "" : `.${item.aggregate.function}()${writeCast(item.aggregate.cast)}`
      return alias + Path.writePath(item.path) + writeCast(item.cast) + call
    }
    case "Embed": {
      const hint = item.hint === undefined ? "" : `!${Path.writeName(item.hint)}`
      const join = item.join === "inner" ? "!inner" : ""
      const name = (item.spread ? "..." : alias) + Path.writeName(item.resource)
      return `${name}${hint}${join}(${write(item.query.select)})`
    }
  }
}

const writeCast = (type: string | undefined): string => (type === undefined ? "" : `::${type}`)
