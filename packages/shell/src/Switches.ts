/**
 * The switches of a command line: flags without a value that every command takes, before or after its other words.
 */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

const current: FiberRef.FiberRef<ReadonlySet<string>> = FiberRef.unsafeMake<ReadonlySet<string>>(new Set())

/** Reports whether a switch is on. */
export const isOn = (name: string): Effect.Effect<boolean> => Effect.map(FiberRef.get(current), (on) => on.has(name))

/** Divides arguments into the switches among them and the others; words after `--` are not switches. */
export const divide = (
  args: ReadonlyArray<string>,
  names: ReadonlyArray<string>
): { readonly on: ReadonlySet<string>; readonly others: ReadonlyArray<string> } => {
  const end = args.includes("--") ? args.indexOf("--") : args.length
  const isSwitch = (arg: string, index: number) => index < end && names.includes(arg)
  return { on: new Set(args.filter(isSwitch)), others: args.filter((arg, index) => !isSwitch(arg, index)) }
}

/** Runs an effect with some switches on. */
export const within = <A, E, R>(effect: Effect.Effect<A, E, R>, on: ReadonlySet<string>): Effect.Effect<A, E, R> =>
  Effect.locally(effect, current, on)
