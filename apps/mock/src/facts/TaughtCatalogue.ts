/**
 * The resources as facts describe them: with other columns, types, vocabularies, defaults and rules. They take the place of
 * the catalogue's resources when the service starts, so that requests cost the same with facts as without.
 */
import * as CalendarDate from "@mfgdata/domain/CalendarDate"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Fact from "@mfgdata/domain/Fact"
import * as Json from "@mfgdata/domain/Json"
import * as Resource from "@mfgdata/domain/Resource"
import type * as ResourceRules from "@mfgdata/domain/ResourceRules"
import * as Text from "@mfgdata/domain/Text"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"

const schemas: { readonly [T in Fact.Type]: Resource.Field } = {
  text: Text.Text,
  number: Json.JsonNumber,
  boolean: Schema.Boolean,
  date: CalendarDate.CalendarDate,
  timestamp: Timestamp.Timestamp,
  object: Json.JsonObject,
  array: Text.TextArray,
  any: Json.Json
}

const opaque = (type: Fact.Type): Resource.Field =>
  Schema.NullOr(schemas[type]).annotations({ [Column.OpaqueId]: true })

/** The parts of a resource that facts change. */
interface Draft {
  readonly columns: { [name: string]: Resource.Field }
  readonly writes: { [name: string]: "required" | "optional" }
  readonly defaults: { [name: string]: ResourceRules.Default }
  readonly deletions: { [name: string]: ResourceRules.Deletion }
  readonly unique: Array<ResourceRules.Unique>
  readonly checks: Array<ResourceRules.Check>
  ownCompany: boolean
}

/** The default of a column, such as createdAt, that the service fills in every resource that has it. */
const serviceDefault = (name: string): Partial<Draft["defaults"]> => {
  const columnDefault = Resource.defaults[name]
  return columnDefault === undefined ? {} : { [name]: columnDefault }
}

const remove = (draft: Draft, name: string): void => {
  delete draft.columns[name]
  delete draft.writes[name]
  delete draft.defaults[name]
}

/** Changes the field of a column. Facts about unknown columns were refused. */
const change = ({ columns }: Draft, name: string, to: (field: Resource.Field) => Resource.Field): void => {
  const field = columns[name]
  if (field !== undefined) columns[name] = to(field)
}

const apply = (draft: Draft, fact: Fact.Fact, resource: Resource.Any): void => {
  switch (fact.fact) {
    case "column":
      draft.columns[fact.column] = opaque(fact.type)
      if (fact.write !== "never") draft.writes[fact.column] = fact.write
      else Object.assign(draft.defaults, serviceDefault(fact.column))
      return
    case "absent":
      return remove(draft, fact.column)
    case "type":
      draft.columns[fact.column] = opaque(fact.type)
      return
    case "nullable":
      return change(draft, fact.column, (field) => Column.withNull(field, fact.nullable))
    case "required":
      draft.writes[fact.column] = fact.required ? "required" : "optional"
      return
    case "default":
      draft.defaults[fact.column] = { _tag: "Constant", value: fact.value }
      draft.writes[fact.column] = "optional"
      return
    case "computed": {
      const columnDefault = draft.defaults[fact.column]
      if (columnDefault?._tag === "YearOf") draft.defaults[fact.column] = { ...columnDefault, isTaught: true }
      return
    }
    case "vocabulary":
      return change(draft, fact.column, (field) =>
        Column.withVocabulary(field, {
          name: Column.byName(resource).get(fact.column)?.vocabulary?.name ?? fact.column,
          known: fact.values,
          ...(fact.closed === "no" ? {} : { closed: fact.closed })
        })
      )
    case "unique":
      draft.unique.push({ columns: fact.columns })
      return
    case "reference":
      draft.deletions[fact.column] = fact.onDelete
      return
    case "check":
      draft.checks.push(...resource.rules.checks.filter(({ name }) => name === fact.check))
      return
    case "ownCompany":
      draft.ownCompany = true
      return
    default:
      return
  }
}

/** The order in which facts are applied: a column exists before its type changes, and has its type before its words. */
const stages: ReadonlyArray<Fact.Kind> = ["column", "type", "nullable", "vocabulary", "required", "default", "absent"]

const stageOf = ({ fact }: Fact.Fact): number => stages.indexOf(fact)

/** The facts that change a resource rather than its answers. */
const concerns = (fact: Fact.Fact, { resource }: Resource.Any): boolean =>
  "resource" in fact && fact.resource === resource && !("request" in fact)

const vary = (
  resource: Resource.Any,
  facts: ReadonlyArray<Fact.Fact>,
  ruleSet: ResourceRules.RuleSet,
  variantOf: Resource.VariantOf
): Resource.Any => {
  const { rules } = resource
  const isPublic = ruleSet === "public"
  const draft: Draft = {
    // Every resource declares its columns as fields; the type that all resources have in common does not keep it.
    columns: { ...(resource.columns as Resource.Fields) },
    writes: { ...resource.writes },
    defaults: { ...rules.defaults },
    deletions: isPublic ? { ...rules.onParentDelete } : {},
    unique: isPublic ? [...rules.unique] : [],
    checks: isPublic ? [...rules.checks] : [],
    ownCompany: false
  }
  const sorted = facts.filter((fact) => concerns(fact, resource)).toSorted((a, b) => stageOf(a) - stageOf(b))
  for (const fact of sorted) apply(draft, fact, resource)
  const { checks, columns, defaults, deletions, ownCompany, unique, writes } = draft
  return Resource.vary(
    resource,
    { columns, writes, rules: { ...rules, defaults, onParentDelete: deletions, unique, checks, ownCompany } },
    variantOf
  )
}

/** The resources under a rule set and facts. */
export const make = (facts: ReadonlyArray<Fact.Fact>, ruleSet: ResourceRules.RuleSet): Catalogue.Resources => {
  const variants = new Map<string, Resource.Any>()
  const variantOf: Resource.VariantOf = (resource) => variants.get(resource.resource) ?? resource
  for (const resource of Catalogue.resources) {
    variants.set(resource.resource, vary(resource, facts, ruleSet, variantOf))
  }
  return { resources: [...variants.values()], find: (name) => variants.get(name) }
}
