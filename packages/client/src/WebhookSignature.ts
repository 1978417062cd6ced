/**
 * Signatures of deliveries as Standard Webhooks has them: an HMAC of id, moment and body under a webhook's secret. By
 * WebCrypto alone, whose comparison takes the same time for every signature.
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

/** A secret as it may stand in options and logs. */
export type Secret = Redacted.Redacted<WebhookSecret.WebhookSecret>

/** What is signed. */
export interface Message {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Exactly as it travels: JSON that was parsed and printed again has another signature. */
  readonly body: string | Uint8Array
}

/** A delivery as it arrived. */
export interface Received {
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: string | Uint8Array
}

/** A header of a delivery is not there, or not readable. */
export class HeaderInvalid extends Data.TaggedError("HeaderInvalid")<{
  readonly header: string
  readonly expected: string
}> {
  override get message() {
    return `the header ${this.header} must be ${this.expected}`
  }
}

/** No signature of the delivery belongs to any of the secrets: it was changed on the way, or sent by somebody else. */
export class SignatureMismatch extends Data.TaggedError("SignatureMismatch")<{ readonly id: string }> {
  override get message() {
    return `no signature of the delivery ${this.id} was made with a secret that is known here`
  }
}

/** The delivery was signed too long ago, as a replayed one is, or by a clock that is ahead. */
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
    return `the delivery ${id} was signed ${Math.abs(age)} s ${age < 0 ? "ahead of now" : "ago"}, more than ${toleranceSeconds} s`
  }
}

/** Why a delivery is not to be trusted. */
export type SignatureError = HeaderInvalid | SignatureMismatch | TimestampOutsideTolerance

export interface Options {
  /** One, or several while a secret is rolled: any of them is good. */
  readonly secrets: Arr.NonEmptyReadonlyArray<Secret>
  /** How far the delivery's moment may be from now; 300 when left out, as Standard Webhooks advises. */
  readonly toleranceSeconds?: number | undefined
}

/** What a delivery's signature vouches for. */
export interface Verified {
  /** The same in every attempt to deliver one event. */
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
 * The signature of a message: what stands in the header, for one secret.
 *
 * @example
 * const signature = yield* WebhookSignature.sign({ id: "event_1", timestamp: 1767225600, body }, secret)
 */
export const sign = (message: Message, secret: Secret): Effect.Effect<string> =>
  Effect.promise(async () => {
    const signature = await crypto.subtle.sign(algorithm, await keyOf(secret), signed(message))
    return `${version},${Encoding.encodeBase64(new Uint8Array(signature))}`
  })

/** The headers of a delivery, signed with each of some secrets. */
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

/** The signatures of a header; those of versions that are not known here count for nothing. */
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

const headerOf = ({ headers }: Received, header: string, form: RegExp, expected: string) => {
  const value = headers[header]
  return value !== undefined && form.test(value)
    ? Either.right(value)
    : Either.left(new HeaderInvalid({ header, expected }))
}

/**
 * Answers what a delivery is when it was signed with one of the secrets, not long ago.
 *
 * @example
 * const { id } = yield* WebhookSignature.verify({ headers: request.headers, body }, { secrets: [secret] })
 */
export const verify = (
  received: Received,
  { secrets, toleranceSeconds = 300 }: Options
): Effect.Effect<Verified, SignatureError> =>
  Effect.gen(function* () {
    const { headers } = WebhookEvent
    const id = yield* headerOf(received, headers.id, /^[\x21-\x7e]+$/, "the id of the delivery")
    const moment = yield* headerOf(received, headers.timestamp, /^\d{1,12}$/, "seconds since 1970")
    const signature = yield* headerOf(received, headers.signature, /\S/, `signatures such as ${version},<base64>`)
    const timestamp = Number(moment)
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    if (Math.abs(now - timestamp) > toleranceSeconds) {
      return yield* new TimestampOutsideTolerance({ id, timestamp, now, toleranceSeconds })
    }
    const isGenuine = yield* Effect.promise(() => isSigned({ id, timestamp, body: received.body }, signature, secrets))
    return isGenuine ? { id, timestamp } : yield* new SignatureMismatch({ id })
  })

const variable = "MFG_WEBHOOK_SECRET"

/** The secrets of `MFG_WEBHOOK_SECRET`: one, or several with spaces between them while one is rolled. */
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
