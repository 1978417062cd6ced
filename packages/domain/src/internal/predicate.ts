/**
 * The function that decides a leaf schema, kept on the schema itself: whoever compiles schemas calls it directly
 * instead of walking down to it.
 */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"

/** The annotation under which a schema keeps the function that accepts exactly what the schema accepts. */
export const PredicateId: unique symbol = Symbol.for("@mfgdata/domain/Predicate")

export interface Predicate {
  (value: unknown): boolean
}

/** The function that a schema declares, if any. */
export const fromAST = (ast: AST.AST): Predicate | undefined =>
  Option.getOrUndefined(AST.getAnnotation<Predicate>(PredicateId)(ast))
