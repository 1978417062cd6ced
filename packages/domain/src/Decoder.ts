/**
 * Decoding for the hot path: one test per field, compiled once from a schema's AST. Its verdict is Schema's: what the
 * tests let through, Schema would, and all the rest is left to Schema itself, which also explains.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Verdict from "./internal/verdict.ts"
import * as Malformed from "./Malformed.ts"
import * as Resource from "./Resource.ts"

/** Takes what came from outside; fields that the schema does not know are left out. */
export interface Decoder<A> {
  (value: unknown): Either.Either<A, Malformed.Malformed>
}

const refinement = (ast: AST.Refinement): Verdict.Verdict | undefined => {
  const from = verdict(ast.from)
  return from && ((value) => from(value) && Option.isNone(ast.filter(value, AST.defaultParseOption, ast)))
}

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null

const nullable = (ast: AST.Union): Verdict.Verdict | undefined => {
  const [type, ...others] = ast.types.filter((member) => !isNull(member))
  const accepts = type === undefined || others.length > 0 || ast.types.length === 1 ? undefined : verdict(type)
  return accepts && ((value) => value === null || accepts(value))
}

/** What an array of any length holds. */
const elementOf = (ast: AST.AST): AST.AST | undefined =>
  AST.isTupleType(ast) && ast.elements.length === 0 && ast.rest.length === 1 ? ast.rest[0]?.type : undefined

const list = (element: AST.AST | undefined): Verdict.Verdict | undefined => {
  const accepts = element && verdict(element)
  if (accepts === undefined) return undefined
  return (value) => {
    if (!Array.isArray(value)) return false
    // Not `every`, which passes over holes.
    for (const item of value) if (!accepts(item)) return false
    return true
  }
}

/** The test of a schema that hands on what it accepts; `undefined` for any other. */
const verdict = (ast: AST.AST): Verdict.Verdict | undefined => {
  const declared = Verdict.fromAST(ast)
  if (declared !== undefined) return declared
  switch (ast._tag) {
    case "StringKeyword":
      return (value) => typeof value === "string"
    case "NumberKeyword":
      return (value) => typeof value === "number"
    case "BooleanKeyword":
      return (value) => typeof value === "boolean"
    case "Literal":
      return (value) => value === ast.literal
    case "Refinement":
      return refinement(ast)
    case "Union":
      return nullable(ast)
    case "TupleType":
      return list(elementOf(ast))
    default:
      return undefined
  }
}

interface Field {
  readonly name: PropertyKey
  readonly isOptional: boolean
  readonly accepts: Verdict.Verdict
}

type Fields = ReadonlyMap<PropertyKey, Field>

const fieldsOf = (ast: AST.AST): Fields | undefined => {
  if (!AST.isTypeLiteral(ast) || ast.propertySignatures.length === 0 || ast.indexSignatures.length > 0) return undefined
  const fields = new Map<PropertyKey, Field>()
  for (const { name, isOptional, type } of ast.propertySignatures) {
    const accepts = verdict(type)
    if (accepts === undefined) return undefined
    fields.set(name, { name, isOptional, accepts })
  }
  return fields
}

type Record = { [name: PropertyKey]: unknown }

const isPlain = (value: unknown): value is Record => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A copy of the known fields of a plain object that passes every test, else `undefined`. */
const copier = (fields: Fields): ((value: unknown) => Record | undefined) => {
  const inOrder = [...fields.values()]
  const required = inOrder.filter((field) => !field.isOptional).length
  const only = (value: Record): Record => {
    const output: Record = {}
    for (const { name } of inOrder) if (Object.hasOwn(value, name)) output[name] = value[name]
    return output
  }
  return (value) => {
    if (!isPlain(value)) return undefined
    // Setting, and even getting, field after field by name costs several times what these three take together.
    const copy = { ...value }
    const names = Object.keys(copy)
    const values = Object.values(copy)
    let index = 0
    let present = 0
    let known = true
    for (const name of names) {
      // Rows mostly come in the declared order.
      const next = inOrder[index]
      const field = next?.name === name ? next : fields.get(name)
      if (field === undefined) known = false
      else if (!field.accepts(values[index])) return undefined
      else if (!field.isOptional) present++
      index++
    }
    return present < required ? undefined : known ? copy : only(copy)
  }
}

/** What a value is decoded to, or `undefined` for Schema to decide. */
type Copy = (value: unknown) => unknown

const each =
  (copy: Copy): Copy =>
  (value) => {
    if (!Array.isArray(value)) return undefined
    const output: Array<unknown> = []
    for (const item of value) {
      const decoded = copy(item)
      if (decoded === undefined) return undefined
      output.push(decoded)
    }
    return output
  }

const compile = (ast: AST.AST): Copy | undefined => {
  const fields = fieldsOf(ast)
  if (fields !== undefined) return copier(fields)
  const accepts = verdict(ast)
  if (accepts !== undefined) return (value) => (accepts(value) ? value : undefined)
  const element = elementOf(ast)
  const copy = element && compiled(element)
  return copy && each(copy)
}

const memory = new WeakMap<AST.AST, { readonly copy: Copy | undefined }>()

const compiled = (ast: AST.AST): Copy | undefined => {
  const known = memory.get(ast)
  if (known !== undefined) return known.copy
  const copy = compile(ast)
  memory.set(ast, { copy })
  return copy
}

/** A decoder of any schema that needs no service; `subject` is what errors call the value. */
export const make = <A, I>(subject: string, schema: Schema.Schema<A, I>): Decoder<A> => {
  const copy = compiled(schema.ast)
  return (value) => {
    const decoded = copy?.(value)
    return decoded === undefined
      ? Either.mapLeft(ParseResult.decodeUnknownEither(schema, { errors: "all" })(value), (issue) =>
          Malformed.fromIssue(subject, issue)
        )
      : // The tests follow the schema field by field; a property test compares the two.
        Either.right(decoded as A)
  }
}

/** Decodes rows of a resource. */
export const row = <R extends Resource.Any>(resource: R): Decoder<Resource.Row<R>> =>
  make(resource.resource, Resource.rowSchema(resource))

/** Decodes what a create may carry. */
export const create = <R extends Resource.Any>(resource: R): Decoder<Resource.Create<R>> =>
  make(resource.resource, Resource.createSchema(resource))

/** Decodes what an update may carry. */
export const update = <R extends Resource.Any>(resource: R): Decoder<Resource.Update<R>> =>
  make(resource.resource, Resource.updateSchema(resource))
