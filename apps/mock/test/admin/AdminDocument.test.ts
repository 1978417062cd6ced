/**
 * The description of the administrator's interface.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { layer, World } from "../../src/testing.ts"
import { get } from "../worlds/requests.ts"

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string }>
  readonly requestBody?: { readonly content: { readonly [mediaType: string]: unknown } }
  readonly responses: { readonly [status: string]: { readonly content?: { readonly [mediaType: string]: unknown } } }
}

interface Document {
  readonly openapi: string
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: unknown } }
}

const document = Effect.gen(function* () {
  const { adminKey } = yield* World
  const { status, text } = yield* get(Redacted.value(adminKey), "/_mock/openapi.json")
  assert.strictEqual(status, 200)
  const parsed: Document = JSON.parse(text)
  return { parsed, text }
})

describe("GET /_mock/openapi.json", () => {
  it.effect("describes every operation with its parameters, body and success", () =>
    Effect.gen(function* () {
      const { parsed } = yield* document
      assert.strictEqual(parsed.openapi, "3.1.1")
      for (const name of AdminApi.names) {
        const { method, path, status, upload }: AdminApi.Operation = AdminApi.operations[name]
        const described = parsed.paths[`/_mock${path.replaceAll(/:(\w+)/g, "{$1}")}`]?.[method.toLowerCase()]
        assert.isDefined(described, name)
        assert.property(described?.responses, String(status), name)
        assert.property(described?.responses, "default", name)
        const inPath = described?.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)
        assert.deepStrictEqual(
          inPath,
          Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => name),
          name
        )
        if (upload !== undefined) assert.property(described?.requestBody?.content, upload)
        const hasWorld = described?.parameters.some(({ name }) => name === "world")
        assert.strictEqual(hasWorld, !AdminApi.isOnWorlds(name) || path.includes(":world"), name)
      }
    }).pipe(Effect.provide(layer()))
  )

  it.effect("has the media types of the operations that a client can follow", () =>
    Effect.gen(function* () {
      const { parsed } = yield* document
      for (const path of ["/_mock/history", "/_mock/traffic"]) {
        const content = parsed.paths[path]?.["get"]?.responses["200"]?.content ?? {}
        assert.deepStrictEqual(Object.keys(content), ["application/json", "text/event-stream"])
      }
      const { content = {} } = parsed.paths["/_mock/worlds"]?.["get"]?.responses["200"] ?? {}
      assert.deepStrictEqual(Object.keys(content), ["application/json"])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("refers only to schemas that it has", () =>
    Effect.gen(function* () {
      const { parsed, text } = yield* document
      const names = Array.from(text.matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name = ""]) => name)
      assert.isNotEmpty(names)
      for (const name of names) assert.property(parsed.components.schemas, name)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("needs the administrator's key", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* get("mfg_other_key_entirely", "/_mock/openapi.json")).status, 401)
    }).pipe(Effect.provide(layer()))
  )
})
