/**
 * The form of an API key: `mfg_`, 32 base62 characters, and 6 more with the CRC-32 of those 32. The checksum finds
 * mistyped keys without a request. No message contains a key.
 */
import type * as Brand from "effect/Brand"
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { prefix } from "./internal/apiKeyPrefix.ts"
import { crc32 } from "./internal/crc32.ts"
import * as Sensitive from "./Sensitive.ts"

export { prefix } from "./internal/apiKeyPrefix.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const bodyLength = 32
const checksumLength = 6

/** The number of characters of a key. */
export const length = prefix.length + bodyLength + checksumLength

/** The reason why a text is not a key. It names positions, but no characters of the text. */
export type Flaw = Data.TaggedEnum<{
  WrongPrefix: {}
  WrongLength: { readonly actual: number }
  /** The first character outside `0-9A-Za-z`, counted from 0. */
  WrongCharacter: { readonly index: number }
  WrongChecksum: {}
}>

/** Constructors and matchers of {@link Flaw}. */
export const Flaw = Data.taggedEnum<Flaw>()

/** Describes a flaw in a sentence. */
export const explain: (flaw: Flaw) => string = Flaw.$match({
  WrongPrefix: () => `Invalid API key: expected the prefix ${prefix}`,
  WrongLength: ({ actual }) => `Invalid API key: expected ${length} characters, got ${actual}`,
  WrongCharacter: ({ index }) =>
    `Invalid API key: expected only 0-9, A-Z and a-z after ${prefix}, got another character at position ${index + 1}`,
  WrongChecksum: () => "Invalid API key: the checksum does not match; check the key for typing errors"
})

const base62 = (value: bigint, digits: number): string => {
  let text = ""
  for (let rest = value; text.length < digits; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text
  return text
}

const seal = (body: string): string => prefix + body + base62(BigInt(crc32(body)), checksumLength)

const flaw = (text: string): Flaw | undefined => {
  if (!text.startsWith(prefix)) return Flaw.WrongPrefix()
  if (text.length !== length) return Flaw.WrongLength({ actual: text.length })
  for (let index = prefix.length; index < length; index++) {
    if (!alphabet.includes(text.charAt(index))) return Flaw.WrongCharacter({ index })
  }
  return seal(text.slice(prefix.length, -checksumLength)) === text ? undefined : Flaw.WrongChecksum()
}

/** A text that passed {@link check}. */
export type ApiKey = string & Brand.Brand<"ApiKey">

/** A well-formed key. A service can accept keys of other forms, which an administrator has installed. */
export const ApiKey = Schema.String.pipe(
  Schema.filter((text) => flaw(text) === undefined),
  Schema.brand("ApiKey"),
  Sensitive.make,
  Schema.annotations({
    identifier: "ApiKey",
    description: `an API key: ${prefix} and ${bodyLength + checksumLength} base62 characters with a valid checksum`,
    message: ({ actual }) => ({
      message:
        typeof actual === "string"
          ? explain(flaw(actual) ?? Flaw.WrongChecksum())
          : "Invalid API key: expected a string",
      override: true
    }),
    arbitrary: () => (fc) => fc.uint8Array({ minLength: 32, maxLength: 32 }).map(fromRandom),
    jsonSchema: { type: "string", pattern: `^${prefix}[0-9A-Za-z]{${bodyLength + checksumLength}}$` }
  })
)

/**
 * Checks the form of a key without a request.
 *
 * @example
 * ApiKey.check("mfg_12").pipe(Either.mapLeft(ApiKey.explain))
 */
export const check = (text: string): Either.Either<ApiKey, Flaw> => {
  const found = flaw(text)
  // The brand means a text without a flaw.
  return found === undefined ? Either.right(text as ApiKey) : Either.left(found)
}

/** Makes a key from a body of 32 base62 characters. */
export const make = (body: string): Either.Either<ApiKey, Flaw> => check(seal(body))

/**
 * Makes a key from 32 or more random bytes, such as those of `crypto.getRandomValues`; throws a `RangeError` for fewer.
 * Folding 256 bits onto 32 base62 digits (190 bits) leaves a bias below 2 to the -65.
 */
export const fromRandom = (bytes: Uint8Array): ApiKey => {
  if (bytes.length < 32) throw new RangeError(`Expected at least 32 random bytes, got ${bytes.length}`)
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  // Sealed digits are well-formed.
  return seal(base62(value, bodyLength)) as ApiKey
}
