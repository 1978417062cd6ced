import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"

describe("the line of a request", () => {
  it.scoped("names the key, the company, the user, the peer and the trace", () =>
    Effect.gen(function* () {
      const lines: Array<{ readonly [name: string]: unknown }> = []
      const { keys, service, world } = yield* Instance.make({
        settings: { ...Settings.defaults, store: { _tag: "Sqlite", path: ":memory:" }, log: "info" },
        write: (line) => lines.push(JSON.parse(line))
      })
      const home = world.home()
      if (home === undefined) return assert.fail("the demo has a company")
      const { key, record } = yield* keys.create({ ...home, name: "warehouse app", scopes: ["*"], expiresAt: null })
      const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      const send = (target: string, text: string) =>
        service.handle({
          method: "GET",
          target,
          headers: { authorization: `Bearer ${text}`, traceparent },
          body: "",
          peer: "192.0.2.1"
        })
      const { body } = yield* send("/rest/holiday?limit=1", Redacted.value(key))
      yield* send("/rest/holiday", "mfg_unknown")
      const [known, refused] = lines.filter(({ requestId }) => requestId !== undefined)
      assert.deepInclude(known, {
        msg: "GET /rest/holiday 200",
        bytesIn: 0,
        bytesOut: Buffer.byteLength(String(body)),
        keyId: record.id,
        keyName: "warehouse app",
        companyId: home.companyId,
        userId: home.userId,
        peer: "192.0.2.1",
        traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
        spanId: "00f067aa0ba902b7"
      })
      assert.deepInclude(refused, { msg: "GET /rest/holiday 401", peer: "192.0.2.1" })
      assert.notProperty(refused, "keyName")
    })
  )
})
