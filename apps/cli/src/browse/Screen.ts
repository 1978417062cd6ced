/**
 * The terminal as a screen: keys and sizes in, lines out. However the program ends, the terminal is as it was before.
 */
import * as ControlCharacters from "@mfgdata/shell/ControlCharacters"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { writeSync } from "node:fs"
import { emitKeypressEvents, type Interface, type Key as ReadlineKey } from "node:readline"
import type * as Line from "./Line.ts"
import type * as Model from "./Model.ts"

export interface Screen {
  readonly size: () => Model.Size
  /** Draws the lines that differ from those before. */
  readonly draw: (lines: ReadonlyArray<Line.Line>) => void
  /** Gives the terminal back to the shell, until the shell continues this program. */
  readonly suspend: () => void
}

export interface Handlers {
  readonly onKey: (key: Model.Key) => void
  /** Runs after a change of the size, and when the program continues. */
  readonly onResize: (size: Model.Size) => void
}

// The other screen without a cursor; a line that is too long is cut, as some characters are wider than they should be.
const enter = "\u001B[?1049h\u001B[?25l\u001B[?7l"
const leave = "\u001B[?7h\u001B[?25h\u001B[?1049l"

const styles: { readonly [S in Line.Style]: string } = {
  plain: "",
  bar: "7",
  bold: "1",
  selected: "7",
  dim: "2",
  link: "36",
  error: "31"
}

const isColourless = (): boolean => (process.env["NO_COLOR"] ?? "") !== ""

const paint = ({ style, text }: Line.Span): string => {
  const shown = ControlCharacters.escape(text)
  const code = isColourless() && (style === "link" || style === "error") ? "" : styles[style]
  return code === "" ? shown : `\u001B[${code}m${shown}\u001B[0m`
}

/** The key of an event of readline: names as they are, capital letters as characters. */
const keyOf = (text: string | undefined, { ctrl, meta, name, sequence }: ReadlineKey): Model.Key | undefined => {
  const isPrintable = text !== undefined && ctrl !== true && meta !== true && !/\p{Cc}/u.test(text)
  if (ctrl === true && name !== undefined) return { name: `ctrl-${name}`, text: "" }
  if (isPrintable) return { name: text === " " ? "space" : text, text }
  if (name === "enter") return { name: "return", text: "" }
  return name === undefined || (meta === true && sequence !== "\u001B\u001B" && name.length === 1)
    ? undefined
    : { name, text: "" }
}

/** Takes the terminal, until the scope closes. */
export const make = ({ onKey, onResize }: Handlers): Effect.Effect<Screen, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { stdin, stdout } = process
    let before: ReadonlyArray<string> = []
    let isTaken = false
    const take = () => {
      isTaken = true
      before = []
      stdin.setRawMode(true)
      stdin.resume()
      stdout.write(`${enter}\u001B[2J`)
    }
    const release = () => {
      if (!isTaken) return
      isTaken = false
      stdin.setRawMode(false)
      stdin.pause()
      // The process may end right after this.
      writeSync(1, leave)
    }
    const size = (): Model.Size => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 })
    const resized = () => {
      before = []
      stdout.write("\u001B[2J")
      onResize(size())
    }
    const pressed = (text: string | undefined, event: ReadlineKey) => {
      const key = keyOf(text, event)
      if (key !== undefined) onKey(key)
    }
    // These signals end the process without the end of the scope.
    const hungUp = (signal: NodeJS.Signals) => {
      release()
      process.exit(signal === "SIGHUP" ? 129 : 131)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        // Of an interface, only the time is read in which the rest of an escape sequence has to follow.
        emitKeypressEvents(stdin, { escapeCodeTimeout: 50 } as unknown as Interface)
        stdin.on("keypress", pressed)
        stdout.on("resize", resized)
        process.on("exit", release).on("SIGHUP", hungUp).on("SIGQUIT", hungUp)
        take()
      }),
      () =>
        Effect.sync(() => {
          release()
          stdin.off("keypress", pressed)
          stdout.off("resize", resized)
          process.off("exit", release).off("SIGHUP", hungUp).off("SIGQUIT", hungUp)
        })
    )
    return {
      size,
      draw: (lines) => {
        const now = lines.map((line) => line.map(paint).join(""))
        const changed = now.flatMap((text, index) =>
          text === before[index] ? [] : [`\u001B[${index + 1};1H\u001B[0m${text}\u001B[K`]
        )
        const rest = now.length < before.length ? `\u001B[${now.length + 1};1H\u001B[J` : ""
        before = now
        if (changed.length > 0 || rest !== "") stdout.write(changed.join("") + rest)
      },
      suspend: () => {
        const resume = () => {
          process.off("SIGCONT", resume)
          clearTimeout(timer)
          if (isTaken) return
          take()
          onResize(size())
        }
        release()
        // Where no shell can continue this process, the system does not stop it either.
        const timer = setTimeout(resume, 200)
        process.on("SIGCONT", resume)
        process.kill(process.pid, "SIGTSTP")
      }
    }
  })
