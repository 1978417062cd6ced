/**
 * Moments that people type, as the service has them.
 */
import type { Timestamp } from "@mfgdata/domain/Timestamp"

/** The form that a field for a moment expects. */
export const expected = "Expected a date and time such as 2027-03-01T09:30:00Z."

/** A moment of a text; without a zone it is one of UTC. Undefined where it is none. */
export const parse = (text: string): Timestamp | undefined => {
  const [, date, time = "00:00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:\d\d)?$/.exec(text.trim()) ?? []
  const millis = Date.parse(`${date}T${time}${zone}`)
  // The form that the schema of a timestamp accepts.
  return Number.isNaN(millis) ? undefined : (new Date(millis).toISOString() as Timestamp)
}
