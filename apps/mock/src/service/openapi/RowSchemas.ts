/**
 * Generates the JSON Schemas of rows, with a description of each column from the catalogue.
 */
import * as Column from "@mfgdata/domain/Column"
import * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as RowError from "@mfgdata/domain/RowError"
import type * as Slices from "../../world/Slices.ts"
import * as JsonSchema from "./JsonSchema.ts"

type Node = JsonSchema.Node

/** The schemas by property. */
type Properties = { readonly [name: string]: unknown }

/** The description of a column that bodies cannot change. */
export const setByService = "Set by the service."

const timestamp =
  "An ISO 8601 date-time in extended form. Responses contain the value as you sent it; filters and sort order compare the instant, with microsecond precision."

const textOf = (sentences: ReadonlyArray<string | undefined>): string | undefined =>
  sentences.filter((sentence) => sentence !== undefined).join(" ") || undefined

/** Accepts any JSON as elements of an array, with an array of texts as the example. */
const withAnyItems = (property: Node): Node => ({ ...property, items: {}, examples: [["A", "B"]] })

const isOpen = ({ type }: Column.Column, rules: RuleSet): boolean => type === "array" && rules === "contract"

const descriptionOf = (column: Column.Column, rules: RuleSet): string | undefined => {
  const { name, reference, type, vocabulary, write } = column
  return textOf([
    isOpen(column, rules) ? "Elements are usually text, but may be any JSON value." : undefined,
    reference === undefined ? undefined : `References ${reference.resource}.${reference.field}.`,
    vocabulary === undefined
      ? undefined
      : `A value of the vocabulary \`${vocabulary.name}\`. Responses may contain values other than those listed.`,
    type === "object" ? "A JSON object." : undefined,
    type === "timestamp" && write !== "never" ? timestamp : undefined,
    write === "never" ? setByService : undefined,
    name === "clientSecret" ? "Included in read responses." : undefined
  ])
}

const described = (column: Column.Column, property: unknown, rules: RuleSet): unknown => {
  if (!JsonSchema.isNode(property)) return property
  const description = descriptionOf(column, rules)
  const node = isOpen(column, rules) ? withAnyItems(property) : property
  return description === undefined ? node : { ...node, description }
}

/** Accepted in bodies too, so that a row that was read can be written back. */
const writtenBack = (property: unknown): unknown =>
  JsonSchema.isNode(property)
    ? { ...property, description: "Set by the service: omit it, or send the stored value." }
    : property

/** The names of the schemas of a resource. */
export const namesOf = ({ resource }: Resource.Any) => {
  const row = resource.charAt(0).toUpperCase() + resource.slice(1)
  return { row, selected: `${row}Selection`, create: `${row}Create`, update: `${row}Update`, event: `${row}Event` }
}

/** The schemas of a resource: its rows, the parts of rows in responses, and the bodies that create and update rows. */
const schemasOf = (resource: Resource.Any, rules: RuleSet): Node => {
  const { create, row, selected, update } = namesOf(resource)
  const columns = Column.byName(resource)
  const made = JsonSchema.components(
    Resource.rowSchema(resource).ast,
    Resource.createSchema(resource).ast,
    Resource.updateSchema(resource).ast
  )
  const propertiesOf = (name: string): Properties => {
    const schema = made[name]
    const properties = JsonSchema.isNode(schema) && JsonSchema.isNode(schema["properties"]) ? schema["properties"] : {}
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const column = columns.get(name)
        return [name, column === undefined ? property : described(column, property, rules)]
      })
    )
  }
  const properties = propertiesOf(row)
  const fixed = Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      columns.get(name)?.write === "never" ? [[name, writtenBack(property)]] : []
    )
  )
  const body = (name: string, text: string): Node => {
    const { description: _, properties: __, ...schema } = { ...(made[name] as Node) }
    const properties = { ...propertiesOf(name), ...fixed }
    return { ...schema, description: text, properties, additionalProperties: false }
  }
  const of = resource.resource
  return {
    ...made,
    [row]: { ...(made[row] as Node), description: `A row of ${of}.`, properties },
    [selected]: {
      type: "object",
      description: `The columns of a row of ${of} that the request selects: all of them without \`select\`.`,
      properties
    },
    [create]: body(create, `A new row of ${of}.`),
    [update]: body(update, `The columns of a row of ${of} to change.`)
  }
}

/** The schemas of resources under a rule set by name, in slices. */
export const slices = function* (rules: RuleSet, resources: ReadonlyArray<Resource.Any>): Slices.Slices<Node> {
  const schemas: { [name: string]: unknown } = {
    ...JsonSchema.components(RowError.RowError.ast),
    Filter: {
      description:
        "A condition `<operator>.<value>`, such as `eq.5`, `gte.2026-01-01`, `in.(1,2)`, `is.null` or `not.eq.5`. Repeat the parameter for several conditions.",
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }]
    }
  }
  for (const resource of resources) {
    Object.assign(schemas, schemasOf(resource, rules))
    yield
  }
  return schemas
}
