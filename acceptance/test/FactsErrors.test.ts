/**
 * Checks that the service does not start with facts that it cannot use, and names each of them.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const file = (facts: ReadonlyArray<unknown>, version = 1) => JSON.stringify({ version, service: "a teacher", facts })

const at = { resource: "holiday", column: "year", seen: 2 }

const cases: ReadonlyArray<readonly [name: string, text: string | undefined, refusal: string]> = [
  ["no file", undefined, "cannot be read"],
  ["another version", file([], 2), "file.version: expected 1, got 2"],
  ["an unknown fact", file([{ ...at, fact: "requires" }]), "facts[0].fact: expected a known kind, perhaps required"],
  [
    "an unknown resource",
    file([{ ...at, fact: "absent", resource: "holidays" }]),
    "absent holidays year: expected a resource of the contract, perhaps holiday"
  ],
  [
    "a column that is required and unknown",
    file([
      { ...at, fact: "required", required: true },
      { ...at, fact: "absent" }
    ]),
    `required holiday year: expected one of the two, got a column that "absent holiday year" makes unknown`
  ]
]

describe("mfg-mock serve --facts", () => {
  for (const [name, text, refusal] of cases) {
    it.scoped(`refuses ${name} before it opens a store`, () =>
      Effect.gen(function* () {
        const folder = yield* Tree.make({})
        const path = join(folder, "facts.json")
        if (text !== undefined) writeFileSync(path, text)
        const store = join(folder, "mock.db")
        const args = [yield* Bin.bundle("mock"), "serve", "--port", "0", "--store", `sqlite:${store}`, "--facts", path]
        const { code, stderr } = yield* Program.node(args)
        assert.notStrictEqual(code, 0)
        assert.include(stderr.replaceAll(/\s+/g, " "), refusal)
        assert.isFalse(existsSync(store))
      })
    )
  }
})
