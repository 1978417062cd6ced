/**
 * The switches of a command line: flags that every command takes, before or after its other words. The name of a switch
 * with a value ends with its placeholder, such as `--ca <file>`.
 */
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberRef from "effect/FiberRef"
import type { Term } from "./help/Topic.ts"

/** The values of the switches that are on; the empty text for a switch without a value. */
export type Values = ReadonlyMap<string, string>

const current: FiberRef.FiberRef<Values> = FiberRef.unsafeMake<Values>(new Map())

/** The name of a switch without its placeholder. */
export const nameOf = ([text]: Term): string => text.split(" ", 1)[0] ?? text

/** Reports whether a switch is on. */
export const isOn = (name: string): Effect.Effect<boolean> => Effect.map(FiberRef.get(current), (on) => on.has(name))

/** The value of a switch. */
export const valueOf = (name: string): Effect.Effect<string | undefined> =>
  Effect.map(FiberRef.get(current), (on) => on.get(name))

/** Divides arguments into the switches among them and the others; words after `--` are not switches. */
export const divide = (
  args: ReadonlyArray<string>,
  switches: ReadonlyArray<Term>
): Either.Either<{ readonly on: Values; readonly others: ReadonlyArray<string> }, UsageError> => {
  const on = new Map<string, string>()
  const others: Array<string> = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ""
    if (arg === "--") return Either.right({ on, others: [...others, ...args.slice(index)] })
    const [name = "", ...rest] = arg.split("=")
    const found = switches.find((term) => nameOf(term) === name)
    const takesValue = found !== undefined && found[0] !== name
    if (found === undefined || (rest.length > 0 && !takesValue)) {
      others.push(arg)
      continue
    }
    const value = !takesValue ? "" : rest.length > 0 ? rest.join("=") : args[++index]
    if (value === undefined) return Either.left(new UsageError({ problem: `Missing value of ${name}.` }))
    on.set(name, value)
  }
  return Either.right({ on, others })
}

/** Runs an effect with some switches on. */
export const within = <A, E, R>(effect: Effect.Effect<A, E, R>, on: Values): Effect.Effect<A, E, R> =>
  Effect.locally(effect, current, on)
