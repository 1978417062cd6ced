import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as BuiltService from "../src/BuiltService.ts"
import * as Program from "../src/Program.ts"

const text = readFileSync(join(Program.root, "docs/storage.md"), "utf8")
const named = Array.from(text.matchAll(/^\| `(mfg_mock_\w+)`/gm), ([, name]) => name)

/** Metrics that a process has only after its first minute. */
const late = new Set(["mfg_mock_expired_rows_last_success_timestamp_seconds"])

describe("docs/storage.md", () => {
  it.scoped(
    "names metrics that the service has",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* BuiltService.serve("sqlite::memory:")
        const metrics = yield* Effect.promise(() => fetch(`${origin}/metrics`).then((response) => response.text()))
        assert.isAbove(named.length, 8)
        assert.deepStrictEqual(
          named.filter((name = "") => !late.has(name) && !metrics.includes(`\n${name}`)),
          []
        )
      }),
    60_000
  )
})
