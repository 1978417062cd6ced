/**
 * A column as machinery sees it: read off a resource's schemas, never declared twice. Nothing else looks into an AST.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as HttpAddress from "./HttpAddress.ts"
import * as Id from "./Id.ts"
import * as Memo from "./Memo.ts"
import * as Json from "./Json.ts"
import type * as Resource from "./Resource.ts"
import type { RuleSet } from "./ResourceRules.ts"
import * as Sensitive from "./Sensitive.ts"
import * as Vocabulary from "./Vocabulary.ts"

export type Type = "text" | "number" | "boolean" | "date" | "timestamp" | "object" | "array"

export interface Column {
  readonly name: string
  readonly type: Type
  readonly nullable: boolean
  /** Whether a create must, may or must not carry it. */
  readonly write: "required" | "optional" | "never"
  /** The field of another resource that its values name. */
  readonly reference: Id.Reference | undefined
  readonly vocabulary: Vocabulary.Words | undefined
  /** Whether errors, logs and events withhold its values. */
  readonly sensitive: boolean
  /** Whether its values are addresses, which a write must check. */
  readonly address: boolean
}

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null

/** The part of a schema that is not null, and whether there was a null. */
const split = (ast: AST.AST): readonly [ast: AST.AST, nullable: boolean] => {
  if (!AST.isUnion(ast)) return [ast, false]
  const rest = ast.types.filter((type) => !isNull(type))
  return [AST.Union.make(rest), rest.length < ast.types.length]
}

const formats: { readonly [format: string]: Type } = { date: "date", "date-time": "timestamp" }

const typeOf = (ast: AST.AST): Type => {
  const json: { readonly format?: string } = Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({}))
  const format = json.format === undefined ? undefined : formats[json.format]
  if (format !== undefined) return format
  const encoded = AST.encodedAST(ast)
  switch (encoded._tag) {
    case "StringKeyword":
      return "text"
    case "NumberKeyword":
      return "number"
    case "BooleanKeyword":
      return "boolean"
    case "TupleType":
      return "array"
    default:
      return "object"
  }
}

const annotation = <A>(id: symbol, ast: AST.AST): A | undefined => Option.getOrUndefined(AST.getAnnotation<A>(id)(ast))

const read = (resource: Resource.Any, name: string, field: AST.AST): Column => {
  const [ast, nullable] = split(field)
  const reference = annotation<Id.Reference>(Id.ReferenceId, ast)
  return {
    name,
    type: typeOf(ast),
    nullable,
    write: resource.writes[name] ?? "never",
    // The field that others refer to carries the same id; it does not refer to itself.
    reference: reference?.resource === resource.resource && reference.field === name ? undefined : reference,
    vocabulary: annotation(Vocabulary.WordsId, ast),
    sensitive: Sensitive.is(ast),
    address: HttpAddress.is(ast)
  }
}

/** All columns of a resource by name, in declaration order (returned, required, optional); computed once. */
export const byName = Memo.make(
  (resource: Resource.Any): ReadonlyMap<string, Column> =>
    new Map(
      Object.entries(resource.columns).flatMap(([name, field]): ReadonlyArray<[string, Column]> =>
        Schema.isSchema(field) ? [[name, read(resource, name, field.ast)]] : []
      )
    )
)

/** All columns of a resource, in the same order. */
export const fromResource = (resource: Resource.Any): ReadonlyArray<Column> => [...byName(resource).values()]

const wireSchema = (column: Column | undefined, field: Resource.Field): Resource.Field => {
  if (column?.type !== "array") return field
  return column.nullable ? Schema.NullOr(Json.JsonArray) : Json.JsonArray
}

/**
 * The schemas of a resource's columns under a rule set. `contract` takes their wire types, where an array holds any
 * JSON; `public` takes what is known of its elements, as the resource declares it.
 */
export const schemas = (resource: Resource.Any, rules: RuleSet): Resource.Fields => {
  // Columns are declared as such fields; the common type of all resources forgets it.
  const known = resource.columns as Resource.Fields
  if (rules === "public") return known
  const columns = byName(resource)
  return Object.fromEntries(Object.entries(known).map(([name, field]) => [name, wireSchema(columns.get(name), field)]))
}
