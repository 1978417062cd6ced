/**
 * Lines of JSON about what goes on: the one form that every line has, and the logger that gives this form to what is
 * logged beside requests, as by duties and deliveries.
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

/** From what on a level is told. */
const least: { readonly [L in Level]: LogLevel.LogLevel } = {
  off: LogLevel.None,
  error: LogLevel.Error,
  info: LogLevel.Info,
  debug: LogLevel.Debug
}

/** Whether what has a weight is told at a level. */
export const tells = (level: Level, weight: LogLevel.LogLevel): boolean =>
  level !== "off" && LogLevel.greaterThanEqual(weight, least[level])

/** A line as it is written. */
export const line = (
  millis: number,
  weight: LogLevel.LogLevel,
  facts: { readonly [name: string]: unknown },
  cause: Cause.Cause<unknown> = Cause.empty
): string => {
  const reason = Cause.isEmpty(cause) ? {} : { cause: Cause.pretty(cause, { renderErrorCause: true }) }
  const text = JSON.stringify({
    time: new Date(millis).toISOString(),
    level: weight.label.toLowerCase(),
    ...facts,
    ...reason
  })
  return `${Redaction.line(text)}\n`
}

const words = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (typeof part === "string" ? part : part instanceof Error ? part.message : JSON.stringify(part)))
    .join(" ")

/** Writes what an effect logs as such lines, and what those log that it starts. */
export const within = (level: Level, write: (line: string) => void) => {
  const logger = Logger.make<unknown, void>(({ annotations, cause, date, logLevel, message }) => {
    if (!tells(level, logLevel)) return
    const facts = { message: words(message), ...Object.fromEntries(HashMap.toEntries(annotations)) }
    write(line(date.getTime(), logLevel, facts, cause))
  })
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    effect.pipe(
      Effect.locally(FiberRef.currentLoggers, HashSet.make(logger)),
      Effect.locally(FiberRef.currentMinimumLogLevel, least[level])
    )
}
