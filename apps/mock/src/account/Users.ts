/**
 * Reads accounts of users of the caller's company, and updates the caller's own account.
 */
import * as Account from "@mfgdata/domain/Account"
import type { UserId } from "@mfgdata/domain/Ids"
import * as Json from "@mfgdata/domain/Json"
import type * as Operation from "@mfgdata/domain/Operation"
import * as OperationError from "@mfgdata/domain/OperationError"
import type * as Operations from "@mfgdata/domain/Operations"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { empty, identifier, join, sql } from "../sql/Statement.ts"
import type { ServiceTables } from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { Member } from "../world/World.ts"

type PublicAccount = Operation.Request<typeof Operations.account.updatePublicAccount>

const Stored = Schema.Struct({
  ...Account.Account.fields,
  flags: Schema.parseJson(Json.Json),
  acknowledgedITAR: ServiceColumn.BooleanFromInteger,
  active: Schema.NullOr(ServiceColumn.BooleanFromInteger),
  admin: Schema.NullOr(ServiceColumn.BooleanFromInteger),
  developer: Schema.NullOr(ServiceColumn.BooleanFromInteger),
  isConsoleOperator: ServiceColumn.BooleanFromInteger
})

const decode = Schema.decodeUnknownSync(Stored)
const names = Struct.keys(Stored.fields)
const columns = join(
  names.map((name) => sql`u.${identifier(name)}`),
  ", "
)

/** The caller's company has no user of this id; users of other companies are not revealed. */
const absent = OperationError.make("NOT_FOUND", "There is no such user")

const find = ({ read }: ServiceTables, { companyId }: Member, id: UserId) =>
  Effect.map(
    read(sql`SELECT ${columns} FROM "_user" AS u JOIN "_companyUser" AS m ON m."userId" = u."id"
      WHERE u."id" = ${id} AND m."companyId" = ${companyId}`),
    Arr.map((row) => decode(Object.fromEntries(names.map((name, index) => [name, row[index]]))))
  )

/** The account of a user of the caller's company. */
export const get = (tables: ServiceTables, caller: Member, id: UserId) =>
  Effect.flatMap(find(tables, caller, id), ([account]) =>
    account === undefined ? Effect.fail(absent) : Effect.succeed(account)
  )

/** The profile fields of an account. */
const toProfile = Schema.decodeSync(Account.CurrentUser)

/** The profile of the caller. */
export const profile = (tables: ServiceTables, caller: Member) =>
  Effect.flatMap(find(tables, caller, caller.userId), ([account]) =>
    account === undefined
      ? Effect.fail(OperationError.make("UNAUTHORIZED", "The user of the API key is gone"))
      : Effect.succeed(toProfile(account))
  )

/** Sets or clears the caller's avatar. */
export const updateAvatar = ({ write }: ServiceTables, { userId }: Member, avatarUrl: string | null, millis: number) =>
  Effect.as(
    write(
      sql`UPDATE "_user" SET "avatarUrl" = ${avatarUrl}, "updatedAt" = ${ServiceColumn.timestamp(millis)} WHERE "id" = ${userId}`
    ),
    null
  )

/** Changes the caller's own account. The full name follows the two names. */
export const updatePublic = (
  { write }: ServiceTables,
  { userId }: Member,
  { about, firstName, id, lastName, phone }: PublicAccount,
  millis: number
): Effect.Effect<null, StoreUnavailable | typeof absent> =>
  id !== userId
    ? Effect.fail(absent)
    : Effect.as(
        write(sql`UPDATE "_user" SET "firstName" = ${firstName}, "lastName" = ${lastName},
          "fullName" = ${`${firstName} ${lastName}`.trim()},
          ${about === undefined ? empty : sql`"about" = ${about}, `}
          ${phone === undefined ? empty : sql`"phone" = ${phone}, `}
          "updatedAt" = ${ServiceColumn.timestamp(millis)} WHERE "id" = ${id}`),
        null
      )
