import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { CalendarDate } from "../src/CalendarDate.ts"
import * as Catalogue from "../src/Catalogue.ts"
import * as Decoder from "../src/Decoder.ts"
import { Json, maximumDepth } from "../src/Json.ts"
import * as Resource from "../src/Resource.ts"
import { Holiday } from "../src/resources/Holiday.ts"
import { Timestamp } from "../src/Timestamp.ts"
import { sample } from "./fixtures/generated.ts"

const resources: ReadonlyArray<Resource.Any> = Catalogue.resources

/** Values of every kind, most of which are wrong for most fields. */
const strange: ReadonlyArray<unknown> = [
  undefined,
  null,
  true,
  0,
  -1.5,
  Number.NaN,
  Infinity,
  1n,
  "",
  "x",
  "a\u0000",
  "\ud800",
  "2026-02-28",
  "2026-02-30",
  "2026-01-31T12:30:00Z",
  "2026-01-31T12:30:00.1234567Z",
  "2026-01-31 12:30",
  [],
  ["a", "b"],
  ["a", 1],
  ["a", "\u0000"],
  Array(2),
  {},
  { a: [1, { b: null }] },
  { a: "\u0000" },
  { a: Number.NaN },
  { a: undefined },
  { "\u0000": 1 },
  new Date(0),
  new Map(),
  () => 1
]

type Outcome = readonly ["accepted", unknown] | readonly ["refused"]

const outcome = (result: Either.Either<unknown, unknown>): Outcome =>
  Either.isRight(result) ? ["accepted", result.right] : ["refused"]

/** The results of the decoder and of Schema for a value. */
const both = <A, I>(decoder: Decoder.Decoder<A>, schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (value: unknown): readonly [Outcome, Outcome] => [outcome(decoder(value)), outcome(decode(value))]
}

describe("a decoder agrees with Schema", () => {
  for (const resource of resources) {
    const pairs = [
      ["row", Decoder.row(resource), Resource.rowSchema(resource)],
      ["create", Decoder.create(resource), Resource.createSchema(resource)],
      ["update", Decoder.update(resource), Resource.updateSchema(resource)]
    ] as const

    it(`for valid values of ${resource.resource}`, () => {
      for (const [kind, decoder, schema] of pairs) {
        for (const value of sample(schema, 20)) {
          const wire: unknown = JSON.parse(JSON.stringify(value))
          assert.deepStrictEqual(decoder(wire), Either.right(value), kind)
          assert.deepStrictEqual(decoder({ ...value, another: { "\u0000": 1 } }), Either.right(value), kind)
        }
      }
    })

    it(`for values of ${resource.resource} with invalid and missing fields`, () => {
      const names = Object.keys(resource.columns)
      for (const [kind, decoder, schema] of pairs) {
        const judge = both(decoder, schema)
        const agree = (value: unknown, what: string) => assert.deepStrictEqual(...judge(value), `${kind} ${what}`)
        const [good = assert.fail()] = sample(schema, 1)
        names.forEach((name, index) => {
          const { [name]: _, ...rest } = { ...good }
          agree(rest, `without ${name}`)
          for (const value of strange) agree({ ...good, [name]: value }, name)
          const two = { ...good, [name]: strange[index % strange.length], [names[index - 1] ?? name]: null }
          agree(two, `${name} and its neighbour`)
        })
      }
    })
  }

  it("for values that are not plain objects", () => {
    const judge = both(Decoder.row(Holiday), Resource.rowSchema(Holiday))
    const [good] = sample(Holiday.Row, 1)
    const inherited: unknown = Object.create({ ...good })
    const bare: unknown = Object.assign(Object.create(null), good)
    class Row {
      readonly name = good?.name
    }
    for (const value of [
      ...strange,
      inherited,
      bare,
      new Row(),
      Object.assign(new Row(), good),
      [good],
      Object.freeze({ ...good })
    ]) {
      assert.deepStrictEqual(...judge(value))
    }
  })

  it("for schemas with transformations, nested records and tuples", () => {
    const Shape = Schema.Struct({
      at: Schema.NumberFromString,
      in: Schema.Struct({ a: Schema.optionalWith(Schema.Number, { default: () => 1 }) }),
      pair: Schema.Tuple(Schema.String, Schema.Number),
      either: Schema.Union(Schema.String, Schema.Number),
      long: Schema.String.pipe(Schema.minLength(2))
    })
    const decoder = Decoder.make("shape", Shape)
    const good = { at: "5", in: {}, pair: ["a", 1], either: 1, long: "ab" }
    assert.deepStrictEqual(
      decoder(good),
      Schema.decodeUnknownEither(Shape)(good).pipe(Either.mapLeft(() => assert.fail()))
    )
    for (const broken of [{ at: "x" }, { in: { a: "1" } }, { pair: ["a"] }, { either: null }, { long: "a" }]) {
      assert.isTrue(Either.isLeft(decoder({ ...good, ...broken })))
    }
  })
})

/** Rows with embeds: one row, null, many rows, and spread columns. */
const nested = Schema.Struct({
  one: Schema.NullOr(Schema.Struct({ id: Schema.String, deep: Schema.Struct({ at: Timestamp }) })),
  many: Schema.Array(Schema.Struct({ id: Schema.String, holiday: Schema.NullOr(Holiday.Row) })),
  spread: Schema.Array(Schema.NullOr(CalendarDate)),
  anything: Schema.Unknown,
  left: Schema.optionalWith(Schema.Struct({ id: Schema.String }), { exact: true })
})

describe("embedded rows", () => {
  const decoder = Decoder.make("nested", nested)
  const [holiday] = sample(Holiday.Row, 1)
  const good = {
    one: { id: "1", deep: { at: "2026-01-31T12:30:00.5Z" } },
    many: [
      { id: "2", holiday: null },
      { id: "3", holiday: Schema.encodeSync(Holiday.Row)(holiday ?? assert.fail()) }
    ],
    spread: ["2026-02-28", null],
    anything: { unknown: undefined }
  }
  const judge = both(decoder, nested)

  it("agree with Schema on unknown, invalid and missing fields", () => {
    const one = (value: unknown) => ({ ...good, one: value })
    const many = (...values: ReadonlyArray<unknown>) => ({ ...good, many: values })
    const values: ReadonlyArray<unknown> = [
      good,
      { ...good, left: { id: "4", more: 1 } },
      { ...good, more: 1 },
      one(null),
      one({ ...good.one, more: 1 }),
      one({ id: "1", deep: { at: "2026-01-31T12:30:00Z", more: {} } }),
      one({ id: "1" }),
      one({ id: "1", deep: null }),
      many(),
      many({ id: "2", holiday: null, more: 1 }, { id: "3", holiday: { ...good.many[1]?.holiday, more: 1 } }),
      many({ id: "2" }),
      many(null),
      ...strange.flatMap((value) => [
        one(value),
        one({ id: value, deep: good.one.deep }),
        one({ id: "1", deep: value }),
        one({ id: "1", deep: { at: value } }),
        many(value),
        many(good.many[0], { id: "3", holiday: value }),
        { ...good, many: value },
        { ...good, spread: [value] },
        { ...good, anything: value },
        { ...good, left: value },
        { ...good, left: { id: value } }
      ])
    ]
    for (const value of values) assert.deepStrictEqual(...judge(value))
  })

  it("have the path of an issue in errors", () => {
    const wrong = { ...good, one: { id: 1, deep: { at: "noon" } }, many: [good.many[0], { id: "3" }] }
    const error = Either.flip(decoder(wrong)).pipe(Either.getOrThrow)
    assert.deepStrictEqual(
      error.issues.map(({ path }) => path.join(".")),
      ["one.id", "one.deep.at", "many.1.holiday"]
    )
  })

  it("are decoded without Schema, which is much slower", () => {
    let asked = 0
    const counted = Schema.String.pipe(Schema.filter((text) => (asked++, text !== "")))
    const decode = Decoder.make("counted", Schema.Struct({ rows: Schema.Array(Schema.Struct({ id: counted })) }))
    const decoded = decode({ rows: [{ id: "1", more: 1 }, { id: "2" }] })
    assert.deepStrictEqual(decoded, Either.right({ rows: [{ id: "1" }, { id: "2" }] }))
    // Once each: Schema, asked as well, would have tested them again.
    assert.strictEqual(asked, 2)
  })

  it("are copied", () => {
    const { one } = Either.getOrThrow(decoder(good))
    assert.deepStrictEqual<unknown>(one, good.one)
    assert.notStrictEqual<unknown>(one, good.one)
    assert.notStrictEqual<unknown>(one?.deep, good.one.deep)
  })
})

describe("a decoder", () => {
  const decode = Decoder.row(Holiday)
  const row = Schema.encodeSync(Holiday.Row)(sample(Holiday.Row, 1)[0] ?? assert.fail())

  it("removes unknown fields", () => {
    assert.deepStrictEqual(decode({ ...row, another: 1 }), decode(row))
    assert.deepStrictEqual(decode(JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(row).slice(1)}`)), decode(row))
  })

  it("returns a copy", () => {
    assert.notStrictEqual(decode(row).pipe(Either.getOrThrow) as unknown, row)
  })

  it("decodes lists of rows, and names the row and field of an issue", () => {
    const rows = Decoder.make("holiday", Schema.Array(Resource.rowSchema(Holiday)))
    assert.deepStrictEqual(
      rows([row, row]),
      Either.map(decode(row), (decoded) => [decoded, decoded])
    )
    const error = Either.flip(rows([row, { ...row, date: "2026-02-30" }])).pipe(Either.getOrThrow)
    assert.deepStrictEqual(
      error.issues.map(({ path }) => path),
      [[1, "date"]]
    )
  })

  it("reports all issues", () => {
    const error = Either.flip(decode({ ...row, name: 5, date: null, tags: ["a", 1] })).pipe(Either.getOrThrow)
    assert.deepStrictEqual(
      error.issues.map(({ path }) => path.join(".")),
      ["name", "date", "tags.1"]
    )
  })

  it("decodes a document of any depth that can be parsed", () => {
    const customFields: unknown = JSON.parse(`{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)
    const error = Either.flip(decode({ ...row, customFields })).pipe(Either.getOrThrow)
    assert.include(error.message, `expected JSON at most ${maximumDepth} levels deep`)
    assert.isTrue(Either.isLeft(Decoder.make("json", Json)(customFields)))
  })
})
