import * as AdminApi from "@mfgdata/client/AdminApi"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as BuiltService from "../src/BuiltService.ts"
import * as Program from "../src/Program.ts"

const text = readFileSync(join(Program.root, "docs/faults.md"), "utf8")
const named = new Set(Array.from(text.matchAll(/^\| `([\w-]+)`/gm), ([, name = ""]) => name))
const properties = Object.keys({ ...AdminApi.Fault.fields, ...AdminApi.FaultMatch.fields })
const rules = Array.from(text.matchAll(/-d '(\{.*\})'$|arms.*`(\{.*?\})`|`(\{"set".*?\})`/gm), (match) =>
  match.slice(1).find((rule) => rule !== undefined)
)

describe("docs/faults.md", () => {
  it("has each property of a rule", () => {
    const others = new Set(["id", "name", "match", "matched", "fired"])
    assert.deepStrictEqual(
      properties.filter((name) => !others.has(name) && !named.has(name)),
      []
    )
  })

  it("names tests that exist", () => {
    const tests = Array.from(text.matchAll(/`([\w/]+\.test\.ts)`/g), ([, file = ""]) => file)
    assert.isAbove(tests.length, 5)
    assert.deepStrictEqual(
      tests.filter((file) => !existsSync(join(Program.root, file))),
      []
    )
  })

  it.scoped(
    "has rules that the service accepts, and each of its sets",
    () =>
      Effect.gen(function* () {
        const adminKey = "mfg_faults_administration"
        const { origin } = yield* BuiltService.serve("sqlite::memory:", { adminKey })
        const arm = (body: string) =>
          Effect.promise(async () => {
            const response = await fetch(`${origin}/_mock/faults`, {
              method: "POST",
              headers: { Authorization: `Bearer ${adminKey}`, "Content-Type": "application/json" },
              body
            })
            return { status: response.status, text: await response.text() }
          })
        assert.isAbove(rules.length, 1)
        for (const rule of rules) assert.strictEqual((yield* arm(rule ?? "")).status, 201, rule)
        const unknown = yield* arm(`{"set":"unknown"}`)
        const sets = /expected one of ([\w, -]+)/.exec(unknown.text)?.[1]?.split(", ") ?? []
        assert.isAbove(sets.length, 5)
        assert.deepStrictEqual(
          sets.filter((set) => !named.has(set)),
          []
        )
      }),
    300_000
  )
})
