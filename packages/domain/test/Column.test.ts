import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { CalendarDate } from "../src/CalendarDate.ts"
import * as Catalogue from "../src/Catalogue.ts"
import * as Column from "../src/Column.ts"
import * as Id from "../src/Id.ts"
import { JsonNumber, JsonObject } from "../src/Json.ts"
import * as Resource from "../src/Resource.ts"
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
    shelfId: Id.make("shelf"),
    size: Size
  },
  optional: {
    sent: Timestamp,
    extra: JsonObject,
    tags: TextArray,
    code: Sensitive.make(Text),
    outerId: Id.make("box"),
    lid: Size
  },
  returned: { id: Id.make("box"), closedAt: Schema.NullOr(Timestamp) }
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
      "sent timestamp",
      "extra object",
      "tags array",
      "code text",
      "outerId text",
      "lid text"
    ])
  })

  it("tells what may be null, and what may be written", () => {
    assert.deepInclude(column("id"), { nullable: false, write: "never" })
    assert.deepInclude(column("closedAt"), { nullable: true, write: "never" })
    assert.deepInclude(column("label"), { nullable: false, write: "required" })
    assert.deepInclude(column("sent"), { nullable: true, write: "optional" })
  })

  it("finds references, through null too, and none of a key to itself", () => {
    assert.deepStrictEqual(column("shelfId")?.reference, { resource: "shelf", field: "id" })
    assert.deepStrictEqual(column("outerId")?.reference, { resource: "box", field: "id" })
    assert.isUndefined(column("id")?.reference)
    assert.isUndefined(column("label")?.reference)
  })

  it("finds vocabularies, through null too", () => {
    assert.deepStrictEqual(column("size")?.vocabulary, { name: "size", known: ["S", "M"] })
    assert.deepStrictEqual(column("lid")?.vocabulary, { name: "size", known: ["S", "M"] })
    assert.isUndefined(column("label")?.vocabulary)
  })

  it("knows which values are withheld", () => {
    assert.isTrue(column("code")?.sensitive)
    assert.isFalse(column("label")?.sensitive)
    const sensitive = Catalogue.resources.flatMap((resource: Resource.Any) =>
      Column.fromResource(resource)
        .filter((found) => found.sensitive)
        .map(({ name }) => `${resource.resource}.${name}`)
    )
    assert.deepStrictEqual(sensitive, ["oauthCode.code", "oauthClient.clientSecret"])
  })

  it("is computed once", () => {
    assert.strictEqual(Column.byName(Box), Column.byName(Box))
  })
})
