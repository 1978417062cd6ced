/**
 * Builds the statements that insert the accounts of a seed: companies, users, API keys and user attributes.
 */
import * as Attribute from "@mfgdata/domain/Attribute"
import * as Decoder from "@mfgdata/domain/Decoder"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as ApiKey from "../access/ApiKey.ts"
import * as KeyCache from "../access/KeyCache.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import { type Fragment, identifier, join, sql } from "../sql/Statement.ts"
import type { World } from "../world/World.ts"
import type { Seed } from "./SeedFile.ts"

type Category = NonNullable<Seed["attributes"]>[number]
type UserAttribute = Category["attributes"][number]
type Value = NonNullable<UserAttribute["values"]>[number]
type Context = Pick<World["Type"], "newId" | "now">

const company = ({ id, name }: Seed["companies"][number]): Fragment =>
  sql`INSERT INTO "_company" ("id", "name") VALUES (${id}, ${name}) ON CONFLICT DO NOTHING`

const user = (user: Seed["users"][number], now: number): ReadonlyArray<Fragment> => [
  sql`INSERT INTO "_user" ("id", "email", "firstName", "lastName", "fullName", "about", "flags", "active", "admin",
    "developer", "acknowledgedITAR", "isConsoleOperator", "createdAt")
    VALUES (${user.id}, ${user.email}, ${user.firstName}, ${user.lastName}, ${user.fullName ?? null},
    ${user.about ?? ""}, ${JSON.stringify(user.flags ?? {})}, ${ServiceColumn.boolean(true)}, ${ServiceColumn.boolean(user.admin ?? false)},
    ${ServiceColumn.boolean(user.developer ?? false)}, ${ServiceColumn.boolean(false)}, ${ServiceColumn.boolean(false)},
    ${ServiceColumn.timestamp(now)}) ON CONFLICT DO NOTHING`,
  ...user.companyIds.map(
    (id) => sql`INSERT INTO "_companyUser" ("companyId", "userId") VALUES (${id}, ${user.id}) ON CONFLICT DO NOTHING`
  )
]

const apiKey = (record: NonNullable<Seed["keys"]>[number], { newId, now }: Context): Fragment => {
  const { companyId, expiresAt = null, name, scopes = ["*"], userId } = record
  const end = ServiceColumn.long(expiresAt === null ? null : Number(Timestamp.toMicros(expiresAt)))
  return sql`INSERT INTO "_apiKey"
    ("id", "companyId", "userId", "name", "digest", "preview", "scopes", "createdAt", "expiresAt")
    VALUES (${newId()}, ${companyId}, ${userId}, ${name}, ${KeyCache.digest(record.key)}, ${ApiKey.preview(record.key)},
    ${JSON.stringify(scopes)}, ${ServiceColumn.long(ServiceColumn.micros(now()))}, ${end}) ON CONFLICT DO NOTHING`
}

const category = ({ active = true, companyId, emoji = null, id, name, public: isPublic }: Category): Fragment =>
  sql`INSERT INTO "_attributeCategory" ("id", "companyId", "name", "emoji", "public", "active")
    VALUES (${id}, ${companyId}, ${name}, ${emoji}, ${ServiceColumn.boolean(isPublic)}, ${ServiceColumn.boolean(active)}) ON CONFLICT DO NOTHING`

const userAttribute = (categoryId: string, attribute: UserAttribute, position: number): Fragment => {
  const { active = true, canSelfManage = false, id, listOptions = null, name, type } = attribute
  const options = listOptions === null ? null : JSON.stringify(listOptions)
  return sql`INSERT INTO "_attribute"
    ("id", "categoryId", "name", "sortOrder", "type", "listOptions", "canSelfManage", "active")
    VALUES (${id}, ${categoryId}, ${name}, ${ServiceColumn.double(position)}, ${type}, ${options}, ${ServiceColumn.boolean(canSelfManage)}, ${ServiceColumn.boolean(active)})
    ON CONFLICT DO NOTHING`
}

const attributeValue = (
  { id: attributeId, type }: UserAttribute,
  { id, userId, value }: Value,
  { newId }: Context
): Either.Either<Fragment, string> => {
  const { column, value: schema } = Attribute.valueTypes[type]
  const stored =
    typeof value === "boolean"
      ? ServiceColumn.boolean(value)
      : typeof value === "number"
        ? ServiceColumn.double(value)
        : value
  const decode = Decoder.make(`attributes.${attributeId}`, Schema.make<unknown>(schema.ast))
  return Either.mapBoth(decode(value), {
    onLeft: ({ message }) => message,
    onRight: () =>
      sql`INSERT INTO "_attributeValue" (${join(["id", "attributeId", "userId", column].map(identifier), ", ")})
        VALUES (${id ?? newId()}, ${attributeId}, ${userId}, ${stored})
        ON CONFLICT DO NOTHING`
  })
}

/** The statements, which leave existing rows unchanged, or the reason why the seed is invalid. */
export const statements = (seed: Seed, context: Context): Either.Either<ReadonlyArray<Fragment>, string> => {
  const { attributes = [], companies, keys = [], users } = seed
  const values = attributes.flatMap(({ attributes }) =>
    attributes.flatMap((attribute) =>
      (attribute.values ?? []).map((value) => attributeValue(attribute, value, context))
    )
  )
  return Either.map(Either.all(values), (values) => [
    ...companies.map(company),
    ...users.flatMap((one) => user(one, context.now())),
    ...keys.map((one) => apiKey(one, context)),
    ...attributes.map(category),
    ...attributes.flatMap(({ attributes, id }) => attributes.map((one, index) => userAttribute(id, one, index + 1))),
    ...values
  ])
}
