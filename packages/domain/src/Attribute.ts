/**
 * The schemas of user attributes: categories, attributes, and the values of each user.
 */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import * as CalendarDate from "./CalendarDate.ts"
import * as Id from "./Id.ts"
import { CompanyId, UserId } from "./Ids.ts"
import { names } from "./internal/names.ts"
import * as Json from "./Json.ts"
import * as StructClass from "./StructClass.ts"
import * as Text from "./Text.ts"

export const UserAttributeCategoryId = Id.make<UserAttributeCategoryId>("userAttributeCategory")
export type UserAttributeCategoryId = string & Brand.Brand<"userAttributeCategory.id">

export const UserAttributeId = Id.make<UserAttributeId>("userAttribute")
export type UserAttributeId = string & Brand.Brand<"userAttribute.id">

export const UserAttributeValueId = Id.make<UserAttributeValueId>("userAttributeValue")
export type UserAttributeValueId = string & Brand.Brand<"userAttributeValue.id">

// The contract promises "all keys are present" for a category, and nothing for the three objects inside it: their
// nullable keys are always written, and read as null when they are absent.

/** The type of an attribute. The service has types without a flag, for which all flags are false. */
export class DataType extends StructClass.make("DataType", {
  id: Json.JsonNumber,
  isBoolean: Schema.Boolean,
  isDate: Schema.Boolean,
  isNumeric: Schema.Boolean,
  isText: Schema.Boolean,
  isUser: Schema.Boolean,
  isFile: Schema.Boolean
}) {}

/** A user's value of an attribute, in the column of its type; the other columns are null. */
export class AttributeValue extends StructClass.make("AttributeValue", {
  id: UserAttributeValueId,
  valueBoolean: Schema.optionalWith(Schema.NullOr(Schema.Boolean), StructClass.nullWhenAbsent),
  /** Text in the contract; the service writes YYYY-MM-DD. */
  valueDate: Schema.optionalWith(Schema.NullOr(Text.Text), StructClass.nullWhenAbsent),
  valueNumeric: Schema.optionalWith(Schema.NullOr(Json.JsonNumber), StructClass.nullWhenAbsent),
  valueText: Schema.optionalWith(Schema.NullOr(Text.Text), StructClass.nullWhenAbsent),
  valueUser: Schema.optionalWith(Schema.NullOr(UserId), StructClass.nullWhenAbsent),
  valueFile: Schema.optionalWith(Schema.NullOr(Text.Text), StructClass.nullWhenAbsent)
}) {}

/** An attribute with the values of the calling user. */
export class UserAttribute extends StructClass.make("UserAttribute", {
  id: UserAttributeId,
  name: Text.Text,
  /** The contract's "array of string|null" means an array of texts, or null: options are never null. */
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

/** The schema of each type of value, and the column of {@link AttributeValue} that holds it. */
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

/** The name of a type of value in a write. */
export const ValueType = Schema.Literal(...names(valueTypes))
export type ValueType = typeof ValueType.Type
