/** Parses queries, and makes the parts of the expected ones. */
import { assert, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type * as Filter from "../src/Filter.ts"
import type * as Order from "../src/Order.ts"
import * as Query from "../src/Query.ts"
import type * as Select from "../src/Select.ts"

export const parse = (search: string): Query.Query => Either.getOrThrow(Query.parse(Query.parameters(search)))
export const lenient = (search: string) => Query.parse(Query.parameters(search), { page: "lenient" })
export const none: Query.Query = { select: [], where: [], order: [], limit: undefined, offset: undefined }

export const path = (
  column: string,
  ...steps: ReadonlyArray<readonly ["->" | "->>", string | number]>
): Filter.Path => ({
  column,
  json: steps.map(([arrow, key]) => ({ arrow, key }))
})
export const compare = (column: Filter.Path | string, operator: Filter.Operator, value: string): Filter.Compare => ({
  _tag: "Compare",
  path: typeof column === "string" ? path(column) : column,
  negated: false,
  operator,
  value
})
export const eq = (column: Filter.Path) => [compare(column, "eq", "1")]
export const a1 = compare("a", "eq", "1")
export const b2 = compare("b", "gt", "2")
export const list = (column: string, ...values: ReadonlyArray<string>): Filter.Filter => ({
  _tag: "In",
  path: path(column),
  negated: false,
  values
})
export const is = (column: string, value: Filter.IsValue): Filter.Filter => ({
  _tag: "Is",
  path: path(column),
  negated: false,
  value
})
export const quantified = (
  operator: Filter.QuantifiableOperator,
  quantifier: Filter.Quantifier,
  ...values: ReadonlyArray<string>
): Filter.Filter => ({ _tag: "Quantified", path: path("a"), negated: false, operator, quantifier, values })
export const searches = (
  operator: Filter.SearchOperator,
  configuration: string | undefined,
  value: string
): Filter.Filter => ({
  _tag: "Search",
  path: path("a"),
  negated: false,
  operator,
  configuration,
  value
})
export const tree = (_tag: "And" | "Or", ...filters: ReadonlyArray<Filter.Filter>): Filter.Tree => ({
  _tag,
  negated: false,
  filters
})
export const field = (column: Filter.Path | string, more: Partial<Select.Field> = {}): Select.Field => ({
  _tag: "Field",
  path: typeof column === "string" ? path(column) : column,
  alias: undefined,
  cast: undefined,
  aggregate: undefined,
  ...more
})
export const count = (more: Partial<Select.Count> = {}): Select.Count => ({
  _tag: "Count",
  alias: undefined,
  cast: undefined,
  ...more
})
export const all: Select.All = { _tag: "All" }
export const embed = (
  resource: string,
  query: Partial<Query.Query>,
  more: Partial<Select.Embed> = {}
): Select.Embed => ({
  _tag: "Embed",
  resource,
  alias: undefined,
  hint: undefined,
  join: "left",
  spread: false,
  query: { ...none, ...query },
  ...more
})
export const term = (column: Filter.Path | string, more: Partial<Order.Order> = {}): Order.Order => ({
  path: typeof column === "string" ? path(column) : column,
  embed: undefined,
  direction: "asc",
  nulls: undefined,
  ...more
})

/** Tests that each text of a table is parsed as its data, and that the printed data is parsed again. */
export const reads = <A>(
  texts: ReadonlyArray<readonly [text: string, expected: A]>,
  query: (expected: A) => Query.Query
) => {
  it.each(texts)("%s", (text, expected) => {
    assert.deepStrictEqual(parse(text), query(expected))
    assert.deepStrictEqual(Query.parse(Query.toSearchParams(query(expected))), Either.right(query(expected)))
  })
}

export const filters = (where: ReadonlyArray<Filter.Filter>): Query.Query => ({ ...none, where })
export const select = (items: ReadonlyArray<Select.Item>): Query.Query => ({ ...none, select: items })
export const order = (terms: ReadonlyArray<Order.Order>): Query.Query => ({ ...none, order: terms })
