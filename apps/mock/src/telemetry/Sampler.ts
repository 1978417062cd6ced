/**
 * Decides which traces are exported, after `OTEL_TRACES_SAMPLER`.
 */

export const names = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

export type Name = (typeof names)[number]

/** Reports whether a trace is sampled. `parent` is the decision of the caller, if the request has one. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean

/** The random part of an id as a fraction: its last 56 bits, as the second level of the W3C's trace context has it. */
const fractionOf = (traceId: string): number => Number.parseInt(traceId.slice(-14), 16) / 2 ** 56

export const make = (name: Name, ratio: number): Sampler => {
  const isSampled = (traceId: string): boolean =>
    name.endsWith("always_on") || (name.endsWith("traceidratio") && fractionOf(traceId) >= 1 - ratio)
  return name.startsWith("parentbased_") ? (traceId, parent) => parent ?? isSampled(traceId) : isSampled
}
