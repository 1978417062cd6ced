/**
 * The annotation of schemas of addresses. It is apart from them, because every column is searched for it.
 */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"

export const HttpAddressId: unique symbol = Symbol.for("@mfgdata/domain/HttpAddress")

/** Reports whether a schema is marked as one of addresses. */
export const isHttpAddress = (ast: AST.AST): boolean => Option.isSome(AST.getAnnotation(HttpAddressId)(ast))
