/**
 * Finds facts that contradict each other or the catalogue: an unknown resource, a column that is both required and unknown,
 * two facts at one place.
 */
import * as Catalogue from "./Catalogue.ts"
import * as Column from "./Column.ts"
import type * as Fact from "./Fact.ts"
import { place } from "./Fact.ts"
import type { Json } from "./Json.ts"
import type * as Resource from "./Resource.ts"
import * as Suggestion from "./Suggestion.ts"

/** A fact, or a part of the file, that cannot be used. */
export interface Problem {
  /** The place of the fact, such as `vocabulary nonConformance status`, or the part of the file. */
  readonly fact: string
  readonly expected: string
  readonly actual: string
}

/** The facts about the columns of one resource, by kind and column. */
class ColumnFacts {
  readonly #facts: ReadonlyMap<string, Fact.Fact>

  constructor(facts: ReadonlyArray<Fact.Fact>) {
    this.#facts = new Map(facts.map((fact) => [place(fact), fact]))
  }

  /** The fact of a kind about a column. */
  of<K extends Fact.Kind>(kind: K, resource: string, column: string): Fact.Of<K> | undefined {
    // A place begins with the kind of its fact.
    return this.#facts.get(`${kind} ${resource} ${column}`) as Fact.Of<K> | undefined
  }
}

const suggest = (name: string, names: Iterable<string>): string => {
  const nearest = Suggestion.find(name, names)
  return nearest === undefined ? "" : `, perhaps ${nearest}`
}

const problem = (fact: Fact.Fact, expected: string, actual: string): ReadonlyArray<Problem> => [
  { fact: place(fact), expected, actual }
]

const accepts: { readonly [T in Fact.Type]: (value: Exclude<Json, null>) => boolean } = {
  text: (value) => typeof value === "string",
  date: (value) => typeof value === "string",
  timestamp: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  object: (value) => typeof value === "object" && !Array.isArray(value),
  array: Array.isArray,
  any: () => true
}

const ofColumn = (
  fact: Extract<Fact.Fact, { readonly column: string }>,
  resource: Resource.Any,
  facts: ColumnFacts
): ReadonlyArray<Problem> => {
  const { column: name } = fact
  const columns = Column.byName(resource)
  const column = columns.get(name)
  const extra = facts.of("column", resource.resource, name)
  if (fact.fact === "column") {
    return column === undefined
      ? []
      : problem(fact, "a column that the contract does not list", `"${name}", which it lists`)
  }
  if (column === undefined && extra === undefined) {
    return problem(fact, `a column of ${resource.resource}${suggest(name, columns.keys())}`, JSON.stringify(name))
  }
  if (name === resource.key && fact.fact !== "vocabulary") {
    return problem(fact, "a column other than the key", `the key "${name}"`)
  }
  if (fact.fact !== "absent" && facts.of("absent", resource.resource, name) !== undefined) {
    return problem(fact, "one of the two", `a column that "absent ${resource.resource} ${name}" makes unknown`)
  }
  const type = facts.of("type", resource.resource, name)?.type ?? column?.type ?? extra?.type ?? "any"
  switch (fact.fact) {
    case "default": {
      const vocabulary = facts.of("vocabulary", resource.resource, name)
      if (facts.of("required", resource.resource, name)?.required === true || extra?.write === "required") {
        return problem(fact, "a column that a create may omit", "a required column")
      }
      if (fact.value !== null && !accepts[type](fact.value)) {
        return problem(fact, `a value of the type ${type}`, JSON.stringify(fact.value))
      }
      return vocabulary !== undefined &&
        vocabulary.closed !== "no" &&
        !vocabulary.values.some((value) => value === fact.value)
        ? problem(fact, `one of ${vocabulary.values.join(", ")}`, JSON.stringify(fact.value))
        : []
    }
    case "required": {
      const isFilled =
        facts.of("default", resource.resource, name) !== undefined ||
        facts.of("nullable", resource.resource, name)?.nullable === true ||
        column?.nullable !== false
      return fact.required || isFilled
        ? []
        : problem(fact, "a default, or a column that holds null", "an optional column without either")
    }
    case "computed":
      return resource.rules.defaults[name]?._tag === "YearOf"
        ? []
        : problem(fact, "a column that the public system computes", JSON.stringify(name))
    case "vocabulary":
      return type === "text" || type === "array" || type === "any"
        ? []
        : problem(fact, "a column of text", `the type ${type}`)
    case "number":
      return type === "number" || type === "any" ? [] : problem(fact, "a column of numbers", `the type ${type}`)
    case "reference":
      return Catalogue.references.some(({ child, column }) => child === resource && column === name)
        ? []
        : problem(fact, "a column that refers to another resource of the contract", JSON.stringify(name))
    default:
      return []
  }
}

const checkNames = ({ rules }: Resource.Any): ReadonlyArray<string> => rules.checks.map(({ name }) => name)

const ofResource = (fact: Fact.Fact, resource: Resource.Any, facts: ColumnFacts): ReadonlyArray<Problem> => {
  if ("column" in fact) return ofColumn(fact, resource, facts)
  switch (fact.fact) {
    case "unique": {
      const unknown = fact.columns.find((name) => !Column.byName(resource).has(name))
      return unknown === undefined
        ? []
        : problem(fact, `columns of ${resource.resource} in the contract`, JSON.stringify(unknown))
    }
    case "check":
      return checkNames(resource).includes(fact.check)
        ? []
        : problem(fact, `one of ${checkNames(resource).join(", ") || "no checks"}`, JSON.stringify(fact.check))
    case "ownCompany":
      return Column.byName(resource).get("companyId")?.write === "never" || !Column.byName(resource).has("companyId")
        ? problem(fact, "a resource whose creates have companyId", resource.resource)
        : []
    default:
      return []
  }
}

/** The kinds of facts that can hold for all resources. */
const general: ReadonlySet<Fact.Kind> = new Set([
  "unknownColumns",
  "order",
  "status",
  "shape",
  "header",
  "error",
  "timestamp"
])

const names = Catalogue.resources.map(({ resource }) => resource)

const bodiless = new Set([204, 205, 304])

const ofOne = (fact: Fact.Fact, facts: ColumnFacts, all: ReadonlyArray<Fact.Fact>): ReadonlyArray<Problem> => {
  if (fact.fact === "shape" && fact.shape !== "empty") {
    const other = all.find(
      (other) =>
        other.fact === "status" &&
        bodiless.has(other.status) &&
        other.resource === fact.resource &&
        other.request === fact.request &&
        other.prefer === fact.prefer
    )
    if (other !== undefined)
      return problem(fact, "the shape empty", `${fact.shape}, with the status of "${place(other)}"`)
  }
  if (!("resource" in fact) || (fact.resource === "*" && general.has(fact.fact))) return []
  const resource = Catalogue.find(fact.resource)
  return resource === undefined
    ? problem(fact, `a resource of the contract${suggest(fact.resource, names)}`, JSON.stringify(fact.resource))
    : ofResource(fact, resource, facts)
}

/** The contradictions of facts, in their order. */
export const find = (facts: ReadonlyArray<Fact.Fact>): ReadonlyArray<Problem> => {
  const columnFacts = new ColumnFacts(facts)
  const taken = new Set<string>()
  return facts.flatMap((fact) => {
    const isTaken = taken.has(place(fact))
    taken.add(place(fact))
    return isTaken ? problem(fact, "one fact at this place", "two") : ofOne(fact, columnFacts, facts)
  })
}
