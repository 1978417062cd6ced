import { Holiday } from "@mfgdata/domain/resources/Holiday"
import { PaymentTerm } from "@mfgdata/domain/resources/PaymentTerm"
import * as Query from "@mfgdata/domain/Query"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FilterPlan from "../../../src/rows/plan/FilterPlan.ts"
import * as RowErrorBody from "../../../src/rows/RowErrorBody.ts"
import type { Condition } from "../../../src/sql/read/Condition.ts"

const resources = { holiday: Holiday, paymentTerm: PaymentTerm }

const planned = (name: keyof typeof resources, search: string, rules: RuleSet = "contract") =>
  Either.flatMap(Query.parse(Query.parameters(search)), ({ where }) => FilterPlan.all(resources[name], where, rules))

/** A condition in short. */
const brief = (condition: Condition): string => {
  switch (condition._tag) {
    case "And":
    case "Or":
      return `${condition._tag}(${condition.conditions.map(brief).join(", ")})`
    case "Not":
      return `Not(${brief(condition.condition)})`
    case "Unchanged":
      return "Unchanged"
    case "Exists":
      return `Exists(${condition.related.owned.resource.resource})`
    default: {
      const { column, json } = condition.target
      const target = column.name + json.map(({ arrow, key }) => arrow + key).join("")
      switch (condition._tag) {
        case "Compare":
          return `${target} ${condition.operator} ${JSON.stringify(condition.value)}`
        case "OneOf":
          return `${target} in ${JSON.stringify(condition.values)}`
        case "Is":
          return `${target} is ${condition.value}`
        case "Like":
          return `${target} ${condition.foldCase ? "ilike" : "like"} ${condition.pattern}`
        case "Match":
          return `${target} ${condition.foldCase ? "imatch" : "match"}`
        default:
          return `${target} ${condition._tag} ${JSON.stringify(condition.value)}`
      }
    }
  }
}

const table: ReadonlyArray<readonly [name: keyof typeof resources, search: string, conditions: ReadonlyArray<string>]> =
  [
    ["holiday", "", []],
    ["holiday", "id=eq.a,b", ['id eq "a,b"']],
    ["holiday", "name=eq.null", ['name eq "null"']],
    ["holiday", "name=neq.a&name=neq.b", ['name neq "a"', 'name neq "b"']],
    ["holiday", "year=gte. 2026 ", ["year gte 2026"]],
    ["holiday", "year=lt.-1.5e3", ["year lt -1500"]],
    ["holiday", "year=isdistinct..5", ["year isdistinct 0.5"]],
    ["paymentTerm", "active=eq.YES", ["active eq true"]],
    ["paymentTerm", "active=neq.off", ["active neq false"]],
    ["paymentTerm", "active=is.true", ["active is true"]],
    ["paymentTerm", "active=not.is.unknown", ["Not(active is unknown)"]],
    ["holiday", "date=eq.2026-02-28", ['date eq "2026-02-28"']],
    ["holiday", "date=eq.2026-02-28T10:00:00Z", ['date eq "2026-02-28"']],
    ["holiday", "date=eq.2026-059T01:00:00%2B02:00", ['date eq "2026-02-28"']],
    ["holiday", "createdAt=gt.2026-02-28", ['createdAt gt "2026-02-28T00:00:00.000Z"']],
    ["holiday", "createdAt=gt.2026-02-28 10:00:00.120%2B02", ['createdAt gt "2026-02-28 10:00:00.120+02"']],
    ["holiday", "name=is.null", ["name is null"]],
    ["holiday", "customFields=is.not_null", ["Not(customFields is null)"]],
    ["holiday", "name=like.a*_%25", ["name like a%_%"]],
    ["holiday", "name=not.ilike.*A*", ["Not(name ilike %A%)"]],
    ["holiday", "name=match.^a", ["name match"]],
    ["holiday", 'name=in.(a,"b,c")', ['name in ["a","b,c"]']],
    ["holiday", "year=not.in.(1,2)", ["Not(year in [1,2])"]],
    ["holiday", "year=in.()", ["year in []"]],
    ["holiday", "name=eq(any).{a,b}", ['name in ["a","b"]']],
    ["holiday", "name=like(all).{a*,*b}", ["And(name like a%, name like %b)"]],
    ["holiday", "year=not.gt(any).{1,2}", ["Not(Or(year gt 1, year gt 2))"]],
    ["holiday", "year=eq(any).{}", ["year in []"]],
    [
      "holiday",
      "or=(year.eq.1,not.and(name.eq.a,date.is.null))",
      ['Or(year eq 1, Not(And(name eq "a", date is null)))']
    ],
    ["holiday", 'tags=cs.{a,"b c"}', ['tags Contains ["a","b c"]']],
    ["holiday", "tags=cd.{}", ["tags ContainedBy []"]],
    ["holiday", "tags=ov.{a}", ['tags Overlaps ["a"]']],
    ["holiday", 'customFields=cs.{"a":1}', ['customFields Contains {"a":1}']],
    ["holiday", "customFields->>a=eq.1", ['customFields->>a eq "1"']],
    ["holiday", "customFields->a->>b=like.x*", ["customFields->a->>b like x%"]],
    ["holiday", "customFields->n=gt.5", ["customFields->n gt 5"]],
    ["holiday", 'customFields->n=eq."x"', ['customFields->n eq "x"']],
    ["holiday", "customFields->b=in.(true,2)", ["customFields->b in [true,2]"]],
    ["holiday", "customFields->a=cs.[1]", ["customFields->a Contains [1]"]],
    ["holiday", "tags->>0=eq.a", ['tags->>0 eq "a"']],
    ["holiday", "name=plfts(simple).a", ["Or(name imatch)"]]
  ]

const refusals: ReadonlyArray<
  readonly [name: keyof typeof resources, search: string, status: number, code: string, message: string]
> = [
  ["holiday", "nmae=eq.a", 400, "42703", "column holiday.nmae does not exist"],
  ["holiday", "__proto__=eq.a", 400, "42703", "column holiday.__proto__ does not exist"],
  ["holiday", "_tenant=eq.a", 400, "42703", "column holiday._tenant does not exist"],
  ["holiday", "or=(year.eq.1,foo.eq.1)", 400, "42703", "column holiday.foo does not exist"],
  ["holiday", "year=eq.abc", 400, "22P02", 'invalid input syntax for type numeric: "abc"'],
  ["holiday", "year=eq.", 400, "22P02", 'invalid input syntax for type numeric: ""'],
  ["holiday", "year=in.( ,3)", 400, "22P02", 'invalid input syntax for type numeric: ""'],
  ["holiday", "year=eq.NaN", 400, "22P02", 'invalid input syntax for type numeric: "NaN"'],
  ["holiday", "year=eq.0x10", 400, "22P02", 'invalid input syntax for type numeric: "0x10"'],
  ["holiday", "year=eq.1e400", 400, "22003", 'value "1e400" is out of range for type numeric'],
  ["paymentTerm", "active=eq.maybe", 400, "22P02", 'invalid input syntax for type boolean: "maybe"'],
  ["paymentTerm", "active=eq.o", 400, "22P02", 'invalid input syntax for type boolean: "o"'],
  ["holiday", "date=eq.nope", 400, "22007", 'invalid input syntax for type date: "nope"'],
  ["holiday", "date=eq.2024-02-30", 400, "22008", 'date/time field value out of range: "2024-02-30"'],
  ["holiday", "createdAt=eq.nope", 400, "22007", 'invalid input syntax for type timestamp with time zone: "nope"'],
  [
    "holiday",
    "createdAt=eq.2024-13-01T00:00:00Z",
    400,
    "22008",
    'date/time field value out of range: "2024-13-01T00:00:00Z"'
  ],
  ["holiday", "year=like.1*", 404, "42883", "operator does not exist: numeric ~~ unknown"],
  ["holiday", "tags=ilike.a", 404, "42883", "operator does not exist: text[] ~~* unknown"],
  ["paymentTerm", "active=match.a", 404, "42883", "operator does not exist: boolean ~ unknown"],
  ["holiday", "name=cs.{a}", 404, "42883", "operator does not exist: text @> unknown"],
  ["holiday", "customFields=ov.{a}", 404, "42883", "operator does not exist: jsonb && unknown"],
  ["holiday", "date=sl.[a,b]", 404, "42883", "operator does not exist: date << unknown"],
  ["holiday", "customFields=gt.{}", 404, "42883", "operator does not exist: jsonb > unknown"],
  ["holiday", "tags=lte.{a}", 404, "42883", "operator does not exist: text[] <= unknown"],
  ["holiday", "customFields=eq.{a}", 400, "22P02", "invalid input syntax for type json"],
  ["holiday", "tags=eq.a", 400, "22P02", "invalid input syntax for type text[]"],
  ["holiday", "name->>a=eq.b", 404, "42883", "operator does not exist: text -> unknown"],
  ["holiday", "year->0=eq.b", 404, "42883", "operator does not exist: numeric -> unknown"],
  ["holiday", "customFields->>a->b=eq.c", 404, "42883", "operator does not exist: text -> unknown"],
  ["holiday", "name=is.true", 400, "42804", "argument of IS TRUE must be type boolean, not type text"],
  ["holiday", "name=match.(a", 400, "2201B", "invalid regular expression: "],
  ["holiday", "name=like.a\\", 400, "22025", "LIKE pattern must not end with escape character"],
  ["holiday", "tags=cs.a", 400, "22P02", 'invalid input syntax for type text[]: "a"'],
  ["holiday", "customFields=cs.{a", 400, "22P02", 'invalid input syntax for type json: "{a"'],
  ["holiday", "customFields->n=eq.x", 400, "22P02", 'invalid input syntax for type json: "x"'],
  ["holiday", "name=fts(german).a", 400, "42704", 'text search configuration "german" does not exist'],
  ["holiday", "name=fts.a <-> !b", 400, "PGRST127", "Feature not implemented"],
  ["holiday", "tags=fts.a", 404, "42883", "operator does not exist: text[] @@ tsquery"],
  [
    "holiday",
    "year=eq.mfg_0123456789abcdef",
    400,
    "22P02",
    "invalid input syntax for type numeric: a text that is not shown"
  ]
]

describe("FilterPlan", () => {
  for (const [name, search, conditions] of table) {
    it(`${name}?${search} means ${conditions.join(" and ") || "every row"}`, () =>
      assert.deepStrictEqual(Either.getOrThrow(planned(name, search)).map(brief), conditions))
  }

  for (const [name, search, status, code, message] of refusals) {
    it(`${name}?${search} is refused: ${message}`, () => {
      const refused = planned(name, search)
      assert.isTrue(Either.isLeft(refused))
      if (Either.isRight(refused)) return
      const error = RowErrorBody.make(refused.left)
      assert.deepStrictEqual([error.status, error.code], [status, code])
      assert.isTrue(error.message.startsWith(message), error.message)
    })
  }

  it("bounds the number of values of any and all, unless they form one list", () => {
    const values = Array.from({ length: 201 }, (_, index) => index).join(",")
    assert.isTrue(Either.isRight(planned("holiday", `year=eq(any).{${values}}`)))
    for (const operator of ["eq(all)", "gt(any)"]) {
      const refused = planned("holiday", `year=${operator}.{${values}}`)
      assert.deepStrictEqual(Either.isLeft(refused) && RowErrorBody.make(refused.left).code, "PGRST127")
    }
  })

  it("suggests a similar column", () => {
    const refused = planned("holiday", "NAMES=eq.a")
    assert.strictEqual(
      Either.isLeft(refused) ? RowErrorBody.make(refused.left).hint : undefined,
      'Perhaps you meant to reference the column "holiday.name".'
    )
  })

  describe("under the public rules", () => {
    const word = "calculationMethod"

    it("a vocabulary accepts its known values", () =>
      assert.deepStrictEqual(Either.getOrThrow(planned("paymentTerm", `${word}=in.(Net)`, "public")).map(brief), [
        `${word} in ["Net"]`
      ]))

    for (const filter of ["eq.Bogus", "in.(Net,Bogus)", "neq(any).{x}", "not.eq.net"]) {
      it(`${filter} is refused`, () => {
        assert.isTrue(Either.isLeft(planned("paymentTerm", `${word}=${filter}`, "public")))
      })
    }

    it("a vocabulary takes no text operators", () => {
      assert.isTrue(Either.isRight(planned("paymentTerm", `${word}=like.N*`)))
      assert.isTrue(Either.isLeft(planned("paymentTerm", `${word}=like.N*`, "public")))
    })
  })
})
