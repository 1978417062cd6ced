/**
 * Makes facts of the differences in the columns of rows, and of the rules that a service enforces.
 */
import type { ColumnForm, Finding } from "@mfgdata/client/contract/Difference"
import type * as Fact from "@mfgdata/domain/Fact"
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import * as Resource from "@mfgdata/domain/Resource"
import * as Arr from "effect/Array"

const factTypes: { readonly [type: string]: Fact.Type } = {
  string: "text",
  number: "number",
  boolean: "boolean",
  array: "array",
  object: "object"
}

const typeOf = ({ types }: ColumnForm): Fact.Type => {
  const [type, ...others] = types
  return type === undefined || others.length > 0 ? "any" : (factTypes[type] ?? "any")
}

/** The columns that the service sets in every resource that has them. */
const isSetByService = (name: string): boolean => Resource.defaults[name] !== undefined

const serviceTypes: { readonly [column: string]: Fact.Type } = { createdAt: "timestamp", updatedAt: "timestamp" }

type OfColumn = Extract<Finding, { readonly _tag: "ColumnDiffers" }>

const ofColumn = (
  { column: name, ours, theirs }: OfColumn,
  resource: Resource.Any,
  seen: number
): ReadonlyArray<Fact.Fact> => {
  const at = { resource: resource.resource, column: name, seen }
  const column = Column.byName(resource).get(name)
  if (theirs === null) return name === resource.key ? [] : [{ fact: "absent", ...at }]
  if (column === undefined) {
    return isSetByService(name)
      ? [{ fact: "column", ...at, type: serviceTypes[name] ?? "text", write: "never" }]
      : [{ fact: "column", ...at, type: typeOf(theirs), write: "optional" }]
  }
  if (name === resource.key) return []
  const isOther = ours === null || theirs.types.some((type) => !ours.types.includes(type))
  if (isOther && column.type === "number" && theirs.types.length === 1 && theirs.types[0] === "string") {
    return [{ fact: "number", ...at, form: "text" }]
  }
  if (isOther) return [{ fact: "type", ...at, type: typeOf(theirs) }]
  return theirs.nullable && !column.nullable ? [{ fact: "nullable", ...at, nullable: true }] : []
}

/** The known words of a column, and those that were seen. */
const wordsOf = (resource: Resource.Any, column: string, seen: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...new Set([...(Column.byName(resource).get(column)?.vocabulary?.known ?? []), ...seen])
]

const vocabulary = (
  resource: Resource.Any,
  column: string,
  words: ReadonlyArray<string>,
  closed: Fact.Of<"vocabulary">["closed"],
  seen: number
): ReadonlyArray<Fact.Fact> =>
  Arr.isNonEmptyReadonlyArray(words)
    ? [{ fact: "vocabulary", resource: resource.resource, column, values: words, closed, seen }]
    : []

/** The probe of a difference: a filter or a write, and the body of the other service's response. */
interface Probed {
  readonly isFilter: boolean
  readonly text: string
}

/** The value of a column in a created row. */
const createdValue = (text: string, column: string): Json | undefined => {
  try {
    const body: Json = JSON.parse(text)
    const row = Array.isArray(body) ? body[0] : body
    return typeof row === "object" && row !== null && !Array.isArray(row) ? row[column] : undefined
  } catch {
    return undefined
  }
}

/** The facts about a column that the contract requires, and that a create omitted with success. */
const ofOmitted = (resource: Resource.Any, column: string, text: string, seen: number): ReadonlyArray<Fact.Fact> => {
  const at = { resource: resource.resource, column, seen }
  const value = createdValue(text, column)
  const isNumber = Column.byName(resource).get(column)?.type === "number"
  if (value === undefined || value === null) {
    return [
      { fact: "nullable", ...at, nullable: true },
      { fact: "required", ...at, required: false }
    ]
  }
  // A service may send its numbers as text.
  return [{ fact: "default", ...at, value: isNumber && typeof value === "string" ? Number(value) : value }]
}

type OfConstraint = Extract<Finding, { readonly _tag: "ConstraintDiffers" }>

const ofConstraint = (
  { columns, constraint, theirs }: OfConstraint,
  resource: Resource.Any,
  { isFilter, text }: Probed,
  seen: number
): ReadonlyArray<Fact.Fact> => {
  const [column] = columns
  if (column === undefined || !Arr.isNonEmptyReadonlyArray(columns)) return []
  const at = { resource: resource.resource, column, seen }
  switch (constraint) {
    case "required":
      return theirs ? [{ fact: "required", ...at, required: true }] : ofOmitted(resource, column, text, seen)
    case "unique":
      return theirs ? [{ fact: "unique", resource: resource.resource, columns, seen }] : []
    case "reference":
      if (!theirs) return []
      return column === "companyId"
        ? [{ fact: "ownCompany", resource: resource.resource, seen }]
        : [{ fact: "reference", ...at, onDelete: "restrict" }]
    case "vocabulary": {
      const closed = theirs ? (isFilter ? "always" : "writes") : "no"
      return vocabulary(resource, column, wordsOf(resource, column), closed, seen)
    }
    default:
      return []
  }
}

const zones: { readonly [offset: string]: Fact.Of<"timestamp">["zone"] } = {
  Z: "Z",
  "+00:00": "+00:00",
  "no offset": ""
}

/** The form of timestamps, such as `T, microseconds, +00:00`. A service that cuts zeros has several. */
const timestampFact = (forms: ReadonlyArray<string>, resource: string, seen: number): ReadonlyArray<Fact.Fact> => {
  const [form = ""] = forms
  const parts = form.split(", ")
  const zone = zones[parts.at(-1) ?? ""]
  if (zone === undefined || parts[0] !== "T") return []
  const fractions = new Set(forms.map((form) => form.split(", ").slice(1, -1).join()))
  const digits = fractions.size > 1 || fractions.has("microseconds") ? "trimmed" : fractions.has("milliseconds") ? 3 : 0
  return [{ fact: "timestamp", resource, zone, digits, seen }]
}

/** The facts of a difference in the rows or rules of a resource; none for one that no fact describes. */
export const make = (
  finding: Finding,
  resource: Resource.Any,
  probed: Probed,
  seen: number
): ReadonlyArray<Fact.Fact> => {
  switch (finding._tag) {
    case "ColumnDiffers":
      return ofColumn(finding, resource, seen)
    case "VocabularyDiffers":
      return vocabulary(resource, finding.column, wordsOf(resource, finding.column, finding.theirs), "no", seen)
    case "ConstraintDiffers":
      return ofConstraint(finding, resource, probed, seen)
    case "DefaultDiffers":
      if (finding.theirs === null) return []
      return resource.rules.defaults[finding.column]?._tag === "YearOf"
        ? [{ fact: "computed", resource: resource.resource, column: finding.column, seen }]
        : [{ fact: "default", resource: resource.resource, column: finding.column, value: finding.theirs, seen }]
    case "FormDiffers":
      return Column.byName(resource).get(finding.column)?.type === "timestamp"
        ? timestampFact(finding.theirs, resource.resource, seen)
        : []
    default:
      return []
  }
}
