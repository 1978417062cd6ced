/**
 * Enumerated types whose values the contract names but does not show. What is known of them guides the editor and the
 * stricter rules; decoding accepts any non-empty text, because the service may know more than we do.
 */
import * as Schema from "effect/Schema"
import * as Text from "./Text.ts"

/** The annotation under which a vocabulary's schema keeps its {@link Words}. */
export const WordsId: unique symbol = Symbol.for("@mfgdata/domain/Vocabulary/Words")

/** A vocabulary's name in the contract and its known values, in their order. */
export interface Words {
  readonly name: string
  readonly known: ReadonlyArray<string>
}

/** Any non-empty text; the known values are offered and written bare. */
export interface Vocabulary<Name extends string, Known extends string> extends Schema.Schema<
  Known | (string & {}),
  string
> {
  readonly vocabulary: Name
  readonly known: ReadonlyArray<Known>
  /** The known values and nothing else. */
  readonly Known: Schema.SchemaClass<Known>
}

/**
 * A vocabulary by its name in the contract.
 *
 * @example
 * const FulfillmentType = Vocabulary.make("fulfillmentType", ["Inventory", "Job"])
 */
export const make = <const Name extends string, const Known extends string>(
  name: Name,
  known: ReadonlyArray<Known>
): Vocabulary<Name, Known> => {
  const words: Words = { name, known }
  const schema: Schema.Schema<Known | (string & {}), string> = Text.NonEmpty.annotations({
    [WordsId]: words,
    jsonSchema: { type: "string", minLength: 1, examples: [...known] },
    arbitrary: () => (fc) =>
      fc.oneof(
        fc.constantFrom<string>(...known),
        Text.generated(fc).filter((text) => text !== "")
      )
  })
  return Object.assign(schema, { vocabulary: name, known, Known: Schema.Literal(...known) })
}
