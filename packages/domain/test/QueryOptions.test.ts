import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Catalogue from "../src/Catalogue.ts"
import * as Column from "../src/Column.ts"
import type * as Condition from "../src/Condition.ts"
import * as Filter from "../src/Filter.ts"
import { LocationId } from "../src/Ids.ts"
import * as Query from "../src/Query.ts"
import type * as Resource from "../src/Resource.ts"
import { PaymentTerm } from "../src/resources/PaymentTerm.ts"
import { WarehouseTransfer } from "../src/resources/WarehouseTransfer.ts"
import { WarehouseTransferLine } from "../src/resources/WarehouseTransferLine.ts"

const written = (query: Query.Query): string => {
  const search = Query.toSearchParams(query)
  assert.deepStrictEqual(Query.parse(search), Either.right(query))
  return decodeURIComponent(String(search).replaceAll("+", " "))
}
const transfers = (options: Query.Options<typeof WarehouseTransfer, Query.Selection<typeof WarehouseTransfer>>) =>
  written(Query.make(WarehouseTransfer, options))
const where = (where: Query.Where<typeof WarehouseTransfer>) => transfers({ where })
/** The query of transfers with their lines, without its `select`. */
const withLines = (where: Query.Where<typeof WarehouseTransfer, "lines">) => {
  const query = Query.make(WarehouseTransfer, {
    select: ["id", Query.embed(WarehouseTransferLine, { as: "lines", select: [] })],
    where
  })
  return written(query).replace("select=id,lines:warehouseTransferLine()&", "")
}

describe("Query.make", () => {
  it("makes the query of its options", () => {
    const search = transfers({
      select: ["id", "status"],
      where: { status: "Draft", transferDate: Query.gte("2026-01-01") },
      order: [Query.desc("transferDate")],
      limit: 50
    })
    assert.strictEqual(
      search,
      "select=id,status&status=eq.Draft&transferDate=gte.2026-01-01&order=transferDate.desc&limit=50"
    )
    assert.strictEqual(written(Query.make(WarehouseTransfer)), "")
    assert.strictEqual(transfers({ select: [], order: [], where: {}, limit: 0, offset: 0 }), "limit=0&offset=0")
  })

  const conditions: ReadonlyArray<readonly [Query.Where<typeof WarehouseTransfer>, string]> = [
    [{ fromLocationId: LocationId.make("l,1") }, "fromLocationId=eq.l,1"],
    [{ notes: null }, "notes=is.null"],
    [{ notes: Query.is(null) }, "notes=is.null"],
    [{ notes: Query.is("not_null") }, "notes=is.not_null"],
    [{ notes: Query.not(Query.is(null)) }, "notes=not.is.null"],
    [{ notes: Query.eq("null") }, "notes=eq.null"],
    [{ notes: Query.neq("x") }, "notes=neq.x"],
    [{ notes: Query.isDistinct("x") }, "notes=isdistinct.x"],
    [{ notes: Query.gt("x") }, "notes=gt.x"],
    [{ notes: Query.gte("x") }, "notes=gte.x"],
    [{ notes: Query.lt("x") }, "notes=lt.x"],
    [{ notes: Query.lte("x") }, "notes=lte.x"],
    [{ notes: Query.like("x%") }, "notes=like.x%"],
    [{ notes: Query.ilike("x*") }, "notes=ilike.x*"],
    [{ notes: Query.match("^x") }, "notes=match.^x"],
    [{ notes: Query.imatch("^x") }, "notes=imatch.^x"],
    [{ notes: Query.in(["a", "b,c", ""]) }, 'notes=in.(a,"b,c","")'],
    [{ notes: Query.in([]) }, "notes=in.()"],
    [{ notes: Query.not(Query.in(["a"])) }, "notes=not.in.(a)"],
    [{ notes: Query.not(Query.not(Query.eq("a"))) }, "notes=eq.a"],
    [{ notes: Query.any("eq", ["a", "b c"]) }, 'notes=eq(any).{a,"b c"}'],
    [{ notes: Query.all("ilike", ["a%"]) }, "notes=ilike(all).{a%}"],
    [{ notes: Query.search("net weight") }, "notes=wfts.net weight"],
    [{ notes: Query.search("net", { syntax: "plain" }) }, "notes=plfts.net"],
    [{ notes: Query.search("net", { syntax: "phrase", configuration: "simple" }) }, "notes=phfts(simple).net"],
    [{ notes: Query.search("net & x", { syntax: "tsquery" }) }, "notes=fts.net & x"],
    [{ tags: Query.contains(["a", "b,c"]) }, 'tags=cs.{a,"b,c"}'],
    [{ tags: Query.containedBy(["a"]) }, "tags=cd.{a}"],
    [{ tags: Query.overlaps(["a"]) }, "tags=ov.{a}"],
    [{ customFields: Query.contains({ a: { b: [1] } }) }, 'customFields=cs.{"a":{"b":[1]}}'],
    [{ notes: Query.allOf(Query.gte("a"), Query.lt("b")) }, "notes=gte.a&notes=lt.b"],
    [{ notes: Query.not(Query.allOf(Query.gte("a"), Query.lt("b"))) }, "not.and=(notes.gte.a,notes.lt.b)"],
    [Query.and({ status: "Draft" }, { notes: "x" }), "status=eq.Draft&notes=eq.x"],
    [Query.or({ status: "Draft" }, { notes: null }), "or=(status.eq.Draft,notes.is.null)"],
    [Query.or({ status: "Draft", notes: "x" }, { notes: null }), "or=(and(status.eq.Draft,notes.eq.x),notes.is.null)"],
    [Query.not({ status: "Draft" }), "status=not.eq.Draft"],
    [Query.not({ status: "Draft", notes: "x" }), "not.and=(status.eq.Draft,notes.eq.x)"],
    [Query.not(Query.or({ status: "Draft" }, { notes: "x" })), "not.or=(status.eq.Draft,notes.eq.x)"],
    [
      Query.or({ status: "Draft" }, Query.and({ notes: "a,b" }, Query.not(Query.or({ notes: "c" }, { tags: null })))),
      'or=(status.eq.Draft,and(notes.eq."a,b",not.or(notes.eq.c,tags.is.null)))'
    ],
    [Query.at(Query.json("customFields", "a", 0), Query.eq(5)), "customFields->a->0=eq.5"],
    [Query.at(Query.text("customFields", "a", "b.c"), Query.like("x%")), 'customFields->a->>"b.c"=like.x%']
  ]
  it.each(conditions.map(([asked, search]) => [search, asked] as const))("%s", (search, asked) => {
    assert.strictEqual(where(asked), search)
  })

  it("filters by the existence of embedded rows", () => {
    assert.strictEqual(withLines(Query.exists("lines")), "lines=is.not_null")
    assert.strictEqual(withLines(Query.not(Query.exists("lines"))), "lines=not.is.not_null")
    assert.strictEqual(
      withLines(Query.or({ status: "Draft" }, Query.exists("lines"))),
      "or=(status.eq.Draft,lines.is.not_null)"
    )
  })

  it("prints numbers and booleans as JSON does", () => {
    const query = Query.make(PaymentTerm, {
      where: { daysDue: 30, daysDiscount: Query.in([1.5, -2, 1e21]), active: true, tags: Query.is(null) }
    })
    assert.strictEqual(
      decodeURIComponent(String(Query.toSearchParams(query))),
      "daysDue=eq.30&daysDiscount=in.(1.5,-2,1e+21)&active=eq.true&tags=is.null"
    )
    const truth = Query.make(PaymentTerm, {
      where: Query.or({ active: Query.is(false) }, { active: Query.is("unknown") })
    })
    assert.strictEqual(written(truth), "or=(active.is.false,active.is.unknown)")
  })

  it("rejects an empty tree, instead of matching every row", () => {
    const trees: ReadonlyArray<Query.Where<typeof WarehouseTransfer>> = [
      Query.not({}),
      Query.or({}, { notes: "x" }),
      Query.or(Query.and({}), { notes: "x" })
    ]
    for (const empty of trees) {
      const query = Query.make(WarehouseTransfer, { where: empty })
      assert.isTrue(Either.isLeft(Query.parse(Query.toSearchParams(query))), String(Query.toSearchParams(query)))
    }
  })

  it("selects columns, renames, paths, casts, embeds and spreads", () => {
    const search = transfers({
      select: [
        "*",
        "id",
        { day: "transferDate", color: Query.json("customFields", "color"), tag: Query.text("tags", 0) },
        { cast: Query.cast("notes", "int"), deep: Query.cast(Query.text("customFields", "n"), "numeric") },
        Query.embed(WarehouseTransferLine),
        Query.embed(WarehouseTransferLine, {
          as: "lines",
          hint: "transferId",
          join: "inner",
          select: ["id", Query.embed(WarehouseTransfer, { select: [] })],
          where: { quantity: Query.gt(1) },
          order: ["quantity", Query.through("warehouseTransfer", Query.desc("status"))],
          limit: 2,
          offset: 1
        })
      ]
    })
    assert.strictEqual(
      search,
      "select=*,id,day:transferDate,color:customFields->color,tag:tags->>0,cast:notes::int,deep:customFields->>n::numeric," +
        "warehouseTransferLine(*),lines:warehouseTransferLine!transferId!inner(id,warehouseTransfer())" +
        "&lines.quantity=gt.1&lines.order=quantity.asc,warehouseTransfer(status).desc&lines.limit=2&lines.offset=1"
    )
    const spread = Query.make(WarehouseTransferLine, {
      select: ["id", Query.spread(WarehouseTransfer, { select: [{ of: "transferId" }], where: { status: "Draft" } })]
    })
    assert.strictEqual(
      written(spread),
      "select=id,...warehouseTransfer(of:transferId)&warehouseTransfer.status=eq.Draft"
    )
  })

  it("an embed with the name of its resource has no alias", () => {
    const query = Query.make(WarehouseTransfer, {
      select: [Query.embed(WarehouseTransferLine, { as: "warehouseTransferLine" })]
    })
    assert.strictEqual(written(query), "select=warehouseTransferLine(*)")
  })

  it("orders by columns, paths and embeds", () => {
    const search = transfers({
      order: ["id", Query.asc("notes", { nulls: "first" }), Query.desc(Query.text("customFields", "color"))]
    })
    assert.strictEqual(search, "order=id.asc,notes.asc.nullsfirst,customFields->>color.desc")
  })
})

/** A condition for a column of each type, from a text. */
const conditions: { readonly [T in Column.Type]: (text: string) => Condition.Any } = {
  text: (text) => Query.allOf(Query.like(text), Query.any("eq", [text, ""])),
  number: (text) => Query.in([text.length, -0.5]),
  boolean: (text) => Query.is(text.length % 2 === 0),
  date: (text) => Query.not(Query.lte(text)),
  timestamp: (text) => Query.gt(text),
  object: (text) => Query.contains({ [text]: [text] }),
  array: (text) => Query.overlaps([text, "x"])
}

describe("every column of every resource", () => {
  it.each(Catalogue.resources.map((resource): [string, Resource.Any] => [resource.resource, resource]))(
    "%s",
    (_, resource) => {
      const columns = Column.fromResource(resource)
      fc.assert(
        fc.property(fc.subarray([...columns]), fc.string(), (columns, text) => {
          const names = columns.map(({ name }) => name)
          const asked = Object.fromEntries(columns.map(({ name, type }) => [name, conditions[type](text)]))
          const query = Query.make(resource, {
            select: [...names, Object.fromEntries(names.map((name) => [`${name} ${text}`, name]))],
            where: columns.length === 0 ? {} : Query.or(asked, Query.not(asked)),
            order: names.map((name) => Query.desc(name, { nulls: "last" }))
          })
          assert.deepStrictEqual(
            query.order.map(({ path }) => path),
            names.map(Filter.column)
          )
          assert.deepStrictEqual(Query.parse(Query.toSearchParams(query)), Either.right(query))
        }),
        { numRuns: 40 }
      )
    }
  )
})
