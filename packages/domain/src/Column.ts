/**
 * Derives the columns of a resource from its schemas. No other module reads a schema's AST.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { isHttpAddress } from "./internal/httpAddressMark.ts"
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
  /** `required` in a create, `optional`, or `never` written: the service sets it. */
  readonly write: "required" | "optional" | "never"
  /** The field of another resource that its values refer to. */
  readonly reference: Id.Reference | undefined
  readonly vocabulary: Vocabulary.Words | undefined
  /** `true` when errors, logs and events omit its values. */
  readonly sensitive: boolean
  /** `true` when its values are URLs, which a write must check. */
  readonly address: boolean
  /** `true` when a store has no place for it besides the row's document: the contract has no such column. */
  readonly isOpaque: boolean
}

/** The annotation of a column that the contract does not have, or has with another type. */
export const OpaqueId: unique symbol = Symbol.for("@mfgdata/domain/Column/Opaque")

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null

/** Splits a schema into the part that is not null, and whether it allows null. */
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
    // The field that references lead to has the same annotation; it does not refer to itself.
    reference: reference?.resource === resource.resource && reference.field === name ? undefined : reference,
    vocabulary: annotation(Vocabulary.WordsId, ast),
    sensitive: Sensitive.is(ast),
    address: isHttpAddress(ast),
    isOpaque: annotation<boolean>(OpaqueId, field) ?? false
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

/** All columns of a resource, in the same order; computed once. */
export const fromResource = Memo.make((resource: Resource.Any): ReadonlyArray<Column> => [...byName(resource).values()])

/** The names of a resource's sensitive columns. */
export const sensitiveNames = (resource: Resource.Any): ReadonlyArray<string> =>
  fromResource(resource).flatMap(({ name, sensitive }) => (sensitive ? [name] : []))

/** The field with a vocabulary: the words of its values, or of its elements where it is an array. */
export const withVocabulary = (field: Resource.Field, words: Vocabulary.Words): Resource.Field => {
  const [ast, nullable] = split(field.ast)
  const annotated = Schema.make(AST.annotations(ast, { [Vocabulary.WordsId]: words }))
  const opaque = annotation<boolean>(OpaqueId, field.ast) ?? false
  return (nullable ? Schema.NullOr(annotated) : annotated).annotations({ [OpaqueId]: opaque })
}

/** The field that accepts null, or refuses it. The values of a field that the contract has otherwise are opaque. */
export const withNull = (field: Resource.Field, nullable: boolean): Resource.Field => {
  const [ast] = split(field.ast)
  const inner = Schema.make(ast)
  return (nullable ? Schema.NullOr(inner) : inner).annotations({ [OpaqueId]: true })
}

const wireSchema = (column: Column | undefined, field: Resource.Field): Resource.Field => {
  if (column?.type !== "array") return field
  return column.nullable ? Schema.NullOr(Json.JsonArray) : Json.JsonArray
}

/**
 * Returns the schemas of a resource's columns under a rule set. Under `contract` an array holds any JSON elements;
 * under `public` it holds the elements that the resource declares.
 */
export const schemas = (resource: Resource.Any, rules: RuleSet): Resource.Fields => {
  // Every resource declares its columns as fields; the type that all resources have in common does not keep it.
  const known = resource.columns as Resource.Fields
  if (rules === "public") return known
  const columns = byName(resource)
  return Object.fromEntries(Object.entries(known).map(([name, field]) => [name, wireSchema(columns.get(name), field)]))
}
