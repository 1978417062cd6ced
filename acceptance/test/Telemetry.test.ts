/** Exports the telemetry of the built service, and proves that a service without a collector does not load the exporter. */
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

interface Coverage {
  readonly result: ReadonlyArray<{
    readonly url: string
    readonly functions: ReadonlyArray<{
      readonly functionName: string
      readonly ranges: ReadonlyArray<{
        readonly count: number
        readonly startOffset: number
        readonly endOffset: number
      }>
    }>
  }>
}

/** A text that is evaluated when the exporter is made. The bundle breaks long lines, also within texts. */
const marker = new RegExp(Array.from("service.instance.id", (letter) => letter.replace(".", "\\.")).join("(?:\\\\\n)?"))

/** A collector that accepts everything, and the paths of its requests. */
const collector = Effect.gen(function* () {
  const paths: Array<string> = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? "")
    request.resume().on("end", () => response.writeHead(200).end())
  })
  return { paths, url: `http://127.0.0.1:${yield* LocalServer.listen(server)}` }
})

/** Serves one request and stops; returns how many times the exporter was made, by V8's count. */
const serve = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    const folder = yield* Tree.make({})
    const { end, said } = yield* Program.start(
      [bin, "serve", "--port", "0", "--store", "sqlite::memory:", "--seed", "empty"],
      /Try:/,
      { env: { ...environment, NODE_V8_COVERAGE: folder } }
    )
    const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
    yield* Effect.promise(() => fetch(`${origin}/health/live`))
    assert.strictEqual(yield* end("SIGTERM"), 0)
    const text = readFileSync(bin, "utf8")
    const [file = ""] = readdirSync(folder)
    // V8 writes this form.
    const { result } = JSON.parse(readFileSync(join(folder, file), "utf8")) as Coverage
    const functions = result.filter(({ url }) => url.endsWith(".js")).flatMap(({ functions }) => functions)
    const at = text.search(marker)
    assert.isAbove(at, 0, "the exporter is in the bundle")
    // The innermost function that V8 knows around a text of the exporter: one that was never compiled counts as its parent.
    const [inner] = functions
      .flatMap(({ ranges }) => ranges)
      .filter(({ endOffset, startOffset }) => startOffset <= at && at < endOffset)
      .toSorted((one, other) => one.endOffset - one.startOffset - (other.endOffset - other.startOffset))
    return { runs: inner?.count ?? 0, said }
  })

describe("mfg-mock serve with OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  it.scoped(
    "exports spans and metrics until its stop",
    () =>
      Effect.gen(function* () {
        const { paths, url } = yield* collector
        assert.isAbove((yield* serve({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).runs, 0)
        assert.includeMembers(paths, ["/v1/traces", "/v1/metrics"])
      }),
    300_000
  )

  it.scoped(
    "does not evaluate the exporter without it",
    () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* serve({})).runs, 0)
      }),
    300_000
  )

  it.scoped(
    "refuses a value by the name of its variable",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const { code, stderr } = yield* Program.node([bin, "serve", "--port", "0", "--store", "sqlite::memory:"], {
          env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }
        })
        assert.strictEqual(code, 1)
        assert.include(stderr, "OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf or http/json")
      }),
    300_000
  )
})
