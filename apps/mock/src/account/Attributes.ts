/**
 * Reads and writes user attributes: a company's categories, and the values of the calling user.
 */
import * as Attribute from "@mfgdata/domain/Attribute"
import * as Decoder from "@mfgdata/domain/Decoder"
import type * as Operation from "@mfgdata/domain/Operation"
import * as OperationError from "@mfgdata/domain/OperationError"
import type * as Operations from "@mfgdata/domain/Operations"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import type { Rows } from "../sql/Change.ts"
import { empty, type Fragment, identifier, join, sql, text, type Value } from "../sql/Statement.ts"
import type { ServiceTables } from "../store/ServiceTables.ts"
import type { Member } from "../world/World.ts"
import * as OperationErrorResponse from "./OperationErrorResponse.ts"

type Reference = Operation.Request<typeof Operations.account.deleteUserAttributeValue>
type Upsert = Operation.Request<typeof Operations.account.upsertUserAttributeValue>

/** The categories that a request selects. */
export type CategoryFilter =
  | { readonly _tag: "All" }
  | { readonly _tag: "Public"; readonly isPublic: boolean }
  | { readonly _tag: "One"; readonly id: Attribute.UserAttributeCategoryId }

const types = Struct.keys(Attribute.valueTypes)

/** The data types are the types of values, numbered from 1. */
const dataType = (type: Attribute.ValueType): Attribute.DataType => ({
  id: types.indexOf(type) + 1,
  isBoolean: type === "boolean",
  isDate: type === "date",
  isNumeric: type === "numeric",
  isText: type === "text",
  isUser: type === "user",
  isFile: type === "file"
})

const Category = Schema.Struct(Struct.omit(Attribute.Category.fields, "userAttribute"))
const UserAttribute = Schema.Struct({
  ...Struct.pick(Attribute.UserAttribute.fields, "id", "name"),
  type: Attribute.ValueType,
  listOptions: Schema.NullOr(Schema.parseJson(Schema.Array(Schema.String))),
  canSelfManage: Schema.NullOr(ServiceColumn.BooleanFromInteger)
})
const AttributeValue = Schema.Struct({
  ...Attribute.AttributeValue.fields,
  valueBoolean: Schema.NullOr(ServiceColumn.BooleanFromInteger)
})

/** The columns of one table, within a row of a join. */
const part = <A, I>(
  alias: string,
  schema: Schema.Schema<A, I> & { readonly fields: Schema.Struct.Fields },
  start: number
) => {
  const names = Object.keys(schema.fields)
  const decode = Schema.decodeUnknownSync(schema)
  const read = (row: ReadonlyArray<Value>): A =>
    decode(Object.fromEntries(names.map((name, index) => [name, row[start + index]])))
  return {
    columns: names.map((name) => sql`${identifier(alias)}.${identifier(name)}`),
    end: start + names.length,
    read,
    /** The row of the joined table, if the join found one. */
    readAny: (row: ReadonlyArray<Value>): ReadonlyArray<A> => (row[start] === null ? [] : [read(row)])
  }
}

const category = part("c", Category, 0)
const attribute = part("a", UserAttribute, category.end)
const value = part("v", AttributeValue, attribute.end)
const columns = join([...category.columns, ...attribute.columns, ...value.columns], ", ")

const condition = (filter: CategoryFilter): Fragment => {
  switch (filter._tag) {
    case "All":
      return empty
    case "Public":
      return sql` AND c."public" = ${ServiceColumn.boolean(filter.isPublic)}`
    case "One":
      return sql` AND c."id" = ${filter.id}`
  }
}

/** Groups the rows of the join by category. A category without attributes has one row. */
const fold = (rows: Rows): ReadonlyArray<Attribute.Category> =>
  Arr.isNonEmptyReadonlyArray(rows)
    ? Arr.groupWith(rows, ([one], [other]) => one === other).map((group) => ({
        ...category.read(Arr.headNonEmpty(group)),
        userAttribute: group.flatMap((row) =>
          attribute.readAny(row).map(({ type, ...rest }) => ({
            ...rest,
            attributeDataType: dataType(type),
            userAttributeValue: value.readAny(row)
          }))
        )
      }))
    : []

const find = ({ read }: ServiceTables, { companyId, userId }: Member, filter: CategoryFilter) =>
  Effect.map(
    read(sql`SELECT ${columns} FROM "_attributeCategory" AS c
      LEFT JOIN "_attribute" AS a ON a."categoryId" = c."id" AND a."active" = 1
      LEFT JOIN "_attributeValue" AS v ON v."attributeId" = a."id" AND v."userId" = ${userId}
      WHERE c."companyId" = ${companyId} AND c."active" = 1${condition(filter)}
      ORDER BY c."id", a."sortOrder", a."id"`),
    fold
  )

/** The active categories of the caller's company with their active attributes, in order, and the caller's values. */
export const list = (tables: ServiceTables, caller: Member, filter: CategoryFilter) =>
  Effect.map(find(tables, caller, filter), (results): Operations.Categories => ({ results, count: null }))

/** One active category. */
export const get = (tables: ServiceTables, caller: Member, id: Attribute.UserAttributeCategoryId) =>
  Effect.flatMap(find(tables, caller, { _tag: "One", id }), ([category]) =>
    category === undefined
      ? Effect.fail(OperationError.make("NOT_FOUND", "There is no such category"))
      : Effect.succeed(category)
  )

const ownAttribute = ({ companyId }: Member, id: string): Fragment =>
  sql`SELECT a."type", a."listOptions" FROM "_attribute" AS a
    JOIN "_attributeCategory" AS c ON c."id" = a."categoryId"
    WHERE a."id" = ${id} AND c."companyId" = ${companyId} AND a."active" = 1 AND c."active" = 1`

/** Deletes a value of the caller, if there is one. */
export const remove = (
  { write }: ServiceTables,
  caller: Member,
  { userAttributeId, userAttributeValueId }: Reference
) =>
  Effect.as(
    write(sql`DELETE FROM "_attributeValue"
      WHERE "id" = ${userAttributeValueId} AND "attributeId" = ${userAttributeId} AND "userId" = ${caller.userId}
      AND EXISTS (${ownAttribute(caller, userAttributeId)})`),
    null
  )

const decodeAttribute = Schema.decodeUnknownSync(
  Schema.Tuple(UserAttribute.fields.type, UserAttribute.fields.listOptions)
)

/** The schema of a value: the type of the attribute, and one of its options if it has any. */
const valueSchema = ([type, options]: ReturnType<typeof decodeAttribute>) =>
  Schema.Struct({
    type: Schema.Literal(type),
    value: options === null ? Attribute.valueTypes[type].value : Schema.Literal(...options)
  })

const stored = (value: Upsert["value"]): Fragment =>
  typeof value === "boolean"
    ? ServiceColumn.boolean(value)
    : typeof value === "number"
      ? ServiceColumn.double(value)
      : sql`${value}`

const valueColumns = Struct.keys(Struct.omit(Attribute.AttributeValue.fields, "id"))

const assignments = (valueOf: (column: string) => Fragment): Fragment =>
  join(
    valueColumns.map((column) => sql`${identifier(column)} = ${valueOf(column)}`),
    ", "
  )

/** The statement that writes the value into the column of its type, and null into the others. */
const upsertStatement = (
  { userId }: Member,
  { type, userAttributeId, userAttributeValueId, value }: Upsert,
  newId: string
) => {
  const valueOf = (column: string) => (column === Attribute.valueTypes[type].column ? stored(value) : text("NULL"))
  return userAttributeValueId === undefined
    ? sql`INSERT INTO "_attributeValue" ("id", "attributeId", "userId", ${join(valueColumns.map(identifier), ", ")})
        VALUES (${newId}, ${userAttributeId}, ${userId}, ${join(valueColumns.map(valueOf), ", ")})
        ON CONFLICT ("attributeId", "userId")
        DO UPDATE SET ${assignments((column) => sql`excluded.${identifier(column)}`)} RETURNING "id"`
    : sql`UPDATE "_attributeValue" SET ${assignments(valueOf)}
        WHERE "id" = ${userAttributeValueId} AND "attributeId" = ${userAttributeId} AND "userId" = ${userId}
        RETURNING "id"`
}

/** Sets the caller's value of an attribute. */
export const upsert = (tables: ServiceTables, caller: Member, request: Upsert, newId: () => string) =>
  Effect.gen(function* () {
    const [found] = yield* tables.read(ownAttribute(caller, request.userAttributeId))
    if (found === undefined) return yield* Effect.fail(OperationError.make("NOT_FOUND", "There is no such attribute"))
    yield* Either.mapLeft(
      Decoder.make("value", valueSchema(decodeAttribute(found)))(request),
      OperationErrorResponse.fromDecodeError
    )
    const [written] = yield* tables.write(upsertStatement(caller, request, newId()))
    if (written === undefined) return yield* Effect.fail(OperationError.make("NOT_FOUND", "There is no such value"))
    return { id: Attribute.UserAttributeValueId.make(String(written[0])) }
  })
