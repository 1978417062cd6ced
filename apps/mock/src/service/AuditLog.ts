/**
 * Writes the audit lines of the log. They are on at every level but `off`. Actions that anybody can cause are limited in
 * number, so that a flood does not fill a disk.
 */
import * as LogLevel from "effect/LogLevel"
import type { Audit, Fields } from "../access/Audit.ts"
import * as Log from "./Log.ts"

/** The maximum number of limited lines in a minute; the next line has the number of the others. */
export const linesPerMinute = 30

/** The number of addresses of keys that are remembered; the oldest are forgotten. */
const knownAddresses = 10_000

/** Audit lines on a clock; they go to `write` unless the log is off. */
export const make = (level: Log.Level, now: () => number, write: (line: string) => void): Audit => {
  const record = (action: string, fields: Fields) => {
    if (level !== "off") write(Log.line(now(), LogLevel.Info, { audit: action, ...fields }))
  }

  let untilMillis = -Infinity
  let written = 0
  let suppressed = 0
  const limited = (action: string, fields: Fields) => {
    const millis = now()
    // A clock that was set back begins a new minute.
    if (millis >= untilMillis || untilMillis - millis > 60_000) {
      untilMillis = millis + 60_000
      written = 0
    }
    if (written >= linesPerMinute) return void (suppressed += 1)
    written += 1
    record(action, suppressed === 0 ? fields : { ...fields, suppressed })
    suppressed = 0
  }

  const addresses = new Map<string, Set<string>>()
  let known = 0
  return {
    record,
    refused: (reason, fields) => limited("key.refused", { reason, ...fields }),
    used: ({ companyId, keyId }, peer) => {
      const found = addresses.get(keyId)
      if (found?.has(peer) === true) return
      if (known >= knownAddresses) {
        addresses.clear()
        known = 0
      }
      known += 1
      addresses.set(keyId, (addresses.get(keyId) ?? new Set()).add(peer))
      limited("key.used", { keyId, companyId, peer })
    }
  }
}
