/**
 * Text that every store can keep: no U+0000 (PostgreSQL refuses it) and no lone surrogate (it has no UTF-8).
 */
import type * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { PredicateId } from "./internal/predicate.ts"

/** Why a text cannot be kept, or `undefined` when it can. */
export const flaw = (text: string): string | undefined =>
  text.includes("\u0000") ? "U+0000" : text.isWellFormed() ? undefined : "a lone surrogate"

/** What a text without flaw is called in errors. */
export const description = "text without U+0000 or a lone surrogate"

const surrogates = { from: 0xd800, count: 0x800 }

/** Every code point that a text may hold. */
export const character: Arbitrary.LazyArbitrary<string> = (fc) =>
  fc
    .integer({ min: 1, max: 0x10_ffff - surrogates.count })
    .map((point) => String.fromCodePoint(point < surrogates.from ? point : point + surrogates.count))

/** Texts of all characters, half of them plain. */
export const generated: Arbitrary.LazyArbitrary<string> = (fc) =>
  fc.oneof(fc.string(), fc.string({ unit: character(fc) }))

const accepts = (value: unknown): boolean => typeof value === "string" && flaw(value) === undefined

/** Any text that can be kept, the empty one included. */
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

/** A list of texts: what is known of the contract's `array`, see `Column.wireColumns`. */
export class TextArray extends Schema.Array(Text).annotations({ description: "an array of text" }) {}
