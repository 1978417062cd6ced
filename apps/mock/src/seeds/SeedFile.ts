/**
 * A seed as JSON in a file. What its rows hold is checked where they are planted.
 */
import { ApiKey } from "@mfgdata/domain/ApiKey"
import { ValueType } from "@mfgdata/domain/Attribute"
import * as Json from "@mfgdata/domain/Json"
import * as DecodeError from "@mfgdata/domain/DecodeError"
import { Scope } from "@mfgdata/domain/Scope"
import * as Text from "@mfgdata/domain/Text"
import { Timestamp } from "@mfgdata/domain/Timestamp"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
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

/** Ids of companies and users stand in every index, beside a row's own. */
const longestId = 512

const Id = Text.NonEmpty.pipe(
  Schema.filter((id) => Buffer.byteLength(id) <= longestId || `an id of at most ${longestId} bytes`)
)

/** A company's user may have one value of an attribute; what it must be follows from the attribute's type. */
const AttributeValue = Schema.Struct({
  id: Schema.optionalWith(Id, exact),
  userId: Id,
  value: Schema.Union(Schema.Boolean, Schema.Number, Schema.String)
})

const Attribute = Schema.Struct({
  id: Id,
  name: Text.Text,
  type: ValueType,
  listOptions: Schema.optionalWith(Schema.NullOr(Schema.Array(Text.Text)), exact),
  canSelfManage: Schema.optionalWith(Schema.Boolean, exact),
  active: Schema.optionalWith(Schema.Boolean, exact),
  values: Schema.optionalWith(Schema.Array(AttributeValue), exact)
})

const AttributeCategory = Schema.Struct({
  id: Id,
  companyId: Id,
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
  companyId: Id,
  userId: Id,
  /** Everything where they are left out. */
  scopes: Schema.optionalWith(Schema.Array(Scope), exact),
  expiresAt: Schema.optionalWith(Schema.NullOr(Timestamp), exact)
})

export const Seed = Schema.Struct({
  companies: Schema.Array(Schema.Struct({ id: Id, name: Text.Text })),
  users: Schema.Array(
    Schema.Struct({
      id: Id,
      companyIds: Schema.Array(Id),
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

const decode = Schema.decodeUnknown(Seed, { errors: "all" })

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The seed that a file holds. */
export const read = (file: string): Effect.Effect<Seed, SeedError> => {
  const failure = (reason: string) => new SeedError({ seed: file, reason })
  return Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: () => fs.readFile(file, "utf8"),
      catch: (cause) => failure(wordsOf(cause))
    })
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (cause) => failure(`it is not JSON: ${wordsOf(cause)}`)
    })
    return yield* Effect.mapError(decode(json), ({ issue }) => failure(DecodeError.fromIssue("seed", issue).message))
  })
}
