import { assert, describe, it } from "@effect/vitest"
import type * as Brand from "effect/Brand"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { CalendarDate } from "../src/CalendarDate.ts"
import * as Catalogue from "../src/Catalogue.ts"
import * as Column from "../src/Column.ts"
import * as Decoder from "../src/Decoder.ts"
import * as Id from "../src/Id.ts"
import { JsonNumber, JsonObject } from "../src/Json.ts"
import * as Resource from "../src/Resource.ts"
import type { RuleSet } from "../src/ResourceRules.ts"
import * as Sensitive from "../src/Sensitive.ts"
import { NonEmpty, Text, TextArray } from "../src/Text.ts"
import { Timestamp } from "../src/Timestamp.ts"
import * as Vocabulary from "../src/Vocabulary.ts"

const Size = Vocabulary.make("size", ["S", "M"])

class Box extends Resource.make("box", {
  key: "id",
  required: {
    label: NonEmpty,
    weight: JsonNumber,
    fragile: Schema.Boolean,
    packed: CalendarDate,
    shelfId: Id.make<string & Brand.Brand<"shelf.id">>("shelf"),
    size: Size,
    parts: TextArray
  },
  optional: {
    sent: Timestamp,
    extra: JsonObject,
    tags: TextArray,
    code: Sensitive.make(Text),
    outerId: Id.make<string & Brand.Brand<"box.id">>("box"),
    lid: Size
  },
  returned: { id: Id.make<string & Brand.Brand<"box.id">>("box"), closedAt: Schema.NullOr(Timestamp) }
}) {}

const column = (name: string): Column.Column | undefined => Column.byName(Box).get(name)

describe("Column", () => {
  it("reads types off the schemas", () => {
    const types = Column.fromResource(Box).map(({ name, type }) => `${name} ${type}`)
    assert.deepStrictEqual(types, [
      "id text",
      "closedAt timestamp",
      "label text",
      "weight number",
      "fragile boolean",
      "packed date",
      "shelfId text",
      "size text",
      "parts array",
      "sent timestamp",
      "extra object",
      "tags array",
      "code text",
      "outerId text",
      "lid text"
    ])
  })

  it("marks the columns that may be null, and those that may be written", () => {
    assert.deepInclude(column("id"), { nullable: false, write: "never" })
    assert.deepInclude(column("closedAt"), { nullable: true, write: "never" })
    assert.deepInclude(column("label"), { nullable: false, write: "required" })
    assert.deepInclude(column("sent"), { nullable: true, write: "optional" })
  })

  it("finds references, also of nullable columns, and none from a key to itself", () => {
    assert.deepStrictEqual(column("shelfId")?.reference, { resource: "shelf", field: "id" })
    assert.deepStrictEqual(column("outerId")?.reference, { resource: "box", field: "id" })
    assert.isUndefined(column("id")?.reference)
    assert.isUndefined(column("label")?.reference)
  })

  it("finds vocabularies, also of nullable columns", () => {
    assert.deepStrictEqual(column("size")?.vocabulary, { name: "size", known: ["S", "M"] })
    assert.deepStrictEqual(column("lid")?.vocabulary, { name: "size", known: ["S", "M"] })
    assert.isUndefined(column("label")?.vocabulary)
  })

  it("marks the sensitive columns", () => {
    assert.isTrue(column("code")?.sensitive)
    assert.isFalse(column("label")?.sensitive)
    const sensitive = Catalogue.resources.flatMap((resource: Resource.Any) =>
      Column.fromResource(resource)
        .filter((found) => found.sensitive)
        .map(({ name }) => `${resource.resource}.${name}`)
    )
    assert.deepStrictEqual(sensitive, ["oauthCode.code", "oauthClient.clientSecret"])
  })

  it("takes any JSON in an array under the contract rules, and text under the public ones", () => {
    const take = (rules: RuleSet, column: string) => {
      const schema = Column.schemas(Box, rules)[column]
      return (value: unknown) => schema !== undefined && Either.isRight(Schema.decodeUnknownEither(schema)(value))
    }
    const elements = [1, "a", null, true, [{ x: [] }]]
    assert.isTrue(take("contract", "tags")(elements))
    assert.isTrue(take("contract", "tags")(null))
    assert.isFalse(take("contract", "tags")({}))
    assert.isFalse(take("contract", "tags")(["\u0000"]))
    assert.isFalse(take("contract", "parts")(null))
    assert.isFalse(take("public", "tags")(elements))
    assert.isTrue(take("public", "tags")(["a"]))
    for (const rules of ["contract", "public"] as const) assert.isFalse(take(rules, "label")(""))
    // Clients create and decode text under either rule set.
    const update = Decoder.update(Box)
    assert.deepStrictEqual([update({ tags: ["a"] })._tag, update({ tags: elements })._tag], ["Right", "Left"])
  })

  it("is computed once", () => {
    assert.strictEqual(Column.byName(Box), Column.byName(Box))
  })
})
