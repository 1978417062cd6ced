/**
 * The JSON values that both databases store without loss: finite numbers, text (and keys) without U+0000 and lone
 * surrogates, and at most as many levels as SQLite's JSON functions parse.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import * as Text from "./Text.ts"
import { PredicateId } from "./internal/predicate.ts"

export type Json = null | boolean | number | string | JsonArray | JsonObject

export interface JsonArray extends ReadonlyArray<Json> {}

export interface JsonObject {
  readonly [key: string]: Json
}

/** The maximum number of nested arrays and objects. SQLite's own limit is 1 000, including the level of the row. */
export const maximumDepth = 512

/** A finite double. */
export class JsonNumber extends Schema.Number.pipe(
  Schema.filter(Number.isFinite, {
    [PredicateId]: Number.isFinite,
    description: "a finite number",
    jsonSchema: { type: "number" },
    // JSON has no negative zero, and adding zero to it gives zero.
    arbitrary: () => (fc) => fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)
  })
) {}

const Key = Text.Text.annotations({ description: `object keys of ${Text.description}` })
const Shallow = Schema.Unknown.annotations({ description: `JSON at most ${maximumDepth} levels deep` })

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" &&
  value !== null &&
  // Prototypes differ between realms, tags do not. A Date or a Map is not JSON.
  (Object.getPrototypeOf(value) === Object.prototype || Object.prototype.toString.call(value) === "[object Object]")

/** Returns the first part of a value that cannot be stored, with its path. */
const issueOf = (value: unknown, depth: number): ParseResult.ParseIssue | undefined => {
  if (typeof value === "string") {
    return Text.flaw(value) === undefined ? undefined : new ParseResult.Type(Text.Text.ast, value)
  }
  if (value === null || typeof value === "boolean") return undefined
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : new ParseResult.Type(JsonNumber.ast, value)
  }
  const isArray = Array.isArray(value)
  if (!isArray && !isObject(value)) return new ParseResult.Type(Json.ast, value)
  // The issue leaves out the value: printing it could exceed the same limit.
  if (depth === maximumDepth) return new ParseResult.Type(Shallow.ast, "more")
  if (isArray) {
    for (let index = 0; index < value.length; index++) {
      const issue = issueOf(value[index], depth + 1)
      if (issue !== undefined) return new ParseResult.Pointer(index, value, issue)
    }
    return undefined
  }
  for (const key in value) {
    if (Text.flaw(key) !== undefined) return new ParseResult.Type(Key.ast, key)
    const issue = issueOf(value[key], depth + 1)
    if (issue !== undefined) return new ParseResult.Pointer(key, value, issue)
  }
  return undefined
}

/** Small values, serialized once because JSON has no negative zero. */
const generated: Arbitrary.LazyArbitrary<Json> = (fc) =>
  fc
    .jsonValue({ maxDepth: 2, depthSize: "xsmall", stringUnit: Text.character(fc) })
    .map((value): Json => JSON.parse(JSON.stringify(value)))

/** Makes a schema that returns a value unchanged, or the path of the part that cannot be stored. */
const keeping = <A extends Json>(
  accepts: (value: unknown) => boolean,
  annotations: Schema.Annotations.Schema<A>
): Schema.declare<A> => {
  const keep = () => (value: unknown, _: unknown, ast: AST.AST) => {
    const issue = accepts(value) ? issueOf(value, 0) : new ParseResult.Type(ast, value)
    // A is defined as the values that pass `accepts` and `issueOf`.
    return issue === undefined ? Either.right(value as A) : Either.left(issue)
  }
  const predicate = (value: unknown): boolean => accepts(value) && issueOf(value, 0) === undefined
  return Schema.declare<A, A, []>([], { decode: keep, encode: keep }, { [PredicateId]: predicate, ...annotations })
}

/** Any JSON value. */
export const Json = keeping<Json>(() => true, {
  description: "a JSON value",
  jsonSchema: { type: ["array", "boolean", "null", "number", "object", "string"] },
  arbitrary: () => generated
})

/** A JSON array of any elements, the contract's `array`. */
export const JsonArray = /* @__PURE__ */ keeping<JsonArray>(Array.isArray, {
  description: "a JSON array",
  jsonSchema: { type: "array" },
  arbitrary: () => (fc) => fc.array(generated(fc), { maxLength: 3 })
})

/** A JSON object, the contract's `object`. */
export const JsonObject = keeping<JsonObject>(isObject, {
  description: "a JSON object",
  jsonSchema: { type: "object" },
  arbitrary: () => (fc) => fc.dictionary(Text.generated(fc), generated(fc), { maxKeys: 3, noNullPrototype: true })
})
