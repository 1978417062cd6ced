/**
 * Checks that every request of the service's README gets the response that it shows, in order.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"

const readme = readFileSync(join(Program.root, "apps/mock/README.md"), "utf8")
const address = "http://127.0.0.1:4010"

const variables = Array.from(readme.matchAll(/^[A-Z]+=.*$/gm), ([line]) => line)
const requests = Array.from(readme.matchAll(/^\| (\w+) +\| `curl (.*?)` +\| (\d+)/gm), ([, what, args, status]) => ({
  what,
  args,
  status
}))

const hasCurl = spawnSync("curl", ["--version"]).status === 0

describe("apps/mock/README.md", () => {
  it.scoped.skipIf(!hasCurl)(
    `answers each of its requests as it says${hasCurl ? "" : " (there is no curl here to ask with)"}`,
    () =>
      Effect.gen(function* () {
        const serve = [yield* Bin.bundle("mock"), "serve", "--port", "0", "--store", "sqlite::memory:"]
        const { said } = yield* Program.start(serve, /Try:/, { env: { MFG_MOCK_API_KEY: "mfg_local_development" } })
        const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
        const answers: Array<{ readonly what: string | undefined; readonly status: string }> = []
        for (const { args, what } of requests) {
          const script = [...variables, `curl -s -o /dev/null -w '%{http_code}' ${args}`].join("\n")
          const { stdout } = yield* Program.run("sh", ["-c", script.replaceAll(address, origin)])
          answers.push({ what, status: stdout })
        }
        assert.deepStrictEqual(
          answers,
          requests.map(({ status = "", what }) => ({ what, status }))
        )
        for (const verb of ["list", "retrieve", "create", "update", "delete"]) {
          assert.isTrue(requests.some(({ what }) => what === verb))
        }
      }),
    300_000
  )
})
