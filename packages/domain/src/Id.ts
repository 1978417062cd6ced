/**
 * Opaque identifiers. A brand is the contract's own arrow, such as `"location.id"`, and the same arrow is
 * annotated on the schema, so that a column's reference needs no second declaration.
 */
import * as Schema from "effect/Schema"
import * as Text from "./Text.ts"

/** Where an identifier points: a field of a resource. */
export interface Reference {
  readonly resource: string
  readonly field: string
}

/** The annotation under which an id's schema keeps its {@link Reference}. */
export const ReferenceId: unique symbol = Symbol.for("@mfgdata/domain/Id/Reference")

/** A text that names one row, the empty one included; never checked for the service's own form. */
export interface Id<Arrow extends string> extends Schema.brand<typeof Text.Text, Arrow> {}

/** The identifier of a resource: its `id`, or another field that rows refer to. */
export const make = <const Resource extends string, const Field extends string = "id">(
  resource: Resource,
  field?: Field
): Id<`${Resource}.${Field}`> => {
  const reference: Reference = { resource, field: field ?? "id" }
  return Text.Text.pipe(
    // The default of a type parameter is invisible to inference of its value.
    Schema.brand(`${resource}.${reference.field}` as `${Resource}.${Field}`),
    Schema.annotations({ [ReferenceId]: reference })
  ) as Id<`${Resource}.${Field}`>
}
