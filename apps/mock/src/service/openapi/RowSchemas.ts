/**
 * The shapes of the row interface as JSON Schema, with what the catalogue knows of each column.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as RowError from "@mfgdata/domain/RowError"
import * as JSONSchema from "effect/JSONSchema"
import type * as AST from "effect/SchemaAST"

/** A part of a description, which is plain JSON. */
export interface Node {
  readonly [name: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/** A schema or null: where the schema has one type, null becomes another of its types. */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isNode(value)) return value
  const { anyOf, ...rest } = value
  if (
    Array.isArray(anyOf) &&
    anyOf.length === 2 &&
    isNode(anyOf[0]) &&
    isNode(anyOf[1]) &&
    anyOf[1]["type"] === "null"
  ) {
    const [schema] = anyOf
    if (typeof schema["type"] === "string") return { ...rest, ...tidied(schema), type: [schema["type"], "null"] }
  }
  return tidied(value)
}

const tidied = (node: Node): Node =>
  Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) =>
      name === "required" && Array.isArray(value) && value.length === 0 ? [] : [[name, tidy(value)]]
    )
  )

/** The component schemas that some types come to. */
const components = (...types: ReadonlyArray<AST.AST>): Node => {
  const definitions: { [name: string]: JSONSchema.JsonSchema7 } = {}
  for (const ast of types) {
    JSONSchema.fromAST(ast, {
      definitions,
      definitionPath: "#/components/schemas/",
      target: "openApi3.1",
      additionalPropertiesStrategy: "allow"
    })
  }
  return tidied({ ...definitions })
}

const timestamp =
  "Any ISO 8601 date-time in extended form: it is returned as it was sent, and compared by its instant to the microsecond."

const textOf = (sentences: ReadonlyArray<string | undefined>): string | undefined =>
  sentences.filter((sentence) => sentence !== undefined).join(" ") || undefined

/** An array of its wire type: what is known of its elements is an example. */
const toWire = (property: Node): Node => ({ ...property, items: {}, examples: [["A", "B"]] })

const isOpen = ({ type }: Column.Column, rules: RuleSet): boolean => type === "array" && rules === "contract"

const told = (column: Column.Column, rules: RuleSet): string | undefined => {
  const { name, reference, type, vocabulary, write } = column
  return textOf([
    isOpen(column, rules) ? "Known to hold text; elements of any JSON are taken and returned." : undefined,
    reference === undefined ? undefined : `Names a ${reference.resource} by its ${reference.field}.`,
    vocabulary === undefined ? undefined : `A ${vocabulary.name}; others than the known values may come.`,
    type === "timestamp" && write !== "never" ? timestamp : undefined,
    write === "never" ? "Set by the service." : undefined,
    name === "clientSecret" ? "Read responses include it." : undefined
  ])
}

/** The same schemas, each property with what the catalogue knows of its column. */
const described = (schemas: Node, resource: Resource.Any, rules: RuleSet): Node =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!isNode(schema) || !isNode(schema["properties"])) return [name, schema]
      const properties = Object.entries(schema["properties"]).map(([column, property]) => {
        const known = Column.byName(resource).get(column)
        if (known === undefined || !isNode(property)) return [column, property]
        const description = told(known, rules)
        const node = isOpen(known, rules) ? toWire(property) : property
        return [column, description === undefined ? node : { ...node, description }]
      })
      return [name, { ...schema, properties: Object.fromEntries(properties) }]
    })
  )

/** A reference to a schema by its name. */
export const reference = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })

/** What rows, creates and updates of a resource are called. */
export const namesOf = ({ resource }: Resource.Any) => {
  const row = resource.charAt(0).toUpperCase() + resource.slice(1)
  return { row, create: `${row}Create`, update: `${row}Update` }
}

/** Every schema by its name, as a rule set has it. */
export const make = (rules: RuleSet): Node =>
  Object.assign(
    components(RowError.RowError.ast),
    ...Catalogue.resources.map((resource) =>
      described(
        components(
          Resource.rowSchema(resource).ast,
          Resource.createSchema(resource).ast,
          Resource.updateSchema(resource).ast
        ),
        resource,
        rules
      )
    )
  ) as Node
