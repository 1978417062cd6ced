/**
 * Generates ids of new rows: 20 lower-case characters that sort by time and never decrease, 9 for the millisecond and 11
 * that start at random and count up within it. The same clock and seed generate the same ids.
 */
import * as Utils from "effect/Utils"
import { randomInt } from "node:crypto"

const radix = 36
const timeLength = 9
const highLength = 5
const lowLength = 6
const highSize = radix ** highLength
const lowSize = radix ** lowLength

const digits = (value: number, length: number): string => value.toString(radix).padStart(length, "0")

const drawn = (seed: number | undefined): ((size: number) => number) => {
  if (seed === undefined) return (size) => randomInt(size)
  const generator = new Utils.PCGRandom(seed)
  return (size) => generator.integer(size)
}

/** An id generator on a clock in milliseconds; without a seed the ids are unpredictable. */
export const make = (now: () => number, seed?: number): (() => string) => {
  const draw = drawn(seed)
  let time = -1
  let high = 0
  let low = 0
  /** The digits of the time and the high part, which many ids of a millisecond have in common. */
  let prefix = ""
  return () => {
    const current = now()
    if (current > time) {
      time = current
      high = draw(highSize)
      low = draw(lowSize)
      prefix = ""
    } else if (++low === lowSize) {
      low = 0
      prefix = ""
      // An exhausted millisecond borrows from the next one.
      if (++high === highSize) {
        high = 0
        time += 1
      }
    }
    if (prefix === "") prefix = digits(time, timeLength) + digits(high, highLength)
    return prefix + digits(low, lowLength)
  }
}
