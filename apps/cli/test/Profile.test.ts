import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import * as ExitCode from "../src/ExitCode.ts"
import * as Profile from "../src/service/Profile.ts"

const kept = { ...process.env }
let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "profiles-"))
  process.env["XDG_CONFIG_HOME"] = folder
})
afterEach(() => {
  process.env = { ...kept }
  rmSync(folder, { recursive: true })
})

const profile: Profile.Profile = {
  ...ServiceAddress.fromOrigin("http://127.0.0.1:4010"),
  apiKey: Redacted.make("key"),
  companyId: "demo"
}
const save = Profile.save({ current: "default", profiles: { default: profile, other: { ...profile, companyId: "b" } } })

describe("profiles", () => {
  it.effect("are saved where only their owner can read them", () =>
    Effect.gen(function* () {
      yield* save
      assert.strictEqual(Profile.path(), join(folder, "mfg", "profiles.json"))
      assert.strictEqual(statSync(Profile.path()).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(folder, "mfg")).mode & 0o777, 0o700)
      assert.deepStrictEqual((yield* Profile.choose(Option.none())).profile, profile)
      assert.strictEqual((yield* Profile.choose(Option.some("other"))).profile.companyId, "b")
    })
  )

  it.effect("are refused when other users can read them", () =>
    Effect.gen(function* () {
      yield* save
      chmodSync(Profile.path(), 0o644)
      const error = yield* Effect.flip(Profile.choose(Option.none()))
      assert.include(error.message, `other users can read the keys in it (mode 644). Run: chmod 600 ${Profile.path()}`)
      // Saving them sets the mode again.
      yield* save
      assert.strictEqual(statSync(Profile.path()).mode & 0o777, 0o600)
    })
  )

  it.effect("name the command to run when they are missing or malformed", () =>
    Effect.gen(function* () {
      assert.include((yield* Effect.flip(Profile.choose(Option.none()))).message, "Run: mfg login --url ")
      yield* save
      const missing = yield* Effect.flip(Profile.choose(Option.some("third")))
      assert.include(missing.message, "No profile third. The saved profiles are default, other. Run: mfg login")
      writeFileSync(Profile.path(), "{}")
      assert.include((yield* Effect.flip(Profile.choose(Option.none()))).message, "does not contain profiles")
    })
  )

  it.effect("keep their keys from another origin that the environment names", () =>
    Effect.gen(function* () {
      const saved = { ...profile, adminKey: Redacted.make("saved administrator") }
      yield* Profile.save({ current: "default", profiles: { default: saved } })
      for (const [name, url] of [
        ["MFG_REST_URL", "http://other.example/rest"],
        ["MFG_BASE_URL", "http://127.0.0.1:4011/api/v1"],
        ["MFG_REST_URL", "https://127.0.0.1:4010/rest"]
      ] as const) {
        process.env[name] = url
        const error = yield* Effect.flip(Profile.choose(Option.none()))
        assert.strictEqual(ExitCode.of(error), 4)
        assert.include(error.message, `is not sent to ${new URL(url).origin}`)
        process.env["MFG_API_KEY"] = "another"
        const { profile: chosen } = yield* Profile.choose(Option.none())
        assert.strictEqual(Redacted.value(chosen.apiKey), "another")
        assert.isUndefined(chosen.adminKey)
        delete process.env["MFG_API_KEY"]
        delete process.env[name]
      }
      process.env["MFG_REST_URL"] = "http://127.0.0.1:4010/rest/v1"
      const { profile: same } = yield* Profile.choose(Option.none())
      assert.strictEqual(Redacted.value(same.apiKey), "key")
    })
  )

  it.effect("give precedence to the environment, without the company of the saved key", () =>
    Effect.gen(function* () {
      yield* save
      process.env["MFG_API_KEY"] = "another"
      const { profile: chosen } = yield* Profile.choose(Option.none())
      assert.strictEqual(Redacted.value(chosen.apiKey), "another")
      assert.strictEqual(chosen.restUrl, profile.restUrl)
      assert.isUndefined(chosen.companyId)
    })
  )
})
