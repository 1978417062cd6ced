/**
 * Enumerated types of the contract, which names them without their words. Editors and stricter rules use the known words;
 * decoding accepts any non-empty text, because the service can have others.
 */
import * as Schema from "effect/Schema"
import * as Text from "./Text.ts"

/** The annotation of a vocabulary's schema with its {@link Words}. */
export const WordsId: unique symbol = Symbol.for("@mfgdata/domain/Vocabulary/Words")

/** The name of a vocabulary in the contract, and its known words in order. */
export interface Words {
  readonly name: string
  readonly known: ReadonlyArray<string>
  /** Where a service accepts the known words only, under every rule set: in writes, or in filters too. */
  readonly closed?: "writes" | "always"
}

/** The schema of any non-empty text, whose type suggests the known words. */
export interface Vocabulary<Name extends string, Known extends string> extends Schema.Schema<
  Known | (string & {}),
  string
> {
  readonly vocabulary: Name
  readonly known: ReadonlyArray<Known>
  /** The schema of the known words only. */
  readonly Known: Schema.SchemaClass<Known>
}

/**
 * Makes a vocabulary from its name in the contract and its known words.
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
