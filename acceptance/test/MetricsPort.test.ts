import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { createServer } from "node:net"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"

const adminKey = "mfg_metrics_port_administrator"
const serveArguments = ["serve", "--port", "0", "--store", "sqlite::memory:", "--seed", "empty", "--metrics-port"]

const status = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async () => (await fetch(url, { headers })).status)

describe("mfg-mock serve --metrics-port", () => {
  it.scoped(
    "serves the metrics without a key on a port of its own",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const { said } = yield* Program.start([bin, ...serveArguments, "0"], /Try:/, {
          env: { MFG_MOCK_ADMIN_KEY: adminKey }
        })
        const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
        const [metrics = ""] = /http:\S+\/metrics\b/.exec(said) ?? []
        assert.notStrictEqual(new URL(metrics).origin, origin)
        assert.strictEqual(yield* status(metrics), 200)
        assert.strictEqual(yield* status(new URL("/health/ready", metrics).href), 200)
        assert.strictEqual(yield* status(new URL("/rest/holiday", metrics).href), 404)
        assert.strictEqual(yield* status(`${origin}/metrics`), 401)
        assert.strictEqual(yield* status(`${origin}/metrics`, { Authorization: `Bearer ${adminKey}` }), 200)
      }),
    300_000
  )

  it.scoped(
    "names its flag when the port is in use",
    () =>
      Effect.gen(function* () {
        const port = yield* LocalServer.listen(createServer())
        const { code, stderr } = yield* Program.node([yield* Bin.bundle("mock"), ...serveArguments, String(port)])
        assert.strictEqual(code, 1)
        assert.include(stderr, `Port ${port} of 127.0.0.1 is in use`)
        assert.include(stderr, "--metrics-port")
      }),
    300_000
  )
})
