/**
 * Signs and verifies deliveries after Standard Webhooks: an HMAC of id, timestamp and body with a webhook's secret. Uses
 * WebCrypto, which compares signatures in constant time.
 */
import * as WebhookEvent from "@mfgdata/domain/WebhookEvent"
import * as WebhookSecret from "@mfgdata/domain/WebhookSecret"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The secret of a webhook, which logs do not show. */
export type Secret = Redacted.Redacted<WebhookSecret.WebhookSecret>

/** The signed parts of a delivery. */
export interface Message {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** The exact body: JSON that was parsed and printed again has another signature. */
  readonly body: string | Uint8Array
}

/** A delivery as received. */
export interface ReceivedDelivery {
  /** By name in lower case. */
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: string | Uint8Array
}

/** A header of a delivery is missing or invalid. */
export class HeaderInvalid extends Data.TaggedError("HeaderInvalid")<{
  readonly header: string
  readonly expected: string
}> {
  override get message() {
    return `Invalid header ${this.header}: expected ${this.expected}`
  }
}

/** No signature matches a secret: the delivery was changed in transit, or has another sender. */
export class SignatureMismatch extends Data.TaggedError("SignatureMismatch")<{ readonly id: string }> {
  override get message() {
    return `No signature of the delivery ${this.id} matches a secret of this receiver`
  }
}

/** The delivery was signed too long ago, such as a replayed one, or by a clock that is ahead. */
export class TimestampOutsideTolerance extends Data.TaggedError("TimestampOutsideTolerance")<{
  readonly id: string
  /** Seconds since 1970, as `now` is. */
  readonly timestamp: number
  readonly now: number
  readonly toleranceSeconds: number
}> {
  override get message() {
    const { id, now, timestamp, toleranceSeconds } = this
    const age = now - timestamp
    return `The delivery ${id} was signed ${Math.abs(age)} s ${age < 0 ? "ahead of now" : "ago"}: expected at most ${toleranceSeconds} s`
  }
}

/** The errors of verifying a delivery. */
export type SignatureError = HeaderInvalid | SignatureMismatch | TimestampOutsideTolerance

export interface Options {
  /** The secret, or several while it is rotated: a delivery has to match one of them. */
  readonly secrets: Arr.NonEmptyReadonlyArray<Secret>
  /** The largest difference of a delivery's timestamp from now (default 300, as Standard Webhooks advises). */
  readonly toleranceSeconds?: number | undefined
}

/** The verified parts of a delivery. */
export interface VerifiedDelivery {
  /** The id of the event, the same in every attempt. */
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
}

const version = "v1"
const algorithm = { name: "HMAC", hash: "SHA-256" } as const
const encoder = new TextEncoder()

const bytesOf = (body: string | Uint8Array): Uint8Array => (typeof body === "string" ? encoder.encode(body) : body)

const signed = ({ body, id, timestamp }: Message): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const tail = bytesOf(body)
  const all = new Uint8Array(head.length + tail.length)
  all.set(head)
  all.set(tail, head.length)
  return all
}

const keyOf = (secret: Secret) =>
  crypto.subtle.importKey("raw", new Uint8Array(WebhookSecret.toBytes(Redacted.value(secret))), algorithm, false, [
    "sign",
    "verify"
  ])

/**
 * The signature of a message with one secret, as the header holds it.
 *
 * @example
 * const signature = yield* WebhookSignature.sign({ id: "event_1", timestamp: 1767225600, body }, secret)
 */
export const sign = (message: Message, secret: Secret): Effect.Effect<string> =>
  Effect.promise(async () => {
    const signature = await crypto.subtle.sign(algorithm, await keyOf(secret), signed(message))
    return `${version},${Encoding.encodeBase64(new Uint8Array(signature))}`
  })

/** The headers of a delivery, signed with each of the secrets. */
export const toHeaders = (
  message: Message,
  secrets: Arr.NonEmptyReadonlyArray<Secret>
): Effect.Effect<{ readonly [name: string]: string }> =>
  Effect.map(
    Effect.forEach(secrets, (secret) => sign(message, secret)),
    (signatures) => ({
      [WebhookEvent.headers.id]: message.id,
      [WebhookEvent.headers.timestamp]: String(message.timestamp),
      [WebhookEvent.headers.signature]: signatures.join(" ")
    })
  )

/** The signatures of a header, without those of unknown versions. */
const signaturesOf = (header: string): ReadonlyArray<Uint8Array<ArrayBuffer>> =>
  header.split(" ").flatMap((part) => {
    const [name, text = ""] = part.split(",", 2)
    const bytes = name === version ? Either.getOrUndefined(Encoding.decodeBase64(text)) : undefined
    return bytes === undefined ? [] : [new Uint8Array(bytes)]
  })

const isSigned = async (message: Message, header: string, secrets: ReadonlyArray<Secret>): Promise<boolean> => {
  const text = signed(message)
  const signatures = signaturesOf(header)
  for (const secret of secrets) {
    const key = await keyOf(secret)
    for (const signature of signatures) {
      if (await crypto.subtle.verify(algorithm, key, signature, text)) return true
    }
  }
  return false
}

const headerOf = ({ headers }: ReceivedDelivery, header: string, form: RegExp, expected: string) => {
  const value = headers[header]
  return value !== undefined && form.test(value)
    ? Either.right(value)
    : Either.left(new HeaderInvalid({ header, expected }))
}

/**
 * Verifies that a delivery was signed with one of the secrets, within the tolerance.
 *
 * @example
 * const { id } = yield* WebhookSignature.verify({ headers: request.headers, body }, { secrets: [secret] })
 */
export const verify = (
  received: ReceivedDelivery,
  { secrets, toleranceSeconds = 300 }: Options
): Effect.Effect<VerifiedDelivery, SignatureError> =>
  Effect.gen(function* () {
    const { headers } = WebhookEvent
    const id = yield* headerOf(received, headers.id, /^[\x21-\x7e]+$/, "the id of the delivery without spaces")
    const seconds = yield* headerOf(received, headers.timestamp, /^\d{1,12}$/, "seconds since 1970")
    const signature = yield* headerOf(received, headers.signature, /\S/, `signatures such as ${version},<base64>`)
    const timestamp = Number(seconds)
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    if (Math.abs(now - timestamp) > toleranceSeconds) {
      return yield* new TimestampOutsideTolerance({ id, timestamp, now, toleranceSeconds })
    }
    const isGenuine = yield* Effect.promise(() => isSigned({ id, timestamp, body: received.body }, signature, secrets))
    return isGenuine ? { id, timestamp } : yield* new SignatureMismatch({ id })
  })

const variable = "MFG_WEBHOOK_SECRET"

/** The secrets of `MFG_WEBHOOK_SECRET`: one, or several separated by spaces while it is rotated. */
export const secrets: Config.Config<Arr.NonEmptyReadonlyArray<Secret>> = Config.redacted(variable).pipe(
  Config.mapOrFail((text) => {
    const all = Redacted.value(text)
      .trim()
      .split(/\s+/)
      .map((part) => Schema.decodeUnknownEither(WebhookSecret.WebhookSecret)(part))
    const known = Arr.getRights(all).map((secret) => Redacted.make(secret))
    return Arr.isNonEmptyReadonlyArray(known) && known.length === all.length
      ? Either.right(known)
      : Either.left(ConfigError.InvalidData([variable], "Expected webhook secrets such as whsec_<base64>"))
  })
)
