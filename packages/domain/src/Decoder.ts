/**
 * Decodes rows on the hot path with one test per field, compiled once from the schema's AST. A value that passes the tests
 * also passes Schema; all other values are left to Schema, which also makes the errors.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Predicate from "./internal/predicate.ts"
import * as Memo from "./Memo.ts"
import * as DecodeError from "./DecodeError.ts"
import * as Resource from "./Resource.ts"

/** Decodes an unknown value, and removes the fields that its schema does not have. */
export interface Decoder<A> {
  (value: unknown): Either.Either<A, DecodeError.DecodeError>
}

const refinement = (ast: AST.Refinement): Predicate.Predicate | undefined => {
  const from = predicate(ast.from)
  return from && ((value) => from(value) && Option.isNone(ast.filter(value, AST.defaultParseOption, ast)))
}

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null

/** The member of a union besides null, where it has exactly one. */
const nullable = (ast: AST.AST): AST.AST | undefined => {
  if (!AST.isUnion(ast)) return undefined
  const [type, ...others] = ast.types.filter((member) => !isNull(member))
  return others.length > 0 || ast.types.length === 1 ? undefined : type
}

const maybe = (type: AST.AST | undefined): Predicate.Predicate | undefined => {
  const accepts = type && predicate(type)
  return accepts && ((value) => value === null || accepts(value))
}

/** The element of an array of any length. */
const elementOf = (ast: AST.AST): AST.AST | undefined =>
  AST.isTupleType(ast) && ast.elements.length === 0 && ast.rest.length === 1 ? ast.rest[0]?.type : undefined

const list = (element: AST.AST | undefined): Predicate.Predicate | undefined => {
  const accepts = element && predicate(element)
  if (accepts === undefined) return undefined
  return (value) => {
    if (!Array.isArray(value)) return false
    // Not `every`, which skips holes.
    for (const item of value) if (!accepts(item)) return false
    return true
  }
}

/** The test of a schema that returns its input unchanged; `undefined` for other schemas. */
const predicate = (ast: AST.AST): Predicate.Predicate | undefined => {
  const declared = Predicate.fromAST(ast)
  if (declared !== undefined) return declared
  switch (ast._tag) {
    case "UnknownKeyword":
      return () => true
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
      return maybe(nullable(ast))
    case "TupleType":
      return list(elementOf(ast))
    default:
      return undefined
  }
}

/** A field of a schema. */
interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly isNullable: boolean
  /** Tests a value that is returned unchanged. */
  readonly accepts: Predicate.Predicate | undefined
  /** Copies a value that contains objects, without their unknown fields. */
  readonly copy: Copy | undefined
}

const fieldOf = ({ isOptional, name, type }: AST.PropertySignature): Field | undefined => {
  if (typeof name !== "string") return undefined
  const inner = nullable(type)
  const value = inner ?? type
  const accepts = predicate(value)
  const copy = accepts === undefined ? compiled(value) : undefined
  return accepts === undefined && copy === undefined
    ? undefined
    : { name, isOptional, isNullable: inner !== undefined, accepts, copy }
}

const fieldsOf = (ast: AST.AST): ReadonlyArray<Field> | undefined => {
  if (!AST.isTypeLiteral(ast) || ast.propertySignatures.length === 0 || ast.indexSignatures.length > 0) return undefined
  const fields = ast.propertySignatures.flatMap((signature) => fieldOf(signature) ?? [])
  return fields.length === ast.propertySignatures.length ? fields : undefined
}

type Record = { [name: string]: unknown }

const isPlain = (value: unknown): value is Record => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The decoded value, or `undefined` where Schema has to decide. */
type Copy = (value: unknown) => unknown

/** Copies the known fields of a plain object that passes every test. */
const copier = (fields: ReadonlyArray<Field>): Copy => {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const required = fields.filter((field) => !field.isOptional).length
  const only = (value: Record): Record => {
    const output: Record = {}
    for (const { name } of fields) if (Object.hasOwn(value, name)) output[name] = value[name]
    return output
  }
  return (value) => {
    if (!isPlain(value)) return undefined
    // A copy of the whole and `for in` are the engine's fast ways through an object. Access by the field names of the
    // schema takes many times as long.
    const copy = { ...value }
    let index = 0
    let missing = required
    let isKnown = true
    for (const name in copy) {
      // The fields of most rows are in the declared order.
      const next = fields[index++]
      const field = next !== undefined && next.name === name ? next : byName.get(name)
      if (field === undefined) {
        isKnown = false
        continue
      }
      const given = copy[name]
      if (given === null && field.isNullable) {
        // Nothing to test.
      } else if (field.accepts !== undefined) {
        if (!field.accepts(given)) return undefined
      } else {
        const decoded = field.copy?.(given)
        if (decoded === undefined) return undefined
        copy[name] = decoded
      }
      if (!field.isOptional) missing--
    }
    return missing > 0 ? undefined : isKnown ? copy : only(copy)
  }
}

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

const orNull =
  (copy: Copy): Copy =>
  (value) =>
    value === null ? null : copy(value)

const accepted =
  (accepts: Predicate.Predicate): Copy =>
  (value) =>
    accepts(value) ? value : undefined

const compiled = Memo.make((ast: AST.AST): Copy | undefined => {
  const fields = fieldsOf(ast)
  if (fields !== undefined) return copier(fields)
  const accepts = predicate(ast)
  if (accepts !== undefined) return accepted(accepts)
  const inner = nullable(ast)
  const element = elementOf(ast)
  const member = inner ?? element
  const copy = member && compiled(member)
  return copy && (inner === undefined ? each(copy) : orNull(copy))
})

/** A decoder of a schema without requirements; `subject` names the value in errors. */
export const make = <A, I>(subject: string, schema: Schema.Schema<A, I>): Decoder<A> => {
  const copy = compiled(schema.ast)
  return (value) => {
    const decoded = copy?.(value)
    return decoded === undefined
      ? Either.mapLeft(ParseResult.decodeUnknownEither(schema, { errors: "all" })(value), (issue) =>
          DecodeError.fromIssue(subject, issue)
        )
      : // A property test compares the tests with the schema.
        Either.right(decoded as A)
  }
}

/** Decodes rows of a resource. */
export const row = <R extends Resource.Any>(resource: R): Decoder<Resource.Row<R>> =>
  make(resource.resource, Resource.rowSchema(resource))

/** Decodes the values of a create. */
export const create = <R extends Resource.Any>(resource: R): Decoder<Resource.Create<R>> =>
  make(resource.resource, Resource.createSchema(resource))

/** Decodes the values of an update. */
export const update = <R extends Resource.Any>(resource: R): Decoder<Resource.Update<R>> =>
  make(resource.resource, Resource.updateSchema(resource))
