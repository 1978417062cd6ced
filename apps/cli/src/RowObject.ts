/**
 * Recognizes the JSON objects among parsed values.
 */
import type { JsonObject } from "@mfgdata/domain/Json"

/** True for an object; a list is none. The value comes from a parser of JSON or YAML. */
export const is = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
