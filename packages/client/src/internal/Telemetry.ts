/**
 * What calls leave behind: counters and times that are always kept, since they cost next to nothing, and spans where
 * somebody watches.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

const calls = Metric.counter("mfg_client_calls", {
  description: "Calls by method, subject and outcome: ok, the tag of an error, interrupted or defect",
  incremental: true
})

const seconds = Metric.histogram(
  "mfg_client_call_seconds",
  MetricBoundaries.exponential({ start: 0.001, factor: 2, count: 15 }),
  "How long calls took, retries and waits included"
)

const retries = Metric.counter("mfg_client_retries", {
  description: "How often a call was sent again, by subject and what it met: a status, or why there was none",
  incremental: true
})

/** Metrics by their labels: an update is then a look-up and an addition. */
const labelled = <Type, In, Out>(metric: Metric.Metric<Type, In, Out>, names: ReadonlyArray<string>) => {
  const made = new Map<string, Metric.Metric<Type, In, Out>>()
  return (...values: ReadonlyArray<string>): Metric.Metric<Type, In, Out> => {
    const key = values.join("\n")
    let found = made.get(key)
    if (found === undefined) {
      found = names.reduce((metric, name, index) => Metric.tagged(metric, name, values[index] ?? ""), metric)
      made.set(key, found)
    }
    return found
  }
}

const callsOf = labelled(calls, ["method", "subject", "outcome"])
const secondsOf = labelled(seconds, ["method"])
const retriesOf = labelled(retries, ["subject", "reason"])

/** Counts a call that is sent again. */
export const repeated = (subject: string, reason: string): void => retriesOf(subject, reason).unsafeUpdate(1, [])

const outcomeOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>): string =>
  Exit.isSuccess(exit)
    ? "ok"
    : Option.match(Cause.failureOption(exit.cause), {
        onSome: ({ _tag }) => _tag,
        onNone: () => (Cause.isInterruptedOnly(exit.cause) ? "interrupted" : "defect")
      })

/** The tracer that keeps nothing, in force unless another was set. */
const nobody = Context.get(DefaultServices.liveServices, Tracer.Tracer)

const always = () => true

/** Follows one call: `method` names its span and labels its metrics. */
export const observe = <A, E extends { readonly _tag: string }, R>(
  method: string,
  subject: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime<A, E, R>((fiber) => {
    const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
    const start = clock.unsafeCurrentTimeMillis()
    const followed =
      fiber.currentTracer === nobody
        ? // A span of each request costs more than the request, and nobody would see it.
          Effect.locally(effect, HttpClient.currentTracerDisabledWhen, always)
        : Effect.withSpan(effect, method, {
            kind: "client",
            captureStackTrace: false,
            attributes: { "mfg.subject": subject }
          })
    return Effect.onExit(followed, (exit) => {
      callsOf(method, subject, outcomeOf(exit)).unsafeUpdate(1, [])
      secondsOf(method).unsafeUpdate((clock.unsafeCurrentTimeMillis() - start) / 1000, [])
      return Effect.void
    })
  })
