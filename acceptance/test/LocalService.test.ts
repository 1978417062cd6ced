/**
 * Attacks a local service from a page of another site, with the keys of the documentation: by the requests that a browser
 * sends, and in Chromium, if one is installed.
 */
import { assert, describe, it } from "@effect/vitest"
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { createServer, request } from "node:http"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const key = "mfg_local_development"
const adminKey = "mfg_local_administrator"

const serve = (...flags: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    const env = { MFG_MOCK_API_KEY: key, MFG_MOCK_ADMIN_KEY: adminKey }
    const args = [bin, "serve", "--port", "0", "--store", "sqlite::memory:", ...flags]
    const { said } = yield* Program.start(args, /Try:/, { env })
    return Number(/http:\/\/[^:]+:(\d+)/.exec(said)?.[1])
  })

interface Answer {
  readonly status: number | undefined
  readonly headers: NodeJS.Dict<string | ReadonlyArray<string>>
  readonly text: string
}

/** Sends a request with any headers, also those that `fetch` reserves. */
const send = (
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { address = "127.0.0.1", method = "GET" } = {}
) =>
  Effect.promise(
    () =>
      new Promise<Answer>((resolve, reject) => {
        const asked = request({ host: address, port, path, method, headers }, (answer) => {
          let text = ""
          answer.setEncoding("utf8").on("data", (part: string) => (text += part))
          answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }))
        })
        asked.on("error", reject).end(method === "POST" ? "{}" : undefined)
      })
  )

/** A path of each interface, with the key of the documentation for it. */
const doors = [
  { path: "/rest/holiday?limit=1", authorization: `Bearer ${key}` },
  { path: "/rest/v1/holiday?limit=1", authorization: `Bearer ${key}` },
  { path: "/api/v1/account/getCurrentUser", authorization: `Bearer ${key}`, method: "POST" },
  { path: `${AdminApi.mount}/keys`, authorization: `Bearer ${adminKey}` }
] as const

const ask = (port: number, headers: Readonly<Record<string, string>>, address?: string) =>
  Effect.forEach(doors, ({ authorization, path, ...rest }) =>
    send(
      port,
      path,
      { authorization, "content-type": "application/json", ...headers },
      { ...rest, ...(address === undefined ? {} : { address }) }
    )
  )

const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status)

const ownAddress = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address

const browser = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"]).status === 0
)

describe("a local service", () => {
  it.scoped(
    "takes the keys of the documentation from this machine, and 401 with a reason from a page of another site",
    () =>
      Effect.gen(function* () {
        const port = yield* serve("--allowed-hosts", "mfg.test")
        for (const headers of [{}, { host: `localhost:${port}` }, { origin: "http://localhost:5173" }]) {
          assert.deepStrictEqual(statuses(yield* ask(port, headers)), [200, 200, 200, 200], JSON.stringify(headers))
        }
        for (const headers of [
          { origin: "https://evil.example" },
          { origin: "null" },
          { origin: "http://localhost.evil.example" },
          { origin: "file://" },
          { host: "mfg.test" }
        ]) {
          const answers = yield* ask(port, headers)
          assert.deepStrictEqual(statuses(answers), [401, 401, 401, 401], JSON.stringify(headers))
          for (const { text } of answers) {
            assert.include(text, "The documentation shows this API key")
            assert.include(text, "origin" in headers ? "a page of another site" : "the Host of this one")
          }
        }
        assert.deepStrictEqual(statuses(yield* ask(port, { host: "rebound.example" })), [421, 421, 421, 421])
      }),
    300_000
  )

  it.scoped(
    "takes no key of the documentation while it listens for other machines",
    () =>
      Effect.gen(function* () {
        const port = yield* serve("--host", "0.0.0.0")
        assert.deepStrictEqual(statuses(yield* ask(port, {})), [401, 401, 401, 401])
        if (ownAddress !== undefined) {
          assert.deepStrictEqual(statuses(yield* ask(port, {}, ownAddress)), [401, 401, 401, 401])
        }
      }),
    300_000
  )

  it.scoped(
    "offers the administrator's interface and the metrics to no page",
    () =>
      Effect.gen(function* () {
        const port = yield* serve()
        const origin = "http://localhost:5173"
        const allowed = ({ headers }: Answer) =>
          Object.keys(headers).filter((name) => name.startsWith("access-control-"))
        for (const path of [`${AdminApi.mount}/keys`, AdminApi.mount, "/metrics"]) {
          const authorization = `Bearer ${adminKey}`
          assert.deepStrictEqual(allowed(yield* send(port, path, { origin, authorization })), [], path)
          const preflight = {
            origin,
            "access-control-request-method": "GET",
            "access-control-request-headers": "authorization"
          }
          assert.deepStrictEqual(allowed(yield* send(port, path, preflight, { method: "OPTIONS" })), [], path)
        }
        assert.isNotEmpty(allowed(yield* send(port, "/rest/holiday", { origin })))
      }),
    300_000
  )

  it.scoped.skipIf(browser === undefined)(
    `gives a page of another site nothing in Chromium${browser === undefined ? " (there is no Chromium here)" : ""}`,
    () =>
      Effect.gen(function* () {
        const port = yield* serve()
        const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `rebound.test:${port}`]
        const script = `(async () => {
          const seen = []
          for (const host of ${JSON.stringify(hosts)}) {
            for (const { authorization, method = "GET", path } of ${JSON.stringify(doors)}) {
              const headers = { authorization, "content-type": "application/json" }
              const body = method === "POST" ? { body: "{}" } : {}
              const answer = fetch("http://" + host + path, { method, headers, ...body })
              seen.push("[" + (await answer.then(({ status }) => status, () => "failed")) + "]")
            }
          }
          document.body.textContent = "done:" + seen.join(" ")
        })()`
        const page = `<!doctype html><body>waiting<script>${script}</script>`
        const sitePort = yield* LocalServer.listen(
          createServer((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(page))
        )
        const folder = yield* Tree.make({})
        const { stdout } = yield* Program.run(browser ?? "", [
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-background-networking",
          "--host-resolver-rules=MAP *.test 127.0.0.1",
          "--virtual-time-budget=20000",
          `--user-data-dir=${join(folder, "profile")}`,
          "--dump-dom",
          `http://evil.test:${sitePort}/`
        ])
        const seen = Array.from(
          /done:[^<]*/.exec(stdout)?.[0].matchAll(/\[(\w+)\]/g) ?? [],
          ([, answer = ""]) => answer
        )
        assert.lengthOf(seen, hosts.length * doors.length, stdout)
        assert.isEmpty(
          seen.filter((answer) => !["401", "421", "failed"].includes(answer)),
          stdout
        )
      }),
    300_000
  )
})
