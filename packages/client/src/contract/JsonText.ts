/**
 * Parses bodies that may be JSON.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"

/** Returns undefined for a text that is not JSON. */
export const parse = (text: string): Json | undefined => {
  try {
    // JSON.parse returns JSON.
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
