import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

/** An answer of `pnpm audit --json` with one advisory, found at some paths. */
const advisory = (...paths: ReadonlyArray<string>) =>
  JSON.stringify({
    actions: [],
    advisories: {
      1098: {
        findings: [{ version: "1.0.0", paths }],
        module_name: "left-pad",
        patched_versions: ">=1.0.1",
        severity: "low",
        title: "Pads too much",
        url: "https://github.com/advisories/GHSA-0000"
      }
    },
    metadata: { vulnerabilities: { low: 1 } }
  })

const unknown = "Could not look for vulnerabilities"

const check = (answer: string) =>
  Effect.gen(function* () {
    const folder = yield* Tree.make({ "answer.json": answer })
    return yield* Program.node(["scripts/check-dependencies.mjs", join(folder, "answer.json")])
  })

describe("check-dependencies", () => {
  it.scoped.each([
    ["a vulnerability of an app", advisory("apps__mock>left-pad"), 1, "1 known vulnerabilities"],
    ["one of a package that the apps bundle", advisory("packages/shell>a>left-pad"), 1, "1 known vulnerabilities"],
    ["one of tests and of an app", advisory("acceptance>left-pad", "apps/cli>left-pad"), 1, "1 known"],
    ["one without a path", advisory(), 1, "1 known vulnerabilities"],
    ["one of tests alone", advisory("acceptance>left-pad", "bench>left-pad"), 0, "0 known vulnerabilities"],
    ["none", JSON.stringify({ advisories: {}, metadata: {} }), 0, "0 known vulnerabilities"],
    ["a registry without the endpoint", "ERR_PNPM_AUDIT_BAD_RESPONSE: responded with 405", 0, `${unknown}: `],
    ["a machine that is offline", JSON.stringify({ error: { code: "ENOTFOUND" } }), 0, "(ENOTFOUND)"],
    ["no answer", "", 0, unknown]
  ] as const)("judges %s", ([, answer, expected, line]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* check(answer)
      assert.strictEqual(code, expected)
      assert.include(stdout, line)
      assert.strictEqual(stderr.includes("left-pad: Pads too much (low), fixed in >=1.0.1"), expected === 1)
    })
  )
})
