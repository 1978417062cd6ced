import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as BuiltService from "../src/BuiltService.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const adminKey = "mfg_administrator_of_mirrors"

it.scoped(
  "a mirror becomes a world of a running service, and the next run replaces it",
  () =>
    Effect.gen(function* () {
      const folder = yield* Tree.make({})
      const store = `sqlite:${join(folder, "main.db")}`
      const bin = yield* Bin.bundle("mock")
      const { key, origin } = yield* BuiltService.serve(store, { adminKey, seed: "demo" })
      const mirror = (world: string, ...flags: ReadonlyArray<string>) =>
        Program.node([bin, "mirror", "--from", "environment", "--store", store, "--world", world, ...flags], {
          env: {
            MFG_REST_URL: `${origin}/rest`,
            MFG_BASE_URL: `${origin}/api/v1`,
            MFG_API_KEY: key,
            MFG_MOCK_ADMIN_KEY: adminKey
          }
        })
      const list = (key: string) =>
        Effect.promise(async () => {
          const response = await fetch(`${origin}/rest/holiday`, { headers: { authorization: `Bearer ${key}` } })
          return { status: response.status, body: await response.text() }
        })
      const keyOf = (stderr: string) => /mfg_[0-9A-Za-z]{38}/.exec(stderr)?.[0] ?? ""

      const first = yield* mirror("nightly")
      assert.strictEqual(first.code, 0, first.stderr)
      const expected = yield* list(key)
      assert.deepStrictEqual(yield* list(keyOf(first.stderr)), expected)

      const second = yield* mirror("nightly")
      assert.strictEqual(second.code, 0, second.stderr)
      assert.include(second.stderr, "0 new, 0 changed")
      assert.deepStrictEqual(yield* list(keyOf(second.stderr)), expected)
      assert.strictEqual((yield* list(keyOf(first.stderr))).status, 401)

      yield* Effect.promise(() =>
        fetch(`${origin}/_mock/worlds`, {
          method: "POST",
          headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
          body: JSON.stringify({ name: "mine", seed: "empty" })
        })
      )
      const taken = yield* mirror("mine")
      assert.strictEqual(taken.code, 1)
      assert.include(taken.stderr, "The world mine exists and is not a mirror")
      assert.isEmpty(readdirSync(folder).filter((name) => name.includes("mirror-mine")))
      assert.include((yield* mirror("Not a name")).stderr, "for --world: expected 1 to 64 letters")
    }),
  300_000
)
