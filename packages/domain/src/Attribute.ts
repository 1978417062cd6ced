/**
 * What a company records of its users beyond their accounts: categories of attributes, and each user's values.
 */
import * as Schema from "effect/Schema"
import * as CalendarDate from "./CalendarDate.ts"
import * as Id from "./Id.ts"
import { CompanyId, UserId } from "./Ids.ts"
import { names } from "./internal/names.ts"
import * as Json from "./Json.ts"
import * as StructClass from "./StructClass.ts"
import * as Text from "./Text.ts"

export const UserAttributeCategoryId = Id.make("userAttributeCategory")
export type UserAttributeCategoryId = typeof UserAttributeCategoryId.Type

export const UserAttributeId = Id.make("userAttribute")
export type UserAttributeId = typeof UserAttributeId.Type

export const UserAttributeValueId = Id.make("userAttributeValue")
export type UserAttributeValueId = typeof UserAttributeValueId.Type

// The contract promises "all keys are present" of a category and says nothing of the three shapes inside it: there,
// a nullable key is always written, and read as null when it is absent.

/** What a value may be. The service knows types that none of these flags tells, so all of them may be false. */
export class DataType extends StructClass.make("DataType", {
  id: Json.JsonNumber,
  isBoolean: Schema.Boolean,
  isDate: Schema.Boolean,
  isNumeric: Schema.Boolean,
  isText: Schema.Boolean,
  isUser: Schema.Boolean,
  isFile: Schema.Boolean
}) {}

/** One user's value of an attribute: the column of its type holds it, the others are null. */
export class AttributeValue extends StructClass.make("AttributeValue", {
  id: UserAttributeValueId,
  valueBoolean: Schema.optionalWith(Schema.NullOr(Schema.Boolean), StructClass.nullWhenAbsent),
  /** Text, as the contract types it; a service writes YYYY-MM-DD. */
  valueDate: Schema.optionalWith(Schema.NullOr(Text.Text), StructClass.nullWhenAbsent),
  valueNumeric: Schema.optionalWith(Schema.NullOr(Json.JsonNumber), StructClass.nullWhenAbsent),
  valueText: Schema.optionalWith(Schema.NullOr(Text.Text), StructClass.nullWhenAbsent),
  valueUser: Schema.optionalWith(Schema.NullOr(UserId), StructClass.nullWhenAbsent),
  valueFile: Schema.optionalWith(Schema.NullOr(Text.Text), StructClass.nullWhenAbsent)
}) {}

/** An attribute with the values that the calling user has. */
export class UserAttribute extends StructClass.make("UserAttribute", {
  id: UserAttributeId,
  name: Text.Text,
  /** "array of string|null" is read as an array of text, or null: no option of a list is null. */
  listOptions: Schema.optionalWith(Schema.NullOr(Schema.Array(Text.Text)), StructClass.nullWhenAbsent),
  canSelfManage: Schema.optionalWith(Schema.NullOr(Schema.Boolean), StructClass.nullWhenAbsent),
  attributeDataType: DataType,
  userAttributeValue: Schema.Array(AttributeValue)
}) {}

/** A category with its attributes. */
export class Category extends StructClass.make("Category", {
  id: UserAttributeCategoryId,
  name: Text.Text,
  emoji: Schema.NullOr(Text.Text),
  companyId: Schema.NullOr(CompanyId),
  userAttribute: Schema.Array(UserAttribute)
}) {}

type ValueColumn = Exclude<keyof AttributeValue, "id">

/** What a value of each type must be, and the column of {@link AttributeValue} that holds it. */
export const valueTypes = {
  boolean: { column: "valueBoolean", value: Schema.Boolean },
  date: { column: "valueDate", value: CalendarDate.CalendarDate },
  list: { column: "valueText", value: Text.Text },
  numeric: { column: "valueNumeric", value: Json.JsonNumber },
  text: { column: "valueText", value: Text.Text },
  user: { column: "valueUser", value: UserId },
  customer: { column: "valueText", value: Text.NonEmpty },
  supplier: { column: "valueText", value: Text.NonEmpty },
  file: { column: "valueFile", value: Text.NonEmpty }
} as const satisfies { readonly [type: string]: { readonly column: ValueColumn; readonly value: Schema.Schema.Any } }

/** A type of value, as a write names it. */
export const ValueType = Schema.Literal(...names(valueTypes))
export type ValueType = typeof ValueType.Type
