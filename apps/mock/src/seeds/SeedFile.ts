/**
 * Reads a seed from a JSON file. The values of its rows are checked when they are inserted.
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
import * as Reason from "../Reason.ts"

/** The error of a seed that cannot be loaded. */
export class SeedError extends Data.TaggedError("SeedError")<{
  /** A file, or the name of a seed that comes with the service. */
  readonly seed: string
  readonly reason: string
}> {
  override get message() {
    return `the seed ${this.seed} cannot be loaded: ${this.reason}`
  }
}

const exact = { exact: true } as const

/** The limit on ids of companies and users, which every index contains besides the id of the row. */
const longestId = 512

const Id = Text.NonEmpty.pipe(
  Schema.filter((id) => Buffer.byteLength(id) <= longestId || `an id of at most ${longestId} bytes`)
)

/** A user's value of an attribute, at most one. Its type is the attribute's. */
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
  /** Makes the category visible to everyone in the company. */
  public: Schema.Boolean,
  active: Schema.optionalWith(Schema.Boolean, exact),
  /** The attributes, in the order in which the service returns them. */
  attributes: Schema.Array(Attribute)
})

const Key = Schema.Struct({
  key: ApiKey,
  name: Text.NonEmpty,
  companyId: Id,
  userId: Id,
  /** The scopes (default: all). */
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
  /** API keys in plain text; the service stores only their digests. */
  keys: Schema.optionalWith(Schema.Array(Key), exact),
  /** Categories of user attributes. */
  attributes: Schema.optionalWith(Schema.Array(AttributeCategory), exact),
  /** Rows by resource, with their ids. Fields that the service fills may be omitted. */
  rows: Schema.Record({ key: Schema.String, value: Schema.Array(Json.JsonObject) })
})
export type Seed = typeof Seed.Type

const decode = Schema.decodeUnknown(Seed, { errors: "all" })

/** Reads the seed in a file. */
export const read = (file: string): Effect.Effect<Seed, SeedError> => {
  const failure = (reason: string) => new SeedError({ seed: file, reason })
  return Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: () => fs.readFile(file, "utf8"),
      catch: (cause) => failure(Reason.ofCause(cause))
    })
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (cause) => failure(`it is not JSON: ${Reason.ofCause(cause)}`)
    })
    return yield* Effect.mapError(decode(json), ({ issue }) => failure(DecodeError.fromIssue("seed", issue).message))
  })
}
