/**
 * Every operation of the account namespace: the contract's nine, and four more that are marked as extensions.
 */
import * as Schema from "effect/Schema"
import * as Account from "./Account.ts"
import * as Attribute from "./Attribute.ts"
import { UserId } from "./Ids.ts"
import * as Json from "./Json.ts"
import * as Operation from "./Operation.ts"
import * as StructClass from "./StructClass.ts"
import * as Text from "./Text.ts"

/** A list: `count` is the number of matching rows where a read is paged, else null, and may be absent when read. */
const listOf = <Item extends Schema.Schema.AnyNoContext>(name: string, item: Item) =>
  StructClass.make(name, {
    results: Schema.Array(item),
    count: Schema.optionalWith(Schema.NullOr(Json.JsonNumber), StructClass.nullWhenAbsent)
  })

/** The stored choices of a user. */
export class NotificationPreferences extends listOf("NotificationPreferences", Account.NotificationPreference) {}

/** Categories with their attributes. */
export class Categories extends listOf("Categories", Attribute.Category) {}

/** The value that was written. */
export class AttributeValueReference extends StructClass.make("AttributeValueReference", {
  id: Attribute.UserAttributeValueId
}) {}

const omittable = { exact: true } as const

/** The operations of the namespace `account`, by name. */
export const account = Operation.table("account", {
  getNotificationPreferences: {
    summary: "The notification choices that the calling user has stored",
    parameters: {},
    response: NotificationPreferences
  },
  upsertNotificationPreference: {
    summary: "Stores whether notifications on a topic go to the calling user over a channel",
    parameters: {
      topic: Account.NotificationTopic,
      channel: Account.NotificationChannel.Known,
      enabled: Schema.Boolean
    },
    response: Schema.Null
  },
  deleteUserAttributeValue: {
    summary: "Deletes a value that the calling user has for an attribute; changes nothing when there is none",
    parameters: {
      userAttributeId: Attribute.UserAttributeId,
      userAttributeValueId: Attribute.UserAttributeValueId
    },
    response: Schema.Null
  },
  getAccount: {
    summary: "The account of a user of the caller's company",
    parameters: { id: UserId },
    response: Account.Account,
    refusals: ["NOT_FOUND"]
  },
  getCurrentUser: {
    summary: "The profile of the user that owns the calling key",
    parameters: {},
    response: Account.CurrentUser
  },
  getAttributes: {
    summary: "The active categories that are public, or those that are private, with the caller's values",
    parameters: { isPublic: Schema.Boolean },
    response: Categories
  },
  getPrivateAttributes: {
    summary: "The active private categories, with the caller's values",
    parameters: {},
    response: Categories
  },
  getPublicAttributes: {
    summary: "The active public categories, with the caller's values",
    parameters: {},
    response: Categories
  },
  getAllAttributeCategories: {
    summary: "All active categories, public and private, with the caller's values",
    parameters: {},
    response: Categories
  },
  getAttributeCategoryWithValues: {
    summary: "One category, with the caller's values",
    parameters: { categoryId: Attribute.UserAttributeCategoryId },
    response: Attribute.Category,
    refusals: ["NOT_FOUND"],
    extension: true
  },
  updateAvatar: {
    summary: "Sets or removes the address of the calling user's picture",
    parameters: { avatarUrl: Schema.NullOr(Text.Text) },
    response: Schema.Null,
    extension: true
  },
  updatePublicAccount: {
    summary: "Changes what others see of the calling user; what is left out stays as it is",
    parameters: {
      id: UserId,
      firstName: Text.Text,
      lastName: Text.Text,
      about: Schema.optionalWith(Text.Text, omittable),
      phone: Schema.optionalWith(Schema.NullOr(Text.Text), omittable)
    },
    response: Schema.Null,
    refusals: ["NOT_FOUND"],
    extension: true
  },
  upsertUserAttributeValue: {
    summary: "Sets the calling user's value of an attribute; the type says what the value must be",
    parameters: {
      userAttributeId: Attribute.UserAttributeId,
      userAttributeValueId: Schema.optionalWith(Attribute.UserAttributeValueId, omittable),
      type: Attribute.ValueType,
      value: Schema.Union(Schema.Boolean, Text.Text, Json.JsonNumber)
    },
    response: AttributeValueReference,
    refusals: ["NOT_FOUND"],
    extension: true
  }
})

/** The name of an operation. */
export type Name = keyof typeof account

/** All operations, in the order of the contract. */
export const all: ReadonlyArray<Operation.Any> = Object.values(account)
