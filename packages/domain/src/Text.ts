/**
 * Text that every store can keep: no U+0000 (PostgreSQL refuses it) and no lone surrogate (it has no UTF-8).
 */
import * as Schema from "effect/Schema"

/** Why a text cannot be kept, or `undefined` when it can. */
export const flaw = (text: string): string | undefined =>
  text.includes("\u0000") ? "U+0000" : text.isWellFormed() ? undefined : "a lone surrogate"

export const Text = Schema.String.pipe(
  Schema.filter((text) => {
    const found = flaw(text)
    return found === undefined ? undefined : `text without ${found}`
  })
)

export const NonEmpty = Text.pipe(Schema.minLength(1))
