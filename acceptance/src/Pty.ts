/**
 * Runs `mfg` on a terminal of its own, types keys, and reads the screen.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { spawn, spawnSync } from "node:child_process"
import * as Cli from "./Cli.ts"
import * as Program from "./Program.ts"
import * as VirtualScreen from "./VirtualScreen.ts"

export interface Pty {
  readonly type: (keys: string) => Effect.Effect<void>
  /** Waits for a text on the screen, and returns its lines. */
  readonly until: (pattern: RegExp) => Effect.Effect<ReadonlyArray<string>>
  readonly resize: (columns: number, rows: number) => Effect.Effect<void>
  readonly signal: (name: NodeJS.Signals) => Effect.Effect<void>
  readonly screen: VirtualScreen.VirtualScreen
  /** Waits for the end of the command: its code, the last screen, and the settings of the terminal. */
  readonly ended: Effect.Effect<{ readonly code: number; readonly lines: ReadonlyArray<string>; readonly stty: string }>
}

/** The keys without a character. */
export const keys = {
  up: "\u001B[A",
  down: "\u001B[B",
  right: "\u001B[C",
  left: "\u001B[D",
  pageUp: "\u001B[5~",
  pageDown: "\u001B[6~",
  enter: "\r",
  escape: "\u001B",
  interrupt: "\u0003"
} as const

/** The time in milliseconds in which an awaited text has to appear, also on a busy machine. */
const patience = 30_000

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Starts a command line of `mfg` on a terminal of 80 columns and 24 lines. */
export const start = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Effect.Effect<Pty, never, Cli.Cli | Scope.Scope> =>
  Effect.gen(function* () {
    const cli = yield* Cli.Cli
    const screen = VirtualScreen.make(80, 24)
    const command = [process.execPath, cli.file, ...args].map(quoted).join(" ")
    const script = `set -m; echo "tty $(tty)"; stty cols 80 rows 24; sh -c 'echo "pid $$"; exec "$@"' sh ${command}; echo "code $?"; stty -a; echo "settings shown"`
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn("script", ["-qec", script, "/dev/null"], {
          env: Program.environment({ ...cli.env, TERM: "xterm", SHELL: "/bin/sh", ...env }),
          stdio: ["pipe", "pipe", "ignore"]
        })
      ),
      (child) =>
        Effect.sync(() => {
          const [, pid] = /pid (\d+)/.exec(output) ?? []
          if (pid !== undefined) spawnSync("kill", ["-KILL", pid])
          child.kill("SIGKILL")
        })
    )
    let output = ""
    const waiting = new Set<() => void>()
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
      screen.write(text)
      for (const check of waiting) check()
    })
    const closed = new Promise<void>((resolve) => child.on("close", () => resolve()))
    const when = <A>(found: () => A | undefined, subject: string): Effect.Effect<A> =>
      Effect.async((resume) => {
        const fail = (reason: string) =>
          resume(Effect.dieMessage(`${reason} before ${subject}:\n${screen.lines().join("\n")}`))
        const timer = setTimeout(() => fail("Nothing happened"), patience)
        const check = () => {
          const value = found()
          if (value === undefined) return
          clearTimeout(timer)
          waiting.delete(check)
          resume(Effect.succeed(value))
        }
        waiting.add(check)
        closed.then(() => fail("The terminal closed"), fail)
        check()
      })
    const fact = (pattern: RegExp) => when(() => pattern.exec(output)?.[1], String(pattern))
    return {
      screen,
      type: (keys) => Effect.sync(() => void child.stdin.write(keys)),
      until: (pattern) =>
        when(() => (pattern.test(screen.lines().join("\n")) ? screen.lines() : undefined), String(pattern)),
      resize: (columns, rows) =>
        Effect.flatMap(fact(/tty (\S+)/), (tty) =>
          Effect.sync(() => {
            screen.resize(columns, rows)
            spawnSync("stty", ["-F", tty, "cols", String(columns), "rows", String(rows)])
          })
        ),
      signal: (name) =>
        Effect.flatMap(fact(/pid (\d+)/), (pid) => Effect.sync(() => void process.kill(Number(pid), name))),
      ended: Effect.map(
        when(() => /code (\d+)\r?\n([\s\S]*)settings shown/.exec(output) ?? undefined, "the end"),
        ([, code = "", stty = ""]) => ({ code: Number(code), lines: screen.lines(), stty })
      )
    }
  })
