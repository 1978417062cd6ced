import { assert, describe, it } from "@effect/vitest"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Cause from "effect/Cause"
import type * as Log from "../../src/service/Log.ts"
import * as RequestLog from "../../src/service/RequestLog.ts"

const key = "mfg_0123456789ABCDEFGHIJKLMNOPQRSTUV123456"

const entry: RequestLog.Entry = {
  request: {
    method: "GET",
    target: `/rest/oauthClient?clientSecret=eq.hush&or=(scope.eq.hush)&select=id,name&${key}=eq.1`,
    headers: { authorization: `Bearer ${key}`, apikey: key, cookie: "hush", accept: "text/csv", "x-note": key },
    body: `{"clientSecret":"hush"}`
  },
  status: 200,
  requestId: "r1",
  bytesIn: 0,
  bytesOut: 2,
  millis: 1.23456
}

const lines = (level: Log.Level, ...entries: ReadonlyArray<RequestLog.Entry>) => {
  const written: Array<string> = []
  const log = RequestLog.make(
    level,
    () => 0,
    (line) => written.push(line)
  )
  for (const entry of entries) log.record(entry)
  return written
}

const failed: RequestLog.Entry = { ...entry, status: 500, cause: Cause.die(new Error(`no luck with ${key}`)) }

describe("RequestLog", () => {
  it("writes the lines of its level", () => {
    assert.lengthOf(lines("off", entry, failed), 0)
    assert.lengthOf(lines("error", entry, failed), 1)
    assert.lengthOf(lines("info", entry, failed), 2)
    assert.lengthOf(lines("debug", entry, failed), 2)
  })

  it("writes one line of JSON for a request", () => {
    const [line = ""] = lines("info", entry)
    assert.isTrue(line.endsWith("}\n"))
    assert.deepStrictEqual(JSON.parse(line), {
      time: "1970-01-01T00:00:00.000Z",
      level: "info",
      msg: "GET /rest/oauthClient 200",
      requestId: "r1",
      method: "GET",
      target: "/rest/oauthClient?clientSecret=***&or=***&select=id,name&mfg_***",
      status: 200,
      millis: 1.235,
      bytesIn: 0,
      bytesOut: 2
    })
  })

  it("names the peer, the caller and the trace of a request", () => {
    const trace = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" }
    const caller = {
      keyId: "k1",
      keyName: "warehouse app",
      companyId: CompanyId.make("acme"),
      userId: UserId.make("operator"),
      scopes: []
    }
    const request = { ...entry.request, headers: { ...entry.request.headers, ...trace }, peer: "192.0.2.1" }
    const [line = ""] = lines("info", { ...entry, request, caller })
    assert.deepInclude(JSON.parse(line), {
      peer: "192.0.2.1",
      keyId: "k1",
      keyName: "warehouse app",
      companyId: "acme",
      userId: "operator",
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      spanId: "00f067aa0ba902b7"
    })
    assert.notProperty(JSON.parse(line), "scopes")
  })

  it("adds headers at the level debug, and the cause of a failure", () => {
    const [line = ""] = lines("debug", entry)
    assert.deepStrictEqual(JSON.parse(line).headers, {
      authorization: "***",
      apikey: "***",
      cookie: "***",
      accept: "text/csv",
      "x-note": "mfg_***"
    })
    const [failure = ""] = lines("error", failed)
    assert.include(JSON.parse(failure).cause, "no luck with mfg_***")
    assert.strictEqual(JSON.parse(failure).level, "error")
  })

  it("hides the key and the values of a query", () => {
    const written = lines("debug", entry, failed)
    assert.lengthOf(written, 2)
    for (const line of written) {
      assert.notInclude(line, key)
      assert.notInclude(line, "hush")
    }
  })
})
