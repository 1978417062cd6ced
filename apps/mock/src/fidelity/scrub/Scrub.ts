/**
 * Replaces the values of rows by rules. It happens in memory, before anything else sees a row. The same value under the
 * same rule always has the same replacement, so that references stay references.
 */
import * as JsonText from "@mfgdata/client/contract/JsonText"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as ColumnRules from "./ColumnRules.ts"
import * as PersonalData from "./PersonalData.ts"
import type { Pseudonyms } from "./Pseudonym.ts"
import type { Rule } from "./ScrubRule.ts"

/** Replaces the values of rows. */
export interface Scrub {
  readonly row: (resource: Resource.Any, row: JsonObject) => JsonObject
  /** The key of a row, as {@link row} leaves it. */
  readonly key: (resource: Resource.Any, key: string) => string
}

/** Applies a function to the parts of a value that are not arrays or objects. `name` is the field of an object. */
const mapLeaves = (
  value: Json,
  leaf: (value: Json, name: string | undefined) => Json,
  field: (name: string) => string,
  name?: string
): Json => {
  if (Array.isArray(value)) {
    // The type guard does not know read-only arrays.
    const elements: ReadonlyArray<Json> = value
    return elements.map((element) => mapLeaves(element, leaf, field, name))
  }
  return JsonText.isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [field(name), mapLeaves(inner, leaf, field, name)])
      )
    : leaf(value, name)
}

const inNumber = (value: string): number | undefined =>
  /^-?\d+(\.\d+)?$/.test(value) && Number.isFinite(Number(value)) ? Number(value) : undefined

/** Makes the replacement of rows by compiled rules. */
export const make = (rules: ColumnRules.ColumnRules, pseudonyms: Pseudonyms): Scrub => {
  const text = (rule: Exclude<Rule, "keep" | "null">, value: string): string => {
    if (typeof rule === "string") return pseudonyms[rule](value)
    const number = inNumber(value)
    return number === undefined
      ? pseudonyms.text(value)
      : pseudonyms.near(number, rule.number).toFixed(value.split(".")[1]?.length ?? 0)
  }

  const leaf = (rule: Rule, value: Json): Json => {
    if (rule === "keep" || value === null) return value
    if (rule === "null") return null
    switch (typeof value) {
      case "string":
        return value === "" ? value : text(rule, value)
      case "number":
        return typeof rule === "string" ? pseudonyms.digits(value) : pseudonyms.near(value, rule.number)
      default:
        return null
    }
  }

  const fieldName = (name: string): string => PersonalData.withoutEmails(name, pseudonyms)

  /** Applies the rule of a column, also to all parts of a JSON value. */
  const ruled = (rule: Rule, value: Json): Json =>
    rule === "keep" ? value : rule === "null" ? null : mapLeaves(value, (part) => leaf(rule, part), fieldName)

  /** The default: personal data by the names of JSON fields, then addresses and numbers inside texts. */
  const searched = (isName: boolean, value: Json): Json =>
    mapLeaves(
      value,
      (part, name) => {
        const rule = name === undefined ? undefined : PersonalData.ruleOf(name)
        if (rule !== undefined) return leaf(rule, part)
        if (typeof part !== "string") return part
        return isName ? PersonalData.withoutEmails(part, pseudonyms) : PersonalData.withoutContacts(part, pseudonyms)
      },
      fieldName
    )

  /** Replaces what the names of JSON fields say is secret. */
  const withoutSecrets = (placeholder: (place: string) => string, value: Json): Json =>
    typeof value === "object" && value !== null
      ? mapLeaves(
          value,
          (part, name) =>
            name !== undefined && typeof part === "string" && PersonalData.isSecret(name) ? placeholder(name) : part,
          (name) => name
        )
      : value

  /** Reports whether the values of a column name something, so that digits in them are not a telephone number. */
  const isName = (resource: Resource.Any, name: string): boolean => {
    const column = Column.byName(resource).get(name)
    return (
      column !== undefined &&
      (name === resource.key || column.reference !== undefined || column.vocabulary !== undefined || column.address)
    )
  }

  const replaced = (resource: Resource.Any, name: string, value: Json, key: string): Json => {
    const treatment = rules.of(resource, name)
    // A placeholder follows from the row, and not from the secret.
    const placeholder = (place: string) => `scrubbed-${pseudonyms.hash(`${resource.resource}.${place} ${key}`)}`
    switch (treatment._tag) {
      case "Secret":
        return value === null ? null : placeholder(name)
      case "Rule":
        return withoutSecrets(placeholder, ruled(treatment.rule, value))
      case "Search":
        return searched(isName(resource, name), withoutSecrets(placeholder, value))
      case "Copy":
        return withoutSecrets(placeholder, value)
    }
  }

  const key = (resource: Resource.Any, key: string) => String(replaced(resource, resource.key, key, key))

  return {
    key,
    row: (resource, row) => {
      const of = key(resource, String(row[resource.key]))
      return Object.fromEntries(
        Object.entries(row).map(([name, value]) => [fieldName(name), replaced(resource, name, value, of)])
      )
    }
  }
}
