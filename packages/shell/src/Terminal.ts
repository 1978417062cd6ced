/**
 * Writes to the three streams of this process: rows to standard output, messages to standard error.
 */
import * as Effect from "effect/Effect"
import { createInterface } from "node:readline"
import { stripVTControlCharacters } from "node:util"
import * as ControlCharacters from "./ControlCharacters.ts"

interface Stream {
  readonly isTTY?: boolean
}

const isTty = ({ isTTY }: Stream): boolean => isTTY === true

/** True when standard output is a terminal. */
export const isTerminal = (): boolean => isTty(process.stdout)

/** True when standard error is a terminal. */
export const isErrorTerminal = (): boolean => isTty(process.stderr)

/** True when a question can be asked: standard input and standard error are a terminal. */
export const canAsk = (): boolean => isTty(process.stdin) && isErrorTerminal()

/** True when the whole terminal can be used: standard input and standard output are a terminal that moves its cursor. */
export const isScreen = (): boolean => isTty(process.stdin) && isTerminal() && process.env["TERM"] !== "dumb"

/** The number of characters in a line of the terminal. */
export const columns = (): number => process.stdout.columns ?? 80

/** A stream is coloured when it is a terminal, `NO_COLOR` is empty and `TERM` is not `dumb`. */
const isColoured = (stream: Stream): boolean =>
  isTty(stream) && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb"

/** The SGR code of each style. */
const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Style = keyof typeof styles

const paint =
  (stream: () => Stream) =>
  (style: Style, text: string): string =>
    isColoured(stream()) ? `\u001B[${styles[style]}m${text}\u001B[0m` : text

/** Styles text for standard output, where that is coloured. */
export const styled = paint(() => process.stdout)

/** Styles text for standard error, where that is coloured. */
export const styledError = paint(() => process.stderr)

/** Removes the escape sequences from a text. */
export const plain = (text: string): string => stripVTControlCharacters(text)

/** Writes the bytes of a file, or a text as it is, to standard output, and waits while its buffer is full. */
export const writeRaw = (data: Uint8Array | string): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (data.length === 0 || process.stdout.write(data)) resume(Effect.void)
    else process.stdout.once("drain", () => resume(Effect.void))
  })

/** Writes to standard output, and waits while its buffer is full. Only a pipe or a file gets the text as it is. */
export const write = (text: string): Effect.Effect<void> =>
  Effect.suspend(() => writeRaw(isTerminal() ? ControlCharacters.escapeLines(text) : text))

/** Writes text to standard error, which people read, without control characters. */
export const writeError = (text: string): Effect.Effect<void> =>
  Effect.sync(() => void process.stderr.write(ControlCharacters.escapeLines(text)))

/** Writes a line to standard error. */
export const note = (line: string): Effect.Effect<void> => writeError(`${line}\n`)

/** Asks a question on the terminal; `isSecret` turns off the echo of the answer. */
export const ask = (question: string, isSecret = false): Effect.Effect<string> =>
  Effect.async<string>((resume) => {
    const { stderr, stdin } = process
    const reader = createInterface({ input: stdin, output: stderr, terminal: true })
    // readline echoes through this method, and has no option that turns the echo off.
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
    reader.on("SIGINT", () => {
      if (!isSecret) stderr.write("\n")
      process.kill(process.pid, "SIGINT")
    })
    return Effect.sync(() => reader.close())
  })
