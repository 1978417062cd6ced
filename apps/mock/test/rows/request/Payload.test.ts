import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as JsonScan from "../../../src/rows/request/JsonScan.ts"
import * as Slices from "../../../src/world/Slices.ts"
import * as Payload from "../../../src/rows/request/Payload.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

const reading: Payload.PayloadOptions = { contentType: "application/json", ragged: false, lenient: false }
const csv = { ...reading, contentType: "text/csv" }
const form = { ...reading, contentType: "application/x-www-form-urlencoded" }

interface Good {
  readonly name: string
  readonly body: Uint8Array | string
  readonly reading?: Payload.PayloadOptions
  readonly payload: Payload.Payload
}

const one = (record: object): Payload.Payload => ({ many: false, records: [{ ...record }], textual: false })
const list = (...records: ReadonlyArray<object>): Payload.Payload => ({
  many: true,
  records: records.map((record) => ({ ...record })),
  textual: false
})

const good: ReadonlyArray<Good> = [
  { name: "an object", body: '{"a":1}', payload: one({ a: 1 }) },
  { name: "bytes", body: bytes('{"a":"Ø🔩"}'), payload: one({ a: "Ø🔩" }) },
  { name: "bytes behind a mark of their order", body: bytes('\uFEFF{"a":1}'), payload: one({ a: 1 }) },
  {
    name: "an object without a content type",
    body: "{}",
    reading: { ...reading, contentType: undefined },
    payload: one({})
  },
  {
    name: "a content type with parameters",
    body: "{}",
    reading: { ...reading, contentType: "Application/JSON; charset=utf-8" },
    payload: one({})
  },
  { name: "the later of two values of one key", body: '{"a":1,"a":2}', payload: one({ a: 2 }) },
  { name: "a list", body: '[{"a":1},{"a":null}]', payload: list({ a: 1 }, { a: null }) },
  {
    name: "keys in another order",
    body: '[{"a":1,"b":2},{"b":1,"a":2}]',
    payload: list({ a: 1, b: 2 }, { a: 2, b: 1 })
  },
  { name: "an empty list", body: "[]", payload: list() },
  {
    name: "rows of different keys where columns are listed",
    body: '[{"a":1},{"b":2}]',
    reading: { ...reading, ragged: true },
    payload: list({ a: 1 }, { b: 2 })
  },
  {
    name: "a number as no rows, in PostgREST's shape",
    body: "5",
    reading: { ...reading, lenient: true },
    payload: list()
  },
  ...["application/vnd.example+json", "text/json", "Application/JSON; charset=utf-8", "", undefined].map(
    (contentType) => ({
      name: `JSON sent as ${contentType}`,
      body: '{"a":1}',
      reading: { ...reading, contentType },
      payload: { many: false, textual: false, records: [{ a: 1 }] }
    })
  ),
  {
    name: "CSV",
    body: 'a,b\n1,NULL\n"x,y",',
    reading: csv,
    payload: {
      many: true,
      textual: true,
      records: [
        { a: "1", b: null },
        { a: "x,y", b: "" }
      ]
    }
  },
  { name: "CSV without rows", body: "a,b\n", reading: csv, payload: { many: true, textual: true, records: [] } },
  {
    name: "a form",
    body: "a=1&b=x+y&c=%C3%98",
    reading: form,
    payload: { many: false, textual: true, records: [{ a: "1", b: "x y", c: "Ø" }] }
  }
]

const bad: ReadonlyArray<
  readonly [name: string, body: Uint8Array | string, reading: Payload.PayloadOptions, error: object]
> = [
  ["an empty body", "", reading, { _tag: "BodyMalformed", reason: "The body is empty." }],
  ["half an object", '{"a":', reading, { _tag: "BodyMalformed", reason: "The body is not JSON." }],
  [
    "bytes that are not UTF-8",
    Uint8Array.of(0x7b, 0xff, 0x7d),
    reading,
    { _tag: "BodyMalformed", reason: "The body is not UTF-8." }
  ],
  ["a number", "5", reading, { _tag: "BodyMalformed", reason: "A JSON object is expected, or an array of objects." }],
  ["null", "null", reading, { _tag: "BodyMalformed", reason: "A JSON object is expected, or an array of objects." }],
  ["a list of numbers", "[1]", reading, { _tag: "KeysDiffer" }],
  ["a list with a hole", "[{},null]", reading, { _tag: "KeysDiffer" }],
  ["a list of lists", "[[]]", reading, { _tag: "KeysDiffer" }],
  ["rows of different keys", '[{"a":1},{"b":1}]', reading, { _tag: "KeysDiffer" }],
  ["a row with a key more", '[{"a":1},{"a":1,"b":1}]', reading, { _tag: "KeysDiffer" }],
  [
    "XML",
    "<a/>",
    { ...reading, contentType: "application/xml" },
    { _tag: "ContentTypeRefused", contentType: "application/xml", hint: null }
  ],
  [
    "a media type that only begins like JSON",
    "{}",
    { ...reading, contentType: "application/jsonx" },
    { _tag: "ContentTypeRefused", contentType: "application/jsonx", hint: null }
  ],
  ["ragged CSV", "a,b\n1,2\n1", csv, { _tag: "CsvRagged", line: 2 }],
  ["CSV with an open quote", 'a\n"1', csv, { _tag: "BodyMalformed", reason: "A quote is out of place in the CSV." }],
  ["a form that is not UTF-8", "a=%FF", form, { _tag: "BodyMalformed", reason: "The form is not UTF-8." }],
  [
    "JSON sent as a form",
    ' {"clientSecret":"x"}',
    form,
    {
      _tag: "ContentTypeRefused",
      contentType: "application/x-www-form-urlencoded",
      hint: "The body looks like JSON: send Content-Type: application/json."
    }
  ]
]

const limits: JsonScan.Limits = { ...JsonScan.limits, rows: 3 }

const read = (body: Uint8Array | string, options: Payload.PayloadOptions) =>
  Slices.run(Payload.read({ body, options }, limits))

describe("Payload", () => {
  for (const { body, name, payload, reading: how = reading } of good) {
    it(`reads ${name}`, () => assert.deepStrictEqual(read(body, how), Either.right(payload)))
  }

  for (const [name, body, how, error] of bad) {
    it(`refuses ${name}`, () => {
      const result = read(body, how)
      assert.deepStrictEqual(Either.isLeft(result) ? result.left : result.right, error)
    })
  }

  it("survives a million brackets", () => {
    assert.isTrue(Either.isLeft(read("[".repeat(1_000_000), reading)))
    assert.isTrue(Either.isLeft(read("[".repeat(100_000) + "]".repeat(100_000), reading)))
    assert.isTrue(Either.isLeft(read('[{"a":'.repeat(100_000), reading)))
  })

  it("treats __proto__ as an ordinary key", () => {
    for (const [body, how] of [
      ['{"__proto__":{"a":1}}', reading],
      ["__proto__=1", form],
      ["__proto__\n1", csv]
    ] as const) {
      const [record = {}] = Either.getOrThrow(read(body, how)).records
      assert.deepStrictEqual(Object.keys(record), ["__proto__"])
      assert.strictEqual(Object.getPrototypeOf(record), Object.prototype)
    }
  })

  it("reads a large text as a small one", () => {
    const text = 'a "quoted" \\ text, with [brackets] {and} \u{1f600}\n'.repeat(400)
    const rows: ReadonlyArray<ReadonlyArray<object>> = [
      [{ text }],
      [{ text }, { text: "" }],
      [
        { text, list: [1, [2, { a: [] }]], empty: {} },
        { text: null, list: [], empty: { "": "]" } }
      ]
    ]
    for (const records of rows) {
      for (const space of [undefined, 2]) {
        const body = ` ${JSON.stringify(records, null, space)}\n`
        assert.deepStrictEqual(read(body, reading), Either.right(list(...records)))
      }
    }
    assert.deepStrictEqual(read(JSON.stringify({ text }), reading), Either.right(one({ text })))
    const utf8 = new TextEncoder().encode(`\ufeff${JSON.stringify([{ text: "\u{1f600}".repeat(300_000) }])}`)
    assert.deepStrictEqual(read(utf8, reading), Either.right(list({ text: "\u{1f600}".repeat(300_000) })))
  })

  it("refuses a large text that is not JSON, or not rows, as a small one", () => {
    const text = "x".repeat(20_000)
    const row = JSON.stringify({ text })
    const notJson = Either.left({ _tag: "BodyMalformed", reason: "The body is not JSON." } as const)
    for (const body of [
      `[${row}`,
      `[${row},]`,
      `[,${row}]`,
      `[${row}]]`,
      `[${row}] x`,
      `[${row}}`,
      `[${row} ${row}]`,
      `${row},`,
      `{"text":"${text}`,
      `[${row},{"text":}]`,
      `[[${row}]`,
      `${row}${row}`
    ]) {
      assert.deepStrictEqual(read(body, reading), notJson, body.slice(-40))
    }
    assert.deepStrictEqual(read(`[${row},{"other":1}]`, reading), Either.left({ _tag: "KeysDiffer" }))
    assert.deepStrictEqual(read(`[${row},7]`, reading), Either.left({ _tag: "KeysDiffer" }))
    assert.deepStrictEqual(read(`[${" ".repeat(20_000)}]`, reading), Either.right(list()))
    assert.isTrue(Either.isLeft(read(`"${text}"`, reading)))
  })

  for (const [size, filler] of [
    ["small", ""],
    ["large", " ".repeat(20_000)]
  ] as const) {
    it(`refuses more rows or keys than the limits, in a ${size} body`, () => {
      const rows = (count: number) => `${filler}[${Array.from({ length: count }, () => '{"a":1}').join(",")}]`
      assert.isTrue(Either.isRight(read(rows(3), reading)))
      assert.deepStrictEqual(read(rows(4), reading), Either.left({ _tag: "TooManyRows", limit: 3 }))
      const keys = (count: number) =>
        `${filler}[{"a":1},${JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, key) => [key, 1])))}]`
      const ragged = { ...reading, ragged: true }
      assert.isTrue(Either.isRight(read(keys(200), ragged)))
      assert.deepStrictEqual(
        read(keys(201), ragged),
        Either.left({ _tag: "RowTooLarge", measure: "keys", limit: 200, row: 2 })
      )
    })
  }

  it("refuses more lines or columns of CSV than the limits", () => {
    assert.isTrue(Either.isRight(read("a\n1\n2\n3\n", csv)))
    assert.deepStrictEqual(read("a\n1\n2\n3\n4", csv), Either.left({ _tag: "TooManyRows", limit: 3 }))
    assert.deepStrictEqual(read(`a\n${"1\n".repeat(3_000_000)}`, csv), Either.left({ _tag: "TooManyRows", limit: 3 }))
    assert.deepStrictEqual(
      read(`${"a,".repeat(200)}a\n`, csv),
      Either.left({ _tag: "RowTooLarge", measure: "keys", limit: 200, row: 1 })
    )
  })

  it("refuses a text that is longer than the limit, as it is sent", () => {
    const few = { ...limits, charactersOfText: 2000 }
    const long = { _tag: "RowTooLarge", measure: "characters", limit: 2000, row: 1 } as const
    const readWith = (body: string, options = reading) => Slices.run(Payload.read({ body, options }, few))
    const text = (count: number) => `[{"a":"${"\\u0041".repeat(count)}"}]`
    assert.isTrue(Either.isRight(readWith(text(333))))
    assert.deepStrictEqual(readWith(text(334)), Either.left(long))
    assert.deepStrictEqual(readWith(`[{"a":1},{"a":"${'\\"'.repeat(5000)}"}]`), Either.left({ ...long, row: 2 }))
    assert.isTrue(Either.isRight(readWith(`a\n${"x".repeat(2000)}\n`, csv)))
    assert.deepStrictEqual(readWith(`a\n${"x".repeat(2001)}\n`, csv), Either.left(long))
    assert.isTrue(Either.isRight(readWith(`a=${"x".repeat(1998)}`, form)))
    assert.deepStrictEqual(readWith(`a=${"x".repeat(1999)}`, form), Either.left(long))
    assert.deepStrictEqual(
      readWith("a=1&".repeat(201), form),
      Either.left({ _tag: "RowTooLarge", measure: "keys", limit: 200, row: 1 })
    )
  })

  it("counts characters of several bytes as UTF-16 does", () => {
    const few = { ...limits, charactersOfText: 2000 }
    const readWith = (body: string, options = reading) => Slices.run(Payload.read({ body: bytes(body), options }, few))
    for (const [character, units] of [
      ["x", 1],
      ["\u00e9", 1],
      ["\u20ac", 1],
      ["\u{1f529}", 2]
    ] as const) {
      const text = character.repeat(2000 / units)
      assert.deepStrictEqual(readWith(`[{"a":"${text}"}]`), Either.right(list({ a: text })))
      assert.isTrue(Either.isLeft(readWith(`[{"a":"${text}x"}]`)))
      for (const quote of ["", '"']) {
        const field = (value: string) => `a,b\n1,${quote}${value}${quote}\n\n2,"a""b"\n`
        const records = list({ a: "1", b: text }, { a: "2", b: 'a"b' }).records
        assert.deepStrictEqual(readWith(field(text), csv), Either.right({ many: true, records, textual: true }))
        const long = { _tag: "RowTooLarge", measure: "characters", limit: 2000, row: 1 } as const
        assert.deepStrictEqual(readWith(field(`${text}x`), csv), Either.left(long))
        assert.deepStrictEqual(readWith(field(`${text}xxx`), csv), Either.left(long))
      }
    }
  })

  it("counts the levels of a small body", () => {
    const nested = (depth: number) => `[{"a":1},{"a":${"[".repeat(depth)}${"]".repeat(depth)}}]`
    assert.isTrue(Either.isRight(read(nested(512), reading)))
    assert.deepStrictEqual(
      read(nested(513), reading),
      Either.left({ _tag: "RowTooLarge", measure: "depth", limit: 513, row: 2 })
    )
  })

  it("counts values and levels before it builds them", () => {
    const nested = (depth: number) => `[{"a":1},{"a":${"[".repeat(depth)}"${"x".repeat(20_000)}"${"]".repeat(depth)}}]`
    assert.isTrue(Either.isRight(read(nested(512), reading)))
    assert.deepStrictEqual(
      read(nested(513), reading),
      Either.left({ _tag: "RowTooLarge", measure: "depth", limit: 513, row: 2 })
    )
    const values = (count: number) => `[{"a":[${"1,".repeat(count - 1)}1]}]`
    assert.isTrue(Either.isRight(read(values(99_000), reading)))
    assert.deepStrictEqual(
      read(values(5_000_000), reading),
      Either.left({ _tag: "RowTooLarge", measure: "values", limit: 100_000, row: 1 })
    )
    const few = { ...limits, values: 1000 }
    const source = { body: `[${values(600).slice(1, -1)},${values(600).slice(1)}`, options: reading }
    const padded = { ...source, body: source.body + " ".repeat(20_000) }
    assert.deepStrictEqual(
      Slices.run(Payload.read(padded, few)),
      Either.left({ _tag: "TooManyValues", limit: 1000 } as const)
    )
  })
})
