/**
 * Runs a front in this process and captures its output, for tests.
 */
import * as Effect from "effect/Effect"
import type { Front } from "./Front.ts"
import * as Main from "./Main.ts"
import type { Flag } from "./Program.ts"

export interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type StreamName = "stdout" | "stderr"
type Listener = (stream: StreamName, text: string) => void

/** The runs in progress; the latest one receives the output. */
const listeners: Array<Listener> = []
const writesOf = () => ({
  stdout: process.stdout.write.bind(process.stdout),
  stderr: process.stderr.write.bind(process.stderr)
})
let originals = writesOf()

const redirect = (name: StreamName): void => {
  // Only text is written, and nothing waits for the callback.
  process[name].write = (text: string | Uint8Array) => (listeners.at(-1)?.(name, String(text)), true)
}

const capture = (listener: Listener) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      if (listeners.length === 0) originals = writesOf()
      listeners.push(listener)
      redirect("stdout")
      redirect("stderr")
    }),
    () =>
      Effect.sync(() => {
        listeners.splice(listeners.indexOf(listener), 1)
        if (listeners.length === 0)
          for (const name of ["stdout", "stderr"] as const) process[name].write = originals[name]
      })
  )

/** Runs a command line; `onOutput` receives each text of standard output as it is written. */
export const run = (
  front: Front,
  args: ReadonlyArray<string>,
  onOutput: (text: string) => void = () => {}
): Effect.Effect<Result> =>
  Effect.scoped(
    Effect.gen(function* () {
      const output = { stdout: "", stderr: "" }
      yield* capture((name, text) => {
        output[name] += text
        if (name === "stdout") onOutput(text)
      })
      const code = yield* Main.run(front, "1.2.3", args)
      return { code, ...output }
    })
  )

/** Openings that are not a noun phrase. */
const clause =
  /^(?:what|whether|how|where|which|when|who|why|only|do|show|say|make|keep|give|take|put|begin|forget|check|read|write|use|call|leave|believe|a|an|the)\b/i

const commandsOf = (
  front: Front
): Effect.Effect<ReadonlyArray<{ readonly path: string; readonly flags: ReadonlyArray<Flag> }>> =>
  Effect.map(
    Effect.forEach(
      front.sections.flatMap(({ groups }) => groups),
      (group) => Effect.promise(async () => ({ name: group.name, syntax: (await group.load()).syntax() }))
    ),
    (groups) =>
      groups.flatMap(({ name, syntax }) =>
        syntax._tag === "Leaf"
          ? [{ path: name, flags: syntax.flags }]
          : Array.from(syntax.commands, ([command, { flags }]) => ({ path: `${name} ${command}`, flags }))
      )
  )

/** The descriptions of the flags in a help, each on one line. */
const descriptionsOf = (help: string): ReadonlyArray<string> => {
  const [, section = ""] = /\nFLAGS\n\n?((?: .*\n)+)/.exec(help) ?? []
  return section.split(/\n(?= {2}\S)/).map((item) =>
    item
      .trim()
      .replaceAll(/\s*\n\s*/g, "  ")
      .split(/ {2,}/)
      .slice(1)
      .join(" ")
  )
}

/** The faults of the help and of the suggestions of every command; each names its command. */
export const faults = (front: Front): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const list: Array<string> = []
    for (const { flags, path } of yield* commandsOf(front)) {
      const words = path.split(" ")
      const command = `${front.name} ${path}`
      const fault = (text: string) => void list.push(`${command}: ${text}`)
      const { code, stderr, stdout } = yield* run(front, [...words, "--help"])
      if (code !== 0 || stderr !== "") fault(`--help ends with ${code} and ${stderr}`)
      if (stdout.includes("\u001B")) fault("the help has escape sequences in a pipe")
      if (stdout.includes("user-defined")) fault("the help has a generated description")
      if (!stdout.startsWith(`USAGE\n  $ ${command}`)) fault("the usage does not begin with the command")
      const descriptions = descriptionsOf(stdout)
      if (descriptions.length !== Math.max(1, flags.length)) fault(`${descriptions.length} of ${flags.length} flags`)
      for (const text of flags.length === 0 ? [] : descriptions) {
        if (!/^[A-Zmfgi].*\.$/.test(text) || clause.test(text)) fault(`${JSON.stringify(text)} is not a noun phrase`)
        if (/left out|unless told/.test(text)) fault(`${JSON.stringify(text)} hides its default`)
      }
      for (const name of flags.flatMap(({ names }) => names.filter((name) => name.length > 5)).slice(0, 1)) {
        const misspelt = name.slice(0, 3) + name.charAt(4) + name.charAt(3) + name.slice(5)
        if (misspelt === name) continue
        const { code, stderr } = yield* run(front, [...words, misspelt])
        if (code !== 2 || !stderr.includes("Did you mean --")) fault(`${misspelt} has no suggestion: ${stderr}`)
      }
    }
    return list
  })
