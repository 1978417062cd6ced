import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import * as InProcessClient from "../../src/http/InProcessClient.ts"
import { echo, service, text } from "./stubService.ts"

const limits = { bodyBytes: 1024, targetBytes: 100 }
const client = InProcessClient.client(echo, limits)
const url = "http://anywhere.test/rest/holiday"

const echoed = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.map(
    Effect.flatMap(client.execute(request), ({ text }) => text),
    (text): { readonly [name: string]: unknown } => JSON.parse(text)
  )

/** A tracer that keeps its spans. */
const recording = () => {
  const spans: Array<Tracer.Span> = []
  const native = Context.get(DefaultServices.liveServices, Tracer.Tracer)
  const tracer = Tracer.make({
    context: (effect, fiber) => native.context(effect, fiber),
    span: (...options) => {
      const span = native.span(...options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

describe("InProcess", () => {
  it.effect("handles a request in a span below the client's, which is the parent of the handler's spans", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recording()
      const handler = service(() => Effect.withSpan(Effect.succeed(text("done", 201)), "inside"))
      yield* Effect.withTracer(InProcessClient.client(handler, limits).get(`${url}?id=eq.1`), tracer)
      const [client, server, inside] = ["http.client GET", "http.server GET", "inside"].map((name) =>
        spans.find((span) => span.name === name)
      )
      assert.strictEqual(server?.kind, "server")
      assert.strictEqual(server?.traceId, client?.traceId)
      assert.strictEqual(Option.getOrThrow(server?.parent ?? Option.none()).spanId, client?.spanId)
      assert.strictEqual(Option.getOrThrow(inside?.parent ?? Option.none()).spanId, server?.spanId)
      assert.strictEqual(server?.attributes.get("http.response.status_code"), 201)
      assert.strictEqual(server?.attributes.get("url.path"), "/rest/holiday")
    })
  )

  it.effect("carries a request and its response", () =>
    Effect.gen(function* () {
      const request = HttpClientRequest.get(url).pipe(
        HttpClientRequest.setUrlParams({ select: "id,name" }),
        HttpClientRequest.bearerToken("mfg_1")
      )
      const { headers, ...rest } = yield* echoed(request)
      assert.deepStrictEqual(rest, { method: "GET", target: "/rest/holiday?select=id%2Cname", body: "" })
      assert.deepInclude(headers, { authorization: "Bearer mfg_1" })
    })
  )

  for (const [what, body] of [
    ["text", HttpBody.text("Grüße", "text/csv")],
    ["bytes", HttpBody.uint8Array(new TextEncoder().encode("Grüße"), "text/csv")],
    ["raw text", HttpBody.raw("Grüße", { contentType: "text/csv" })],
    ["a stream", HttpBody.stream(Stream.make("Gr", "üße").pipe(Stream.encodeText), "text/csv")]
  ] as const) {
    it.effect(`carries ${what}`, () =>
      Effect.gen(function* () {
        const { body: received, headers } = yield* echoed(HttpClientRequest.post(url, { body }))
        assert.strictEqual(received, "Grüße")
        assert.deepInclude(headers, { "content-type": "text/csv" })
      })
    )
  }

  it.effect("carries a form", () =>
    Effect.gen(function* () {
      const form = new FormData()
      form.set("name", "Grüße")
      const { body, headers } = yield* echoed(HttpClientRequest.post(url, { body: HttpBody.formData(form) }))
      assert.include(body, "Grüße")
      assert.match(JSON.stringify(headers), /multipart\/form-data; boundary=/)
    })
  )

  it.effect("has the limits of the socket server", () =>
    Effect.gen(function* () {
      const status = (request: HttpClientRequest.HttpClientRequest) =>
        Effect.map(client.execute(request), ({ status }) => status)
      assert.strictEqual(yield* status(HttpClientRequest.get(`${url}?${"x".repeat(100)}`)), 414)
      assert.strictEqual(yield* status(HttpClientRequest.post(url, { body: HttpBody.text("x".repeat(1025)) })), 413)
    })
  )

  it.effect("returns 204 and HEAD responses without a body", () =>
    Effect.gen(function* () {
      const client = InProcessClient.client(
        service(({ method }) => Effect.succeed(text("body", method === "HEAD" ? 200 : 204))),
        limits
      )
      for (const request of [HttpClientRequest.head(url), HttpClientRequest.del(url)]) {
        const response = yield* client.execute(request)
        assert.strictEqual(yield* response.text, "")
        assert.strictEqual(response.headers["content-type"], "text/plain")
      }
    })
  )
})
