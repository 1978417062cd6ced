/**
 * Opaque identifiers. A brand is the contract's own arrow, such as `"location.id"`, and the same arrow is
 * annotated on the schema, so that a column's reference needs no second declaration.
 */
import type * as Brand from "effect/Brand"
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
export interface Id<A extends Brand.Brand<string>> extends Schema.BrandSchema<A, string> {}

type Arrow<A> = A extends { readonly [Brand.BrandTypeId]: infer Brands } ? keyof Brands : never

/** The resource and field of an arrow; the field is `id` unless the arrow has another. */
type Target<Arrow> = Arrow extends `${infer Resource}.id`
  ? readonly [resource: Resource]
  : Arrow extends `${infer Resource}.${infer Field}`
    ? readonly [resource: Resource, field: Field]
    : never

/**
 * The identifier of a resource: its `id`, or another field that rows refer to. Declare its type as an alias of its own,
 * so that editors and errors show the name of the alias.
 *
 * @example
 * export type ItemId = string & Brand.Brand<"item.id">
 * export const ItemId = Id.make<ItemId>("item")
 */
export const make = <A extends Brand.Brand<string>>(...target: Target<Arrow<A>>): Id<A> => {
  const [resource = "", field = "id"]: ReadonlyArray<string> = target
  const reference: Reference = { resource, field }
  // The parameters are the parts of the brand.
  return Text.Text.pipe(
    Schema.brand(`${reference.resource}.${reference.field}`),
    Schema.annotations({ [ReferenceId]: reference })
  ) as unknown as Id<A>
}
