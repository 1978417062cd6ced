/**
 * Formats lines of the log as JSON, and provides the logger that writes the messages of Effect, such as those of webhook
 * deliveries, in the same format.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { Settings } from "../Settings.ts"
import * as Redaction from "./Redaction.ts"

export type Level = Settings["log"]

/** The lowest level of a message that each setting writes. The end of a failure is a warning. */
const lowest: { readonly [L in Level]: LogLevel.LogLevel } = {
  off: LogLevel.None,
  error: LogLevel.Warning,
  info: LogLevel.Info,
  debug: LogLevel.Debug
}

/** Reports whether a setting writes messages of a level. */
export const isEnabled = (setting: Level, level: LogLevel.LogLevel): boolean =>
  setting !== "off" && LogLevel.greaterThanEqual(level, lowest[setting])

/** Formats a line. */
export const line = (
  millis: number,
  level: LogLevel.LogLevel,
  fields: { readonly [name: string]: unknown },
  cause: Cause.Cause<unknown> = Cause.empty
): string => {
  const reason = Cause.isEmpty(cause) ? {} : { cause: Cause.pretty(cause, { renderErrorCause: true }) }
  const text = JSON.stringify({
    time: new Date(millis).toISOString(),
    level: level.label.toLowerCase(),
    ...fields,
    ...reason
  })
  return `${Redaction.line(text)}\n`
}

const textOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (typeof part === "string" ? part : part instanceof Error ? part.message : JSON.stringify(part)))
    .join(" ")

/** Writes the messages of an effect and of the fibers it forks as such lines. */
export const withLogger = (level: Level, write: (line: string) => void) => {
  const logger = Logger.make<unknown, void>(({ annotations, cause, date, logLevel, message }) => {
    if (!isEnabled(level, logLevel)) return
    const fields = { msg: textOf(message), ...Object.fromEntries(HashMap.toEntries(annotations)) }
    write(line(date.getTime(), logLevel, fields, cause))
  })
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(
      Effect.locally(FiberRef.currentLoggers, HashSet.make(logger)),
      Effect.locally(FiberRef.currentMinimumLogLevel, lowest[level])
    )
}
