/**
 * The rules that replace values of rows, and the file that names them by column.
 */
import * as Schema from "effect/Schema"

/** The rules without parameters. */
const words = ["keep", "null", "hash", "name", "email", "phone", "text"] as const

const Within = Schema.Struct({
  /** The maximum distance from the value, in per cent of it. */
  number: Schema.Number.pipe(Schema.greaterThan(0), Schema.lessThanOrEqualTo(100))
})

const AnyRule = Schema.Union(Schema.Literal(...words), Within)
export type Rule = typeof AnyRule.Type

/** A rule of the file: a word, or the distance of a number. An error names all of them. */
const Rule = Schema.declare(Schema.is(AnyRule), {
  description: `${words.map((word) => JSON.stringify(word)).join(", ")} or {"number": <per cent>}`
})

/** The rules of columns, each named `<resource>.<column>`, or `*.<column>` for a column of every resource. */
export const RuleFile = Schema.Struct({
  /** Set to `false` to scrub only the columns that have a rule (default true). */
  default: Schema.optionalWith(Schema.Boolean, { exact: true }),
  rules: Schema.Record({ key: Schema.String, value: Rule })
})
export type RuleFile = typeof RuleFile.Type

/** The default rules alone. */
export const defaults: RuleFile = { rules: {} }

/** The rule file that copies all values but secrets. */
export const none: RuleFile = { default: false, rules: {} }
