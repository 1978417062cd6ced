/**
 * Makes the JSON Schemas of the OpenAPI document from schemas of Effect, in forms from which generators of clients make
 * plain types.
 */
import * as JSONSchema from "effect/JSONSchema"
import type * as AST from "effect/SchemaAST"

/** An object of the OpenAPI document. */
export interface Node {
  readonly [name: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A nullable schema in one form: null becomes another type of the schema. */
const withNullAsType = (node: Node): Node => {
  const { anyOf, ...rest } = node
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return node
  const [schema, other]: ReadonlyArray<unknown> = anyOf
  return isNode(schema) && isNode(other) && other["type"] === "null" && typeof schema["type"] === "string"
    ? { ...rest, ...schema, type: [schema["type"], "null"] }
    : node
}

/** The number of types in JSON: a schema that lists all of them allows any value. */
const typeCount = 6

/** Simplifies a schema. Members that it does not name are allowed, so an object without properties is a map. */
export const simplify = (schema: Node): Node => {
  const { additionalProperties: _, properties, required, type, ...rest } = withNullAsType(schema)
  const members = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, simplifyPart(value)]))
  if (Array.isArray(type) && type.length === typeCount) return members
  const named = Object.entries(isNode(properties) ? properties : {})
  return {
    ...(type === undefined ? {} : { type }),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
    ...(named.length > 0
      ? { properties: Object.fromEntries(named.map(([name, value]) => [name, simplifyPart(value)])) }
      : [type].flat().includes("object")
        ? { additionalProperties: true }
        : {}),
    ...members
  }
}

const simplifyPart = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(simplifyPart) : isNode(value) ? simplify(value) : value

/** The schemas by name. */
export const simplifyAll = (schemas: Node): Node =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, simplifyPart(schema)]))

const convert = (ast: AST.AST, definitions: { [name: string]: JSONSchema.JsonSchema7 }): JSONSchema.JsonSchema7 =>
  JSONSchema.fromAST(ast, {
    definitions,
    definitionPath: "#/components/schemas/",
    target: "openApi3.1",
    additionalPropertiesStrategy: "allow"
  })

/** The schemas of named types, by name. */
export const components = (...types: ReadonlyArray<AST.AST>): Node => {
  const definitions: { [name: string]: JSONSchema.JsonSchema7 } = {}
  for (const ast of types) convert(ast, definitions)
  return simplifyAll({ ...definitions })
}

/** The schema of a type that refers to no other one. */
export const make = (ast: AST.AST): Node => {
  const definitions: { [name: string]: JSONSchema.JsonSchema7 } = {}
  const schema = convert(ast, definitions)
  const [named] = Object.values(definitions)
  return simplify({ ...(named ?? schema) })
}

/** A reference to a component schema. */
export const reference = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })
