/**
 * Parses the `Prefer` header. The first preference of each kind applies.
 */

export interface Preferences {
  readonly resolution: "merge-duplicates" | "ignore-duplicates" | undefined
  readonly missing: "default" | "null" | undefined
  readonly return: "representation" | "minimal" | "headers-only" | undefined
  readonly count: "exact" | "planned" | "estimated" | undefined
  readonly tx: "commit" | "rollback" | undefined
  readonly handling: "strict" | "lenient" | undefined
  /** The primary reads the rows, not a replica. */
  readonly consistency: "strong" | undefined
  /** Timestamps are always returned in UTC. */
  readonly timezone: "UTC" | undefined
  readonly "max-affected": number | undefined
  /** Preferences of an unknown kind or value. */
  readonly unknown: ReadonlyArray<string>
}

type Kind = Exclude<keyof Preferences, "unknown">

const among =
  <Word extends string>(...words: ReadonlyArray<Word>) =>
  (text: string): Word | undefined =>
    words.find((word) => word === text)

/** The readers, in the order of `Preference-Applied`. */
const readers: { readonly [K in Kind]: (text: string) => Preferences[K] } = {
  resolution: among("merge-duplicates", "ignore-duplicates"),
  missing: among("default", "null"),
  return: among("representation", "minimal", "headers-only"),
  count: among("exact", "planned", "estimated"),
  tx: among("commit", "rollback"),
  handling: among("strict", "lenient"),
  consistency: among("strong"),
  timezone: among("UTC"),
  "max-affected": (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)
}

// The record has exactly these keys.
const kinds = Object.keys(readers) as ReadonlyArray<Kind>

/** The preferences of a request without `Prefer`. */
export const none: Preferences = {
  resolution: undefined,
  missing: undefined,
  return: undefined,
  count: undefined,
  tx: undefined,
  handling: undefined,
  consistency: undefined,
  timezone: undefined,
  "max-affected": undefined,
  unknown: []
}

/** Parses the value of `Prefer`, a list separated by commas. */
export const parse = (prefer: string | undefined): Preferences => {
  if (prefer === undefined) return none
  const understood: { [K in Kind]?: Preferences[K] } = {}
  const unknown: Array<string> = []
  for (const part of prefer.split(",")) {
    const token = part.trim()
    if (token === "") continue
    const equals = token.indexOf("=")
    const kind = kinds.find((kind) => kind === token.slice(0, equals))
    const value = kind === undefined ? undefined : readers[kind](token.slice(equals + 1))
    if (kind === undefined || value === undefined) unknown.push(token)
    else if (understood[kind] === undefined) Object.assign(understood, { [kind]: value })
  }
  return { ...none, ...understood, unknown }
}

/** The value of `Preference-Applied` for the kinds that apply. */
export const applied = (preferences: Preferences, applies: (kind: Kind) => boolean): string | undefined => {
  if (preferences === none) return undefined
  const tokens = kinds
    .filter((kind) => preferences[kind] !== undefined && applies(kind))
    .map((kind) => `${kind}=${preferences[kind]}`)
  return tokens.length === 0 ? undefined : tokens.join(", ")
}
