/**
 * A program of this workspace as it is published: one bundled file. It is bundled anew from the sources, so that no
 * test runs an old one.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Program from "./Program.ts"

/** Bundles the bin of an app, such as `"cli"`; answers the file, which goes with the scope. */
export const bundle = (app: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const cwd = join(Program.root, "apps", app)
    // inside the app, whose dependencies it finds there
    const file = join(cwd, ".tsbuildinfo", `bin-${process.pid}.js`)
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(file, { force: true })))
    const { code, stderr } = yield* Program.node(["../../scripts/bundle.mjs", file], { cwd })
    return code === 0 ? file : yield* Effect.dieMessage(stderr)
  })
