/**
 * Counts the probes that were answered alike, by subject and verb. A probe with cosmetic differences alone is alike.
 */
import * as Schema from "effect/Schema"

export const Count = Schema.Struct({ alike: Schema.Number, probes: Schema.Number })
export type Count = typeof Count.Type

/** The score of a comparison: by subject, by verb within it, and in all. */
export const Score = Schema.Struct({
  total: Count,
  subjects: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({ total: Count, verbs: Schema.Record({ key: Schema.String, value: Count }) })
  })
})
export type Score = typeof Score.Type

/** A probe of a subject. */
export interface Scored {
  readonly subject: string
  readonly verb: string
  readonly isAlike: boolean
}

const count = (scored: ReadonlyArray<Scored>): Count => ({
  alike: scored.filter(({ isAlike }) => isAlike).length,
  probes: scored.length
})

const groups = (scored: ReadonlyArray<Scored>, nameOf: (one: Scored) => string) => {
  const groups = new Map<string, Array<Scored>>()
  for (const one of scored) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one])
  return [...groups]
}

/** The score of probes. */
export const make = (scored: ReadonlyArray<Scored>): Score => ({
  total: count(scored),
  subjects: Object.fromEntries(
    groups(scored, ({ subject }) => subject).map(([subject, ofSubject]) => [
      subject,
      {
        total: count(ofSubject),
        verbs: Object.fromEntries(groups(ofSubject, ({ verb }) => verb).map(([verb, ofVerb]) => [verb, count(ofVerb)]))
      }
    ])
  )
})

/** The part of probes that are alike, such as `98.7%`; it is rounded down, so that only all of them are `100%`. */
export const percent = ({ alike, probes }: Count): string =>
  probes === 0 ? "-" : `${String(Math.floor((1000 * alike) / probes) / 10)}%`
