/**
 * A named object of the wire. Like a resource, a shape is a class: the class is its schema, and as a type it is the
 * object, so that one name serves both and shows in the editor instead of its fields.
 */
import * as Schema from "effect/Schema"
import type { Simplify } from "effect/Types"

/** A shape of some fields; never constructed. */
export interface StructClass<Fields extends Schema.Struct.Fields> extends Schema.Schema<
  Simplify<Schema.Struct.Type<Fields>>,
  Simplify<Schema.Struct.Encoded<Fields>>,
  Schema.Struct.Context<Fields>
> {
  new (_: never): Simplify<Schema.Struct.Type<Fields>>
  readonly fields: Fields
}

/**
 * A shape by its name, which JSON Schema and messages use.
 *
 * @example
 * class Point extends Shape.make("Point", { x: Schema.Finite, y: Schema.Finite }) {}
 */
export const make = <Fields extends Schema.Struct.Fields>(name: string, fields: Fields): StructClass<Fields> =>
  // A struct is a class whose instances are nothing; to say that they are its values is the point of a shape.
  Schema.Struct(fields).annotations({ identifier: name }) as unknown as StructClass<Fields>

/** A field that is always written, and read as null when it is absent. */
export const nullWhenAbsent = { exact: true, default: () => null } as const
