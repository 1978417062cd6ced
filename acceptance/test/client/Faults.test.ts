/**
 * Tests the faults of real sockets: a wrong address, another service, broken connections. The service runs in this
 * process behind a proxy that fails on demand.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Rows } from "@mfgdata/client"
import { CalendarDate, Holiday } from "@mfgdata/domain"
import * as Testing from "@mfgdata/mock/testing"
import * as LocalServer from "@mfgdata/testing-server"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import type { ServerResponse } from "node:http"

/** The fault that the proxy makes of a response. */
type Fault = (answer: { readonly status: number; readonly text: string }, out: ServerResponse) => void

const pass: Fault = ({ status, text }, out) => out.writeHead(status, { "content-type": "application/json" }).end(text)
const drop: Fault = (_, out) => out.destroy()
const half: Fault = ({ status, text }, out) => {
  out.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  out.write(text.slice(0, text.length / 2), () => out.destroy())
}
const badGateway: Fault = (_, out) => out.writeHead(502, { "content-type": "text/html" }).end("<h1>502</h1>")
const page: Fault = (_, out) => out.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome</html>")

/** A proxy of the service; the faults apply to the first responses, in order. */
const proxy = (faults: ReadonlyArray<Fault>) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const run = Runtime.runPromise(yield* Effect.runtime())
    let answered = 0
    const { url } = yield* LocalServer.start(({ body, headers, method, path }, out) => {
      const sent: { [name: string]: string } = {}
      for (const [name, value] of Object.entries(headers)) {
        if (typeof value === "string" && name !== "content-length" && name !== "transfer-encoding") sent[name] = value
      }
      // The client sends the methods of the interface alone.
      const request = HttpClientRequest.make(method as "GET")(`http://mock.test${path}`, { headers: sent }).pipe(
        body.length === 0 ? (same) => same : HttpClientRequest.bodyUint8Array(body, "application/json")
      )
      const asked = Effect.flatMap(client.execute(request), ({ status, text }) =>
        Effect.map(text, (text) => ({ status, text }))
      )
      void run(asked).then((answer) => (faults[answered++] ?? pass)(answer, out))
    })
    return url
  })

const world = Testing.layer({ seed: { _tag: "Empty" } })
const quick = { first: "1 millis", times: 3 } as const

const transports = { fetch: FetchHttpClient.layer, undici: NodeHttpClient.layerUndici }

for (const [name, transport] of Object.entries(transports)) {
  /** A client whose responses have these faults. */
  const rowsThrough = (faults: ReadonlyArray<Fault>, retry: { readonly times: number } = quick) =>
    Effect.gen(function* () {
      const origin = yield* proxy(faults)
      const { apiKey, companyId } = yield* Testing.World
      const layer = Layer.provide(Rows.layer({ restUrl: `${origin}/rest`, apiKey, retry }), transport)
      const rows = Context.get(yield* Layer.build(layer), Rows)
      const values = { name: "Founding day", date: CalendarDate.make("2027-05-01"), companyId }
      return { rows, values, origin }
    })

  describe(`over ${name}`, () => {
    for (const [what, fault] of Object.entries({ drop, half, badGateway })) {
      it.scopedLive(`creates one row when the first response is lost (${what})`, () =>
        Effect.gen(function* () {
          const { rows, values } = yield* rowsThrough([fault, fault])
          const made = yield* rows.create(Holiday, values)
          assert.deepStrictEqual(yield* rows.list(Holiday), [made])
        }).pipe(Effect.provide(world))
      )
    }

    it.scopedLive("creates each of many rows once when responses are lost", () =>
      Effect.gen(function* () {
        const { rows, values } = yield* rowsThrough([pass, drop, half, pass, drop])
        const many = Array.from({ length: 40 }, (_, index) => ({ ...values, name: `Day ${index}` }))
        yield* rows.createMany(Holiday, many, { batchSize: 10 })
        const stored = yield* rows.list(Holiday, { select: ["name"] })
        assert.sameMembers(
          stored.map(({ name }) => name),
          many.map(({ name }) => name)
        )
      }).pipe(Effect.provide(world))
    )

    it.scopedLive("removes a row when the response is lost", () =>
      Effect.gen(function* () {
        const { rows, values } = yield* rowsThrough([pass, drop])
        const { id } = yield* rows.create(Holiday, values)
        yield* rows.remove(Holiday, id)
        assert.isEmpty(yield* rows.list(Holiday))
      }).pipe(Effect.provide(world))
    )

    it.scopedLive("fails with the name of a fault that persists", () =>
      Effect.gen(function* () {
        const failure = (fault: Fault) =>
          Effect.flatMap(rowsThrough([fault, fault], { times: 0 }), ({ rows }) => Effect.flip(rows.list(Holiday)))
        assert.deepInclude(yield* failure(drop), { _tag: "Unreachable", reason: "Connection" })
        assert.deepInclude(yield* failure(half), { _tag: "Unreachable", reason: "Interruption" })
        assert.deepInclude(yield* failure(badGateway), { _tag: "ServiceUnavailable", status: 502 })
        assert.deepInclude(yield* failure(page), { _tag: "ResponseMalformed", contentType: "text/html" })
      }).pipe(Effect.provide(world))
    )

    it.scopedLive("names the address when no service, or another one, is there", () =>
      Effect.gen(function* () {
        const { origin } = yield* rowsThrough([])
        const messageAt = (restUrl: string) =>
          Effect.flatMap(Rows, (rows) => Effect.flip(rows.list(Holiday))).pipe(
            Effect.map(({ message }) => message),
            Effect.provide(Rows.layer({ restUrl, apiKey: "mfg_some_key", retry: { times: 0 } })),
            Effect.provide(transport)
          )
        assert.match(
          yield* messageAt("http://127.0.0.1:64999/rest"),
          /^http:\/\/127\.0\.0\.1:64999 cannot be reached: connect ECONNREFUSED/
        )
        assert.include(yield* messageAt("http://nowhere.invalid/rest"), "http://nowhere.invalid cannot be reached")
        assert.include(yield* messageAt(origin), "holiday")
      }).pipe(Effect.provide(world))
    )
  })
}
