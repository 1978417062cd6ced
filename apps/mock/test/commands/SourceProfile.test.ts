import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SourceProfile from "../../src/commands/SourceProfile.ts"

const variables = ["XDG_CONFIG_HOME", "MFG_PROFILE", "MFG_REST_URL", "MFG_BASE_URL", "MFG_API_KEY"]

/** Runs with a file of profiles and no other variable of `mfg`; restores the environment. */
const withProfiles = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const saved = variables.map((name) => [name, process.env[name]] as const)
      const home = mkdtempSync(join(tmpdir(), "mfg-profiles-"))
      for (const name of variables) delete process.env[name]
      process.env["XDG_CONFIG_HOME"] = home
      const live = { restUrl: "https://a.example/rest", baseUrl: "https://a.example/api/v1", apiKey: "live-key" }
      mkdirSync(join(home, "mfg"))
      writeFileSync(join(home, "mfg", "profiles.json"), JSON.stringify({ current: "live", profiles: { live } }), {
        mode: 0o600
      })
      return { home, saved }
    }),
    () => work,
    ({ home, saved }) =>
      Effect.sync(() => {
        for (const [name, value] of saved) {
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
        }
        rmSync(home, { recursive: true })
      })
  )

describe("SourceProfile", () => {
  it.effect("finds the address and key of a profile of mfg", () =>
    withProfiles(
      Effect.gen(function* () {
        const { apiKey, client: _client, ...address } = yield* SourceProfile.find("live")
        assert.deepStrictEqual(address, {
          name: "live",
          restUrl: "https://a.example/rest",
          baseUrl: "https://a.example/api/v1"
        })
        assert.strictEqual(Redacted.value(apiKey), "live-key")
      })
    )
  )

  it.effect("names the saved profiles when it has no profile of the name", () =>
    withProfiles(
      Effect.gen(function* () {
        const error = yield* Effect.flip(SourceProfile.find("lvie"))
        assert.include(error.message, "No profile lvie. The saved profiles are live.")
      })
    )
  )

  it.effect("takes all of the variables for the name environment, and never the current profile", () =>
    withProfiles(
      Effect.gen(function* () {
        const error = yield* Effect.flip(SourceProfile.find("environment"))
        assert.include(error.message, "No profile environment.")
        process.env["MFG_REST_URL"] = "https://b.example/rest"
        process.env["MFG_BASE_URL"] = "https://b.example/api/v1"
        process.env["MFG_API_KEY"] = "variable-key"
        assert.strictEqual((yield* SourceProfile.find("environment")).restUrl, "https://b.example/rest")
      })
    )
  )
})
