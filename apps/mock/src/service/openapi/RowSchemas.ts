/**
 * Generates the JSON Schemas of rows, with a description of each column from the catalogue.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Resource from "@mfgdata/domain/Resource"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as RowError from "@mfgdata/domain/RowError"
import * as JSONSchema from "effect/JSONSchema"
import type * as AST from "effect/SchemaAST"
import type * as Slices from "../../world/Slices.ts"

/** An object of the OpenAPI document. */
export interface Node {
  readonly [name: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/** Simplifies `anyOf` of a schema with one type and null: null becomes another type of the schema. */
const simplify = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(simplify)
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
    if (typeof schema["type"] === "string") return { ...rest, ...simplifyNode(schema), type: [schema["type"], "null"] }
  }
  return simplifyNode(value)
}

const simplifyNode = (node: Node): Node =>
  Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) =>
      name === "required" && Array.isArray(value) && value.length === 0 ? [] : [[name, simplify(value)]]
    )
  )

/** The component schemas of types. */
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
  return simplifyNode({ ...definitions })
}

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
    type === "timestamp" && write !== "never" ? timestamp : undefined,
    write === "never" ? "Set by the service." : undefined,
    name === "clientSecret" ? "Included in read responses." : undefined
  ])
}

/** Adds a description to each property from its column. */
const withDescriptions = (schemas: Node, resource: Resource.Any, rules: RuleSet): Node =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!isNode(schema) || !isNode(schema["properties"])) return [name, schema]
      const properties = Object.entries(schema["properties"]).map(([column, property]) => {
        const declaration = Column.byName(resource).get(column)
        if (declaration === undefined || !isNode(property)) return [column, property]
        const description = descriptionOf(declaration, rules)
        const node = isOpen(declaration, rules) ? withAnyItems(property) : property
        return [column, description === undefined ? node : { ...node, description }]
      })
      return [name, { ...schema, properties: Object.fromEntries(properties) }]
    })
  )

/** A reference to a component schema. */
export const reference = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })

/** The names of the schemas of a resource: its row, and the bodies that create and update it. */
export const namesOf = ({ resource }: Resource.Any) => {
  const row = resource.charAt(0).toUpperCase() + resource.slice(1)
  return { row, create: `${row}Create`, update: `${row}Update` }
}

/** The schemas of a rule set by name, in slices. */
export const slices = function* (rules: RuleSet): Slices.Slices<Node> {
  const schemas: { [name: string]: unknown } = { ...components(RowError.RowError.ast) }
  for (const resource of Catalogue.resources) {
    const own = [Resource.rowSchema(resource), Resource.createSchema(resource), Resource.updateSchema(resource)]
    Object.assign(schemas, withDescriptions(components(...own.map(({ ast }) => ast)), resource, rules))
    yield
  }
  return schemas
}
