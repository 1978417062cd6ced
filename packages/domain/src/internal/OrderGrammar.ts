/**
 * Parses and prints `order`: `column[.asc|.desc][.nullsfirst|.nullslast]`, or `embed(column)…`, separated by commas.
 */
import type * as Order from "../Order.ts"
import { endOfInput } from "../QueryError.ts"
import * as Path from "./PathGrammar.ts"
import type { Scanner } from "./Scanner.ts"

const direction = /\.(?:asc|desc)/y
const nulls = /\.nulls(?:first|last)/y

const directions = ['"asc"', '"desc"']
const nullOrders = ['"nullsfirst"', '"nullslast"']

/** Reads the value of an order parameter. */
export const read = (scanner: Scanner): ReadonlyArray<Order.Order> => {
  const order: Array<Order.Order> = []
  do order.push(readTerm(scanner))
  while (scanner.take(","))
  return order
}

const readTerm = (scanner: Scanner): Order.Order => {
  const first = Path.readPath(scanner)
  const embed = first.json.length === 0 && scanner.take("(") ? first.column : undefined
  const path = embed === undefined ? first : Path.readPath(scanner)
  if (embed !== undefined) scanner.expect(")")
  const towards = scanner.match(direction)
  const nullOrder = scanner.match(nulls)
  scanner.spaces()
  if (!scanner.startsWith(",") && !scanner.atEnd()) failTerm(scanner, towards, nullOrder)
  return {
    path,
    embed,
    direction: towards === ".desc" ? "desc" : "asc",
    nulls: nullOrder === undefined ? undefined : nullOrder === ".nullsfirst" ? "first" : "last"
  }
}

const failTerm = (scanner: Scanner, towards: string | undefined, nullOrder: string | undefined): never => {
  if (nullOrder !== undefined) return scanner.fail(['","', endOfInput])
  if (scanner.take(".")) return scanner.fail(towards === undefined ? [...directions, ...nullOrders] : nullOrders)
  const before = towards === undefined ? Path.afterName : []
  return scanner.fail([...before, "delimiter (.)", '","', endOfInput])
}

/** Prints terms as the value of an order parameter. */
export const write = (order: ReadonlyArray<Order.Order>): string => order.map(writeTerm).join(",")

const writeTerm = ({ path, embed, direction, nulls }: Order.Order): string => {
  const column = Path.writePath(path)
  const term = embed === undefined ? column : `${Path.writeName(embed)}(${column})`
  return `${term}.${direction}${nulls === undefined ? "" : `.nulls${nulls}`}`
}
