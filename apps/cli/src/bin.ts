/**
 * The `mfg` program: the command tree, run on this process.
 */
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { createRequire } from "node:module"
import * as Mfg from "./Mfg.ts"

// beside src as beside dist, and read where it is because a release writes its version last
const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string }

Mfg.run(version)(process.argv).pipe(
  // the command tree has already said what it did not understand
  Effect.catchIf(ValidationError.isValidationError, () => Effect.sync(() => void (process.exitCode = 2))),
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain
)
