/**
 * Runs the built `mfg` against the built service, each in a folder of its own, as in a shell.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { execFile, spawn, spawnSync } from "node:child_process"
import * as Bin from "./Bin.ts"
import * as Program from "./Program.ts"
import * as Tree from "./Tree.ts"

/** The keys of the service. */
export const keys = { api: "mfg_local_development", admin: "mfg_local_administrator" } as const

export interface Options {
  readonly stdin?: string | undefined
  /** The time in milliseconds after which the standard input arrives (default 0). */
  readonly stdinAfter?: number | undefined
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

export interface Service {
  /** The bundled file. */
  readonly file: string
  readonly origin: string
  /** A folder for the files of a test, removed with the scope. */
  readonly folder: string
  /** The environment in which a process of `mfg` finds this service only. */
  readonly env: Readonly<Record<string, string>>
  readonly mfg: (args: ReadonlyArray<string>, options?: Options) => Effect.Effect<Program.Ended>
}

/** Runs a program with standard input, and returns its output and exit code. */
export const run = (
  file: string,
  args: ReadonlyArray<string>,
  { cwd = Program.root, env = {}, stdin = "", stdinAfter = 0 }: Options
): Effect.Effect<Program.Ended> =>
  Effect.async<Program.Ended>((resume, signal) => {
    const settings = { cwd, env: Program.environment({ NO_COLOR: "", ...env }), signal, maxBuffer: 1 << 28 }
    const child = execFile(file, args, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
      resume(Effect.succeed({ code, stdout, stderr }))
    })
    // A program that does not read its input closes its end.
    child.stdin?.on("error", () => {})
    setTimeout(() => child.stdin?.end(stdin), stdinAfter)
  })

/** Starts a service, and logs in to it. */
export const make = (args: ReadonlyArray<string> = []): Effect.Effect<Service, never, Scope.Scope> =>
  Effect.gen(function* () {
    const file = yield* Bin.bundle("cli")
    const folder = yield* Tree.make({})
    const mock = yield* Bin.bundle("mock")
    const { said } = yield* Program.start(
      [mock, "serve", "--port", "0", "--store", "sqlite::memory:", ...args],
      /Try:/,
      { env: { MFG_MOCK_API_KEY: keys.api, MFG_MOCK_ADMIN_KEY: keys.admin } }
    )
    const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
    const env = { XDG_CONFIG_HOME: folder }
    const mfg: Service["mfg"] = (args, options = {}) =>
      run(process.execPath, [file, ...args], { ...options, env: { ...env, ...options.env } })
    const login = { env: { MFG_API_KEY: keys.api, MFG_ADMIN_KEY: keys.admin } }
    const { code, stderr } = yield* mfg(["login", "--url", origin, "--admin"], login)
    if (code !== 0) return yield* Effect.dieMessage(stderr)
    return { file, origin, folder, env, mfg }
  })

/** One service for a file of tests. */
export class Cli extends Context.Tag("Cli")<Cli, Service>() {
  static readonly layer: Layer.Layer<Cli> = Layer.scoped(Cli, make())
}

/** Runs a command line of `mfg`. */
export const mfg = (args: ReadonlyArray<string>, options?: Options): Effect.Effect<Program.Ended, never, Cli> =>
  Effect.flatMap(Cli, (cli) => cli.mfg(args, options))

/** A command of `mfg` that runs until it gets a signal. */
export interface Running {
  /** Waits for a text on standard output or standard error, and returns the output of that stream. */
  readonly until: (stream: "stdout" | "stderr", pattern: RegExp) => Effect.Effect<string>
  /** Waits for the end, after a signal where there is one, and returns all output. */
  readonly end: (signal?: NodeJS.Signals) => Effect.Effect<Program.Ended>
}

/** Starts a command line of `mfg` in a pipe. The process is killed when the scope closes. */
export const start = (
  args: ReadonlyArray<string>,
  { env = {} }: Options = {}
): Effect.Effect<Running, never, Cli | Scope.Scope> =>
  Effect.gen(function* () {
    const cli = yield* Cli
    const output = { stdout: "", stderr: "" }
    const waiting = new Set<() => void>()
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [cli.file, ...args], {
          env: Program.environment({ ...cli.env, ...env }),
          stdio: ["ignore", "pipe", "pipe"]
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text
        for (const check of waiting) check()
      })
    }
    const closed = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)))
    const until: Running["until"] = (stream, pattern) =>
      Effect.async((resume) => {
        const check = () => {
          if (!pattern.test(output[stream])) return
          waiting.delete(check)
          resume(Effect.succeed(output[stream]))
        }
        waiting.add(check)
        child.on("close", () => resume(Effect.dieMessage(`mfg ${args.join(" ")} ended: ${JSON.stringify(output)}`)))
        check()
      })
    const end: Running["end"] = (signal) =>
      Effect.promise(async () => {
        if (signal !== undefined) child.kill(signal)
        return { code: await closed, ...output }
      })
    return { until, end }
  })

/** The rows of an ndjson output. */
export const rowsOf = (ndjson: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  ndjson
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/** Reports whether `script` of util-linux is installed, which gives a program a terminal. */
export const hasTerminal: boolean = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Runs a command line on a terminal of 80 columns, and returns the terminal's output. */
export const onTerminal = (
  args: ReadonlyArray<string>,
  { env = {}, stdin = "" }: Options = {}
): Effect.Effect<{ readonly code: number; readonly screen: string }, never, Cli> =>
  Effect.flatMap(Cli, (cli) => {
    const command = [process.execPath, cli.file, ...args].map(quoted).join(" ")
    return Effect.map(
      run("script", ["-qec", `stty cols 80 2>/dev/null; ${command}`, "/dev/null"], {
        env: { ...cli.env, TERM: "xterm", ...env },
        stdin
      }),
      ({ code, stdout }) => ({ code, screen: stdout.replaceAll("\r\n", "\n") })
    )
  })
