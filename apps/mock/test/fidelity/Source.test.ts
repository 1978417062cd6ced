import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as Source from "../../src/fidelity/Source.ts"
import * as Testing from "../../src/testing.ts"

const address: Source.Address = {
  name: "live",
  restUrl: "https://erp.example/rest",
  baseUrl: "https://erp.example/api/v1",
  apiKey: Redacted.make("secret-key")
}

/** A service of one function. */
const service = (answer: (path: string, request: number) => Response) => {
  let requests = 0
  return Effect.provideService(
    HttpClient.HttpClient,
    HttpClient.make((request, url) =>
      Effect.sync(() => HttpClientResponse.fromWeb(request, answer(url.pathname, ++requests)))
    )
  )
}

const forbidden = { code: "42501", message: "permission denied", details: null, hint: null }

describe("Source", () => {
  it.effect("opens a service of this project, with all of its resources", () =>
    Effect.gen(function* () {
      const { apiKey, baseUrl, restUrl } = yield* Testing.World
      const source = yield* Source.make({ name: "ours", restUrl, baseUrl, apiKey })
      assert.lengthOf(source.resources, 29)
      assert.deepStrictEqual(source.leftOut, [])
      assert.strictEqual((yield* source.ask({ method: "GET", face: "rows", target: "/kanban?limit=1" })).status, 200)
    }).pipe(Effect.provide(Testing.layer()))
  )

  it.effect("names the resources that the key cannot read, and the reason", () =>
    Effect.gen(function* () {
      const source = yield* Source.make(address)
      assert.lengthOf(source.resources, 28)
      assert.deepStrictEqual(source.leftOut, [
        { resource: "kanban", status: 403, code: "42501", reason: "permission denied" }
      ])
    }).pipe(
      service((path) => (path === "/rest/kanban" ? Response.json(forbidden, { status: 403 }) : Response.json([])))
    )
  )

  it.effect("refuses an address of another service", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Source.make(address))
      assert.strictEqual(error._tag, "SourceForeign")
      assert.include(error.message, "https://erp.example/rest/oauthCode returned status 200 and text/html")
    }).pipe(service(() => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } })))
  )

  it.effect("refuses a key that the service does not accept, without showing it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Source.make(address))
      assert.strictEqual(error._tag, "SourceKeyRefused")
      assert.include(error.message, "refuses the key (status 401): unknown key")
      assert.notInclude(JSON.stringify(error), "secret-key")
    }).pipe(service(() => Response.json({ message: "unknown key" }, { status: 401 })))
  )

  it.live("reports an address that nothing listens on", () =>
    Effect.gen(function* () {
      const nowhere = { ...address, restUrl: "http://127.0.0.1:1/rest" }
      const opening = Source.open(nowhere, { resources: [Catalogue.byName.kanban] })
      const error = yield* Effect.flip(opening)
      assert.strictEqual(error._tag, "SourceUnreachable")
      assert.include(error.message, "profile live at http://127.0.0.1:1 cannot be reached")
    })
  )

  it.effect("waits as long as the service asks for", () =>
    Effect.gen(function* () {
      const opening = yield* Effect.fork(Source.make(address, { concurrency: 1 }))
      yield* TestClock.adjust("29 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(opening)))
      yield* TestClock.adjust("1 seconds")
      assert.lengthOf((yield* opening).resources, 29)
    }).pipe(
      service((_, request) =>
        request === 3
          ? Response.json({ message: "slow down" }, { status: 429, headers: { "retry-after": "30" } })
          : Response.json([])
      )
    )
  )
})
