/**
 * Values that no error, log or event may show. A column says so once, on its schema.
 */
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Option from "effect/Option"

const SensitiveId: unique symbol = Symbol.for("@mfgdata/domain/Sensitive")

/** What tells a sensitive schema from others in types, as the annotation does in an AST. */
export interface Mark {
  readonly [SensitiveId]: true
}

/** The same schema, its values withheld from everything but the rows themselves. */
export const make = <S extends Schema.Annotable.All>(schema: S): Schema.Annotable.Self<S> & Mark =>
  Object.assign(schema.annotations({ [SensitiveId]: true }), { [SensitiveId]: true } as const)

/** Whether a schema's values are to be withheld. */
export const is = (ast: AST.AST): boolean => Option.isSome(AST.getAnnotation(SensitiveId)(ast))
