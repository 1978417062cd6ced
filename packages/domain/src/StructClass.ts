/**
 * Named structs as classes: the class is the schema, and its type is that of the object. Editors show its name instead of
 * its fields.
 */
import * as Schema from "effect/Schema"
import type { Simplify } from "effect/Types"

/** A struct of some fields; the class is never constructed. */
export interface StructClass<Fields extends Schema.Struct.Fields> extends Schema.Schema<
  Simplify<Schema.Struct.Type<Fields>>,
  Simplify<Schema.Struct.Encoded<Fields>>,
  Schema.Struct.Context<Fields>
> {
  new (_: never): Simplify<Schema.Struct.Type<Fields>>
  readonly fields: Fields
}

/**
 * Makes a struct with a name, which JSON Schema and messages use.
 *
 * @example
 * class Point extends StructClass.make("Point", { x: Schema.Finite, y: Schema.Finite }) {}
 */
export const make = <Fields extends Schema.Struct.Fields>(name: string, fields: Fields): StructClass<Fields> =>
  // The class is never constructed, so that its instance type can be that of the object.
  Schema.Struct(fields).annotations({ identifier: name }) as unknown as StructClass<Fields>

/** The options of a field that is always encoded, and decoded as null where it is absent. */
export const nullWhenAbsent = { exact: true, default: () => null } as const
