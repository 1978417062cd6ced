import { describe } from "@effect/vitest"
import * as Filter from "../src/Filter.ts"
import { path, compare, eq, a1, b2, list, is, quantified, searches, tree, reads, filters } from "./queries.ts"

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
