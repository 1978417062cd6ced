import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../src/Program.ts"

const text = (path: string): string => readFileSync(join(Program.root, path), "utf8")

describe("the workspace", () => {
  it.effect("every package is type-checked", () =>
    Effect.gen(function* () {
      const program = `import { packagesOf } from "./scripts/workspace.mjs"
        console.log(JSON.stringify(packagesOf(".").map(({ dir }) => dir)))`
      const { stdout } = yield* Program.node(["--input-type=module", "--eval", program])
      const { references } = JSON.parse(text("tsconfig.json"))
      const checked = references.map(({ path }: { readonly path: string }) => path)
      assert.deepStrictEqual(checked.toSorted(), JSON.parse(stdout).toSorted())
    })
  )

  it("nothing depends on @effect/schema", () => {
    // It became effect/Schema, and the two are incompatible.
    assert.notInclude(text("pnpm-lock.yaml"), "@effect/schema@")
  })
})
