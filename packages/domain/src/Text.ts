/**
 * The text that both databases store: without U+0000, which PostgreSQL refuses, and without lone surrogates, which UTF-8
 * cannot encode.
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { PredicateId } from "./internal/predicate.ts"

/** Returns the part of a text that cannot be stored, or `undefined`. */
export const flaw = (text: string): string | undefined =>
  text.includes("\u0000") ? "U+0000" : text.isWellFormed() ? undefined : "a lone surrogate"

/** The expectation in error messages. */
export const description = "text without U+0000 or a lone surrogate"

const surrogates = { from: 0xd800, count: 0x800 }

/** Every code point that a text may hold. */
export const character: Arbitrary.LazyArbitrary<string> = (fc) =>
  fc
    .integer({ min: 1, max: 0x10_ffff - surrogates.count })
    .map((point) => String.fromCodePoint(point < surrogates.from ? point : point + surrogates.count))

/** Texts of any characters, half of them ASCII. */
export const generated: Arbitrary.LazyArbitrary<string> = (fc) =>
  fc.oneof(fc.string(), fc.string({ unit: character(fc) }))

const accepts = (value: unknown): boolean => typeof value === "string" && flaw(value) === undefined

/** Any text that can be stored, including the empty text. */
export class Text extends Schema.String.pipe(
  Schema.filter(accepts, {
    [PredicateId]: accepts,
    description,
    jsonSchema: { type: "string" },
    arbitrary: () => generated
  })
) {}

/** Text of at least one character. */
export class NonEmpty extends Text.pipe(
  Schema.filter((text) => text !== "", {
    [PredicateId]: (value: unknown) => value !== "" && accepts(value),
    description: "non-empty text",
    jsonSchema: { type: "string", minLength: 1 }
  })
) {}

/** A list of texts, as resources declare the contract's `array`; see `Column.schemas`. */
export class TextArray extends Schema.Array(Text).annotations({ description: "an array of text" }) {}
