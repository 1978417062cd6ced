/**
 * Bundles a program of this workspace as it is published, into one file. Each test bundles the current sources.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Program from "./Program.ts"

/** Bundles the bin of an app, such as `"cli"`, and returns the path of the file, which is removed with the scope. */
export const bundle = (app: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const cwd = join(Program.root, "apps", app)
    // inside the app, whose dependencies it finds there
    const file = join(cwd, ".tsbuildinfo", `bin-${process.pid}.js`)
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(file, { force: true })))
    const { code, stderr } = yield* Program.node(["../../scripts/bundle.mjs", file], { cwd })
    return code === 0 ? file : yield* Effect.dieMessage(stderr)
  })
