/**
 * The options and hooks of the calls of a region, as a fiber holds them.
 */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import * as Stream from "effect/Stream"
import type { CallOptions } from "../../CallOptions.ts"
import type { CallResponse, Hooks, WithResponse } from "../../CallResponse.ts"

export interface CallContext {
  readonly options: CallOptions
  readonly hooks: ReadonlyArray<Hooks>
}

const empty: CallContext = { options: {}, hooks: [] }

/** The context of a fiber. */
export const current: FiberRef.FiberRef<CallContext> = globalValue("@mfgdata/client/CallContext", () =>
  FiberRef.unsafeMake(empty)
)

/** Options with others on top; an option that is `undefined` replaces none. */
export const merge = (under: CallOptions, over: CallOptions): CallOptions => ({
  apiKey: over.apiKey ?? under.apiKey,
  headers: over.headers === undefined ? under.headers : { ...under.headers, ...over.headers },
  at: over.at ?? under.at,
  retry: over.retry ?? under.retry,
  timeout: over.timeout ?? under.timeout,
  spans: over.spans ?? under.spans
})

/** Changes the options of the calls of an effect. */
export const withOptions = <A, E, R>(effect: Effect.Effect<A, E, R>, options: CallOptions): Effect.Effect<A, E, R> =>
  Effect.locallyWith(effect, current, (context) => ({ ...context, options: merge(context.options, options) }))

/** Turns off the spans of the calls of an effect whose options leave it open. */
export const withoutSpans = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.locallyWith(effect, current, (context) => ({ ...context, options: merge({ spans: false }, context.options) }))

/** Adds hooks to the calls of an effect. */
export const withHooks = <A, E, R>(effect: Effect.Effect<A, E, R>, hooks: Hooks): Effect.Effect<A, E, R> =>
  Effect.locallyWith(effect, current, (context) => ({ ...context, hooks: [...context.hooks, hooks] }))

/** Returns the result of an effect with the last response that it received. */
export const withResponse = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<WithResponse<A>, E, R> =>
  Effect.suspend(() => {
    let response: CallResponse | undefined
    const onResponse = (received: CallResponse) => void (response = received)
    return Effect.map(withHooks(effect, { onResponse }), (value) => ({ value, response }))
  })

/** Changes each step of a stream, whose pages are fetched in the fiber of its consumer. */
export const transform = <A, E>(
  stream: Stream.Stream<A, E>,
  change: <B, F>(effect: Effect.Effect<B, F>) => Effect.Effect<B, F>
): Stream.Stream<A, E> => Stream.fromPull(Effect.map(Stream.toPull(stream), (pull) => change(pull)))
