/**
 * Records the metrics of calls, which cost next to nothing, and their spans where the program has a tracer.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"
import type * as MetricKeyType from "effect/MetricKeyType"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

const calls = MetricKey.counter("mfg_client_calls", {
  description: "Calls by method, subject and outcome: ok, the tag of an error, interrupted or defect",
  incremental: true
})

const seconds = MetricKey.histogram(
  "mfg_client_call_seconds",
  MetricBoundaries.exponential({ start: 0.001, factor: 2, count: 15 }),
  "Duration of calls in seconds, with their retries and waits"
)

const retries = MetricKey.counter("mfg_client_retries", {
  description: "Retries by subject and reason: a status, or why there was none",
  incremental: true
})

/** Metrics by their labels, each made once: an update is then a look-up and an addition. */
const labelled = <Type extends MetricKeyType.MetricKeyType.Untyped>(
  key: MetricKey.MetricKey<Type>,
  names: ReadonlyArray<string>
) => {
  const make = (values: ReadonlyArray<string>) =>
    Metric.fromMetricKey(names.reduce((key, name, index) => MetricKey.tagged(key, name, values[index] ?? ""), key))
  const made = new Map<string, ReturnType<typeof make>>()
  return (...values: ReadonlyArray<string>) => {
    const name = values.join("\n")
    let found = made.get(name)
    if (found === undefined) made.set(name, (found = make(values)))
    return found
  }
}

const callsOf = labelled(calls, ["method", "subject", "outcome"])
const secondsOf = labelled(seconds, ["method"])
const retriesOf = labelled(retries, ["subject", "reason"])

/** Counts a retry. */
export const countRetry = (subject: string, reason: string): void => retriesOf(subject, reason).unsafeUpdate(1, [])

const outcomeOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>): string =>
  Exit.isSuccess(exit)
    ? "ok"
    : Option.match(Cause.failureOption(exit.cause), {
        onSome: ({ _tag }) => _tag,
        onNone: () => (Cause.isInterruptedOnly(exit.cause) ? "interrupted" : "defect")
      })

/** The default tracer, which keeps no spans. */
const noTracer = Context.get(DefaultServices.liveServices, Tracer.Tracer)

const always = () => true

/** Records one call: `method` names its span and labels its metrics. */
export const observe = <A, E extends { readonly _tag: string }, R>(
  method: string,
  subject: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.withFiberRuntime<A, E, R>((fiber) => {
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      const start = clock.unsafeCurrentTimeMillis()
      const end = (exit: Exit.Exit<A, E>): Exit.Exit<A, E> => {
        callsOf(method, subject, outcomeOf(exit)).unsafeUpdate(1, [])
        secondsOf(method).unsafeUpdate((clock.unsafeCurrentTimeMillis() - start) / 1000, [])
        return exit
      }
      if (fiber.currentTracer !== noTracer) {
        const options = { kind: "client", captureStackTrace: false, attributes: { "mfg.subject": subject } } as const
        return Effect.flatMap(Effect.exit(restore(Effect.withSpan(effect, method, options))), end)
      }
      // Without a tracer, the span of a request would cost more than the request.
      const before = fiber.getFiberRef(HttpClient.currentTracerDisabledWhen)
      const set = (value: typeof before) => FiberRef.set(HttpClient.currentTracerDisabledWhen, value)
      return Effect.zipRight(
        set(always),
        Effect.flatMap(Effect.exit(restore(effect)), (exit) => Effect.zipRight(set(before), end(exit)))
      )
    })
  )
