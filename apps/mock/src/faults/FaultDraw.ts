/**
 * Draws the numbers by which faults are decided. A number follows from its seed, world, rule and match, so that the same
 * requests meet the same faults, whatever else the service handles.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"

/** A text hashed to 32 bits (FNV-1a), whose bits are mixed so that similar texts have unrelated hashes. */
const hash = (text: string): number => {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index++) bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** A source of numbers for one match of a rule. */
export interface FaultDraw {
  /** A number from 0 to 1, without 1. The same purpose always gets the same number. */
  readonly unit: (purpose: string) => number
}

export interface Place {
  readonly seed: number
  readonly world: string
  /** The name of the rule, or its position in its set. */
  readonly rule: string
  /** The number of the matching request. */
  readonly match: number
}

export const make = ({ match, rule, seed, world }: Place): FaultDraw => ({
  unit: (purpose) => hash(`${seed}/${world}/${rule}/${match}/${purpose}`) / 2 ** 32
})

/** The standard normal deviate of two numbers from 0 to 1 (Box and Muller). */
const normal = (first: number, second: number): number =>
  Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second)

/** The deviate that 99 of 100 draws stay below. */
const percentile99 = 2.3263478740408408

/** The milliseconds of a latency. */
export const latency = (distribution: AdminApi.Latency, { unit }: FaultDraw): number => {
  if ("fixed" in distribution) return distribution.fixed
  if ("uniform" in distribution) {
    const [low, high] = distribution.uniform
    return low + (high - low) * unit("latency")
  }
  const deviate = normal(unit("latency"), unit("latency, again"))
  if ("normal" in distribution) {
    const [mean, deviation] = distribution.normal
    return Math.max(0, mean + deviation * deviate)
  }
  // A log-normal distribution has a long tail, and is known by two percentiles.
  const { p50, p99 } = distribution
  return p50 === 0 ? 0 : p50 * (p99 / p50) ** (deviate / percentile99)
}
