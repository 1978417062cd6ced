/**
 * Marks columns whose values errors, logs and events withhold.
 */
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Option from "effect/Option"

const SensitiveId: unique symbol = Symbol.for("@mfgdata/domain/Sensitive")

/** Marks a sensitive schema in its type, as the annotation does in its AST. */
export interface Mark {
  readonly [SensitiveId]: true
}

/** Marks a schema: only rows contain its values. */
export const make = <S extends Schema.Annotable.All>(schema: S): Schema.Annotable.Self<S> & Mark =>
  Object.assign(schema.annotations({ [SensitiveId]: true }), { [SensitiveId]: true } as const)

/** Reports whether a schema is marked. */
export const is = (ast: AST.AST): boolean => Option.isSome(AST.getAnnotation(SensitiveId)(ast))
