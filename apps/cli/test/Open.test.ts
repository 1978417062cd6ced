import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach } from "vitest"
import { mfg } from "./Cli.ts"
import { ok, serving } from "./ScriptedService.ts"

const kept = { ...process.env }
afterEach(() => void (process.env = { ...kept }))

const row = ok([{ id: "a b" }])

describe("mfg <resource> open", () => {
  it.scopedLive("writes the address of the row in the console, where the service has one", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* serving([row, ok({ console: "/console", docs: "/docs" })])
      const { code, stderr, stdout } = yield* mfg("holiday", "open", "a b")
      assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
      assert.strictEqual(stdout, `${origin}/console/holiday?id=eq.a+b\n`)
      assert.deepStrictEqual(requests, ["GET /rest/holiday?select=id&id=eq.a+b&limit=1", "GET /"])
    })
  )

  it.scopedLive("never leads to another host", () =>
    Effect.gen(function* () {
      const { origin } = yield* serving([row, ok({ console: "@example.com/", docs: "/docs" })])
      const { code, stdout } = yield* mfg("holiday", "open", "a b")
      assert.strictEqual(code, 6)
      assert.strictEqual(stdout, "")
      assert.match(origin, /127/)
    })
  )
})
