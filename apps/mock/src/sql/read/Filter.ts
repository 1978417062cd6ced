/**
 * Compiles conditions to SQL, whose logic has three values: a row matches when its condition is true, and not when it is
 * null.
 */
import { type Condition, holdsObject, isEmpty, type Related } from "./Condition.ts"
import { kindOf } from "./Target.ts"
import type { Dialect } from "../Dialect.ts"
import * as Pattern from "../text/Pattern.ts"
import { chain, type Fragment, commonTable, join, sql, text } from "../Statement.ts"
import * as Table from "../Table.ts"

type Leaf = Exclude<Condition, { readonly _tag: "And" | "Or" | "Not" }>

const symbols = {
  eq: text("="),
  neq: text("<>"),
  gt: text(">"),
  gte: text(">="),
  lt: text("<"),
  lte: text("<="),
  isdistinct: text("IS DISTINCT FROM")
} as const

/** One value, or a row value of several. */
const tuple = (values: ReadonlyArray<Fragment>): Fragment => {
  const [only] = values
  return only !== undefined && values.length === 1 ? only : sql`(${join(values, ", ")})`
}

/** Applies an operator to the equality of two values that contain objects. */
const compareObjects = (operator: keyof typeof symbols, equal: Fragment): Fragment => {
  switch (operator) {
    case "neq":
      return sql`NOT (${equal})`
    case "isdistinct":
      return sql`(${equal}) IS NOT TRUE`
    default:
      return equal
  }
}

const leaf = (dialect: Dialect, row: Fragment, condition: Leaf): Fragment => {
  if (condition._tag === "Exists") return exists(dialect, row, condition.related)
  if (condition._tag === "Unchanged") return unchanged(dialect, row, condition)
  const { target } = condition
  switch (condition._tag) {
    case "Compare": {
      const { operator, value } = condition
      const kind = kindOf(target)
      const symbol = symbols[operator]
      if (holdsObject(value)) return compareObjects(operator, dialect.equals(row, target, value))
      return operator === "eq" || operator === "neq" || operator === "isdistinct"
        ? sql`${dialect.operand(row, target)} ${symbol} ${dialect.constant(kind, value)}`
        : sql`${tuple(dialect.sortKeys(row, target))} ${symbol} ${tuple(dialect.sortConstants(kind, value))}`
    }
    case "OneOf":
      return dialect.among(row, target, condition.values)
    case "Is": {
      const { value } = condition
      return sql`(${dialect.operand(row, target)}) IS ${text(value === "unknown" ? "NULL" : value.toUpperCase())}`
    }
    case "Like":
      return dialect.like(dialect.operand(row, target), condition.pattern, condition.foldCase)
    case "Match": {
      const { foldCase, pattern } = condition
      return dialect.matches(dialect.operand(row, target), Pattern.toRegExp(pattern, foldCase), foldCase)
    }
    case "Contains":
      return dialect.contains(row, target, condition.value)
    case "ContainedBy":
      return dialect.containedBy(row, target, condition.value)
    case "Overlaps":
      return dialect.overlaps(row, target, condition.value)
  }
}

/** `CASE` evaluates the conditions for changed rows only. */
const unchanged = (
  dialect: Dialect,
  row: Fragment,
  { otherwise, rows, target }: Extract<Condition, { readonly _tag: "Unchanged" }>
): Fragment => {
  const state = sql`(${dialect.operand(row, target)}, ${Table.column(row, Table.revision)})`
  const known = dialect.records(
    [
      { name: "key", type: "text" },
      { name: "revision", type: "number" }
    ],
    rows.map(([key, revision]) => ({ key, revision }))
  )
  return sql`CASE WHEN ${state} IN (SELECT "row"."key", "row"."revision" FROM ${known}) THEN TRUE ELSE ${toSql(dialect, row, otherwise)} END`
}

/** Estimates the space that a condition takes on the parser's stack. */
const weigh = (condition: Condition): number => {
  switch (condition._tag) {
    case "And":
    case "Or":
      return 1 + Math.max(0, ...condition.conditions.map(weigh))
    case "Not":
      return weigh(condition.condition)
    case "Contains":
    case "ContainedBy":
    case "Overlaps":
      return 30
    case "Exists":
      return 10
    case "Unchanged":
      return 10 + Math.max(0, ...condition.otherwise.map(weigh))
    case "Compare":
      return holdsObject(condition.value) ? 30 : 5
    case "OneOf":
      return condition.values.some(holdsObject) ? 30 : 5
    default:
      return 5
  }
}

const heaviestFirst = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  conditions.length < 2 ? conditions : conditions.toSorted((one, other) => weigh(other) - weigh(one))

/** Combines equalities with one target into a list: the cost of a chain of OR grows with the square of its length. */
const oneOf = (conditions: ReadonlyArray<Condition>): Leaf | undefined => {
  const [first] = conditions
  if (first?._tag !== "Compare") return undefined
  const { target } = first
  const values = conditions.flatMap((one) =>
    one._tag === "Compare" && one.operator === "eq" && one.target === target ? [one.value] : []
  )
  return values.length === conditions.length ? { _tag: "OneOf", target, values } : undefined
}

const opposite = { And: "Or", Or: "And" } as const

/**
 * Compiles a condition with its negation moved down to the leaves, which does not change its value. The deepest branch
 * is written first: SQLite's parser has a stack of 100 symbols, on which everything before an open bracket stays until
 * the bracket closes.
 */
const compile = (dialect: Dialect, row: Fragment, condition: Condition, isNegated: boolean): Fragment => {
  switch (condition._tag) {
    case "Not":
      return compile(dialect, row, condition.condition, !isNegated)
    case "And":
    case "Or": {
      const list = condition._tag === "Or" ? oneOf(condition.conditions) : undefined
      if (list !== undefined) return compile(dialect, row, list, isNegated)
      const operator = isNegated ? opposite[condition._tag] : condition._tag
      if (condition.conditions.length === 0) return text(operator === "And" ? "TRUE" : "FALSE")
      const parts = heaviestFirst(condition.conditions).map((part) => compile(dialect, row, part, isNegated))
      return chain(parts, operator === "And" ? " AND " : " OR ")
    }
    default: {
      const fragment = leaf(dialect, row, condition)
      return isNegated ? sql`NOT (${fragment})` : sql`(${fragment})`
    }
  }
}

/** Tests whether a row, named as in the statement, matches all conditions. */
export const toSql = (dialect: Dialect, row: Fragment, conditions: ReadonlyArray<Condition>): Fragment =>
  compile(dialect, row, { _tag: "And", conditions }, false)

/** Selects the first row by key of those that share a field, where a relation to one row uses a field that is not unique. */
const isFirst = ({ cardinality, field, owned }: Related): ReadonlyArray<Fragment> => {
  const { key } = owned.resource
  if (cardinality === "many" || field === key) return []
  const [row, other] = [Table.name(owned.resource), text(`"other"`)]
  const isSame = sql`${Table.column(other, field)} = ${Table.column(row, field)}`
  const isBefore = sql`${Table.column(other, key)} < ${Table.column(row, key)}`
  return [sql`NOT EXISTS (SELECT 1 FROM ${Table.from(owned, other)} WHERE ${isSame} AND ${isBefore})`]
}

/** The rows that are related to any row, as a common table expression. */
export const related = (dialect: Dialect, rows: Related): Fragment => {
  const { id, owned, where } = rows
  const matches = isEmpty(rows)
    ? text("FALSE")
    : join([...isFirst(rows), toSql(dialect, Table.name(owned.resource), where)], " AND ")
  return commonTable(`_${id}`, sql`SELECT * FROM ${Table.from(owned)} WHERE ${matches}`, "inline")
}

/** A subquery over the rows that are related to one row; `select` receives the name of the related row. */
export const relatedTo = (
  dialect: Dialect,
  row: Fragment,
  rows: Related,
  select: (row: Fragment) => Fragment
): Fragment => {
  const found = related(dialect, rows)
  const isRelated = sql`${Table.column(found, rows.field)} = ${Table.column(row, rows.column)}`
  return sql`(SELECT ${select(found)} FROM ${found} WHERE ${isRelated})`
}

/** Tests whether a row has related rows; never null. */
const exists = (dialect: Dialect, row: Fragment, rows: Related): Fragment =>
  rows.offset === 0
    ? sql`EXISTS ${relatedTo(dialect, row, rows, () => text("1"))}`
    : sql`${relatedTo(dialect, row, rows, () => text("count(*)"))} > ${rows.offset}`
