import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, layer } from "@effect/vitest"
import { layer as mock } from "@mfgdata/mock/testing"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import * as Effect from "effect/Effect"

/** The findings of Redocly's linter under its strictest rules, except those of style. */
const lint = (source: string) =>
  Effect.promise(async () => {
    const config = await createConfig({ extends: ["recommended-strict"] })
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
    return problems.map(({ location: [place], message, ruleId }) => `${ruleId} ${place?.pointer}: ${message}`)
  })

describe("/openapi.json", () => {
  layer(mock({ seed: { _tag: "Empty" } }))((it) => {
    const described = Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const { headers, status, text } = yield* client.get("http://mock.test/openapi.json")
      assert.deepStrictEqual<unknown>([status, headers["content-type"]], [200, "application/json"])
      return yield* text
    })

    it.effect("passes the recommended-strict rules of @redocly/openapi-core without an error or a warning", () =>
      Effect.gen(function* () {
        const source = yield* described
        assert.deepStrictEqual(yield* lint(source), [])
        const { info, openapi } = JSON.parse(source) as { openapi: string; info: { version: string } }
        assert.deepStrictEqual([openapi, info.version], ["3.1.1", "1.0.0"])
      })
    )

    it.effect("fails the rules with an error in it", () =>
      Effect.gen(function* () {
        const source = yield* described
        assert.include(source, "#/components/schemas/Holiday")
        assert.isNotEmpty(yield* lint(source.replace("#/components/schemas/Holiday", "#/components/schemas/Holidays")))
      })
    )
  })
})
