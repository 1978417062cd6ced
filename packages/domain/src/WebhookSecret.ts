/**
 * The secret that signs the deliveries of a webhook: `whsec_` and the base64 of 24 to 64 bytes, as in Standard Webhooks.
 * No message contains a secret.
 */
import type * as Brand from "effect/Brand"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Schema from "effect/Schema"
import * as Sensitive from "./Sensitive.ts"

/** The prefix of every secret. */
export const prefix = "whsec_"

const fewest = 24
const most = 64

const description = `a webhook secret: ${prefix} and the base64 of ${fewest} to ${most} bytes`

const decode = (text: string): Uint8Array | undefined => {
  const bytes = Either.getOrUndefined(Encoding.decodeBase64(text.slice(prefix.length)))
  // Decoding accepts line breaks and stray bits, which headers and other decoders reject.
  const exact = bytes !== undefined && prefix + Encoding.encodeBase64(bytes) === text
  return exact && bytes.length >= fewest && bytes.length <= most ? bytes : undefined
}

/** A well-formed secret. */
export type WebhookSecret = string & Brand.Brand<"WebhookSecret">

/** The schema of a well-formed secret. */
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

/** Makes a secret from 24 to 64 random bytes; throws a `RangeError` for fewer or more. */
export const fromRandom = (bytes: Uint8Array): WebhookSecret => {
  if (bytes.length < fewest || bytes.length > most) {
    throw new RangeError(`Expected ${fewest} to ${most} random bytes, got ${bytes.length}`)
  }
  // The brand means a secret of this many bytes.
  return (prefix + Encoding.encodeBase64(bytes)) as WebhookSecret
}

/** The bytes of the key. */
export const toBytes = (secret: WebhookSecret): Uint8Array =>
  Either.getOrThrow(Encoding.decodeBase64(secret.slice(prefix.length)))
