/** The ordinary and hostile values of every wire type of the contract. */
import type { Json } from "@mfgdata/domain/Json"

/** The types of the contract's legend; `E:<name>` is `vocabulary`. */
export type WireType = "string" | "vocabulary" | "number" | "boolean" | "date" | "timestamp" | "object" | "array"

const texts: ReadonlyArray<string> = [
  "plain",
  "",
  " ",
  "  both ends  ",
  "null",
  "NULL",
  "true",
  "0",
  "007",
  "1e3",
  "undefined",
  "\u0001\u001f\u007f\u0080",
  "tab\tline\nreturn\rfeed\fback\b",
  "\\ \\\\ \\n \\u0000",
  'it\'s "quoted" `here`',
  'Robert\'); DROP TABLE "holiday";--',
  "' OR '1'='1",
  "$1 ? :a @b ${c} %s {{d}}",
  "%_*?[a]^$.|",
  "a,b;c|d",
  "(a,b)",
  "{a,b}",
  '{"a":1}',
  "[1,2]",
  "eq.1",
  "a=b&c=d#e+f%20g",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "__proto__",
  "constructor",
  "2026-01-31",
  "2026-01-31T12:30:00Z",
  "mixed CASE case",
  "straße ß İ ı ﬀ",
  "e\u0301 é",
  "日本語 한국어",
  "שלום עולם مرحبا",
  "👩🏽‍🔧 🇩🇪 😀",
  "\u202eright to left\u202c \u2028\u2029\ufeff",
  "\uffff\u{10ffff}",
  "x".repeat(600),
  "é".repeat(3000)
]

const numbers: ReadonlyArray<number> = [
  0,
  1,
  -1,
  0.1,
  -0.1,
  0.30000000000000004,
  1 / 3,
  1.005,
  99999999.99,
  123456789.12345679,
  127,
  -129,
  65536,
  2147483647,
  2147483648,
  -2147483649,
  4294967296,
  9007199254740991,
  -9007199254740991,
  9007199254740992,
  2 ** 63,
  -(2 ** 63),
  2 ** 64,
  1e21,
  -1e21,
  1e100,
  1e-7,
  2.5e-9,
  2.220446049250313e-16,
  2.2250738585072014e-308,
  5e-324,
  1.7976931348623157e308,
  -1.7976931348623157e308
]

const dates: ReadonlyArray<string> = [
  "2026-01-31",
  "0001-01-01",
  "0004-02-29",
  "0099-12-31",
  "1582-10-10",
  "1600-02-29",
  "1899-12-31",
  "1900-02-28",
  "1969-12-31",
  "1970-01-01",
  "2000-02-29",
  "2024-02-29",
  "2026-03-29",
  "2038-01-19",
  "2100-02-28",
  "2400-02-29",
  "9999-12-31"
]

/** Timestamps, with the instant of each to the microsecond in a form that sorts as text. */
export const timestamps: ReadonlyArray<readonly [sent: string, instant: string]> = [
  ["2026-01-31T12:30:00Z", "2026-01-31T12:30:00.000000"],
  ["2026-01-31T12:30:00.000Z", "2026-01-31T12:30:00.000000"],
  ["2026-01-31T12:30:00.5Z", "2026-01-31T12:30:00.500000"],
  ["2026-01-31T12:30:00.50Z", "2026-01-31T12:30:00.500000"],
  ["2026-01-31T12:30:00.1234Z", "2026-01-31T12:30:00.123400"],
  ["2026-01-31T12:30:00.123456Z", "2026-01-31T12:30:00.123456"],
  ["2026-01-31T12:30:00.1234567Z", "2026-01-31T12:30:00.123456"],
  ["2026-01-31T12:30:00.123456999Z", "2026-01-31T12:30:00.123456"],
  ["2026-01-31T12:30:00.999999999Z", "2026-01-31T12:30:00.999999"],
  ["2026-01-31T12:30:00,25Z", "2026-01-31T12:30:00.250000"],
  ["2026-01-31T12:30Z", "2026-01-31T12:30:00.000000"],
  ["2026-01-31T12:30+02:00", "2026-01-31T10:30:00.000000"],
  ["2026-01-31T12:30:00", "2026-01-31T12:30:00.000000"],
  ["2026-01-31T12:30:00.250", "2026-01-31T12:30:00.250000"],
  ["2026-01-31T12:30:00+00:00", "2026-01-31T12:30:00.000000"],
  ["2026-01-31T12:30:00+02:00", "2026-01-31T10:30:00.000000"],
  ["2026-01-31T12:30:00.750-05:30", "2026-01-31T18:00:00.750000"],
  ["2026-01-31T12:30:00+02", "2026-01-31T10:30:00.000000"],
  ["2026-01-31T12:30:00+14:00", "2026-01-30T22:30:00.000000"],
  ["2026-01-31T12:30:00-12:00", "2026-02-01T00:30:00.000000"],
  ["2026-01-31T24:00:00Z", "2026-02-01T00:00:00.000000"],
  ["2026-12-31T24:00:00Z", "2027-01-01T00:00:00.000000"],
  ["2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59.999000"],
  ["2024-02-29T23:59:59-01:00", "2024-03-01T00:59:59.000000"],
  ["2026-01-31T12Z", "2026-01-31T12:00:00.000000"],
  ["2026-01-31T12:30.5Z", "2026-01-31T12:30:30.000000"],
  ["2026-031T12:30:00Z", "2026-01-31T12:30:00.000000"],
  ["2026-W05-6T12:30:00Z", "2026-01-31T12:30:00.000000"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000"],
  ["2026-03-29T02:30:00Z", "2026-03-29T02:30:00.000000"],
  ["1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999"],
  ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000"],
  ["1582-10-10T00:00:00Z", "1582-10-10T00:00:00.000000"],
  ["0001-01-01T00:00:00+14:00", "0000-12-31T10:00:00.000000"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000"],
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999000"],
  ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999"],
  // A year of five digits, whose first sorts after every other.
  ["9999-12-31T23:59:59-12:00", ":0000-01-01T11:59:59.000000"]
]

const nested = (depth: number, leaf: Json): Json => {
  let value = leaf
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { level: value } : [value]
  return value
}

// As text, because a literal cannot have a member `__proto__`.
const awkward: Json = JSON.parse('{"z":1,"__proto__":{"x":1},"constructor":"y","toString":null,"10":2,"9":3}')

/** Objects in arbitrary order. */
const objects: ReadonlyArray<Json> = [
  {},
  { a: 1 },
  { a: null },
  { "": "" },
  { b: 2, a: 1 },
  { a: { b: { c: [1, { d: null }] } } },
  { list: [], object: {}, text: "", zero: 0, no: false, none: null },
  Object.fromEntries(texts.map((text, index) => [text.slice(0, 40), index])),
  Object.fromEntries(texts.map((text, index) => [`key ${index}`, text])),
  { numbers },
  { level: nested(60, "deep") },
  Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`member ${index}`, index])),
  awkward,
  { "a.b": 1, "a b": 2, 'a"b': 3, "a\\b": 4, "a,b": 5, "->": 6 }
]

/** Arrays of any JSON. */
const arrays: ReadonlyArray<Json> = [
  [],
  ["one"],
  ["one", "two"],
  ["two", "one"],
  ["one", "one"],
  [""],
  ["NULL", "null", null],
  texts.slice(),
  numbers.slice(),
  [1],
  [1, 2.5, -3e21],
  [true, false],
  [null],
  [null, null],
  [{}],
  [{ a: 1, b: [2, { c: null }] }],
  [[]],
  [["a"], ["b", "c"]],
  [["a", "b"], ["c"], []],
  ["mixed", 1, true, null, { a: [] }, ["b"]],
  [nested(60, "deep")],
  Array.from({ length: 1000 }, (_, index) => index),
  ['a"b', "a,b", "{a}", "a\\b", " a "],
  dates.slice()
]

/** The values that a field of a type accepts, without null and absence of optional fields. */
export const accepted: { readonly [type in WireType]: ReadonlyArray<Json> } = {
  string: texts,
  vocabulary: texts.filter((text) => text !== ""),
  number: numbers,
  boolean: [true, false],
  date: dates,
  timestamp: timestamps.map(([sent]) => sent),
  object: objects,
  array: arrays
}

/** Values that no field of the type accepts. */
export const refused: { readonly [type in WireType]: ReadonlyArray<Json> } = {
  string: [0, 1.5, true, false, {}, [], ["text"], { text: "text" }],
  vocabulary: [0, true, {}, [], ["Draft"]],
  number: ["", "1", "NaN", true, {}, [], [1]],
  boolean: ["", "true", "false", 0, 1, {}, []],
  date: [
    "",
    "today",
    "2026-02-29",
    "1900-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-1-1",
    "26-01-31",
    "20260131",
    "31.01.2026",
    "01/31/2026",
    "2026-01-31T00:00:00Z",
    "2026-01-31 ",
    20260131,
    0,
    true,
    {},
    []
  ],
  timestamp: [
    "",
    "now",
    "2026-01-31T",
    "2026-02-30T12:30:00Z",
    "2025-02-29T12:30:00Z",
    "2026-01-31T25:00:00Z",
    "2026-01-31T24:00:01Z",
    "2026-01-31T12:60:00Z",
    "2026-13-31T12:30:00Z",
    "2026-01-31T12:30:00.Z",
    "2026-01-31T12:30:00+25:00",
    "2026-01-31T12:30:00+02:60",
    "2026-01-31T12:30:00ZZ",
    "2026-01-31T12:30:00 CET",
    "Sat, 31 Jan 2026 12:30:00 GMT",
    1769862600,
    1769862600000,
    true,
    {},
    []
  ],
  object: ["", "{}", '{"a":1}', 0, true, [], [{}]],
  array: ["", "[]", "{}", "a,b", 0, true, {}, { 0: "a" }]
}
