import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Query from "../src/Query.ts"
import {
  parse,
  lenient,
  none,
  path,
  compare,
  a1,
  is,
  tree,
  field,
  count,
  all,
  embed,
  term,
  reads,
  select,
  order
} from "./queries.ts"

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
