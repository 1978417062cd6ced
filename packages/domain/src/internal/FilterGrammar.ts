/**
 * Parses and prints filters: `[not.]operator[(any|all)].value` on a path, and trees of `and` and `or`.
 */
import * as Either from "effect/Either"
import * as Match from "effect/Match"
import * as ArrayLiteral from "../ArrayLiteral.ts"
import * as Filter from "../Filter.ts"
import { bounds, ListMalformed, QueryTooLarge } from "../QueryError.ts"
import * as Path from "./PathGrammar.ts"
import type { Scanner } from "./Scanner.ts"

/** The number of filters parsed so far. */
export interface Budget {
  filters: number
}

type Leaf = Exclude<Filter.Filter, Filter.Tree>

/** Reads a value: the rest of the text at the top, or up to a comma or bracket inside a tree. */
type ReadValue = (scanner: Scanner) => string

const operator = "operator (eq, gt, ...)"
const logicOperator = "logic operator (and, or)"
const isValues = (): string => `isVal: (${Filter.isValues.join(", ")})`

const among =
  <Word extends string>(words: ReadonlyArray<Word>) =>
  (word: string): word is Word =>
    words.some((known) => known === word)

const isQuantifiable = /* @__PURE__ */ among(Filter.quantifiableOperators)
const isSearchOperator = /* @__PURE__ */ among(Filter.searchOperators)
const isIsValue = /* @__PURE__ */ among(Filter.isValues)

const operators = ["in", "is", ...Filter.operators, ...Filter.searchOperators] as const

/** One of some words. The longest comes first, so that `gte` is not read as `gt`. */
const oneOf = (words: ReadonlyArray<string>): RegExp =>
  new RegExp(words.toSorted((a, b) => b.length - a.length).join("|"), "y")

const operatorWord = /* @__PURE__ */ oneOf(operators)
const isWord = /[a-z_]+/iy
const element = /[^,)]*/y
const braces = /\{[^{}]*\}/y
const logicWord = /(?:not\.)?(?:and|or)[ \t]*/y
const branch = /(?:not\.)?(?:and|or)[ \t]*(?=\()/y

const spend = (scanner: Scanner, budget: Budget): void => {
  if (++budget.filters > bounds.filters) {
    throw new QueryTooLarge({ parameter: scanner.source.parameter, bound: "filters" })
  }
}

/** Reads an element; quotes count only where the element ends after them. */
const readElement = (scanner: Scanner): string => {
  const start = scanner.position
  if (scanner.peek() === '"') {
    const quoted = Path.readQuoted(scanner)
    if (quoted !== undefined && (scanner.atEnd() || scanner.startsWith(",") || scanner.startsWith(")"))) return quoted
    scanner.position = start
  }
  return scanner.match(element) ?? ""
}

const readNestedValue: ReadValue = (scanner) =>
  scanner.peek() === "{" ? (scanner.match(braces) ?? readElement(scanner)) : readElement(scanner)

const readTopValue: ReadValue = (scanner) => scanner.rest()

/** Reads `(a,b)`; `()` has no elements. */
const readList = (scanner: Scanner): ReadonlyArray<string> => {
  scanner.spaces()
  scanner.expect("(")
  scanner.spaces()
  const values: Array<string> = []
  if (!scanner.startsWith(")")) {
    do values.push(readElement(scanner))
    while (scanner.take(","))
    if (!scanner.startsWith(")")) scanner.fail(['","', '")"'])
  }
  scanner.expect(")")
  scanner.spaces()
  return values
}

const readIsValue = (scanner: Scanner): Filter.IsValue => {
  const start = scanner.position
  const word = scanner.match(isWord)?.toLowerCase() ?? ""
  return isIsValue(word) ? word : scanner.fail([isValues()], start, '"null"')
}

const readValues = (scanner: Scanner, text: string): ReadonlyArray<string> =>
  Either.getOrThrowWith(
    ArrayLiteral.parse(text),
    (details) => new ListMalformed({ parameter: scanner.source.parameter, text, details })
  )

/** Reads the operator and the value after a path; `expected` names a missing operator in errors. */
const readOperation = (scanner: Scanner, path: Filter.Path, readValue: ReadValue, expected = operator): Leaf => {
  const negated = scanner.take("not.")
  const word = scanner.match(operatorWord)
  const name = operators.find((known) => known === word)
  if (name === undefined) return scanner.fail(negated || expected !== operator ? [expected] : ['"not"', operator])
  let quantifier: Filter.Quantifier | undefined
  let configuration: string | undefined
  if (isQuantifiable(name) && scanner.take("(")) {
    quantifier = Filter.quantifiers.find((known) => scanner.take(known))
    if (quantifier === undefined) scanner.fail([operator], scanner.position, '"any"')
    if (!scanner.take(")")) scanner.fail([operator])
  } else if (isSearchOperator(name) && scanner.take("(")) {
    configuration = Path.readIdentifier(scanner, [operator])
    if (!scanner.take(")")) scanner.fail([operator])
  }
  if (!scanner.take(".")) scanner.fail([operator])
  if (name === "in") return { _tag: "In", path, negated, values: readList(scanner) }
  if (name === "is") return { _tag: "Is", path, negated, value: readIsValue(scanner) }
  const value = readValue(scanner)
  if (isSearchOperator(name)) return { _tag: "Search", path, negated, operator: name, configuration, value }
  return isQuantifiable(name) && quantifier !== undefined
    ? { _tag: "Quantified", path, negated, operator: name, quantifier, values: readValues(scanner, value) }
    : { _tag: "Compare", path, negated, operator: name, value }
}

/** Reads the value of a filter parameter. */
export const readFilter = (scanner: Scanner, path: Filter.Path, budget: Budget): Filter.Filter => {
  spend(scanner, budget)
  const filter = readOperation(scanner, path, readTopValue)
  scanner.expectEnd()
  return filter
}

/** Reads the value of an `and` or `or` parameter, after its operator. */
export const readTree = (scanner: Scanner, budget: Budget): Filter.Filter => {
  const tree = readBranch(scanner, budget, scanner.match(logicWord) ?? "", 1)
  scanner.expectEnd()
  return tree
}

const readBranch = (scanner: Scanner, budget: Budget, word: string, depth: number): Filter.Tree => {
  spend(scanner, budget)
  if (depth > bounds.depth) throw new QueryTooLarge({ parameter: scanner.source.parameter, bound: "depth" })
  scanner.expect("(")
  const filters: Array<Filter.Filter> = []
  do {
    scanner.spaces()
    const inner = scanner.match(branch)
    filters.push(inner === undefined ? readLeaf(scanner, budget) : readBranch(scanner, budget, inner, depth + 1))
    scanner.spaces()
  } while (scanner.take(","))
  if (!scanner.take(")")) scanner.fail(['","', '")"'])
  scanner.spaces()
  const negated = word.startsWith("not.")
  return { _tag: word.startsWith("and", negated ? 4 : 0) ? "And" : "Or", negated, filters }
}

const readLeaf = (scanner: Scanner, budget: Budget): Leaf => {
  spend(scanner, budget)
  const start = scanner.position
  const path = Path.readPath(scanner, ["negation operator (not)", logicOperator])
  if (scanner.startsWith("(")) {
    // A bracket after a name starts a tree.
    scanner.position = start
    if (scanner.match(logicWord) !== undefined) scanner.fail(['"("'])
    Path.readPath(scanner)
  }
  if (!scanner.take(".")) scanner.fail([...Path.afterName, "delimiter (.)"])
  return readOperation(scanner, path, readNestedValue, path.column === "not" ? logicOperator : operator)
}

/** Prints a filter as a parameter, whose name follows that of its embed. */
export const writeParameter = (filter: Filter.Filter): readonly [name: string, value: string] =>
  isTree(filter)
    ? [writeLogicWord(filter), writeBranches(filter)]
    : [Path.writePath(filter.path), writeOperation(filter, (value) => value)]

const isTree = (filter: Filter.Filter): filter is Filter.Tree => filter._tag === "And" || filter._tag === "Or"

const writeLogicWord = ({ _tag, negated }: Filter.Tree): string =>
  `${negated ? "not." : ""}${_tag === "And" ? "and" : "or"}`

const writeBranches = ({ filters }: Filter.Tree): string => `(${filters.map(writeNested).join(",")})`

const writeNested = (filter: Filter.Filter): string =>
  isTree(filter)
    ? writeLogicWord(filter) + writeBranches(filter)
    : `${Path.writePath(filter.path)}.${writeOperation(filter, writeNestedValue)}`

const writeElement = (value: string): string =>
  value === "" || /^["\s{]|[,()]|\s$/.test(value) ? Path.writeQuoted(value) : value

const writeNestedValue = (value: string): string => (/^\{[^{}]*\}$/.test(value) ? value : writeElement(value))

const writeOperation = (filter: Leaf, writeValue: (value: string) => string): string =>
  (filter.negated ? "not." : "") +
  Match.valueTags(filter, {
    Compare: ({ operator, value }) => `${operator}.${writeValue(value)}`,
    Quantified: ({ operator, quantifier, values }) =>
      `${operator}(${quantifier}).${writeValue(ArrayLiteral.print(values))}`,
    In: ({ values }) => `in.(${values.map(writeElement).join(",")})`,
    Is: ({ value }) => `is.${value}`,
    Search: ({ operator, configuration, value }) =>
      `${operator}${configuration === undefined ? "" : `(${configuration})`}.${writeValue(value)}`
  })
