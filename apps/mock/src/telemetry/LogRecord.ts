/**
 * Converts lines of the log to log records. The lines are redacted already.
 */
import * as Attributes from "./Attributes.ts"
import type { Value } from "./OtlpMessage.ts"

/** The numbers of the levels in OTLP. */
const severities: { readonly [level: string]: number } = { debug: 5, info: 9, warn: 13, error: 17, fatal: 21 }

const toAttribute = (value: unknown): string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : JSON.stringify(value)

export const toValue = (line: string): Value => {
  // A line of the log is an object.
  const { audit, level, msg, spanId, time, traceId, ...fields } = JSON.parse(line) as { [name: string]: unknown }
  const label = String(level)
  return {
    timeUnixNano: Attributes.toNanos(Date.parse(String(time))),
    observedTimeUnixNano: Attributes.toNanos(Date.now()),
    severityNumber: severities[label] ?? 9,
    severityText: label.toUpperCase(),
    body: { stringValue: String(msg ?? audit ?? "") },
    attributes: Attributes.toKeyValues(
      Object.fromEntries(
        Object.entries({ audit, ...fields }).flatMap(([name, value]) =>
          value === undefined || value === null ? [] : [[name, toAttribute(value)] as const]
        )
      )
    ),
    traceId,
    spanId
  }
}
