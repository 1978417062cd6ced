import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

const file = (name: string, failed: ReadonlyArray<string>, status = failed.length > 0 ? "failed" : "passed") => ({
  name: join(Program.root, name),
  status,
  assertionResults: [
    { fullName: "holds", status: "passed" },
    ...failed.map((fullName) => ({ fullName, status: "failed" }))
  ]
})

/** The counts of two runs, of which the second repeats the files that failed. */
const merged = (first: ReadonlyArray<unknown>, again?: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const report = (testResults: ReadonlyArray<unknown>) => JSON.stringify({ numPassedTests: 10, testResults })
    const folder = yield* Tree.make({
      "first.json": report(first),
      ...(again === undefined ? {} : { "again.json": report(again) })
    })
    const program = `
      import { merge, take } from "./scripts/test-report.mjs"
      const [first, again] = ["first", "again"].map((name) => take(${JSON.stringify(folder)} + "/" + name + ".json", false))
      console.log(JSON.stringify(merge(first, again)))`
    const { stdout } = yield* Program.node(["--input-type=module", "-e", program])
    assert.isFalse(existsSync(join(folder, "first.json")))
    return JSON.parse(stdout)
  })

describe("test report", () => {
  it.scoped("counts and names the tests that pass when their file runs again by itself", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* merged([file("a.test.ts", ["one", "two"])], [file("a.test.ts", ["two"])]), {
        passed: 11,
        failed: 1,
        failures: [{ file: "a.test.ts", title: "two" }],
        unstable: [{ file: "a.test.ts", title: "one" }]
      })
    })
  )

  it.scoped("counts a file that fails outside of its tests", () =>
    Effect.gen(function* () {
      const failure = { file: "a.test.ts", title: "outside of a test" }
      const failing = [file("a.test.ts", [], "failed")]
      assert.deepStrictEqual(yield* merged(failing, failing), {
        passed: 10,
        failed: 1,
        failures: [failure],
        unstable: []
      })
    })
  )

  it.scoped("keeps the failures of the first run when the second writes no report", () =>
    Effect.gen(function* () {
      const failure = { file: "a.test.ts", title: "one" }
      assert.deepStrictEqual(yield* merged([file("a.test.ts", ["one"])]), {
        passed: 10,
        failed: 1,
        failures: [failure],
        unstable: []
      })
    })
  )
})
