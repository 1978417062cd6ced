import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Inspectable from "effect/Inspectable"
import * as Schema from "effect/Schema"
import * as Decoder from "../src/Decoder.ts"
import type * as DecodeError from "../src/DecodeError.ts"
import { Holiday } from "../src/resources/Holiday.ts"
import { OauthClient } from "../src/resources/OauthClient.ts"
import { OauthCode } from "../src/resources/OauthCode.ts"
import * as Sensitive from "../src/Sensitive.ts"
import { Text } from "../src/Text.ts"

const refusal = <A>(decoder: Decoder.Decoder<A>, value: unknown): DecodeError.DecodeError =>
  Either.getOrThrow(Either.flip(decoder(value)))

const message = (value: unknown): string => refusal(Decoder.create(Holiday), value).message

const good = { name: "Labour Day", date: "2026-05-01", companyId: "c1" }

describe("DecodeError", () => {
  it("names the resource, the field, the expected and the actual value", () => {
    assert.strictEqual(
      message({ ...good, date: "2026-02-30" }),
      'holiday.date: expected a calendar date such as 2026-01-31, got "2026-02-30"'
    )
    assert.strictEqual(message({ ...good, name: 5 }), "holiday.name: expected a string, got 5")
    assert.strictEqual(message({ ...good, name: null }), "holiday.name: expected a string, got null")
    assert.strictEqual(message({ ...good, year: true }), "holiday.year: expected a number or null, got true")
    assert.strictEqual(message({ ...good, tags: "x" }), 'holiday.tags: expected an array of text or null, got "x"')
    assert.strictEqual(message({ ...good, tags: {} }), "holiday.tags: expected an array of text or null, got an object")
    assert.strictEqual(
      message({ ...good, customFields: [1] }),
      "holiday.customFields: expected a JSON object or null, got an array"
    )
  })

  it("names the path inside a value, without null as an alternative", () => {
    assert.strictEqual(
      message({ ...good, customFields: { a: [0, { b: "\ud800" }] }, tags: ["a", 4] }),
      'holiday.customFields.a.1.b: expected text without U+0000 or a lone surrogate, got "\\ud800"; ' +
        "holiday.tags.1: expected a string, got 4"
    )
  })

  it("shows a missing field as nothing", () => {
    assert.strictEqual(
      message({ date: "2026-05-01" }),
      "holiday.name: expected a string, got nothing; holiday.companyId: expected a string, got nothing"
    )
    assert.deepInclude(refusal(Decoder.row(Holiday), good).issues, {
      path: ["customFields"],
      expected: "a JSON object or null",
      actual: "nothing"
    })
  })

  it("shows the type of a value in place of a row, without its contents", () => {
    assert.strictEqual(message("mfg_secret"), "holiday: expected an object, got a string, withheld")
    assert.strictEqual(message([good]), "holiday: expected an object, got an array")
    assert.strictEqual(message(undefined), "holiday: expected an object, got nothing")
  })

  it("has the facts of its message as fields", () => {
    const error = refusal(Decoder.create(Holiday), { ...good, tags: ["a", null] })
    assert.strictEqual(error._tag, "DecodeError")
    assert.strictEqual(error.subject, "holiday")
    assert.deepStrictEqual(error.issues, [{ path: ["tags", 1], expected: "a string", actual: "null" }])
  })

  it("shortens the message of many issues", () => {
    const long = message({ ...good, date: "9".repeat(10_000), tags: Array.from({ length: 10_000 }, () => 1) })
    assert.isBelow(long.length, 1000)
    assert.include(long, "; and 9996 more")
  })

  it("shows functions and symbols by their type", () => {
    for (const value of [() => 1, Symbol("a"), 1n, Number.NaN])
      assert.include(message({ ...good, name: value }), "got ")
  })
})

describe("a withheld value", () => {
  const secret = "s3cr3t-f00d-4711"
  const renderings = (error: DecodeError.DecodeError): string =>
    [error.message, String(error), error.stack, JSON.stringify(error), Inspectable.toStringUnknown(error)].join("\n")

  const client = {
    name: "App",
    clientId: "app",
    redirectUris: [],
    grantTypes: [],
    responseTypes: [],
    tokenEndpointAuthMethod: "none"
  }

  const code = { clientId: "app", userId: "u1", companyId: "c1", redirectUri: "/", expiresAt: "2026-01-01T00:00:00Z" }

  it("is that of clientSecret and of code in every error", () => {
    for (const value of [`${secret}\u0000`, [secret], { secret }, { [secret]: 1 }, 4711, `${secret}\ud800`]) {
      for (const decoder of [Decoder.create(OauthClient), Decoder.update(OauthClient), Decoder.row(OauthClient)]) {
        const error = refusal(decoder, { ...client, clientSecret: value })
        assert.isTrue(error.issues.some(({ path }) => path[0] === "clientSecret"))
        assert.notMatch(renderings(error), /s3cr3t|4711/)
      }
      const error = refusal(Decoder.create(OauthCode), { ...code, code: value })
      assert.isTrue(error.issues.some(({ path }) => path[0] === "code"))
      assert.notMatch(renderings(error), /s3cr3t|4711/)
    }
  })

  it("is withheld in the errors of other fields", () => {
    const error = refusal(Decoder.create(OauthClient), { ...client, clientSecret: secret, name: null })
    assert.strictEqual(error.message, "oauthClient.name: expected a string, got null")
    assert.notInclude(renderings(error), secret)
  })

  it("is every text that looks like an API key", () => {
    for (const broken of [{ date: "mfg_abcdefgh" }, { year: "Bearer mfg_abcdefgh" }, { name: "mfg_abcdefgh\u0000" }]) {
      const error = refusal(Decoder.create(Holiday), { ...good, ...broken })
      assert.include(error.message, "got a string, withheld")
      assert.notInclude(renderings(error), "abcdefgh")
    }
    for (const customFields of [{ a: { "mfg_abcdefgh\u0000": 1 } }, { mfg_abcdefgh: Number.NaN }]) {
      assert.notInclude(renderings(refusal(Decoder.create(Holiday), { ...good, customFields })), "abcdefgh")
    }
  })

  it("is every part of a sensitive value", () => {
    const Shape = Schema.Struct({ outer: Sensitive.make(Schema.Struct({ inner: Schema.Array(Text) })) })
    const error = refusal(Decoder.make("shape", Shape), { outer: { inner: ["fine", `${secret}\u0000`] } })
    assert.deepStrictEqual(error.issues[0]?.path, ["outer"])
    assert.notInclude(renderings(error), secret)
  })
})
