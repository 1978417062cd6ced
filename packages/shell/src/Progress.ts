/**
 * Shows the progress of a transfer on one line of a terminal.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Terminal from "./Terminal.ts"

export interface Progress {
  /** Shows the number of processed rows; `part` of the whole, from 0 to 1, gives the time left. */
  readonly report: (rows: number, part: number | undefined) => Effect.Effect<void>
  readonly clear: Effect.Effect<void>
}

/** The milliseconds between two updates. */
const interval = 200

const duration = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`
}

const count = (rows: number): string => String(Math.round(rows)).replaceAll(/\B(?=(\d{3})+$)/g, " ")

/** The line for some rows after some time. */
export const line = (
  subject: string,
  { millis, part, rows }: { readonly rows: number; readonly millis: number; readonly part: number | undefined }
): string => {
  const seconds = millis / 1000
  const rate = seconds > 0 ? rows / seconds : 0
  const left = part === undefined || part <= 0 ? undefined : (seconds / part) * (1 - part)
  return [
    `${subject}: ${count(rows)} rows`,
    `${count(rate)}/s`,
    left === undefined ? undefined : `${duration(left)} left`
  ]
    .filter((text) => text !== undefined)
    .join(", ")
}

const silent: Progress = { report: () => Effect.void, clear: Effect.void }

/** Starts the progress; `partBefore` of the whole was done by an earlier run. The end of the scope clears its line. */
export const make = (subject: string, partBefore = 0): Effect.Effect<Progress, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (!Terminal.isErrorTerminal()) return silent
    const start = yield* Clock.currentTimeMillis
    let shownAt = 0
    const write = (text: string) => Effect.sync(() => void process.stderr.write(`\r\u001B[K${text}`))
    const clear = Effect.suspend(() => {
      if (shownAt === 0) return Effect.void
      shownAt = 0
      return write("")
    })
    const report: Progress["report"] = (rows, part) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now - shownAt < interval) return Effect.void
        shownAt = now
        const since = part === undefined ? undefined : (part - partBefore) / (1 - partBefore || 1)
        return write(line(subject, { rows, millis: now - start, part: since }))
      })
    yield* Effect.addFinalizer(() => clear)
    return { report, clear }
  })
