/**
 * The predicate of a leaf schema as an annotation, so that decoders call it instead of walking the schema.
 */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"

/** The annotation with the function that accepts exactly the values of the schema. */
export const PredicateId: unique symbol = Symbol.for("@mfgdata/domain/Predicate")

export interface Predicate {
  (value: unknown): boolean
}

/** The annotated function, or `undefined`. */
export const fromAST = (ast: AST.AST): Predicate | undefined =>
  Option.getOrUndefined(AST.getAnnotation<Predicate>(PredicateId)(ast))
