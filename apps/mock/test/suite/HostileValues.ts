/**
 * The hostile texts, bytes and values of invalid requests, and the form of such a request.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import * as fc from "effect/FastCheck"

export interface InvalidRequest {
  readonly method: string
  readonly target: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: Uint8Array | string
  /** Allows a successful response: a read of an odd filter may find nothing. */
  readonly harmless?: boolean
}

/** SQL, and names with a meaning in JavaScript or in a file system. */
const charged = fc.constantFrom(
  "'",
  '"',
  "';--",
  '1; DROP TABLE "holiday"',
  "' OR '1'='1",
  '") OR 1=1--',
  '\') UNION SELECT * FROM "_apiKey"--',
  "\\",
  "${x}",
  "$1",
  "?1",
  ":a",
  "%00",
  "\u0000",
  "\ud800",
  "%",
  "_doc",
  "_tenant",
  "rowid",
  "sqlite_master",
  "__proto__",
  "constructor",
  "toString"
)

/** A text in place of a name or a value. */
export const word = fc.oneof(charged, fc.string({ maxLength: 12 }), fc.string({ unit: "binary", maxLength: 6 }))

/** A text in an address; text that has no UTF-8 becomes invalid bytes. */
export const encoded = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : "%ed%a0%80")

/** Nested brackets. */
export const deep = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth)

const malformedTexts = fc.constantFrom(
  "",
  " ",
  "{",
  "[",
  '{"a":',
  "{'a':1}",
  '{"a":1}}',
  "[{}",
  "undefined",
  "NaN",
  '{"a":NaN}',
  '"text"',
  "7",
  "null",
  "true",
  "[7]",
  "[null]",
  "[[]]",
  "\ufeff{",
  '{"a":"\u0000"}',
  deep(100_000, "[", "]"),
  deep(100_000, "[", ""),
  deep(20_000, '{"a":', "}"),
  '{"__proto__":{"name":"x"}}',
  '{"constructor":{"prototype":{}}}'
)

/** JSON that is invalid, difficult to parse, or not made of rows. */
export const malformed = fc.oneof(
  malformedTexts,
  fc.string({ maxLength: 30 }).map((text) => `{${text}`),
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => `[${text}`)
)

/** JSON with bytes that are not UTF-8. */
export const invalidUtf8 = fc
  .uint8Array({ maxLength: 8 })
  .map((bytes) => Uint8Array.from([...Buffer.from('{"name":"'), ...bytes, 0xff, 0xc3, 0x28, ...Buffer.from('"}')]))

/** Values that no column of a type accepts. */
export const wrongValues: { readonly [T in Column.Type]: ReadonlyArray<Json> } = {
  text: [1, true, {}, [], ["a"], "\u0000", "\ud800", "a\u0000b"],
  number: ["1", "", true, {}, [], [1], "1e999", "NaN"],
  boolean: ["true", 0, 1, "", {}, [], "t"],
  date: [20260131, "", "today", "2026-02-30", "31.01.2026", "2026-1-1", {}, true, "';--"],
  timestamp: [0, "", "now", "2026-01-31T25:00:00Z", "2026-01-31T12:00:60Z", [], {}, "';--"],
  object: ["{}", 1, true, [], [{}], { a: "\u0000" }, { "\ud800": 1 }],
  array: ["{a}", "[]", 1, {}, true, ["\u0000"], [{ a: ["\ud800"] }]]
}
