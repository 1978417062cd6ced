/**
 * Translates the ids that a recording received for its new rows to those that a replay receives for them.
 */

export interface IdTranslation {
  /** Replaces known ids in a text. */
  readonly apply: (text: string) => string
  /** Learns the ids at the same places of a recorded and a new response. */
  readonly learn: (recorded: string, got: string) => void
}

/** The form of generated ids. */
const form = /^[0-9a-z]{20}$/
const any = /(?<![0-9A-Za-z])[0-9a-z]{20}(?![0-9A-Za-z])/g

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The ids of a text that is not JSON, such as CSV. */
const idsOf = (text: string): ReadonlyArray<string> => Array.from(text.matchAll(any), ([id]) => id)

const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []

/** An empty translation. */
export const make = (): IdTranslation => {
  const known = new Map<string, string>()
  const learn = (recorded: unknown, got: unknown): void => {
    if (typeof recorded === "string" && typeof got === "string") {
      if (recorded !== got && form.test(recorded) && form.test(got) && !known.has(recorded)) known.set(recorded, got)
      return
    }
    const values = new Map(entriesOf(got))
    for (const [name, value] of entriesOf(recorded)) learn(value, values.get(name))
  }
  return {
    apply: (text) => (known.size === 0 ? text : text.replaceAll(any, (id) => known.get(id) ?? id)),
    learn: (recorded, got) => {
      const value = parse(recorded)
      if (value !== undefined) return learn(value, parse(got))
      const [old, ids] = [idsOf(recorded), idsOf(got)]
      if (old.length === ids.length) learn(old, ids)
    }
  }
}
