/**
 * Opens `/docs` in a browser, if one is installed: the page works without requests to other hosts.
 */
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import * as Program from "../src/Program.ts"
import * as BuiltService from "../src/BuiltService.ts"
import * as Tree from "../src/Tree.ts"

const browser = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"]).status === 0
)

/** Proxies the page's service, and records the browser's requests. */
const between = (origin: string) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = createServer((request, response) => {
      asked.push(`${request.headers.host}${request.url}`)
      void fetch(origin + request.url).then(async (answer) => {
        const headers = Object.fromEntries(
          ["content-type", "content-security-policy"].map((name) => [name, answer.headers.get(name) ?? ""])
        )
        response.writeHead(answer.status, headers).end(await answer.text())
      })
    })
    return { asked, host: `127.0.0.1:${yield* LocalServer.listen(server)}` }
  })

describe("/docs", () => {
  it.scoped.skipIf(browser === undefined)(
    `shows itself in Chromium and asks for nothing else${browser === undefined ? " (there is no Chromium here)" : ""}`,
    () =>
      Effect.gen(function* () {
        const { origin } = yield* BuiltService.serve("sqlite::memory:")
        const { asked, host } = yield* between(origin)
        const folder = yield* Tree.make({})
        const picture = join(folder, "reference.png")
        // Requests to any host arrive here and are recorded.
        const rules = `--host-resolver-rules=MAP * 127.0.0.1:${host.split(":")[1]}`
        const flags = [
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-background-networking",
          "--disable-features=NetworkTimeServiceQuerying",
          "--hide-scrollbars"
        ]
        const common = [...flags, rules, "--window-size=1360,1000", `--user-data-dir=${join(folder, "profile")}`]
        yield* Program.run(browser ?? "", [...common, `--screenshot=${picture}`, `http://${host}/docs`])
        const { stdout } = yield* Program.run(browser ?? "", [...common, "--dump-dom", `http://${host}/docs#holiday`])
        assert.isAbove(readFileSync(picture).length, 50_000)
        // The page's script has run: it marks the position of its reader.
        assert.match(stdout, /<a href="#[\w.]+" class="here">/)
        assert.deepStrictEqual(
          asked.filter((one) => one.startsWith(host)),
          [`${host}/docs`, `${host}/docs`]
        )
        // Requests of the browser itself use https; a page's request would use plain http.
        assert.deepStrictEqual(
          asked.filter((one) => !one.startsWith(host)),
          []
        )
      }),
    300_000
  )
})
