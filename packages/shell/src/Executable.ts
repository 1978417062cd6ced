/**
 * The executable that runs: its name and version.
 */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

export interface Executable {
  readonly name: string
  readonly version: string
}

const ref = FiberRef.unsafeMake<Executable>({ name: "", version: "" })

/** The executable of the current command. */
export const current: Effect.Effect<Executable> = FiberRef.get(ref)

/** Runs an effect as part of an executable. */
export const within = <A, E, R>(effect: Effect.Effect<A, E, R>, executable: Executable): Effect.Effect<A, E, R> =>
  Effect.locally(effect, ref, executable)
