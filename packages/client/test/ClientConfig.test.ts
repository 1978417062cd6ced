import { assert, describe, it } from "@effect/vitest"
import { ClientConfig } from "@mfgdata/client"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

const given = {
  MFG_REST_URL: "http://127.0.0.1:4010/rest",
  MFG_BASE_URL: "https://service.example/api/v1",
  MFG_API_KEY: "mfg_demo_key"
}

const read = (changes: Partial<typeof given>, without?: keyof typeof given) => {
  const values = new Map(Object.entries({ ...given, ...changes }))
  if (without !== undefined) values.delete(without)
  return ClientConfig.config.pipe(Effect.withConfigProvider(ConfigProvider.fromMap(values)))
}

describe("ClientConfig", () => {
  it.effect("reads the two addresses and the API key", () =>
    Effect.gen(function* () {
      const { restUrl, baseUrl, apiKey } = yield* read({})
      assert.strictEqual(restUrl, given.MFG_REST_URL)
      assert.strictEqual(baseUrl, given.MFG_BASE_URL)
      assert.strictEqual(Redacted.value(apiKey), given.MFG_API_KEY)
    })
  )

  it.effect("does not show the API key", () =>
    Effect.gen(function* () {
      const config = yield* read({})
      assert.notInclude(`${JSON.stringify(config)} ${String(config.apiKey)}`, given.MFG_API_KEY)
      const refusal = yield* Effect.flip(read({ MFG_API_KEY: "mfg secret" }))
      assert.notInclude(`${JSON.stringify(refusal)} ${String(refusal)}`, "secret")
    })
  )

  it.effect("removes slashes from the end of an address", () =>
    Effect.gen(function* () {
      const { restUrl } = yield* read({ MFG_REST_URL: "https://service.example/rest//" })
      assert.strictEqual(restUrl, "https://service.example/rest")
    })
  )

  it.effect.each(["MFG_REST_URL", "MFG_BASE_URL", "MFG_API_KEY"] as const)("says that %s is missing", (name) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read({}, name))
      assert.include(String(error), name)
    })
  )

  it.effect.each([
    ["MFG_REST_URL", "127.0.0.1:4010/rest"],
    ["MFG_REST_URL", "ftp://service.example/rest"],
    ["MFG_BASE_URL", "https://someone:secret@service.example/api/v1"],
    ["MFG_BASE_URL", "https://service.example/api/v1?debug=1"],
    ["MFG_BASE_URL", "https://service.example/api/v1#top"],
    ["MFG_API_KEY", ""],
    ["MFG_API_KEY", "mfg_ä"],
    ["MFG_API_KEY", "mfg_two\nlines"]
  ] as const)("refuses %s with the value %j", ([name, value]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read({ [name]: value }))
      assert.include(String(error), name)
    })
  )
})
