import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Filter from "../src/Filter.ts"
import type * as Order from "../src/Order.ts"
import * as Query from "../src/Query.ts"
import * as Select from "../src/Select.ts"
import * as Text from "../src/Text.ts"

const nasty = String.raw`
  " \" \ a\ ' , . : :: ( ) () { } {} [ * ! !inner - -> ->> a->b a-b -1 0 007 & = % %2C + # ? é 🔩 null NULL not and or
  not.and in is eq eq.1 any (any) order limit offset select columns on_conflict count count() inner left x.order a.or
  ...a {a,b} {a}b "a" "a"b {"a"} (a,"b)") a,b) id daysDue customFields
`
  .trim()
  .split(/\s+/)
  .concat("", " ", "\n", "\t", " a ", "a b")
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...nasty) },
  fc.string(),
  fc.string({ unit: "binary" }).filter((text) => Text.flaw(text) === undefined),
  fc.array(fc.constantFrom(...nasty), { maxLength: 3 }).map((parts) => parts.join(""))
)
/** Names of types and configurations have no quoted form. */
const identifier = fc.constantFrom("text", "double precision", "int4", "größe", "$a_1", "pg simple")
const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })

const step: fc.Arbitrary<Filter.Step> = fc.record({
  arrow: fc.constantFrom("->", "->>"),
  key: fc.oneof(text, fc.integer({ min: -999_999_999, max: 999_999_999 }))
})
const path: fc.Arbitrary<Filter.Path> = fc.record({
  column: text,
  json: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(step, { maxLength: 3 }))
})

const leaf = { path, negated: fc.boolean() }
const { filter }: { readonly filter: fc.Arbitrary<Filter.Filter> } = fc.letrec<{
  readonly filter: Filter.Filter
  readonly tree: Filter.Tree
}>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record<Filter.Compare>({
      _tag: fc.constant("Compare"),
      ...leaf,
      operator: fc.constantFrom(...Filter.operators),
      value: text
    }),
    fc.record<Filter.Quantified>({
      _tag: fc.constant("Quantified"),
      ...leaf,
      operator: fc.constantFrom(...Filter.quantifiableOperators),
      quantifier: fc.constantFrom(...Filter.quantifiers),
      values: fc.array(text, { maxLength: 4 })
    }),
    fc.record<Filter.In>({ _tag: fc.constant("In"), ...leaf, values: fc.array(text, { maxLength: 4 }) }),
    fc.record<Filter.Is>({ _tag: fc.constant("Is"), ...leaf, value: fc.constantFrom(...Filter.isValues) }),
    fc.record<Filter.Search>({
      _tag: fc.constant("Search"),
      ...leaf,
      operator: fc.constantFrom(...Filter.searchOperators),
      configuration: maybe(identifier),
      value: text
    }),
    tie("tree")
  ),
  tree: fc.record<Filter.Tree>({
    _tag: fc.constantFrom("And", "Or"),
    negated: fc.boolean(),
    filters: fc.array(tie("filter"), { minLength: 1, maxLength: 4 })
  })
}))

const count = maybe(fc.oneof(fc.nat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER)))
const all: fc.Arbitrary<Select.All> = fc.record({ _tag: fc.constant("All") })
const field = fc.record<Select.Field>({
  _tag: fc.constant("Field"),
  path,
  alias: maybe(text),
  cast: maybe(identifier),
  aggregate: maybe(fc.record({ function: fc.constantFrom(...Select.aggregates), cast: maybe(identifier) }))
})
const counting = fc.record<Select.Count>({
  _tag: fc.constant("Count"),
  alias: maybe(text),
  cast: maybe(identifier)
})
const embed = (query: fc.Arbitrary<Query.Query>): fc.Arbitrary<Select.Embed> =>
  fc
    .record<Select.Embed>({
      _tag: fc.constant("Embed"),
      resource: text,
      alias: maybe(text),
      hint: maybe(text),
      join: fc.constantFrom("left", "inner"),
      spread: fc.boolean(),
      query
    })
    .filter(({ alias, spread }) => !spread || alias === undefined)

const order = (embeds: ReadonlyArray<string>): fc.Arbitrary<ReadonlyArray<Order.Order>> =>
  fc.array(
    fc.record<Order.Order>({
      path,
      embed: embeds.length === 0 ? fc.constant(undefined) : maybe(fc.constantFrom(...embeds)),
      direction: fc.constantFrom("asc", "desc"),
      nulls: fc.constantFrom(undefined, "first", "last")
    }),
    { maxLength: 3 }
  )

const { query }: { readonly query: fc.Arbitrary<Query.Query> } = fc.letrec<{ readonly query: Query.Query }>((tie) => ({
  query: fc
    .tuple(
      fc.array(fc.oneof({ depthSize: "small" }, all, field, counting), { maxLength: 3 }),
      // Embeds of one level have different names.
      fc.oneof(
        { depthSize: "small" },
        fc.constant([]),
        fc.uniqueArray(embed(tie("query")), { maxLength: 3, selector: ({ alias, resource }) => alias ?? resource })
      )
    )
    .chain(([columns, embeds]) =>
      fc.record<Query.Query>({
        select: fc.shuffledSubarray<Select.Item>([...columns, ...embeds], {
          minLength: columns.length + embeds.length
        }),
        where: fc.array(filter, { maxLength: 3 }),
        order: order(embeds.map(({ alias, resource }) => alias ?? resource)),
        limit: count,
        offset: count
      })
    )
}))

const filtersOf = (filters: ReadonlyArray<Filter.Filter>): number =>
  filters.reduce((sum, filter) => sum + 1 + ("filters" in filter ? filtersOf(filter.filters) : 0), 0)
const size = (query: Query.Query): number =>
  filtersOf(query.where) + query.select.reduce((sum, item) => sum + (item._tag === "Embed" ? size(item.query) : 0), 0)

const tags = new Set<string>()
const note = (query: Query.Query): void => {
  const filters = (list: ReadonlyArray<Filter.Filter>): void => {
    for (const filter of list) {
      tags.add(filter._tag)
      if ("filters" in filter) filters(filter.filters)
    }
  }
  filters(query.where)
  for (const item of query.select) {
    tags.add(item._tag)
    if (item._tag === "Embed") note(item.query)
  }
}

describe("Query", () => {
  it("parse reads the parameters of toSearchParams: 1200 queries of every kind", () => {
    fc.assert(
      fc.property(query, (query) => {
        fc.pre(size(query) <= 200)
        note(query)
        const search = String(Query.toSearchParams(query))
        assert.deepStrictEqual(Query.parse(Query.parameters(search)), Either.right(query))
      }),
      { numRuns: 1200 }
    )
    const kinds = ["All", "And", "Compare", "Count", "Embed", "Field", "In", "Is", "Or", "Quantified", "Search"]
    assert.deepStrictEqual([...tags].toSorted(), kinds)
  }, 300_000)

  it("parse returns for any text, and its queries survive a round trip", () => {
    const piece = fc.constantFrom(
      ...nasty,
      "a",
      "b",
      "rel",
      ".",
      ",",
      "(",
      ")",
      "eq.",
      "like(any).",
      ".desc",
      "rel(",
      "rel."
    )
    const noise = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""))
    const name = fc.oneof(
      fc.constantFrom("select", "order", "or", "not.and", "rel.or", "rel.order", "limit", "a"),
      noise
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, noise), { maxLength: 4 }),
        fc.constantFrom("strict" as const, "lenient" as const),
        (pairs, page) => {
          const read = Query.parse(pairs, { page })
          if (Either.isLeft(read))
            assert.include(
              ["QueryMalformed", "NotEmbedded", "EmbedRepeated", "ListMalformed", "LimitNegative"],
              read.left._tag
            )
          else assert.deepStrictEqual(Query.parse(Query.toSearchParams(read.right)), read)
        }
      ),
      { numRuns: 2500 }
    )
  }, 300_000)
})

describe("hostile input is parsed in time", () => {
  const million = 1_000_000
  const cases: ReadonlyArray<readonly [name: string, parameters: ReadonlyArray<readonly [string, string]>]> = [
    ["a long value", [["a", `eq.${"x".repeat(million)}`]]],
    ["a long name", [["a".repeat(million), "eq.1"]]],
    ["a long name of dashes", [["a-".repeat(million / 2), "eq.1"]]],
    ["a long way", [["a.".repeat(million / 2), "eq.1"]]],
    ["many arrows", [["a->b".repeat(million / 4), "eq.1"]]],
    ["no operator", [["a", "x".repeat(million)]]],
    ["blanks", [["select", " ".repeat(million)]]],
    ["blanks before nothing", [["or", `(${" ".repeat(million)}`]]],
    ["quotes that never close", [["a", `in.(${'"a,'.repeat(million / 3)}`]]],
    ["escapes that never end", [["select", `"${"\\".repeat(million)}`]]],
    ["escaped names", [["select", `"${"\\a".repeat(million / 2)}"`]]],
    ["a long list", [["a", `in.(${"x,".repeat(million / 2)})`]]],
    ["a long array", [["a", `eq(any).{${"x,".repeat(million / 2)}x}`]]],
    ["an array of blanks", [["a", `eq(any).{x${" ".repeat(million)}`]]],
    ["an array of backslashes", [["a", `eq(any).{${"\\".repeat(million)} `]]],
    ["backslashes before a letter", [["a", `eq(any).{${"\\".repeat(million)}x }`]]],
    ["braces", [["or", `(a.cs.${"{".repeat(million)})`]]],
    ["an array in a tree", [["or", `(a.cs.{${"x,".repeat(million / 2)}`]]],
    ["10 000 brackets", [["or", "(".repeat(10_000)]]],
    ["10 000 trees", [["or", `${"(and".repeat(10_000)}(`]]],
    ["10 000 nots", [["or", `(${"not.".repeat(10_000)}`]]],
    ["10 000 embeds", [["select", "a(".repeat(10_000)]]],
    ["10 000 casts", [["select", `a${"::a".repeat(10_000)}`]]],
    ["half a million items", [["select", `a${",a".repeat(million / 2)}`]]],
    ["half a million terms", [["order", `a${",a".repeat(million / 2)}`]]],
    ["a million parameters", Array.from({ length: million }, () => ["a", "eq.1"] as const)],
    ["100 000 limits", Array.from({ length: 100_000 }, () => ["limit", "1"] as const)],
    ["a long number", [["limit", "9".repeat(million)]]],
    ["a long truth", [["a", `is.${"null".repeat(million / 4)}`]]],
    ["a long configuration", [["a", `fts(${"a ".repeat(million / 2)}`]]],
    ["characters beyond the basic plane", [["order", `${"𝒳".repeat(million / 2)}!`]]]
  ]
  it.each(cases)("%s", (_, parameters) => {
    const start = performance.now()
    const read = Query.parse(parameters)
    if (Either.isLeft(read)) assert.isString(`${read.left.message}${read.left.details}`)
    // Linear input takes well under a second; anything quadratic takes minutes.
    assert.isBelow(performance.now() - start, 10_000)
  })
})
