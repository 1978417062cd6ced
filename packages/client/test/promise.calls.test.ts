import { assert, describe, it, vi } from "@effect/vitest"
import { type CallRequest, type CallResponse, connect, OptionInvalid, Unauthorized } from "@mfgdata/client/promise"
import { Holiday, OauthClient } from "@mfgdata/domain"
import * as Duration from "effect/Duration"
import { id, row } from "./fixtures/holiday.ts"
import { key, restUrl } from "./fixtures/scripted.ts"

const over = (options: Partial<Parameters<typeof connect>[0]>, ...statuses: ReadonlyArray<number>) => {
  const requests: Array<Headers> = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const status = statuses[Math.min(requests.length, statuses.length - 1)] ?? 200
    requests.push(new Headers(init?.headers))
    return Response.json([row], { status, headers: { "x-request-id": `req-${requests.length}` } })
  }
  return { requests, rows: connect({ restUrl, apiKey: key, fetch, retry: { first: 1 }, ...options }) }
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail(),
    (error: unknown) => error
  )

const drain = async (rows: AsyncIterable<unknown>) => {
  for await (const _ of rows);
}

describe("the promise client", () => {
  it("has the options of a call as the last parameter of each method", async () => {
    const { requests, rows } = over({ headers: { "x-tenant": "north" } })
    const call = { apiKey: "mfg_other", headers: { "x-tenant": "south" } }
    await rows.list(Holiday, {}, call)
    await rows.retrieve(Holiday, id, {}, call)
    await drain(rows.stream(Holiday, { limit: 1 }, call))
    await rows.remove(Holiday, id, {}, call)
    await rows.list(Holiday)
    const other = ["Bearer mfg_other", "south"]
    assert.deepStrictEqual(
      requests.map((headers) => [headers.get("authorization"), headers.get("x-tenant")]),
      [other, other, other, other, [`Bearer ${key}`, "north"]]
    )
  })

  it("limits an attempt to the timeout of the call", async () => {
    const rows = connect({ restUrl, apiKey: key, fetch: () => new Promise(() => {}), retry: { times: 0 } })
    assert.deepInclude(await failure(rows.list(Holiday, {}, { timeout: 5 })), { reason: "Timeout" })
  })

  it("rejects with the name of an invalid option, and throws it for one of the service", async () => {
    const { requests, rows } = over({})
    assert.instanceOf(await failure(rows.list(Holiday, {}, { timeout: -1 })), OptionInvalid)
    assert.instanceOf(await failure(rows.list(Holiday, {}, { apiKey: "a b" })), Unauthorized)
    assert.isEmpty(requests)
    assert.throws(() => connect({ restUrl: "nowhere", apiKey: key }), OptionInvalid, "restUrl: expected")
  })

  it("ends a stream whose signal is aborted, with the reason of the signal", async () => {
    const waiting = connect({ restUrl, apiKey: key, fetch: () => new Promise(() => {}) })
    const controller = new AbortController()
    const reason = new Error("enough")
    const seen = failure(drain(waiting.stream(Holiday, {}, { signal: controller.signal })))
    controller.abort(reason)
    assert.strictEqual(await seen, reason)
    assert.strictEqual(await failure(drain(waiting.stream(Holiday, {}, { signal: AbortSignal.abort(reason) }))), reason)
  })

  it("shows each request and response to the hooks, without secrets", async () => {
    const sent: Array<CallRequest> = []
    const received: Array<CallResponse> = []
    const ofCall: Array<number> = []
    const { rows } = over(
      {
        onRequest: (request) => sent.push(request),
        onResponse: (response) => received.push(response),
        headers: { "x-gateway-token": "hush", "x-tenant": "north" }
      },
      503,
      200
    )
    await rows.list(Holiday, { where: { name: "May" } }, { onResponse: ({ status }) => ofCall.push(status) })
    assert.deepStrictEqual(
      sent.map(({ attempt, headers, method, url }) => [method, url, attempt, headers]),
      [1, 2].map((attempt) => [
        "GET",
        `${restUrl}/holiday?name=eq.May`,
        attempt,
        {
          accept: "application/json",
          authorization: "<redacted>",
          "x-gateway-token": "<redacted>",
          "x-tenant": "north"
        }
      ])
    )
    assert.deepStrictEqual(
      received.map(({ attempts, requestId, status }) => [status, requestId, attempts]),
      [
        [503, "req-1", 1],
        [200, "req-2", 2]
      ]
    )
    assert.isAtLeast(Duration.toMillis(received[1]?.duration ?? 0), 0)
    assert.deepStrictEqual(ofCall, [503, 200])
  })

  it("leaves the values of secret columns out of addresses", async () => {
    const urls: Array<string> = []
    const { rows } = over({ onRequest: ({ url }) => urls.push(url) }, 404)
    const select = ["id", "clientSecret"] as const
    await failure(rows.list(OauthClient, { select, where: { clientSecret: "hush", name: "Shop" } }))
    assert.deepStrictEqual(urls.map(decodeURIComponent), [
      `${restUrl}/oauthClient?select=id,clientSecret&clientSecret=<redacted>&name=eq.Shop`
    ])
  })

  it("shows the failure of a connection to the hook", async () => {
    const failures: Array<string> = []
    const fetch = () => Promise.reject(new Error("refused"))
    const { rows } = over({ fetch, retry: { times: 0 }, onFailure: ({ reason }) => failures.push(reason) })
    await failure(rows.list(Holiday))
    assert.deepStrictEqual(failures, ["Connection"])
  })

  it("prints a line for each response when it debugs", async () => {
    const lines: Array<string> = []
    const { rows } = over({ debug: (line) => lines.push(line.replace(/\d+ ms/, "0 ms")) }, 503, 200)
    await rows.list(Holiday)
    assert.deepStrictEqual(lines, [
      `GET ${restUrl}/holiday 503 in 0 ms, request req-1`,
      `GET ${restUrl}/holiday 200 in 0 ms, attempt 2, request req-2`
    ])
    const printed = vi.spyOn(console, "error").mockImplementation(() => {})
    try {
      const fetch = () => Promise.reject(new Error("refused"))
      await failure(over({ debug: true, fetch, retry: { times: 0 } }).rows.list(Holiday))
      assert.match(String(printed.mock.calls[0]?.[0]), /^GET .* failed: .* cannot be reached: refused$/)
    } finally {
      printed.mockRestore()
    }
  })
})
