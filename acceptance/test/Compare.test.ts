/** Compares services through the built command, as a nightly job does. */
import type { Report } from "@mfgdata/client/contract/Report"
import { assert, describe, layer } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { spawn } from "node:child_process"
import { createServer, type RequestListener } from "node:http"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"

class File extends Context.Tag("File")<File, string>() {}

const apiKey = "mfg_compared_service_key"

/** Serves a demo in memory; returns its origin. */
const serve = (bin: string, more: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const args = [bin, "serve", "--port", "0", "--store", "sqlite::memory:", "--log", "off", ...more]
    const { said } = yield* Program.start(args, /Try:/, { env: { MFG_MOCK_API_KEY: apiKey } })
    return /http:\/\/[^\s/]+:\d+/.exec(said)?.[0] ?? assert.fail(said)
  })

/** A folder with the profile `live` of a service. */
const profile = (origin: string, path = "/rest") =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const home = mkdtempSync(join(tmpdir(), "mfg-compare-"))
      mkdirSync(join(home, "mfg"))
      const live = { restUrl: origin + path, baseUrl: `${origin}/api/v1`, apiKey }
      const profiles = JSON.stringify({ current: "other", profiles: { live } })
      writeFileSync(join(home, "mfg", "profiles.json"), profiles, { mode: 0o600 })
      return { home, env: { XDG_CONFIG_HOME: home } }
    }),
    ({ home }) => Effect.sync(() => rmSync(home, { recursive: true }))
  )

const lines = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text
    .trim()
    .split("\n")
    // lines of JSON objects
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const names = async (origin: string): Promise<string> => {
  const response = await fetch(`${origin}/rest/holiday?select=name`, { headers: { authorization: `Bearer ${apiKey}` } })
  return response.text()
}

/** A server that answers each request in the same way. */
const server = (answer: RequestListener) =>
  Effect.map(LocalServer.listen(createServer(answer)), (port) => `http://127.0.0.1:${port}`)

const two = ["--resource", "holiday", "--resource", "kanban"]

describe("mfg-mock compare", () => {
  layer(Layer.scoped(File, Bin.bundle("mock")), { timeout: "300 seconds", excludeTestServices: true })((it) => {
    it.scoped("exits with 0 for an equal service, with lines of JSON and the score last", () =>
      Effect.gen(function* () {
        const bin = yield* File
        const { env, home } = yield* profile(yield* serve(bin))
        const report = join(home, "drift.json")
        const ended = yield* Program.node([bin, "compare", "--with", "live", ...two, "--write", "--report", report], {
          env
        })
        assert.deepInclude(ended, { code: 0, stderr: "" })
        const last = lines(ended.stdout).at(-1)
        assert.deepStrictEqual(Object.keys(last ?? {}), ["score"])
        // as the command writes it
        const written = JSON.parse(readFileSync(report, "utf8")) as Report
        assert.deepStrictEqual(written.differences, [])
        assert.deepStrictEqual(written.score, last?.["score"])
        assert.deepStrictEqual(written.resources, ["holiday", "kanban"])
        assert.isFalse(existsSync(`${report}.partial`))
        assert.notInclude(readFileSync(report, "utf8"), apiKey)
      })
    )

    it.scoped("exits with the code of the worst difference, and writes Markdown", () =>
      Effect.gen(function* () {
        const bin = yield* File
        const { env, home } = yield* profile(yield* serve(bin), "/rest/v1")
        const report = join(home, "drift.md")
        const ended = yield* Program.node([bin, "compare", "--with", "live", ...two, "--report", report], { env })
        assert.strictEqual(ended.code, 4, ended.stderr)
        assert.match(ended.stderr, /The services differ: .*breaks-errors.* Score: [\d.]+% \(\d+ of \d+ probes alike\)/)
        const text = readFileSync(report, "utf8")
        assert.include(text, "# live compared with mfg-mock")
        assert.match(text, /## Breaks the errors of the client \(\d+\)/)
        assert.match(text, /curl -i -H "Authorization: Bearer \$MFG_API_KEY" 'http:/)
        assert.match(text.trim().split("\n").at(-1) ?? "", /^Score: /)
        assert.notInclude(text, apiKey)
      })
    )

    it.scoped("sends no request that writes without --write", () =>
      Effect.gen(function* () {
        const bin = yield* File
        const live = yield* serve(bin)
        const methods = new Set<string>()
        const proxy = yield* server((request, response) => {
          const isRow = request.url?.startsWith("/rest") === true
          if (isRow) methods.add(request.method ?? "")
          const chunks: Array<Uint8Array> = []
          request.on("data", (chunk: Uint8Array) => chunks.push(chunk))
          request.on("end", () => {
            const { authorization, prefer } = request.headers
            const headers = { ...(authorization && { authorization }), ...(prefer && { prefer: String(prefer) }) }
            const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
            void fetch(live + (request.url ?? ""), { method: request.method ?? "GET", headers, ...body }).then(
              async (answer) => {
                response.writeHead(answer.status, {
                  "content-type": answer.headers.get("content-type") ?? "text/plain"
                })
                response.end(await answer.text())
              }
            )
          })
        })
        const { env } = yield* profile(proxy)
        yield* Program.node([bin, "compare", "--with", "live", "--resource", "holiday"], { env })
        assert.sameMembers([...methods], ["GET", "HEAD", "OPTIONS", "PROPFIND"])
      })
    )

    it.scoped("removes its rows when it is stopped, and those of a killed run in the next one", () =>
      Effect.gen(function* () {
        const bin = yield* File
        const origin = yield* serve(bin)
        const { env } = yield* profile(origin)
        for (const signal of ["SIGTERM", "SIGKILL"] as const) {
          const args = [bin, "compare", "--with", "live", "--resource", "holiday", "--write"]
          yield* Effect.promise(async () => {
            const child = spawn(process.execPath, args, { env: Program.environment(env), stdio: "ignore" })
            const ended = once(child, "exit")
            while (!(await names(origin)).includes("mfg-compare-")) assert.isNull(child.exitCode)
            child.kill(signal)
            await ended
          })
          const left = (yield* Effect.promise(() => names(origin))).includes("mfg-compare-")
          if (signal === "SIGTERM") assert.isFalse(left)
        }
        const { code } = yield* Program.node([bin, "compare", "--with", "live", "--resource", "kanban", "--write"], {
          env
        })
        assert.strictEqual(code, 0)
        assert.notInclude(yield* Effect.promise(() => names(origin)), "mfg-compare-")
      })
    )

    it.scoped("names an address of another service, an unknown profile, an unknown resource and a bad file", () =>
      Effect.gen(function* () {
        const bin = yield* File
        const page = yield* server((_, response) => {
          response.setHeader("content-type", "text/html").end("<html></html>")
        })
        const { env } = yield* profile(page)
        const compare = (...args: ReadonlyArray<string>) => Program.node([bin, "compare", ...args], { env })
        const foreign = yield* compare("--with", "live")
        assert.strictEqual(foreign.code, 1)
        assert.include(foreign.stderr, "The profile live leads to another service")
        assert.include((yield* compare("--with", "lvie")).stderr, "No profile lvie. The saved profiles are live.")
        const resource = yield* compare("--with", "live", "--resource", "holidays")
        assert.deepInclude(resource, { code: 2 })
        assert.include(resource.stderr, 'Unknown resource "holidays" for --resource: perhaps holiday.')
        const report = yield* compare("--with", "live", "--report", "drift.xml")
        assert.deepInclude(report, { code: 2 })
        assert.include(report.stderr, "expected a name that ends in .json or .md")
      })
    )
  })
})
