/**
 * Records the metrics of calls, which cost next to nothing, and their spans where the program has a tracer.
 */
import type * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"
import type * as MetricKeyType from "effect/MetricKeyType"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import * as CallContext from "./call/CallContext.ts"
import * as RequestId from "./call/RequestId.ts"
import type { Response } from "./call/Message.ts"

const calls = MetricKey.counter("mfg_client_calls", {
  description: "Calls by method, subject and outcome",
  incremental: true
})

const seconds = MetricKey.histogram(
  "mfg_client_call_seconds",
  MetricBoundaries.exponential({ start: 0.001, factor: 2, count: 15 })
)

const retries = MetricKey.counter("mfg_client_retries", {
  description: "Retries by reason",
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

type AnyFiber = Fiber.RuntimeFiber<unknown, unknown>

/** Reports whether the program has a tracer, and the options of the call allow spans. */
const isTraced = (fiber: AnyFiber): boolean =>
  fiber.currentTracer !== noTracer &&
  fiber.getFiberRef(FiberRef.currentTracerEnabled) &&
  fiber.getFiberRef(CallContext.current).options.spans !== false

const spanOptions = { kind: "client", captureStackTrace: false } as const

/** Runs a call in its span, which counts its attempts and rows, where the call is traced. */
export const inSpan = <A, E, R>(
  fiber: AnyFiber,
  method: string,
  subject: string,
  effect: Effect.Effect<A, E, R>,
  rows?: (result: A) => number
): Effect.Effect<A, E, R> => {
  if (!isTraced(fiber)) return effect
  let attempts = 0
  const counted = CallContext.withHooks(effect, { onRequest: () => void attempts++ })
  return Effect.useSpan(method, spanOptions, (span) => {
    span.attribute(method.startsWith("Rows.") ? "mfg.resource" : "mfg.operation", subject)
    return Effect.onExit(Effect.withParentSpan(counted, span), (exit) =>
      Effect.sync(() => {
        span.attribute("mfg.attempts", attempts)
        if (Exit.isSuccess(exit) && rows !== undefined) span.attribute("mfg.rows", rows(exit.value))
      })
    )
  })
}

/** Starts the metrics of a call. The returned function records its result, and returns it. */
export const start = (fiber: AnyFiber, method: string, subject: string) => {
  const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
  const start = clock.unsafeCurrentTimeMillis()
  return <A, E extends { readonly _tag: string }>(exit: Exit.Exit<A, E>): Exit.Exit<A, E> => {
    callsOf(method, subject, outcomeOf(exit)).unsafeUpdate(1, [])
    secondsOf(method).unsafeUpdate((clock.unsafeCurrentTimeMillis() - start) / 1000, [])
    return exit
  }
}

/** Records one call: `method` names its span and labels its metrics, and `rows` counts the rows of its result. */
export const observe = <A, E extends { readonly _tag: string }, R>(
  method: string,
  subject: string,
  effect: Effect.Effect<A, E, R>,
  rows?: (result: A) => number
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.withFiberRuntime<A, E, R>((fiber) => {
      const end = start(fiber, method, subject)
      return Effect.flatMap(Effect.exit(restore(inSpan(fiber, method, subject, effect, rows))), end)
    })
  )

/**
 * Sends one attempt of a request in its span, with the headers that pass the trace to the service. The span holds no
 * query, because its filters have values.
 */
export const attempt = <E, R>(
  method: string,
  url: string,
  attempt: number,
  send: (headers: Headers.Headers | undefined) => Effect.Effect<Response, E, R>
): Effect.Effect<Response, E, R> =>
  Effect.withFiberRuntime<Response, E, R>((fiber) => {
    if (!isTraced(fiber)) return send(undefined)
    const { hostname, pathname, port, protocol } = new URL(url)
    const attributes = {
      "http.request.method": method,
      "url.scheme": protocol.slice(0, -1),
      "server.address": hostname,
      ...(port !== "" && { "server.port": Number(port) }),
      "url.path": pathname,
      ...(attempt > 1 && { "http.request.resend_count": attempt - 1 })
    }
    return Effect.useSpan(`http.client ${method}`, { ...spanOptions, attributes }, (span) => {
      const isPropagated = fiber.getFiberRef(HttpClient.currentTracerPropagation)
      return Effect.map(
        Effect.withParentSpan(send(isPropagated ? HttpTraceContext.toHeaders(span) : undefined), span),
        (response) => {
          span.attribute("http.response.status_code", response.status)
          const id = RequestId.fromHeaders(response.header)
          if (id !== undefined) span.attribute("mfg.request_id", id)
          return response
        }
      )
    })
  })
