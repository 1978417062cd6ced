/**
 * `mfg doctor` and `mfg login` at services that are not what they should be.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import type { RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { mfg } from "./Cli.ts"
import * as ScriptedService from "./ScriptedService.ts"

const kept = { ...process.env }
let folder = ""
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "doctor-"))))
afterEach(() => {
  process.env = { ...kept }
  rmSync(folder, { recursive: true })
})

const user = { id: "u", email: "u@example.com", firstName: "U", lastName: "V", fullName: "U V", avatarUrl: null }

/** Starts a service whose profiles are in a folder of the test. */
const serving = (respond: RequestListener) =>
  Effect.suspend(() => {
    process.env["XDG_CONFIG_HOME"] = folder
    return ScriptedService.start(respond)
  })

/** Responds for both interfaces, with a clock that is off by some seconds. */
const wellAt =
  (seconds: number): RequestListener =>
  (request, response) => {
    const isRows = request.url?.startsWith("/rest") === true
    const date = new Date(Date.now() + seconds * 1000).toUTCString()
    response
      .writeHead(200, { "content-type": "application/json", date })
      .end(isRows ? "[]" : JSON.stringify(request.url?.endsWith("getCurrentUser") === true ? user : { results: [] }))
  }

const findings = (stdout: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("mfg doctor", () => {
  it.scopedLive.each([
    [-30, "ok"],
    [90, "warning"],
    [-3600, "warning"]
  ] as const)("finds a clock that is off by %d s: %s", ([seconds, verdict]) =>
    Effect.gen(function* () {
      yield* serving(wellAt(seconds))
      const { code, stdout } = yield* mfg("doctor", "-o", "ndjson")
      const clock = findings(stdout).find(({ check }) => check === "clock")
      assert.strictEqual(clock?.["verdict"], verdict)
      if (verdict === "warning") {
        assert.match(
          String(clock?.["found"]),
          seconds > 0 ? /this machine is (89|9\d) s behind/ : /3[56]\d\d s ahead of/
        )
        assert.match(String(clock?.["remedy"]), /Set the clock/)
      }
      // A warning does not fail the command.
      assert.strictEqual(code, 0)
    })
  )

  it.scopedLive("finds an address of another service", () =>
    Effect.gen(function* () {
      yield* serving((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"))
      const { code, stderr, stdout } = yield* mfg("doctor", "-o", "ndjson")
      assert.strictEqual(code, 1)
      const key = findings(stdout).find(({ check }) => check === "key")
      assert.strictEqual(key?.["verdict"], "failed")
      assert.match(String(key?.["found"]), /text\/html/)
      assert.match(stderr, /1 check failed/)
    })
  )
})

describe("mfg login", () => {
  it.scopedLive("saves nothing if the service rejects the key", () =>
    Effect.gen(function* () {
      const refusal = { defined: false, code: "UNAUTHORIZED", status: 401, message: "no such key" }
      const origin = yield* serving((_, response) =>
        response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify(refusal))
      )
      const { code, stderr } = yield* mfg("login", "--url", origin)
      assert.strictEqual(code, 4)
      assert.match(stderr, /^mfg: The service rejected the API key: no such key \(UNAUTHORIZED\)/)
      assert.isFalse(existsSync(join(folder, "mfg")))
    })
  )

  it.scopedLive("saves an accepted key, and never shows it", () =>
    Effect.gen(function* () {
      const origin = yield* serving(wellAt(0))
      const { code, stderr } = yield* mfg("login", "--url", origin, "--profile", "new")
      assert.strictEqual(code, 0)
      assert.match(stderr, /Logged in to .* as U V\. Saved the profile new in /)
      const listed = yield* mfg("profile", "list", "-o", "json")
      assert.deepInclude(JSON.parse(listed.stdout)[0], { name: "new", current: true, restUrl: `${origin}/rest` })
      assert.notInclude(stderr + listed.stdout, 'key"')
      assert.strictEqual((yield* mfg("profile", "remove", "new", "--yes")).code, 0)
      assert.strictEqual((yield* mfg("profile", "list", "-o", "json")).stdout, "[]\n")
    })
  )
})
