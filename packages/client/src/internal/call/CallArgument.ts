/**
 * Adds the options of a call to methods, as their last parameter.
 */
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { CallOptions } from "../../CallOptions.ts"
import * as CallContext from "./CallContext.ts"

/** The position of the options of a call among the parameters of each method of `Rows`. */
const positions = {
  list: 2,
  page: 2,
  pages: 2,
  stream: 2,
  count: 2,
  retrieve: 3,
  retrieveVersioned: 2,
  find: 3,
  create: 3,
  createMany: 3,
  update: 4,
  modify: 3,
  upsert: 2,
  remove: 3
} as const

type Name = keyof typeof positions

type Calls = Effect.Effect<unknown, unknown> | Stream.Stream<unknown, unknown>

/** Methods in generic code: their parameters are those of the interface. */
type Methods = { readonly [N in Name]: (...parameters: Array<never>) => Calls }

const within = (calls: Calls, change: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>): Calls =>
  Effect.isEffect(calls) ? change(calls) : CallContext.transform(calls, change)

/** Adds the options of a call to the methods of a service. */
export const add = (methods: Methods, layer: CallOptions): Methods => {
  const wrap = (name: Name): Methods[Name] => {
    return (...parameters) => {
      const options: CallOptions | undefined = parameters[positions[name]]
      const calls = methods[name](...parameters)
      const ofCall = options === undefined ? calls : within(calls, (effect) => CallContext.withOptions(effect, options))
      return layer.spans === false ? within(ofCall, CallContext.withoutSpans) : ofCall
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of the methods
  return Object.fromEntries(Object.keys(positions).map((name) => [name, wrap(name as Name)])) as unknown as Methods
}
