/**
 * The form of an API key: `mfg_`, 32 base62 characters, and 6 more that carry the CRC-32 of those 32, so that a
 * mistyped or cut key is told from an unknown one without asking the service. No message ever holds a key.
 */
import type * as Brand from "effect/Brand"
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { crc32 } from "./internal/crc32.ts"
import * as Sensitive from "./Sensitive.ts"

/** What every key begins with. */
export const prefix = "mfg_"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const bodyLength = 32
const checksumLength = 6

/** How many characters a key has. */
export const length = prefix.length + bodyLength + checksumLength

/** Why a text is not a key; it tells where to look and nothing of what stands there. */
export type Flaw = Data.TaggedEnum<{
  WrongPrefix: {}
  WrongLength: { readonly actual: number }
  /** The first character outside `0-9A-Za-z`, counted from 0. */
  WrongCharacter: { readonly index: number }
  WrongChecksum: {}
}>

/** Constructors and matchers of {@link Flaw}. */
export const Flaw = Data.taggedEnum<Flaw>()

/** One sentence on a flaw, for people. */
export const explain: (flaw: Flaw) => string = Flaw.$match({
  WrongPrefix: () => `An API key begins with ${prefix}`,
  WrongLength: ({ actual }) => `An API key has ${length} characters, this text has ${actual}`,
  WrongCharacter: ({ index }) => `An API key has only 0-9, A-Z and a-z after ${prefix}, unlike character ${index + 1}`,
  WrongChecksum: () => "The checksum does not match: a character of the API key is wrong, or two have changed places"
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

/** A text that {@link check} found no flaw in. */
export type ApiKey = string & Brand.Brand<"ApiKey">

/** A well-formed key. A service may also know keys of another form, installed by hand: ask it, not this schema. */
export const ApiKey = Schema.String.pipe(
  Schema.filter((text) => flaw(text) === undefined),
  Schema.brand("ApiKey"),
  Sensitive.make,
  Schema.annotations({
    identifier: "ApiKey",
    description: `an API key: ${prefix} and ${bodyLength + checksumLength} base62 characters that check`,
    message: ({ actual }) => ({
      message: typeof actual === "string" ? explain(flaw(actual) ?? Flaw.WrongChecksum()) : "An API key is a text",
      override: true
    }),
    arbitrary: () => (fc) => fc.uint8Array({ minLength: 32, maxLength: 32 }).map(fromRandom),
    jsonSchema: { type: "string", pattern: `^${prefix}[0-9A-Za-z]{${bodyLength + checksumLength}}$` }
  })
)

/**
 * Looks at a text without asking the service.
 *
 * @example
 * ApiKey.check("mfg_12").pipe(Either.mapLeft(ApiKey.explain))
 */
export const check = (text: string): Either.Either<ApiKey, Flaw> => {
  const found = flaw(text)
  // A text without a flaw is what the brand means.
  return found === undefined ? Either.right(text as ApiKey) : Either.left(found)
}

/** The key with a given body of 32 base62 characters. */
export const make = (body: string): Either.Either<ApiKey, Flaw> => check(seal(body))

/**
 * A key from 32 or more random bytes, as `crypto.getRandomValues` gives them; fewer throw a `RangeError`. 256 bits
 * folded onto 32 base62 digits (190 bits) leave a bias below 2 to the -65.
 */
export const fromRandom = (bytes: Uint8Array): ApiKey => {
  if (bytes.length < 32) throw new RangeError(`a key is made of 32 random bytes or more, not ${bytes.length}`)
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  // Sealed digits have no flaw.
  return seal(base62(value, bodyLength)) as ApiKey
}
