/**
 * Memoizes the text of statements whose conditions compare columns with values: it depends on the columns, the operators
 * and the order, and only the parameters are new. To compile a page, and to find its prepared statement by a new text, takes
 * a seventh of the time of a filtered list.
 */
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Json } from "@mfgdata/domain/Json"
import type { Dialect } from "../Dialect.ts"
import type { OwnedTable } from "../Owner.ts"
import type { Parameter, Statement } from "../Statement.ts"
import * as Table from "../Table.ts"
import type { Condition } from "./Condition.ts"
import type { OrderTerm } from "./Order.ts"
import { isInDocument, type Target } from "./Target.ts"

/** A statement of one row that reads the rows of an owner, and then their conditions. */
export interface Options {
  /** The name of the statement, for which everything in the text but conditions and order is the same. */
  readonly name: string
  readonly owned: OwnedTable
  readonly where: ReadonlyArray<Condition>
  readonly order: ReadonlyArray<OrderTerm>
  /** The parameters after those of the conditions. */
  readonly last: ReadonlyArray<Parameter>
}

type Comparison = Extract<Condition, { readonly _tag: "Compare" }>

/** JSON is compared by its path, which is a parameter too. */
const isPlain = (target: Target): boolean =>
  !isInDocument(target) && target.column.type !== "object" && target.column.type !== "array"

const isComparison = (condition: Condition): condition is Comparison =>
  condition._tag === "Compare" && isPlain(condition.target) && typeof condition.value !== "object"

/** The maximum number of conditions and terms of a memoized statement, and of the statements of a resource. */
const mostParts = 8
const capacity = 128

const shapeOf = (name: string, where: ReadonlyArray<Comparison>, order: ReadonlyArray<OrderTerm>): string => {
  let shape = name
  for (const { operator, target } of where) shape += ` ${operator} ${target.column.name}`
  for (const { direction, nulls, target } of order) shape += ` ${direction} ${nulls} ${target.column.name}`
  return shape
}

const textsOf = Memo.make((_dialect: Dialect) => Memo.make((_resource: Resource.Any) => new Map<string, string>()))

/** The statement, compiled by `compile` unless its text is known. */
export const make = (
  dialect: Dialect,
  { last, name, order, owned, where }: Options,
  compile: () => Statement
): Statement => {
  const isKept =
    owned.owner.asOf === undefined &&
    where.length + order.length <= mostParts &&
    where.every(isComparison) &&
    order.every(({ target, through }) => through === undefined && isPlain(target))
  if (!isKept) return compile()
  const texts = textsOf(dialect)(owned.resource)
  const shape = shapeOf(name, where, order)
  const text = texts.get(shape)
  if (text !== undefined) {
    const valueOf = ({ target, value }: { readonly target: Target; readonly value: Json }) =>
      dialect.parameter(target.column.type, value)
    return { text, isSingle: true, parameters: [...Table.ownerValues(owned), ...where.map(valueOf), ...last] }
  }
  const compiled = compile()
  if (texts.size === capacity) texts.clear()
  texts.set(shape, compiled.text)
  return compiled
}
