/**
 * The `mfg` program: a command line, run on this process.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { createRequire } from "node:module"
import * as ExitCode from "./ExitCode.ts"
import * as Start from "./Start.ts"

// beside src as beside dist, and read where it is because a release writes its version last
const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string }

const fiber = Effect.runFork(
  Start.run(version, process.argv.slice(2)).pipe(
    Effect.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeTerminal.layer))
  )
)

/** What the process ends with when it is stopped from outside. */
let stopped: number | undefined

const stop = (code: number) => {
  // Whoever asks a second time does not want to wait for what is being cleaned up.
  if (stopped !== undefined) process.exit(code)
  stopped = code
  fiber.unsafeInterruptAsFork(fiber.id())
}

process.on("SIGINT", () => stop(ExitCode.interrupted))
process.on("SIGTERM", () => stop(ExitCode.interrupted))
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Whoever reads has seen enough.
  stop(error.code === "EPIPE" ? 0 : 1)
})

fiber.addObserver((exit) => {
  if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
    process.stderr.write(`mfg: this should not happen, and is a defect of mfg: ${Cause.pretty(exit.cause)}\n`)
  }
  const code = stopped ?? (Exit.isSuccess(exit) ? exit.value : 1)
  // Nothing that is left open may keep the process; what was written is flushed first.
  process.exitCode = code
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)))
})
