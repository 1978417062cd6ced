/**
 * Maps the stored record of an API key, which does not contain the key.
 */
import { ApiKeyRecord } from "@mfgdata/client/AdminApi"
import * as Key from "@mfgdata/domain/ApiKey"
import * as Scope from "@mfgdata/domain/Scope"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import * as Statement from "../sql/Statement.ts"

/** A timestamp as microseconds, the form of the store. */
const Micros = Schema.transform(Schema.Number, Schema.typeSchema(Timestamp.Timestamp), {
  strict: true,
  decode: (micros) => Timestamp.fromMicros(BigInt(micros)),
  encode: (timestamp) => Number(Timestamp.toMicros(timestamp))
})

const Stored = Schema.Struct({
  ...ApiKeyRecord.fields,
  scopes: Schema.parseJson(Schema.Array(Scope.Scope)),
  createdAt: Micros,
  expiresAt: Schema.NullOr(Micros),
  lastUsedAt: Schema.NullOr(Micros),
  revokedAt: Schema.NullOr(Micros)
})

const decode = Schema.decodeUnknownSync(Stored)
const names = Object.keys(Stored.fields)

/** The columns that {@link fromRow} reads, as SQL. */
export const columns = Statement.join(names.map(Statement.identifier), ", ")

/** A row of {@link columns}. */
export const fromRow = (row: ReadonlyArray<Statement.Value>): ApiKeyRecord =>
  decode(Object.fromEntries(names.map((name, index) => [name, row[index]])))

/** The first characters of a key, by which a user recognizes it. */
export const preview = (key: string): string => `${key.slice(0, Key.prefix.length + 4)}...`
