import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Query from "../src/Query.ts"
import type * as QueryError from "../src/QueryError.ts"
import * as RowError from "../src/RowError.ts"

const failure = <A>(result: Either.Either<A, QueryError.QueryError>): QueryError.QueryError =>
  Either.getOrThrow(Either.flip(result))
const errorOf = (search: string, page?: "strict" | "lenient") =>
  failure(Query.parse(Query.parameters(search), page === undefined ? {} : { page }))
const wire = ({ code, message, details, hint }: QueryError.QueryError) => ({ code, message, details, hint })

const operator = "operator (eq, gt, ...)"
const name = "field name (* or [a..z0..9_$])"
const afterName = 'letter, digit, "-", "->>", "->"'

describe("QueryMalformed", () => {
  const malformed: ReadonlyArray<readonly [search: string, message: string, details: string]> = [
    // filters
    [
      "a=noop.0",
      '"failed to parse filter (noop.0)" (line 1, column 1)',
      `unexpected "o" expecting "not" or ${operator}`
    ],
    ["id=0", '"failed to parse filter (0)" (line 1, column 1)', `unexpected "0" expecting "not" or ${operator}`],
    ["id=val", '"failed to parse filter (val)" (line 1, column 1)', `unexpected "v" expecting "not" or ${operator}`],
    ["id=", '"failed to parse filter ()" (line 1, column 1)', `unexpected end of input expecting "not" or ${operator}`],
    [
      "id=no",
      '"failed to parse filter (no)" (line 1, column 1)',
      `unexpected end of input expecting "not" or ${operator}`
    ],
    ["id=not.x.1", '"failed to parse filter (not.x.1)" (line 1, column 5)', `unexpected "x" expecting ${operator}`],
    ["id=eq", '"failed to parse filter (eq)" (line 1, column 3)', `unexpected end of input expecting ${operator}`],
    ["id=eqx.1", '"failed to parse filter (eqx.1)" (line 1, column 3)', `unexpected "x" expecting ${operator}`],
    ["id=eq().x", '"failed to parse filter (eq().x)" (line 1, column 4)', `unexpected ")" expecting ${operator}`],
    ["id=eq(app).x", '"failed to parse filter (eq(app).x)" (line 1, column 4)', `unexpected "p" expecting ${operator}`],
    ["id=eq(any)x", '"failed to parse filter (eq(any)x)" (line 1, column 8)', `unexpected "x" expecting ${operator}`],
    [
      "id=eq(any",
      '"failed to parse filter (eq(any)" (line 1, column 7)',
      `unexpected end of input expecting ${operator}`
    ],
    [
      "id=neq(any).{1}",
      '"failed to parse filter (neq(any).{1})" (line 1, column 4)',
      `unexpected "(" expecting ${operator}`
    ],
    ["id=in().x", '"failed to parse filter (in().x)" (line 1, column 3)', `unexpected "(" expecting ${operator}`],
    ["id=is().x", '"failed to parse filter (is().x)" (line 1, column 3)', `unexpected "(" expecting ${operator}`],
    ["id=fts().x", '"failed to parse filter (fts().x)" (line 1, column 5)', `unexpected ")" expecting ${operator}`],
    ["id=fts( ).x", '"failed to parse filter (fts( ).x)" (line 1, column 5)', `unexpected " " expecting ${operator}`],
    [
      "id=fts(a-b).x",
      '"failed to parse filter (fts(a-b).x)" (line 1, column 6)',
      `unexpected "-" expecting ${operator}`
    ],
    [
      "id=is.foo",
      '"failed to parse filter (is.foo)" (line 1, column 4)',
      'unexpected "f" expecting isVal: (null, not_null, true, false, unknown)'
    ],
    [
      "id=is.nullish",
      '"failed to parse filter (is.nullish)" (line 1, column 4)',
      'unexpected "i" expecting isVal: (null, not_null, true, false, unknown)'
    ],
    [
      "id=is.null x",
      '"failed to parse filter (is.null x)" (line 1, column 8)',
      "unexpected ' ' expecting end of input"
    ],
    ["id=in.1,2", '"failed to parse filter (in.1,2)" (line 1, column 4)', 'unexpected "1" expecting "("'],
    ["id=in.(1", '"failed to parse filter (in.(1)" (line 1, column 6)', 'unexpected end of input expecting "," or ")"'],
    [
      'id=in.("x',
      '"failed to parse filter (in.("x)" (line 1, column 7)',
      'unexpected end of input expecting "," or ")"'
    ],
    ["id=in.(1)x", '"failed to parse filter (in.(1)x)" (line 1, column 7)', "unexpected 'x' expecting end of input"],
    ["id=in.(🔩)x", '"failed to parse filter (in.(🔩)x)" (line 1, column 7)', "unexpected 'x' expecting end of input"],
    // names
    ["a..b=eq.1", '"failed to parse tree path (a..b)" (line 1, column 3)', `unexpected "." expecting ${name}`],
    ["=eq.1", '"failed to parse tree path ()" (line 1, column 1)', `unexpected end of input expecting ${name}`],
    [":=eq.1", '"failed to parse tree path (:)" (line 1, column 1)', `unexpected ":" expecting ${name}`],
    [" =eq.1", '"failed to parse tree path ( )" (line 1, column 1)', `unexpected " " expecting ${name}`],
    [
      "a!b=eq.1",
      '"failed to parse tree path (a!b)" (line 1, column 2)',
      `unexpected '!' expecting ${afterName}, "." or end of input`
    ],
    ['"a=eq.1', '"failed to parse tree path ("a)" (line 1, column 3)', 'unexpected end of input expecting "\\""'],
    [".order=a", '"failed to parse tree path ()" (line 1, column 1)', `unexpected end of input expecting ${name}`],
    [
      "a!b.limit=1",
      '"failed to parse tree path (a!b)" (line 1, column 2)',
      `unexpected '!' expecting ${afterName}, "." or end of input`
    ],
    [
      "a->=eq.1",
      '"failed to parse tree path (a->)" (line 1, column 4)',
      "unexpected end of input expecting any non reserved character different from: .,>()"
    ],
    ["a->--3=eq.1", '"failed to parse tree path (a->--3)" (line 1, column 5)', 'unexpected "-" expecting digit'],
    ["a->-x=eq.1", '"failed to parse tree path (a->-x)" (line 1, column 5)', 'unexpected "x" expecting digit'],
    // trees
    [
      "or=()",
      '"failed to parse logic tree (())" (line 1, column 4)',
      `unexpected ")" expecting ${name}, negation operator (not) or logic operator (and, or)`
    ],
    ["or=)(", '"failed to parse logic tree ()()" (line 1, column 3)', 'unexpected ")" expecting "("'],
    ["or=", '"failed to parse logic tree ()" (line 1, column 3)', 'unexpected end of input expecting "("'],
    ["and=.eq.1", '"failed to parse logic tree (.eq.1)" (line 1, column 4)', 'unexpected "." expecting "("'],
    ["not.or=x", '"failed to parse logic tree (x)" (line 1, column 7)', 'unexpected "x" expecting "("'],
    [
      "or=(id.in.1,2,id.eq.3)",
      '"failed to parse logic tree ((id.in.1,2,id.eq.3))" (line 1, column 10)',
      'unexpected "1" expecting "("'
    ],
    [
      "and=(ord(id.eq.1,id.eq.1),id.eq.2)",
      '"failed to parse logic tree ((ord(id.eq.1,id.eq.1),id.eq.2))" (line 1, column 7)',
      'unexpected "d" expecting "("'
    ],
    [
      "or=(id.eq.1,not.xor(id.eq.2,id.eq.3))",
      '"failed to parse logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))" (line 1, column 16)',
      'unexpected "x" expecting logic operator (and, or)'
    ],
    [
      "or=(xor(id.eq.1))",
      '"failed to parse logic tree ((xor(id.eq.1)))" (line 1, column 7)',
      `unexpected "(" expecting ${afterName} or delimiter (.)`
    ],
    [
      "or=(id.noop.1)",
      '"failed to parse logic tree ((id.noop.1))" (line 1, column 7)',
      `unexpected "o" expecting "not" or ${operator}`
    ],
    [
      "or=(a.eq.1",
      '"failed to parse logic tree ((a.eq.1)" (line 1, column 10)',
      'unexpected end of input expecting "," or ")"'
    ],
    [
      "or=(a.eq.1))",
      '"failed to parse logic tree ((a.eq.1)))" (line 1, column 11)',
      "unexpected ')' expecting end of input"
    ],
    [
      "or=(a.cs.{1}x)",
      '"failed to parse logic tree ((a.cs.{1}x))" (line 1, column 12)',
      'unexpected "x" expecting "," or ")"'
    ],
    [
      "or=(a.is.nullx)",
      '"failed to parse logic tree ((a.is.nullx))" (line 1, column 9)',
      'unexpected "x" expecting isVal: (null, not_null, true, false, unknown)'
    ],
    [
      "or=(a.eq.1,)",
      '"failed to parse logic tree ((a.eq.1,))" (line 1, column 11)',
      `unexpected ")" expecting ${name}, negation operator (not) or logic operator (and, or)`
    ],
    // order
    [
      "order=id.asc.nullslasttt",
      '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
      "unexpected 't' expecting \",\" or end of input"
    ],
    [
      "order=id.nullslasttt",
      '"failed to parse order (id.nullslasttt)" (line 1, column 13)',
      "unexpected 't' expecting \",\" or end of input"
    ],
    [
      "order=id.ac",
      '"failed to parse order (id.ac)" (line 1, column 4)',
      'unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast"'
    ],
    [
      "order=id.descc",
      '"failed to parse order (id.descc)" (line 1, column 8)',
      "unexpected 'c' expecting delimiter (.), \",\" or end of input"
    ],
    [
      "order=id.nulsfist",
      '"failed to parse order (id.nulsfist)" (line 1, column 4)',
      'unexpected "n" expecting "asc", "desc", "nullsfirst" or "nullslast"'
    ],
    [
      "order=id.asc.nlsfst",
      '"failed to parse order (id.asc.nlsfst)" (line 1, column 8)',
      'unexpected "l" expecting "nullsfirst" or "nullslast"'
    ],
    [
      "order=id.asc.smth34",
      '"failed to parse order (id.asc.smth34)" (line 1, column 8)',
      'unexpected "s" expecting "nullsfirst" or "nullslast"'
    ],
    [
      "order=id!",
      '"failed to parse order (id!)" (line 1, column 3)',
      `unexpected '!' expecting ${afterName}, delimiter (.), "," or end of input`
    ],
    ["order=a,", '"failed to parse order (a,)" (line 1, column 3)', `unexpected end of input expecting ${name}`],
    ["select=r(*)&order=r(a,b)", '"failed to parse order (r(a,b))" (line 1, column 4)', 'unexpected "," expecting ")"'],
    // select
    [
      "select=id,clients(name[])",
      '"failed to parse select parameter (id,clients(name[]))" (line 1, column 16)',
      `unexpected '[' expecting ${afterName}, "::", ".", ")", "," or end of input`
    ],
    [
      "select=data->>-78xy",
      '"failed to parse select parameter (data->>-78xy)" (line 1, column 11)',
      'unexpected \'x\' expecting digit, "->", "::", ".", "," or end of input'
    ],
    [
      "select=name::",
      '"failed to parse select parameter (name::)" (line 1, column 7)',
      "unexpected end of input expecting letter or digit"
    ],
    [
      "select=*!hint",
      '"failed to parse select parameter (*!hint)" (line 1, column 2)',
      'unexpected \'!\' expecting ")", "," or end of input'
    ],
    ["select=:x", '"failed to parse select parameter (:x)" (line 1, column 1)', `unexpected ":" expecting ${name}`],
    [
      "select=a,",
      '"failed to parse select parameter (a,)" (line 1, column 3)',
      `unexpected end of input expecting ${name}`
    ],
    [
      "select=a(b",
      '"failed to parse select parameter (a(b)" (line 1, column 4)',
      'unexpected end of input expecting "," or ")"'
    ],
    [
      "select=a(b)c",
      '"failed to parse select parameter (a(b)c)" (line 1, column 5)',
      `unexpected 'c' expecting "," or end of input`
    ],
    [
      "select=a)",
      '"failed to parse select parameter (a))" (line 1, column 2)',
      `unexpected ')' expecting "," or end of input`
    ],
    [
      "select=a!h",
      '"failed to parse select parameter (a!h)" (line 1, column 4)',
      'unexpected end of input expecting "("'
    ],
    [
      "select=x:...r(*)",
      '"failed to parse select parameter (x:...r(*))" (line 1, column 3)',
      `unexpected "." expecting ${name}`
    ],
    // limit and offset
    ["limit=abc", '"failed to parse limit (abc)" (line 1, column 1)', 'unexpected "a" expecting digit'],
    ["limit=-1", '"failed to parse limit (-1)" (line 1, column 1)', 'unexpected "-" expecting digit'],
    [
      "offset=1.5",
      '"failed to parse offset (1.5)" (line 1, column 2)',
      "unexpected '.' expecting digit or end of input"
    ]
  ]
  it.each(malformed)("%s", (search, message, details) => {
    assert.deepStrictEqual(wire(errorOf(search)), { code: "PGRST100", message, details, hint: null })
  })

  it("has the facts of its message as fields", () => {
    const error = errorOf("select=rel(*)&rel.order=a.asc.nulls")
    assert(error._tag === "QueryMalformed")
    const { parameter, subject, text, position, found, expected } = error
    assert.deepStrictEqual(
      { parameter, subject, text, position, found, expected },
      {
        parameter: "rel.order",
        subject: "order",
        text: "a.asc.nulls",
        position: 7,
        found: undefined,
        expected: ['"nullsfirst"', '"nullslast"']
      }
    )
  })

  it("of columns and on_conflict", () => {
    assert.deepStrictEqual(wire(failure(Query.parseNames("columns", ""))), {
      code: "PGRST100",
      message: '"failed to parse columns parameter ()" (line 1, column 1)',
      details: "unexpected end of input expecting field name (* or [a..z0..9_$])",
      hint: null
    })
    assert.strictEqual(
      failure(Query.parseNames("on_conflict", "a,b!")).message,
      '"failed to parse on_conflict parameter (a,b!)" (line 1, column 4)'
    )
  })
})

describe("NotEmbedded", () => {
  it.each([
    ["x.y=eq.1", "x"],
    ["x.order=a", "x"],
    ["x.limit=1", "x"],
    ["x.offset=1", "x"],
    ["x.or=(a.eq.1)", "x"],
    ["x.not.and=(a.eq.1)", "x"],
    ["x.y.z=eq.1", "x"],
    ["select=x(*)&x.y.z=eq.1", "y"],
    ["select=a(*)&order=x(a)", "x"],
    ["select=a(x(*))&x.y=eq.1", "x"]
  ])("%s", (search, name) => {
    assert.deepStrictEqual(wire(errorOf(search)), {
      code: "PGRST108",
      message: `'${name}' is not an embedded resource in this request`,
      details: null,
      hint: `Verify that '${name}' is included in the 'select' query parameter.`
    })
  })

  it("names the alias of an embed", () => {
    assert.deepStrictEqual(wire(errorOf("select=lines:line(*)&line.a=eq.1")), {
      code: "PGRST108",
      message: "'line' is not an embedded resource in this request",
      details: "Target names are not allowed in filters if they have an alias",
      hint: "Change 'line' to 'lines' in filters, orders or limits."
    })
  })
})

describe("other errors", () => {
  it("two embeds with the same name", () => {
    assert.deepStrictEqual(wire(errorOf("select=a(x),b(y),b:a(z)")), {
      code: "42712",
      message: 'table name "b" specified more than once',
      details: null,
      hint: "Give one of them another name: alias:b(...)"
    })
    assert.isTrue(Either.isRight(Query.parse([["select", "a(x),b:a(y)"]])))
  })

  it("a negative limit in lenient pages", () => {
    const error = { code: "PGRST103", message: "Requested range not satisfiable", hint: null }
    const details = "Limit should be greater than or equal to zero."
    assert.deepStrictEqual(wire(errorOf("limit=-1", "lenient")), { ...error, details })
    assert.deepStrictEqual(wire(errorOf("select=a()&a.limit=-1", "lenient")), { ...error, details })
  })

  it.each([
    ["a=eq(any).x", "x", 'Array value must start with "{" or dimension information.'],
    ["a=eq(all).{x", "{x", "Unexpected end of input."],
    ["or=(a.eq(all).x)", "x", 'Array value must start with "{" or dimension information.']
  ])("no list for any or all: %s", (search, text, details) => {
    const expected = { code: "22P02", message: `malformed array literal: "${text}"`, details, hint: null }
    assert.deepStrictEqual(wire(errorOf(search)), expected)
  })

  it.each([
    ["a=eq.x%00", [["a", "eq.x\u0000"]], "U+0000"],
    ["a name", [["a\u0000", "eq.x"]], "U+0000"],
    ["a lone surrogate", [["a", "eq.\ud800"]], "a lone surrogate"],
    ["select", [["select", "a\u0000"]], "U+0000"]
  ] as const)("text that no store keeps: %s", (_, parameters, flaw) => {
    assert.deepStrictEqual(wire(failure(Query.parse(parameters))), {
      code: "22P05",
      message: "unsupported Unicode escape sequence",
      details: `A query parameter contains ${flaw}.`,
      hint: null
    })
  })

  it("have known codes of row errors", () => {
    const searches = ["a=x", "a.b=eq.1", "select=a(),a()", "a=eq(any).x", "a=eq.%00", `and=${"and(".repeat(40)}`]
    const codes = [...searches.map((search) => errorOf(search).code), errorOf("limit=-1", "lenient").code]
    assert.deepStrictEqual(codes, ["PGRST100", "PGRST108", "42712", "22P02", "22P05", "PGRST100", "PGRST103"])
    for (const code of codes) assert.property(RowError.meanings, code)
  })
})

const tooLarge = (search: string) => {
  const error = errorOf(search)
  assert(error._tag === "QueryTooLarge", error.message)
  return [error.parameter, error.bound, error.code]
}
const ok = (search: string) => assert.isTrue(Either.isRight(Query.parse(Query.parameters(search))), search)
const leaves = (count: number) => Array.from({ length: count }, () => "a.eq.1").join(",")
const deep = (depth: number) => `or=(${"and(".repeat(depth - 1)}a.eq.1${")".repeat(depth - 1)})`
const nested = (depth: number) => `select=${"a(".repeat(depth)}id${")".repeat(depth)}`

describe("QueryTooLarge", () => {
  it("limits a query to 200 filters in all", () => {
    ok(`or=(${leaves(199)})`)
    assert.deepStrictEqual(tooLarge(`or=(${leaves(200)})`), ["or", "filters", "PGRST100"])
    ok(Array.from({ length: 200 }, () => "a=eq.1").join("&"))
    assert.deepStrictEqual(tooLarge(Array.from({ length: 201 }, () => "a=eq.1").join("&")), [
      "a",
      "filters",
      "PGRST100"
    ])
    ok(`select=x()&x.and=(${leaves(100)})&or=(${leaves(98)})`)
    assert.deepStrictEqual(tooLarge(`select=x()&x.and=(${leaves(100)})&or=(${leaves(99)})`), [
      "or",
      "filters",
      "PGRST100"
    ])
  })

  it("limits trees to 32 levels", () => {
    ok(deep(32))
    assert.deepStrictEqual(tooLarge(deep(33)), ["or", "depth", "PGRST100"])
    assert.strictEqual(
      errorOf(deep(33)).message,
      "the query is too large: expected and() and or() at most 32 levels deep"
    )
  })

  it("limits embeds to 8 levels", () => {
    ok(nested(8))
    assert.deepStrictEqual(tooLarge(nested(9)), ["select", "embeds", "PGRST100"])
  })
})
