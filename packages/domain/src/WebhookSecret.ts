/**
 * What signs a webhook's deliveries: `whsec_` and the base64 of 24 to 64 bytes, as Standard Webhooks has it. No
 * message ever holds a secret.
 */
import type * as Brand from "effect/Brand"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Schema from "effect/Schema"
import * as Sensitive from "./Sensitive.ts"

/** What every secret begins with. */
export const prefix = "whsec_"

const fewest = 24
const most = 64

const description = `a webhook secret: ${prefix} and the base64 of ${fewest} to ${most} bytes`

const decode = (text: string): Uint8Array | undefined => {
  const bytes = Either.getOrUndefined(Encoding.decodeBase64(text.slice(prefix.length)))
  // Decoding forgives line breaks and stray bits, which a header or another reader would not.
  const exact = bytes !== undefined && prefix + Encoding.encodeBase64(bytes) === text
  return exact && bytes.length >= fewest && bytes.length <= most ? bytes : undefined
}

/** A text that holds the bytes of a key. */
export type WebhookSecret = string & Brand.Brand<"WebhookSecret">

/** A well-formed secret. */
export const WebhookSecret = Schema.String.pipe(
  Schema.filter((text) => decode(text) !== undefined),
  Schema.brand("WebhookSecret"),
  Sensitive.make,
  Schema.annotations({
    identifier: "WebhookSecret",
    description,
    message: () => ({ message: `Expected ${description}`, override: true }),
    arbitrary: () => (fc) => fc.uint8Array({ minLength: fewest, maxLength: most }).map(fromRandom),
    jsonSchema: { type: "string", pattern: `^${prefix}[0-9A-Za-z+/]{32,86}={0,2}$` }
  })
)

/** A secret from 24 to 64 random bytes, as `crypto.getRandomValues` gives them; others throw a `RangeError`. */
export const fromRandom = (bytes: Uint8Array): WebhookSecret => {
  if (bytes.length < fewest || bytes.length > most) {
    throw new RangeError(`a webhook secret holds ${fewest} to ${most} bytes, not ${bytes.length}`)
  }
  // The bytes are as many as the brand asks for.
  return (prefix + Encoding.encodeBase64(bytes)) as WebhookSecret
}

/** The key to sign with. */
export const toBytes = (secret: WebhookSecret): Uint8Array =>
  Either.getOrThrow(Encoding.decodeBase64(secret.slice(prefix.length)))
