/**
 * Declares the fields that the administrator's operations have in common.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Schema from "effect/Schema"

const exact = { exact: true } as const

/** A field that may be absent. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, exact)

/** A field with a default. */
export const defaulted = <A, I>(schema: Schema.Schema<A, I>, fallback: () => NoInfer<A>) =>
  Schema.optionalWith(schema, { ...exact, default: fallback })

export const ResourceName = Schema.String.pipe(
  Schema.filter((name) => Catalogue.find(name) !== undefined || "expected the name of a resource, such as holiday")
)

/** A whole number in a path or a query. */
export const Whole = Schema.NumberFromString.pipe(Schema.int(), Schema.between(0, Number.MAX_SAFE_INTEGER))

/** The number of items of a page, 100 by default. */
export const limit = (most: number) =>
  defaulted(Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, most)), () => 100)
