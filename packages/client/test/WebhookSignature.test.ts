import * as WebhookSecret from "@mfgdata/domain/WebhookSecret"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"
import * as WebhookSignature from "../src/WebhookSignature.ts"

const draw = () => Redacted.make(WebhookSecret.fromRandom(randomBytes(32)))
const secret = draw()
const other = draw()
const body = `{"type":"INSERT","record":{"name":"Grüße 🎉"}}`
const message = { id: "event_1", timestamp: 1000, body }

/** The current time: the standardwebhooks package reads the system clock. */
const now = Effect.gen(function* () {
  const millis = Date.now()
  yield* TestClock.setTime(millis)
  return Math.floor(millis / 1000)
})

const tampered = (headers: { readonly [name: string]: string }, changed: { readonly [name: string]: string }) => ({
  headers: { ...headers, ...changed },
  body
})

describe("WebhookSignature", () => {
  it.effect("signs deliveries that the standardwebhooks package accepts", () =>
    Effect.gen(function* () {
      const headers = yield* WebhookSignature.toHeaders({ ...message, timestamp: yield* now }, [other, secret])
      assert.deepStrictEqual(new Webhook(Redacted.value(secret)).verify(body, headers), JSON.parse(body))
      assert.deepStrictEqual(new Webhook(Redacted.value(other)).verify(body, headers), JSON.parse(body))
      assert.throws(() => new Webhook(Redacted.value(draw())).verify(body, headers), /signature/)
    })
  )

  it.effect("accepts deliveries that the standardwebhooks package signed", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 24, maxLength: 64 }), fc.fullUnicodeString(), (bytes, body) => {
          const secret = WebhookSecret.fromRandom(bytes)
          const signature = new Webhook(secret).sign("event_1", new Date(0), body)
          const headers = { "webhook-id": "event_1", "webhook-timestamp": "0", "webhook-signature": signature }
          return WebhookSignature.verify({ headers, body }, { secrets: [Redacted.make(secret)] }).pipe(
            Effect.as(true),
            Effect.provide(TestContext.TestContext),
            Effect.runPromise
          )
        }),
        { numRuns: 20 }
      )
    )
  )

  it.effect("signs bytes and text of the same body alike", () =>
    Effect.gen(function* () {
      const headers = yield* WebhookSignature.toHeaders({ ...message, timestamp: 0 }, [secret])
      const bytes = new TextEncoder().encode(body)
      assert.deepStrictEqual(yield* WebhookSignature.verify({ headers, body: bytes }, { secrets: [secret] }), {
        id: "event_1",
        timestamp: 0
      })
    })
  )

  it.effect("accepts both secrets during a rotation, and any of several signatures", () =>
    Effect.gen(function* () {
      const [old, next] = [draw(), draw()]
      const verify = (signedWith: typeof old, known: typeof old) =>
        Effect.flatMap(WebhookSignature.toHeaders({ ...message, timestamp: 0 }, [other, signedWith]), (headers) =>
          WebhookSignature.verify(
            { headers: { ...headers, "webhook-signature": `v2,xx nonsense ${headers["webhook-signature"]}` }, body },
            { secrets: [draw(), known] }
          )
        )
      yield* verify(old, old)
      yield* verify(next, next)
      assert.strictEqual((yield* Effect.flip(verify(old, next)))._tag, "SignatureMismatch")
    })
  )

  it.effect("rejects a delivery that was changed", () =>
    Effect.gen(function* () {
      const headers = yield* WebhookSignature.toHeaders({ ...message, timestamp: 0 }, [secret])
      const signature = headers["webhook-signature"] ?? ""
      for (const received of [
        tampered(headers, { "webhook-id": "event_2" }),
        tampered(headers, { "webhook-timestamp": "1" }),
        tampered(headers, { "webhook-signature": signature.replace("v1,", "v1a,") }),
        tampered(headers, { "webhook-signature": signature.slice(0, -8) }),
        tampered(headers, { "webhook-signature": "v1," }),
        { headers, body: `${body} ` }
      ]) {
        const error = yield* Effect.flip(WebhookSignature.verify(received, { secrets: [secret] }))
        assert.strictEqual(error._tag, "SignatureMismatch")
      }
    })
  )

  it.effect("names a missing or invalid header", () =>
    Effect.gen(function* () {
      const headers = yield* WebhookSignature.toHeaders({ ...message, timestamp: 0 }, [secret])
      for (const header of Object.keys(headers)) {
        const { [header]: _, ...rest } = headers
        const error = yield* Effect.flip(WebhookSignature.verify({ headers: rest, body }, { secrets: [secret] }))
        assert.deepInclude(error, { _tag: "HeaderInvalid", header })
      }
      for (const timestamp of ["", "now", "-1", "1.5", "1e3", "0x10"]) {
        const error = yield* Effect.flip(
          WebhookSignature.verify(tampered(headers, { "webhook-timestamp": timestamp }), { secrets: [secret] })
        )
        assert.strictEqual(error.message, "Invalid header webhook-timestamp: expected seconds since 1970")
      }
    })
  )

  it.effect("rejects a timestamp more than 300 s from now, or outside the tolerance of the options", () =>
    Effect.gen(function* () {
      const headers = yield* WebhookSignature.toHeaders(message, [secret])
      const at = (seconds: number, toleranceSeconds?: number) =>
        TestClock.setTime(seconds * 1000).pipe(
          Effect.zipRight(
            WebhookSignature.verify(
              { headers, body },
              { secrets: [secret], ...(toleranceSeconds ? { toleranceSeconds } : {}) }
            )
          ),
          Effect.either
        )
      for (const seconds of [700, 1000, 1300]) assert.isTrue(Either.isRight(yield* at(seconds)))
      for (const seconds of [699, 1301]) {
        const { _tag } = Either.getOrThrow(Either.flip(yield* at(seconds)))
        assert.strictEqual(_tag, "TimestampOutsideTolerance")
      }
      assert.isTrue(Either.isRight(yield* at(1600, 600)))
      const { message: text } = Either.getOrThrow(Either.flip(yield* at(2000)))
      assert.strictEqual(text, "The delivery event_1 was signed 1000 s ago: expected at most 300 s")
    })
  )

  it.effect("reads secrets from the environment without showing them", () =>
    Effect.gen(function* () {
      const read = (text: string) =>
        WebhookSignature.secrets.pipe(
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["MFG_WEBHOOK_SECRET", text]])))
        )
      const values = [secret, other].map(Redacted.value)
      assert.deepStrictEqual((yield* read(` ${values.join(" ")}`)).map(Redacted.value), values)
      for (const text of ["", "whsec_short", `${values[0]} nonsense`]) {
        const error = yield* Effect.flip(read(text))
        assert.notInclude(JSON.stringify(error), "nonsense")
        assert.notInclude(JSON.stringify(error), Redacted.value(secret))
      }
    })
  )
})
