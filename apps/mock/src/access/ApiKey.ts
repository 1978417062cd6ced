/**
 * A key as the service remembers it: everything but the key.
 */
import * as Key from "@mfgdata/domain/ApiKey"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Scope from "@mfgdata/domain/Scope"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Schema from "effect/Schema"
import * as Statement from "../sql/Statement.ts"

const Scopes = Schema.Array(Scope.Scope)
const Moment = Timestamp.Timestamp

export const ApiKey = Schema.Struct({
  id: Schema.String,
  companyId: CompanyId,
  userId: UserId,
  name: Schema.String,
  /** The beginning of the key, by which people tell theirs apart. */
  preview: Schema.String,
  scopes: Scopes,
  createdAt: Moment,
  expiresAt: Schema.NullOr(Moment),
  lastUsedAt: Schema.NullOr(Moment),
  revokedAt: Schema.NullOr(Moment)
})
export type ApiKey = typeof ApiKey.Type

/** Microseconds, as the store has moments. */
const Micros = Schema.transform(Schema.Number, Schema.typeSchema(Moment), {
  strict: true,
  decode: (micros) => Timestamp.fromMicros(BigInt(micros)),
  encode: (timestamp) => Number(Timestamp.toMicros(timestamp))
})

const Stored = Schema.Struct({
  ...ApiKey.fields,
  scopes: Schema.parseJson(Scopes),
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
export const fromRow = (row: ReadonlyArray<Statement.Value>): ApiKey =>
  decode(Object.fromEntries(names.map((name, index) => [name, row[index]])))

/** The store's form of a moment on a clock of milliseconds. */
export const toMicros = (millis: number): number => millis * 1000

/** The beginning of a key, by which people tell theirs apart. */
export const preview = (key: string): string => `${key.slice(0, Key.prefix.length + 4)}...`
