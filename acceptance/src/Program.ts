/**
 * Runs programs of this checkout to their end, as a shell does.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { execFile, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The root folder of the checkout. */
export const root = fileURLToPath(
  new URL(import.meta.url.includes("/.tsbuildinfo/") ? "../../../../" : "../../", import.meta.url)
)

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The environment of a program, without variables that name a service of the user. Services stop without a drain. */
export const environment = (
  given: Readonly<Record<string, string>> | undefined
): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("MFG_"))),
  MFG_MOCK_DRAIN: "0s",
  // Tests never write to the keychain of their user.
  MFG_KEY_STORE: "file",
  ...given
})

interface Options {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a program, and returns its output and exit code, also after a failure. */
export const run = (file: string, args: ReadonlyArray<string>, options: Options = {}): Effect.Effect<Ended> =>
  Effect.async<Ended>((resume, signal) => {
    const settings = { cwd: options.cwd ?? root, env: environment(options.env), signal }
    const child = execFile(file, args, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
      resume(Effect.succeed({ code, stdout, stderr }))
    })
    child.stdin?.end()
  })

/** Runs the current Node with `args`. */
export const node = (args: ReadonlyArray<string>, options: Options = {}): Effect.Effect<Ended> =>
  run(process.execPath, args, options)

/** A program that runs until it gets a signal. */
export interface Running {
  /** Its standard output up to the awaited text. */
  readonly said: string
  /** Its process id. */
  readonly pid: number
  /** Sends a signal, and returns the exit code or the signal that ended the process. */
  readonly end: (signal: NodeJS.Signals) => Effect.Effect<number | NodeJS.Signals | null>
}

interface StartOptions extends Options {
  /** The number of files that the process may have open (default: that of this process). */
  readonly files?: number
}

/** The program and the arguments that run Node with a number of files. The shell becomes Node. */
const nodeWith = (args: ReadonlyArray<string>, files: number | undefined): readonly [string, ReadonlyArray<string>] =>
  files === undefined
    ? [process.execPath, args]
    : ["sh", ["-c", `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, ...args]]

/** Starts Node with `args` and waits for the output `ready`. The process is killed when the scope closes. */
export const start = (
  args: ReadonlyArray<string>,
  ready: RegExp,
  { cwd = root, env, files }: StartOptions = {}
): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(...nodeWith(args, files), { cwd, env: environment(env), stdio: ["ignore", "pipe", "pipe"] })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
      child.on("exit", (code, signal) => resolve(code ?? signal))
    )
    let errors = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text))
    const said = yield* Effect.async<string>((resume) => {
      let output = ""
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text
        if (ready.test(output)) resume(Effect.succeed(output))
      })
      child.on("exit", () => resume(Effect.dieMessage(`${args.join(" ")} ended immediately: ${output}${errors}`)))
    })
    const end = (signal: NodeJS.Signals) =>
      Effect.promise(() => {
        child.kill(signal)
        return exited
      })
    // A process that printed a line has an id.
    return { said, pid: child.pid ?? 0, end }
  })
