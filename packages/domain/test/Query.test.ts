import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Filter from "../src/Filter.ts"
import type * as Order from "../src/Order.ts"
import * as Query from "../src/Query.ts"
import type * as Select from "../src/Select.ts"

const parse = (search: string): Query.Query => Either.getOrThrow(Query.parse(Query.parameters(search)))
const lenient = (search: string) => Query.parse(Query.parameters(search), { page: "lenient" })
const none: Query.Query = { select: [], where: [], order: [], limit: undefined, offset: undefined }

const path = (column: string, ...steps: ReadonlyArray<readonly ["->" | "->>", string | number]>): Filter.Path => ({
  column,
  json: steps.map(([arrow, key]) => ({ arrow, key }))
})
const compare = (column: Filter.Path | string, operator: Filter.Operator, value: string): Filter.Compare => ({
  _tag: "Compare",
  path: typeof column === "string" ? path(column) : column,
  negated: false,
  operator,
  value
})
const eq = (column: Filter.Path) => [compare(column, "eq", "1")]
const a1 = compare("a", "eq", "1")
const b2 = compare("b", "gt", "2")
const list = (column: string, ...values: ReadonlyArray<string>): Filter.Filter => ({
  _tag: "In",
  path: path(column),
  negated: false,
  values
})
const is = (column: string, value: Filter.IsValue): Filter.Filter => ({
  _tag: "Is",
  path: path(column),
  negated: false,
  value
})
const quantified = (
  operator: Filter.QuantifiableOperator,
  quantifier: Filter.Quantifier,
  ...values: ReadonlyArray<string>
): Filter.Filter => ({ _tag: "Quantified", path: path("a"), negated: false, operator, quantifier, values })
const searches = (
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
const tree = (_tag: "And" | "Or", ...filters: ReadonlyArray<Filter.Filter>): Filter.Tree => ({
  _tag,
  negated: false,
  filters
})
const field = (column: Filter.Path | string, more: Partial<Select.Field> = {}): Select.Field => ({
  _tag: "Field",
  path: typeof column === "string" ? path(column) : column,
  alias: undefined,
  cast: undefined,
  aggregate: undefined,
  ...more
})
const count = (more: Partial<Select.Count> = {}): Select.Count => ({
  _tag: "Count",
  alias: undefined,
  cast: undefined,
  ...more
})
const all: Select.All = { _tag: "All" }
const embed = (resource: string, query: Partial<Query.Query>, more: Partial<Select.Embed> = {}): Select.Embed => ({
  _tag: "Embed",
  resource,
  alias: undefined,
  hint: undefined,
  join: "left",
  spread: false,
  query: { ...none, ...query },
  ...more
})
const term = (column: Filter.Path | string, more: Partial<Order.Order> = {}): Order.Order => ({
  path: typeof column === "string" ? path(column) : column,
  embed: undefined,
  direction: "asc",
  nulls: undefined,
  ...more
})

/** Tests that each text of a table is parsed as its data, and that the printed data is parsed again. */
const reads = <A>(texts: ReadonlyArray<readonly [text: string, expected: A]>, query: (expected: A) => Query.Query) => {
  it.each(texts)("%s", (text, expected) => {
    assert.deepStrictEqual(parse(text), query(expected))
    assert.deepStrictEqual(Query.parse(Query.toSearchParams(query(expected))), Either.right(query(expected)))
  })
}

const filters = (where: ReadonlyArray<Filter.Filter>): Query.Query => ({ ...none, where })
const select = (items: ReadonlyArray<Select.Item>): Query.Query => ({ ...none, select: items })
const order = (terms: ReadonlyArray<Order.Order>): Query.Query => ({ ...none, order: terms })

describe("filters", () => {
  for (const operator of Filter.operators) {
    reads([[`a=${operator}.x`, [compare("a", operator, "x")]]], filters)
    reads([[`a=not.${operator}.x`, [{ ...compare("a", operator, "x"), negated: true }]]], filters)
    reads([[`or=(a.${operator}.x,b.gt.2)`, [tree("Or", compare("a", operator, "x"), b2)]]], filters)
  }
  for (const operator of Filter.quantifiableOperators) {
    reads([[`a=${operator}(any).{x,y}`, [quantified(operator, "any", "x", "y")]]], filters)
    reads([[`a=${operator}(all).{x,y}`, [quantified(operator, "all", "x", "y")]]], filters)
    reads([[`and=(a.${operator}(any).{x,y})`, [tree("And", quantified(operator, "any", "x", "y"))]]], filters)
  }
  for (const operator of Filter.searchOperators) {
    reads([[`a=${operator}.net weight`, [searches(operator, undefined, "net weight")]]], filters)
    reads([[`a=${operator}(english).net`, [searches(operator, "english", "net")]]], filters)
    reads([[`or=(a.${operator}(pg simple).net)`, [tree("Or", searches(operator, "pg simple", "net"))]]], filters)
  }
  for (const truth of Filter.isValues) {
    reads([[`a=is.${truth}`, [is("a", truth)]]], filters)
    reads([[`a=is.${truth.toUpperCase()}`, [is("a", truth)]]], filters)
    reads([[`or=(a.is.${truth},b.gt.2)`, [tree("Or", is("a", truth), b2)]]], filters)
  }
  reads(
    [
      ["a=eq.1&b=gt.2", [a1, b2]],
      ["a=gt.1&a=lt.5", [compare("a", "gt", "1"), compare("a", "lt", "5")]],
      ["a=eq.", [compare("a", "eq", "")]],
      ["a=eq.null", [compare("a", "eq", "null")]],
      ["a=not.is.null", [{ ...is("a", "null"), negated: true }]],
      ["a=isdistinct.null", [compare("a", "isdistinct", "null")]],
      ["a=like.%25x*_", [compare("a", "like", "%x*_")]]
    ],
    filters
  )
})

describe("values of parameters are read literally", () => {
  reads(
    [
      ["a=eq.x,y", [compare("a", "eq", "x,y")]],
      ['a=eq."x"', [compare("a", "eq", '"x"')]],
      ["a=eq.x.y(z)", [compare("a", "eq", "x.y(z)")]],
      ["a=eq. x ", [compare("a", "eq", " x ")]],
      ["a=eq.x+y%2Bz", [compare("a", "eq", "x y+z")]],
      ["a=eq.%2525", [compare("a", "eq", "%25")]],
      ["a=eq.b=eq.c", [compare("a", "eq", "b=eq.c")]],
      ["a=eq.%C3%A9%F0%9F%94%A9", [compare("a", "eq", "é🔩")]],
      ['a=cs.{"a":1}', [compare("a", "cs", '{"a":1}')]],
      ["a=eq.x%0Ay", [compare("a", "eq", "x\ny")]]
    ],
    filters
  )
})

describe("lists", () => {
  reads(
    [
      ["a=in.(x,y)", [list("a", "x", "y")]],
      ["a=not.in.(x,y)", [{ ...list("a", "x", "y"), negated: true }]],
      ["a=in.()", [list("a")]],
      ["a=in.(   )", [list("a")]],
      ['a=in.("")', [list("a", "")]],
      ["a=in.( ,3)", [list("a", "", "3")]],
      ["a=in.(x, y )", [list("a", "x", " y ")]],
      ['a=in.("x,y","d(e)")', [list("a", "x,y", "d(e)")]],
      ['a=in.("a\\"b","c\\\\d","\\e")', [list("a", 'a"b', "c\\d", "e")]],
      ["a=in.(x\\y)", [list("a", "x\\y")]],
      ['a=in.(Double"Quote")', [list("a", 'Double"Quote"')]],
      ['a=in.("x"y,"z" )', [list("a", '"x"y', '"z" ')]],
      ["a=in.(a(b,c)", [list("a", "a(b", "c")]],
      ["a=in.({x,y})", [list("a", "{x", "y}")]],
      ["or=(a.in.(x,y),b.gt.2)", [tree("Or", list("a", "x", "y"), b2)]],
      ["or=(a.in.(), b.gt.2)", [tree("Or", list("a"), b2)]]
    ],
    filters
  )
})

describe("lists of any and all", () => {
  reads(
    [
      ["a=eq(any).{}", [quantified("eq", "any")]],
      ['a=eq(any).{"x,y", z w ,""}', [quantified("eq", "any", "x,y", "z w", "")]],
      ['a=not.like(all).{%25a%25,"b\\"*"}', [{ ...quantified("like", "all", "%a%", 'b"*'), negated: true }]],
      ['or=(a.eq(any)."{\\"x}\\"}")', [tree("Or", quantified("eq", "any", "x}"))]]
    ],
    filters
  )
})

describe("trees", () => {
  reads(
    [
      ["or=(a.eq.1)", [tree("Or", a1)]],
      ["and=(a.eq.1,b.gt.2)", [tree("And", a1, b2)]],
      ["or=(a.eq.1,b.gt.2)&or=(b.gt.2)", [tree("Or", a1, b2), tree("Or", b2)]],
      ["not.and=(a.eq.1)", [{ ...tree("And", a1), negated: true }]],
      ["not.or=(a.eq.1)", [{ ...tree("Or", a1), negated: true }]],
      ["or=(a.eq.1,and(b.gt.2,or(a.eq.1)))", [tree("Or", a1, tree("And", b2, tree("Or", a1)))]],
      [
        "or=(a.not.eq.1,not.and(b.gt.2))",
        [tree("Or", { ...a1, negated: true }, { ...tree("And", b2), negated: true })]
      ],
      [
        "and=( a.is.null , or( b.in.(1) , not.or ( a.is.true ) ) ) ",
        [tree("And", is("a", "null"), tree("Or", list("b", "1"), { ...tree("Or", is("a", "true")), negated: true }))]
      ],
      ["or=(a.eq.1 ,b.gt.2)", [tree("Or", compare("a", "eq", "1 "), b2)]],
      ['or=(a.eq."x,y)",b.gt.2)', [tree("Or", compare("a", "eq", "x,y)"), b2)]],
      ['or=(a.eq."x"y)', [tree("Or", compare("a", "eq", '"x"y'))]],
      ["or=(a.eq.,b.gt.2)", [tree("Or", compare("a", "eq", ""), b2)]],
      ["or=(a.cs.{1,2},b.gt.2)", [tree("Or", compare("a", "cs", "{1,2}"), b2)]],
      ['or=(a.cs."{\\"x\\":{\\"y\\":1}}")', [tree("Or", compare("a", "cs", '{"x":{"y":1}}'))]],
      ["or=(a->b->>c.eq.1)", [tree("Or", compare(path("a", ["->", "b"], ["->>", "c"]), "eq", "1"))]],
      [
        "or=(not.eq.1,and.eq.2,or.is.null)",
        [tree("Or", compare("not", "eq", "1"), compare("and", "eq", "2"), is("or", "null"))]
      ],
      [
        "or=(order.eq.1,oranges.eq.2,notes.eq.3)",
        [tree("Or", compare("order", "eq", "1"), compare("oranges", "eq", "2"), compare("notes", "eq", "3"))]
      ],
      ['or=("a.b".eq.1)', [tree("Or", compare("a.b", "eq", "1"))]]
    ],
    filters
  )
})

describe("names and paths", () => {
  reads(
    [
      ["snake_case$1=eq.1", eq(path("snake_case$1"))],
      ["with-dash=eq.1", eq(path("with-dash"))],
      [" with blanks =eq.1", eq(path("with blanks"))],
      ['" kept "=eq.1', eq(path(" kept "))],
      ['"a.b"=eq.1', eq(path("a.b"))],
      ['"a\\"b\\\\"=eq.1', eq(path('a"b\\'))],
      ["größe=eq.1", eq(path("größe"))],
      ['"order"=eq.1', eq(path("order"))],
      ['"select"=eq.1', eq(path("select"))],
      ['"x.limit"=eq.1', eq(path("x.limit"))],
      ['""=eq.1', eq(path(""))],
      ["a->b=eq.1", eq(path("a", ["->", "b"]))],
      ["a->>b=eq.1", eq(path("a", ["->>", "b"]))],
      ["a->0->>-1=eq.1", eq(path("a", ["->", 0], ["->>", -1]))],
      ["a->-0=eq.1", eq(path("a", ["->", 0]))],
      ["a->1x->x-1=eq.1", eq(path("a", ["->", "1x"], ["->", "x-1"]))],
      ["a->!@#$%^*_a=eq.1".replaceAll("%", "%25").replaceAll("#", "%23"), eq(path("a", ["->", "!@#$%^*_a"]))],
      ['a->"b.c"->>"0"=eq.1', eq(path("a", ["->", "b.c"], ["->>", "0"]))]
    ],
    filters
  )
})

describe("select", () => {
  reads(
    [
      ["select=", []],
      ["select=*", [all]],
      ["select=id,name", [field("id"), field("name")]],
      ["select= id , name ", [field("id"), field("name")]],
      ["select= ", []],
      ['select=id, *, "a" ::text', [field("id"), all, field("a", { cast: "text" })]],
      ["select=days:daysDue", [field("daysDue", { alias: "days" })]],
      ['select="a:b":"c,d"', [field("c,d", { alias: "a:b" })]],
      ["select=a::text", [field("a", { cast: "text" })]],
      ["select=b:a::double precision", [field("a", { alias: "b", cast: "double precision" })]],
      ["select=a->b->>0,a->c", [field(path("a", ["->", "b"], ["->>", 0])), field(path("a", ["->", "c"]))]],
      ["select=x:a->>b::int", [field(path("a", ["->>", "b"]), { alias: "x", cast: "int" })]],
      ["select=a->0::int", [field(path("a", ["->", 0]), { cast: "int" })]],
      ["select=count()", [count()]],
      ["select=n:count()::text", [count({ alias: "n", cast: "text" })]],
      [
        "select=count,counter,a.count()",
        [field("count"), field("counter"), field("a", { aggregate: { function: "count", cast: undefined } })]
      ],
      [
        "select=s:a::int.sum()::text",
        [field("a", { alias: "s", cast: "int", aggregate: { function: "sum", cast: "text" } })]
      ],
      [
        "select=a->b.avg(),a.min(),a.max()",
        [
          field(path("a", ["->", "b"]), { aggregate: { function: "avg", cast: undefined } }),
          field("a", { aggregate: { function: "min", cast: undefined } }),
          field("a", { aggregate: { function: "max", cast: undefined } })
        ]
      ],
      ["select=rel()", [embed("rel", {})]],
      ["select=rel(*),id", [embed("rel", { select: [all] }), field("id")]],
      ["select=rel( id , inner ( * ) )", [embed("rel", { select: [field("id"), embed("inner", { select: [all] })] })]],
      ["select=rel(a->0)", [embed("rel", { select: [field(path("a", ["->", 0]))] })]],
      ["select=x:rel(id)", [embed("rel", { select: [field("id")] }, { alias: "x" })]],
      ["select=rel!hint(id)", [embed("rel", { select: [field("id")] }, { hint: "hint" })]],
      ["select=rel!inner(id)", [embed("rel", { select: [field("id")] }, { join: "inner" })]],
      ["select=rel!left(id)", [embed("rel", { select: [field("id")] })]],
      ["select=rel!leftover(id)", [embed("rel", { select: [field("id")] }, { hint: "leftover" })]],
      ['select=rel!"inner"(id)', [embed("rel", { select: [field("id")] }, { hint: "inner" })]],
      [
        "select=x:rel!hint!inner(id)",
        [embed("rel", { select: [field("id")] }, { alias: "x", hint: "hint", join: "inner" })]
      ],
      [
        "select=x:rel!inner!hint(id)",
        [embed("rel", { select: [field("id")] }, { alias: "x", hint: "hint", join: "inner" })]
      ],
      [
        "select=...rel!hint!inner(id,x:a)",
        [
          embed(
            "rel",
            { select: [field("id"), field("a", { alias: "x" })] },
            { spread: true, hint: "hint", join: "inner" }
          )
        ]
      ],
      ['select="count"()', [embed("count", {})]]
    ],
    select
  )

  it("uses the first of several", () => {
    assert.deepStrictEqual(parse("select=a&select=b").select, [field("a")])
  })
})

describe("order", () => {
  reads(
    [
      ["order=a", [term("a")]],
      ["order=a.asc,b.desc", [term("a"), term("b", { direction: "desc" })]],
      ["order= a.desc , b ", [term("a", { direction: "desc" }), term("b")]],
      ["order=a.nullsfirst", [term("a", { nulls: "first" })]],
      ["order=a.desc.nullslast", [term("a", { direction: "desc", nulls: "last" })]],
      ["order=a->b->>0.desc", [term(path("a", ["->", "b"], ["->>", 0]), { direction: "desc" })]],
      ['order="a.desc".desc', [term("a.desc", { direction: "desc" })]],
      ["order=a&order=b", [term("a"), term("b")]]
    ],
    order
  )

  it("by a column of an embed", () => {
    assert.deepStrictEqual(parse("select=rel()&order=rel(a->b).desc.nullsfirst,id").order, [
      term(path("a", ["->", "b"]), { embed: "rel", direction: "desc", nulls: "first" }),
      term("id")
    ])
  })
})

describe("parameters address embeds by alias or name", () => {
  const rel = (query: Partial<Query.Query>) => [embed("rel", { select: [all], ...query })]
  reads(
    [
      ["select=rel(*)&rel.a=eq.1", rel({ where: [a1] })],
      ["rel.a=eq.1&select=rel(*)", rel({ where: [a1] })],
      ["select=rel(*)&rel.or=(a.eq.1)", rel({ where: [tree("Or", a1)] })],
      ["select=rel(*)&rel.not.and=(a.eq.1)", rel({ where: [{ ...tree("And", a1), negated: true }] })],
      ["select=rel(*)&rel.order=a.desc", rel({ order: [term("a", { direction: "desc" })] })],
      ["select=rel(*)&rel.limit=2&rel.offset=1", rel({ limit: 2, offset: 1 })],
      ["select=rel(*)&rel.a->b=eq.1", rel({ where: [compare(path("a", ["->", "b"]), "eq", "1")] })],
      ["select=x:rel(*)&x.a=eq.1", [embed("rel", { select: [all], where: [a1] }, { alias: "x" })]],
      ["select=...rel(*)&rel.a=eq.1", [embed("rel", { select: [all], where: [a1] }, { spread: true })]],
      ['select="a.b":rel(*)&"a.b".a=eq.1', [embed("rel", { select: [all], where: [a1] }, { alias: "a.b" })]],
      [
        'select=not:rel(*)&"not".or=(a.eq.1)',
        [embed("rel", { select: [all], where: [tree("Or", a1)] }, { alias: "not" })]
      ],
      [
        "select=rel(sub(*))&rel.sub.a=eq.1&rel.sub.order=a&rel.sub.limit=3&rel.sub.or=(a.eq.1)",
        [
          embed("rel", {
            select: [embed("sub", { select: [all], where: [a1, tree("Or", a1)], order: [term("a")], limit: 3 })]
          })
        ]
      ],
      [
        "select=rel(sub())&rel.order=sub(a)",
        [embed("rel", { select: [embed("sub", {})], order: [term("a", { embed: "sub" })] })]
      ]
    ],
    select
  )

  it("a filter on an embed is a filter on a column with its name", () => {
    assert.deepStrictEqual(parse("select=rel()&rel=not.is.null").where, [{ ...is("rel", "null"), negated: true }])
  })
})

describe("limit and offset", () => {
  it("are whole numbers, and the last of several counts", () => {
    assert.deepStrictEqual(parse("limit=5&offset=10"), { ...none, limit: 5, offset: 10 })
    assert.strictEqual(parse("limit=5&limit=6").limit, 6)
    assert.strictEqual(parse("limit=0").limit, 0)
    assert.strictEqual(parse(`limit=${"9".repeat(30)}`).limit, Number.MAX_SAFE_INTEGER)
  })

  it.each(["limit=", "offset=", "order=", "select=", "select=&order=&limit=&offset="])(
    "%s is absent, for it has no value",
    (search) => assert.deepStrictEqual(parse(search), none)
  )

  it.each(["limit=x", "limit=1.5", "limit=", "limit= ", "limit=1e3", "offset=x", "offset=-3"])(
    "lenient: %s says nothing",
    (search) => assert.deepStrictEqual(lenient(search), Either.right(none))
  )

  it("lenient: blanks around a number are ignored", () => {
    assert.deepStrictEqual(lenient("limit= 7 &offset=-0"), Either.right({ ...none, limit: 7, offset: 0 }))
  })
})

describe("parameters", () => {
  it("without = are left out, and those of a body ignored", () => {
    assert.deepStrictEqual(parse("a&limit=1"), { ...none, limit: 1 })
    assert.deepStrictEqual(parse("?columns=!!&on_conflict=!!&a=eq.1"), { ...none, where: [a1] })
  })

  it("parseNames reads columns and on_conflict", () => {
    assert.deepStrictEqual(Query.parseNames("columns", 'a, "b,c" ,d'), Either.right(["a", "b,c", "d"]))
    assert.deepStrictEqual(Query.parseNames("columns", '"name","daysDue"'), Either.right(["name", "daysDue"]))
    assert.deepStrictEqual(Query.parseNames("on_conflict", "companyId,name"), Either.right(["companyId", "name"]))
  })
})

describe("toSearchParams", () => {
  it.each([
    "select=id,days:daysDue,lines:warehouseTransferLine!inner(*)&status=eq.Draft&order=id.desc.nullslast&limit=5&offset=0",
    "select=*,rel(id)&a=not.in.(1,2)&rel.a=gte.1&rel.or=(a.eq.1,not.and(b.is.null))&rel.order=a.asc",
    'or=(a.eq."x,y",b.cs.{1,2},c.in.("a,b",c))'
  ])("writes what people write: %s", (search) => {
    assert.strictEqual(decodeURIComponent(String(Query.toSearchParams(parse(search)))), search)
  })
})
