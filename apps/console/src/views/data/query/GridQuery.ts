/**
 * The query of a grid as its typed inputs have it, and as the text of the row interface, which is the address of the page.
 * Parameters that the inputs cannot express are kept as text.
 */
import type * as Column from "@mfgdata/domain/Column"
import * as Catalogue from "../../../service/Catalogue.ts"

/** The operators of the typed inputs, with their labels. `contains`, `null` and `set` abbreviate forms of the interface. */
export const labels = {
  eq: "=",
  neq: "≠",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
  contains: "contains",
  ilike: "is like",
  wfts: "has the words",
  in: "is one of",
  cs: "includes",
  ov: "includes one of",
  null: "is empty",
  set: "is not empty"
} as const

export type Operator = keyof typeof labels

const comparisons = ["eq", "neq", "gt", "gte", "lt", "lte", "in", "null", "set"] as const

const operatorsByType: { readonly [T in Column.Type]: ReadonlyArray<Operator> } = {
  text: ["contains", "eq", "neq", "ilike", "wfts", "in", "gt", "gte", "lt", "lte", "null", "set"],
  number: comparisons,
  date: comparisons,
  timestamp: comparisons,
  boolean: ["eq", "null", "set"],
  array: ["cs", "ov", "null", "set"],
  object: ["cs", "null", "set"]
}

/** The operators of a column, the most likely one first. */
export const operatorsOf = ({ nullable, type, vocabulary }: Catalogue.ColumnInfo): ReadonlyArray<Operator> => {
  const operators =
    vocabulary === undefined || type !== "text" ? operatorsByType[type] : (["eq", "neq", "in", "null", "set"] as const)
  return nullable ? operators : operators.filter((operator) => operator !== "null" && operator !== "set")
}

/** True for operators without an operand. */
export const isBare = (operator: Operator): boolean => operator === "null" || operator === "set"

/** A condition on a column, in terms of the inputs. */
export interface Condition {
  readonly _tag: "Condition"
  readonly column: string
  readonly operator: Operator
  readonly operand: string
}

/** A full-text search in all columns of text. */
interface Search {
  readonly _tag: "Search"
  readonly text: string
}

/** A parameter as it was written. */
interface Text {
  readonly _tag: "Text"
  readonly name: string
  readonly value: string
}

export type Term = Condition | Search | Text

/** An ordered column. */
export interface Sort {
  readonly column: string
  readonly direction: "asc" | "desc"
}

export interface GridQuery {
  readonly terms: ReadonlyArray<Term>
  readonly order: ReadonlyArray<Sort>
  /** The chosen columns; all of them where it is empty. */
  readonly columns: ReadonlyArray<string>
  readonly limit: number | undefined
}

export const empty: GridQuery = { terms: [], order: [], columns: [], limit: undefined }

const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&")
const unescapePattern = (pattern: string): string => pattern.replaceAll(/\\([\\%_])/g, "$1")
const isPlainPattern = (pattern: string): boolean => /^(?:[^\\%_*]|\\[\\%_])*$/.test(pattern)

/** The value of a condition's parameter. */
const print = ({ operand, operator }: Condition): string => {
  switch (operator) {
    case "contains":
      return `ilike.*${escapePattern(operand)}*`
    case "in":
      return `in.(${operand})`
    case "null":
      return "is.null"
    case "set":
      return "not.is.null"
    default:
      return `${operator}.${operand}`
  }
}

const readCondition = (column: Catalogue.ColumnInfo, value: string): Condition | undefined => {
  const make = (operator: Operator, operand: string): Condition | undefined =>
    operatorsOf(column).includes(operator) ? { _tag: "Condition", column: column.name, operator, operand } : undefined
  if (value === "is.null") return make("null", "")
  if (value === "not.is.null") return make("set", "")
  const dot = value.indexOf(".")
  const name = value.slice(0, dot)
  const operand = value.slice(dot + 1)
  if (dot < 0 || !Object.hasOwn(labels, name) || name === "contains" || name === "null" || name === "set")
    return undefined
  const inner = operand.slice(1, -1)
  if (name === "ilike" && operand.length > 1 && operand === `*${inner}*` && isPlainPattern(inner))
    return make("contains", unescapePattern(inner))
  if (name === "in") return operand === `(${inner})` ? make("in", inner) : undefined
  // The name is one of the labels.
  return make(name as Operator, operand)
}

/** The columns that a full-text search looks into. */
export const searched = ({ columns, key }: Catalogue.ResourceInfo): ReadonlyArray<string> =>
  columns.flatMap(({ name, reference, sensitive, type, vocabulary }) =>
    type === "text" && reference === undefined && vocabulary === undefined && !sensitive && name !== key ? [name] : []
  )

/** A value inside a tree of conditions. */
export const quote = (value: string): string => `"${value.replaceAll(/["\\]/g, "\\$&")}"`

const printSearch = (resource: Catalogue.ResourceInfo, text: string): readonly [string, string] => [
  "or",
  `(${searched(resource)
    .map((column) => `${column}.wfts.${quote(text)}`)
    .join()})`
]

const readSearch = (resource: Catalogue.ResourceInfo, value: string): Search | undefined => {
  const [, quoted = ""] = /\.wfts\."((?:[^"\\]|\\[^])*)"\)$/.exec(value) ?? []
  const text = quoted.replaceAll(/\\([^])/g, "$1")
  return text !== "" && printSearch(resource, text)[1] === value ? { _tag: "Search", text } : undefined
}

const readOrder = (resource: Catalogue.ResourceInfo, value: string): ReadonlyArray<Sort> | undefined => {
  const terms = value.split(",").flatMap((term): ReadonlyArray<Sort> => {
    const [, column = "", direction] = /^(\w+)(?:\.(asc|desc))?$/.exec(term) ?? []
    return Catalogue.columnOf(resource, column) === undefined
      ? []
      : [{ column, direction: direction === "desc" ? "desc" : "asc" }]
  })
  return terms.length === value.split(",").length ? terms : undefined
}

const readColumns = (resource: Catalogue.ResourceInfo, value: string): ReadonlyArray<string> | undefined => {
  const names = value.split(",")
  return names.every((name, index) => Catalogue.columnOf(resource, name) !== undefined && names.indexOf(name) === index)
    ? names
    : undefined
}

/** Reads the text of a query; every text has a meaning, and parameters beyond the inputs become terms of text. */
export const read = (resource: Catalogue.ResourceInfo, text: string): GridQuery => {
  let { columns, limit, order }: GridQuery = empty
  const terms: Array<Term> = []
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === "" && !text.includes(`${name}=`)) continue
    const asText = (): void => void terms.push({ _tag: "Text", name, value })
    const column = Catalogue.columnOf(resource, name)
    const isFirst = !terms.some((term) => term._tag === "Text" && term.name === name)
    if (name === "order" && order.length === 0 && isFirst && value !== "") {
      const read = readOrder(resource, value)
      if (read === undefined) asText()
      else order = read
    } else if (name === "select" && columns.length === 0 && isFirst && value !== "") {
      const read = readColumns(resource, value)
      if (read === undefined) asText()
      else columns = read
    } else if (name === "limit" && limit === undefined && isFirst && /^\d{1,9}$/.test(value)) limit = Number(value)
    else if (name === "or") {
      const search = readSearch(resource, value)
      if (search === undefined || terms.some(({ _tag }) => _tag === "Search")) asText()
      else terms.push(search)
    } else {
      const condition = column === undefined ? undefined : readCondition(column, value)
      if (condition === undefined) asText()
      else terms.push(condition)
    }
  }
  return { terms, order, columns, limit }
}

const pairOf = (resource: Catalogue.ResourceInfo, term: Term): readonly [string, string] => {
  switch (term._tag) {
    case "Condition":
      return [term.column, print(term)]
    case "Search":
      return printSearch(resource, term.text)
    case "Text":
      return [term.name, term.value]
  }
}

/** The value of a URL's parameter, with the characters of the query language as they are. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/%(2C|3A|2F|40|24|3B|22)/g, (code) => decodeURIComponent(code))
    .replaceAll('"', "%22")
    .replaceAll("%20", "+")

const printSort = ({ column, direction }: Sort): string => `${column}.${direction}`

/** The parameters of a query in the order in which they are shown. */
const parameters = (
  resource: Catalogue.ResourceInfo,
  { columns, limit, order, terms }: GridQuery
): ReadonlyArray<readonly [name: string, value: string]> => [
  ...terms.map((term) => pairOf(resource, term)),
  ...(columns.length === 0 ? [] : [["select", columns.join()] as const]),
  ...(order.length === 0 ? [] : [["order", order.map(printSort).join()] as const]),
  ...(limit === undefined ? [] : [["limit", String(limit)] as const])
]

/** The text of a query, which {@link read} reads back. */
export const toText = (resource: Catalogue.ResourceInfo, query: GridQuery): string =>
  parameters(resource, query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&")

/** True for a condition whose operand is not typed yet; an empty text is a value of a column of text. */
const isUnfinished = (resource: Catalogue.ResourceInfo, term: Term): boolean => {
  if (term._tag !== "Condition" || term.operand !== "" || isBare(term.operator)) return false
  const column = Catalogue.columnOf(resource, term.column)
  const isText = column?.type === "text" && column.vocabulary === undefined && column.reference === undefined
  return !isText || (term.operator !== "eq" && term.operator !== "neq")
}

/** The query without the conditions that are not finished yet. */
export const finished = (resource: Catalogue.ResourceInfo, query: GridQuery): GridQuery => ({
  ...query,
  terms: query.terms.filter((term) => !isUnfinished(resource, term))
})

/** The search of a query. */
export const searchOf = ({ terms }: GridQuery): string =>
  terms.flatMap((term) => (term._tag === "Search" ? [term.text] : [])).at(0) ?? ""

/** The query with another search; an empty text removes it. */
export const withSearch = (query: GridQuery, text: string): GridQuery => {
  const terms = query.terms.filter(({ _tag }) => _tag !== "Search")
  return { ...query, terms: text.trim() === "" ? terms : [...terms, { _tag: "Search", text }] }
}

/** The query with the next order by a column: ascending, descending, none; `further` keeps the other columns. */
export const withNextOrder = (query: GridQuery, column: string, further: boolean): GridQuery => {
  const current = query.order.find((sort) => sort.column === column)
  const others = further ? query.order.filter((sort) => sort.column !== column) : []
  const next: ReadonlyArray<Sort> =
    current === undefined
      ? [{ column, direction: "asc" }]
      : current.direction === "asc"
        ? [{ column, direction: "desc" }]
        : []
  return {
    ...query,
    order: [...others, ...next],
    terms: query.terms.filter((term) => !(term._tag === "Text" && term.name === "order"))
  }
}

/** The query with another term in the place of one, or without it. */
export const withTerm = (query: GridQuery, index: number, term: Term | undefined): GridQuery => ({
  ...query,
  terms: term === undefined ? query.terms.toSpliced(index, 1) : query.terms.toSpliced(index, 1, term)
})
