/**
 * This process's three streams: rows go to standard output, everything that is said to standard error.
 */
import * as Effect from "effect/Effect"
import { createInterface } from "node:readline"
import { stripVTControlCharacters } from "node:util"

interface Stream {
  readonly isTTY?: boolean
}

const isPerson = ({ isTTY }: Stream): boolean => isTTY === true

/** Whether a person reads standard output. */
export const isTerminal = (): boolean => isPerson(process.stdout)

/** Whether a person reads standard error. */
export const isErrorTerminal = (): boolean => isPerson(process.stderr)

/** Whether a person can be asked something. */
export const canAsk = (): boolean => isPerson(process.stdin) && isErrorTerminal()

/** How many characters a line of the terminal holds. */
export const columns = (): number => process.stdout.columns ?? 80

/** Whether a stream may be coloured: a terminal, unless `NO_COLOR` says otherwise. */
const isColoured = (stream: Stream): boolean =>
  isPerson(stream) && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb"

/** How some text is set off from other text. */
const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Style = keyof typeof styles

const paint =
  (stream: () => Stream) =>
  (style: Style, text: string): string =>
    isColoured(stream()) ? `\u001B[${styles[style]}m${text}\u001B[0m` : text

/** Sets off text on standard output, where that may be coloured. */
export const styled = paint(() => process.stdout)

/** Sets off text on standard error, likewise. */
export const styledError = paint(() => process.stderr)

/** Text without what colours it. */
export const plain = (text: string): string => stripVTControlCharacters(text)

/** Writes to standard output, and waits while its reader is busy. */
export const write = (text: string): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (text === "" || process.stdout.write(text)) resume(Effect.void)
    else process.stdout.once("drain", () => resume(Effect.void))
  })

/** Says a line on standard error. */
export const note = (line: string): Effect.Effect<void> => Effect.sync(() => void process.stderr.write(`${line}\n`))

/** Asks a question on the terminal; `isSecret` keeps the answer from being seen. */
export const ask = (question: string, isSecret = false): Effect.Effect<string> =>
  Effect.async<string>((resume) => {
    const { stderr, stdin } = process
    const reader = createInterface({ input: stdin, output: stderr, terminal: true })
    // What is typed is echoed by the interface; it is asked not to.
    if (isSecret) Object.assign(reader, { _writeToOutput: (text: string) => text === question && stderr.write(text) })
    let answer = ""
    reader.question(question, (text) => {
      answer = text.trim()
      reader.close()
    })
    reader.on("close", () => {
      if (isSecret) stderr.write("\n")
      resume(Effect.succeed(answer))
    })
    reader.on("SIGINT", () => process.kill(process.pid, "SIGINT"))
    return Effect.sync(() => reader.close())
  })
