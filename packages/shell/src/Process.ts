/**
 * Runs an executable on this process: signals, closed pipes, and the exit code.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ExitCode from "./ExitCode.ts"
import * as FailureReport from "./FailureReport.ts"
import type { Front } from "./Front.ts"
import * as Main from "./Main.ts"
import * as UpdateNotice from "./UpdateNotice.ts"

export interface Options {
  readonly version: string
  /** The exit code after SIGINT or SIGTERM: 0 for a server, which is stopped by them. */
  readonly stoppedCode: number
  /** The package whose newer versions are announced. */
  readonly announces?: string
}

let received: NodeJS.Signals | undefined

/** The signal that stops this process, once it has arrived. */
export const stopSignal = (): NodeJS.Signals | undefined => received

/** Runs the command line of this process, and exits with its code. */
export const run = (front: Front, { announces, stoppedCode, version }: Options): void => {
  // Every new file and folder is for its owner alone: most contain rows, keys or secrets.
  process.umask(0o077)
  const fiber = Effect.runFork(Main.run(front, version, process.argv.slice(2)))

  /** The exit code once the process is stopped from outside. */
  let stopped: number | undefined
  const stop = (code: number) => {
    stopped ??= code
    fiber.unsafeInterruptAsFork(fiber.id())
  }
  const onSignal = (signal: NodeJS.Signals) => {
    received = signal
    // A second signal kills the process, without finalizers.
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal)
    stop(stoppedCode)
  }

  process.on("SIGINT", onSignal).on("SIGTERM", onSignal)
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of a pipe may close it early, as `head` does.
    stop(error.code === "EPIPE" ? 0 : 1)
  })

  fiber.addObserver((exit) => {
    if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
      const isJson = FailureReport.isJson(process.argv.slice(2))
      process.stderr.write(FailureReport.defect(front, Cause.pretty(exit.cause), isJson))
    }
    if (announces !== undefined && stopped === undefined) UpdateNotice.show({ name: front.name, version }, announces)
    const code = stopped ?? (Exit.isSuccess(exit) ? exit.value : ExitCode.failed)
    // Open handles must not keep the process alive; the output is flushed first.
    process.exitCode = code
    process.stdout.write("", () => process.stderr.write("", () => process.exit(code)))
  })
}
