/**
 * Attributes, times and ids in the form of OTLP's JSON encoding.
 */
import { randomFillSync } from "node:crypto"
import type { Value } from "./OtlpMessage.ts"

/** Values by name; an undefined one is left out. */
export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined
}

const toAny = (value: string | number | boolean): Value =>
  typeof value === "string"
    ? { stringValue: value }
    : typeof value === "boolean"
      ? { boolValue: value }
      : Number.isSafeInteger(value) && value >= 0
        ? { intValue: String(value) }
        : { doubleValue: value }

export const toKeyValues = (attributes: Attributes): ReadonlyArray<Value> => {
  const list: Array<Value> = []
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) list.push({ key, value: toAny(value) })
  }
  return list
}

/** A time in nanoseconds. Microseconds are exact in a number until the year 2255. */
export const toNanos = (millis: number): string => `${Math.round(millis * 1000)}000`

const pool = Buffer.alloc(4096)
let used = pool.length

/** A random id of some bytes, in hex. */
export const randomId = (bytes: 8 | 16): string => {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  const id = pool.toString("hex", used - bytes, used)
  return /^0+$/.test(id) ? randomId(bytes) : id
}
