/**
 * A seed as JSON in a file. What its rows hold is checked where they are planted.
 */
import { ApiKey } from "@mfgdata/domain/ApiKey"
import { ValueType } from "@mfgdata/domain/Attribute"
import * as Json from "@mfgdata/domain/Json"
import { Scope } from "@mfgdata/domain/Scope"
import * as Text from "@mfgdata/domain/Text"
import { Timestamp } from "@mfgdata/domain/Timestamp"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as fs from "node:fs/promises"

/** A seed that cannot be planted. */
export class SeedError extends Data.TaggedError("SeedError")<{
  /** A file, or the name of a seed that comes with the service. */
  readonly seed: string
  readonly reason: string
}> {
  override get message() {
    return `the seed ${this.seed} cannot be planted: ${this.reason}`
  }
}

const exact = { exact: true } as const

/** A company's user may have one value of an attribute; what it must be follows from the attribute's type. */
const AttributeValue = Schema.Struct({
  id: Schema.optionalWith(Text.NonEmpty, exact),
  userId: Text.NonEmpty,
  value: Schema.Union(Schema.Boolean, Schema.Number, Schema.String)
})

const Attribute = Schema.Struct({
  id: Text.NonEmpty,
  name: Text.Text,
  type: ValueType,
  listOptions: Schema.optionalWith(Schema.NullOr(Schema.Array(Text.Text)), exact),
  canSelfManage: Schema.optionalWith(Schema.Boolean, exact),
  active: Schema.optionalWith(Schema.Boolean, exact),
  values: Schema.optionalWith(Schema.Array(AttributeValue), exact)
})

const AttributeCategory = Schema.Struct({
  id: Text.NonEmpty,
  companyId: Text.NonEmpty,
  name: Text.Text,
  emoji: Schema.optionalWith(Schema.NullOr(Text.Text), exact),
  /** Whether everyone in the company sees it. */
  public: Schema.Boolean,
  active: Schema.optionalWith(Schema.Boolean, exact),
  /** In the order in which they are answered. */
  attributes: Schema.Array(Attribute)
})

const Key = Schema.Struct({
  key: ApiKey,
  name: Text.NonEmpty,
  companyId: Text.NonEmpty,
  userId: Text.NonEmpty,
  /** Everything where they are left out. */
  scopes: Schema.optionalWith(Schema.Array(Scope), exact),
  expiresAt: Schema.optionalWith(Schema.NullOr(Timestamp), exact)
})

export const Seed = Schema.Struct({
  companies: Schema.Array(Schema.Struct({ id: Text.NonEmpty, name: Text.Text })),
  users: Schema.Array(
    Schema.Struct({
      id: Text.NonEmpty,
      companyIds: Schema.Array(Text.NonEmpty),
      email: Text.Text,
      firstName: Text.Text,
      lastName: Text.Text,
      fullName: Schema.optionalWith(Text.Text, exact),
      about: Schema.optionalWith(Text.Text, exact),
      admin: Schema.optionalWith(Schema.Boolean, exact),
      developer: Schema.optionalWith(Schema.Boolean, exact),
      flags: Schema.optionalWith(Json.JsonObject, exact)
    })
  ),
  /** Keys that are known by their text; only digests of them are kept. */
  keys: Schema.optionalWith(Schema.Array(Key), exact),
  /** What companies record of their users. */
  attributes: Schema.optionalWith(Schema.Array(AttributeCategory), exact),
  /** Rows by resource. Their ids are kept; what the service fills may be left out. */
  rows: Schema.Record({ key: Schema.String, value: Schema.Array(Json.JsonObject) })
})
export type Seed = typeof Seed.Type

const decode = Schema.decodeUnknown(Schema.parseJson(Seed), { errors: "all" })

/** The seed that a file holds. */
export const read = (file: string): Effect.Effect<Seed, SeedError> =>
  Effect.tryPromise({
    try: () => fs.readFile(file, "utf8"),
    catch: (cause) => new SeedError({ seed: file, reason: cause instanceof Error ? cause.message : String(cause) })
  }).pipe(
    Effect.flatMap(decode),
    Effect.catchTag("ParseError", (error) =>
      Effect.fail(new SeedError({ seed: file, reason: ParseResult.TreeFormatter.formatErrorSync(error) }))
    )
  )
