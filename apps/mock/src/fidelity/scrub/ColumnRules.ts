/**
 * Assigns a treatment to each column, from the rules of a file and the default ones. Every rule must name a column that
 * exists and that can hold its result.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as PersonalData from "./PersonalData.ts"
import type { Rule, RuleFile } from "./ScrubRule.ts"

/** The replacement of the values of a column. */
type Treatment =
  | { readonly _tag: "Rule"; readonly rule: Rule }
  /** Personal data inside the values is replaced. */
  | { readonly _tag: "Search" }
  | { readonly _tag: "Copy" }
  /** A placeholder replaces the value. */
  | { readonly _tag: "Secret" }

export interface ColumnRules {
  readonly of: (resource: Resource.Any, column: string) => Treatment
}

/** Rules that do not fit the columns, all of them. */
export class ScrubRulesInvalid extends Data.TaggedError("ScrubRulesInvalid")<{
  /** The path of the file, or its name. */
  readonly file: string
  readonly problems: ReadonlyArray<string>
}> {
  override get message() {
    return `The scrub rules ${this.file} cannot be used: ${this.problems.join("; ")}`
  }
}

/** The columns of the rows that a source has shown, by resource. */
export type Observed = ReadonlyMap<string, ReadonlySet<string>>

const any = "*"

/** The rules that a typed column accepts: another result would not be of its type. */
const accepted: { readonly [T in Column.Type]: ReadonlyArray<string> } = {
  text: ["keep", "null", "hash", "name", "email", "phone", "text"],
  number: ["keep", "null", "number"],
  boolean: ["keep", "null"],
  date: ["keep", "null"],
  timestamp: ["keep", "null"],
  object: ["keep", "null", "hash", "name", "email", "phone", "text", "number"],
  array: ["keep", "null", "hash", "name", "email", "phone", "text", "number"]
}

const wordOf = (rule: Rule): string => (typeof rule === "string" ? rule : "number")

/** The reason why a column cannot have a rule. */
const mismatch = (resource: Resource.Any, name: string, rule: Rule): string | undefined => {
  const column = Column.byName(resource).get(name)
  if (column === undefined) return undefined
  const place = `${resource.resource}.${name}`
  const word = wordOf(rule)
  if (column.sensitive && rule !== "null") return `${place} is a secret, which is never copied: it accepts only "null"`
  const words = accepted[column.type].filter((word) => word !== "null" || column.nullable)
  return words.includes(word)
    ? undefined
    : `${place} has the type ${column.type}${column.nullable ? "" : " and no null"}: expected ${words.join(", ")}, got ${word}`
}

/** The resources outside the service that columns refer to, such as `user.id`. */
const outside: ReadonlySet<string> = new Set(
  Catalogue.resources.flatMap((resource: Resource.Any) =>
    Column.fromResource(resource).flatMap(({ reference }) =>
      reference === undefined || Catalogue.find(reference.resource) !== undefined
        ? []
        : [`${reference.resource}.${reference.field}`]
    )
  )
)

const has = (resource: Resource.Any, column: string, observed: Observed): boolean =>
  Column.byName(resource).has(column) || observed.get(resource.resource)?.has(column) === true

/** The problem of one rule, if it has one. */
const problemOf = (place: string, rule: Rule, observed: Observed): string | undefined => {
  const dot = place.indexOf(".")
  const [name, column] = [place.slice(0, Math.max(dot, 0)), place.slice(dot + 1)]
  if (dot < 1) return `${JSON.stringify(place)}: expected <resource>.<column> or *.<column>`
  if (outside.has(place)) {
    return accepted.text.includes(wordOf(rule)) && rule !== "null"
      ? undefined
      : `${place} is an id: expected ${accepted.text.filter((word) => word !== "null").join(", ")}, got ${wordOf(rule)}`
  }
  const suggest = (found: string | undefined) => (found === undefined ? "" : `: did you mean ${found}?`)
  if (name === any) {
    const resources = Catalogue.resources.filter((resource) => has(resource, column, observed))
    const names = Catalogue.resources.flatMap((resource: Resource.Any) => [...Column.byName(resource).keys()])
    if (resources.length === 0) return `no resource has a column ${column}${suggest(Suggestion.find(column, names))}`
    return resources.map((resource) => mismatch(resource, column, rule)).find((problem) => problem !== undefined)
  }
  const resource = Catalogue.find(name)
  if (resource === undefined) {
    const names = Catalogue.resources.map(({ resource }) => resource)
    return `${place}: there is no resource ${name}${suggest(Suggestion.find(name, names))}`
  }
  if (!has(resource, column, observed)) {
    const names = [...Column.byName(resource).keys(), ...(observed.get(name) ?? [])]
    return `${name} has no column ${column}${suggest(Suggestion.find(column, names))}`
  }
  return mismatch(resource, column, rule)
}

/** Compiles the rules of a file. A rule of a key, such as `user.id`, is also that of the columns that refer to it. */
export const make = (
  file: string,
  { default: isDefault = true, rules }: RuleFile,
  observed: Observed
): Either.Either<ColumnRules, ScrubRulesInvalid> => {
  const problems = Object.entries(rules).flatMap(([place, rule]) => problemOf(place, rule, observed) ?? [])
  if (problems.length > 0) return Either.left(new ScrubRulesInvalid({ file, problems }))
  const given = new Map(Object.entries(rules))

  const ruled = (resource: string, column: string): Rule | undefined =>
    given.get(`${resource}.${column}`) ?? given.get(`${any}.${column}`)

  const treat = (resource: Resource.Any, name: string): Treatment => {
    const column = Column.byName(resource).get(name)
    const reference = column?.reference
    const rule =
      ruled(resource.resource, name) ??
      (reference === undefined ? undefined : given.get(`${reference.resource}.${reference.field}`)) ??
      (isDefault ? PersonalData.ruleOf(name) : undefined)
    const isSecret = column === undefined ? PersonalData.isSecret(name) : column.sensitive
    if (isSecret && rule !== "null") return { _tag: "Secret" }
    if (rule !== undefined) return { _tag: "Rule", rule }
    return isDefault ? { _tag: "Search" } : { _tag: "Copy" }
  }

  const treatments = Memo.make<Resource.Any, Map<string, Treatment>>(() => new Map())
  return Either.right({
    of: (resource, name) => {
      const known = treatments(resource)
      let treatment = known.get(name)
      if (treatment === undefined) known.set(name, (treatment = treat(resource, name)))
      return treatment
    }
  })
}
