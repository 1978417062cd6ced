/**
 * Declares the operations of the account namespace: the nine of the contract, and four extensions.
 */
import * as Schema from "effect/Schema"
import * as Account from "./Account.ts"
import * as Attribute from "./Attribute.ts"
import * as HttpAddress from "./HttpAddress.ts"
import { UserId } from "./Ids.ts"
import * as Json from "./Json.ts"
import * as Operation from "./Operation.ts"
import * as StructClass from "./StructClass.ts"
import * as Text from "./Text.ts"

/** The version of the operation interface. */
export const version = "1.0.0"

/** A list: `count` is the number of matching rows of a paged read, else null; it is optional when decoded. */
const listOf = <Item extends Schema.Schema.AnyNoContext>(name: string, item: Item) =>
  StructClass.make(name, {
    results: Schema.Array(item),
    count: Schema.optionalWith(Schema.NullOr(Json.JsonNumber), StructClass.nullWhenAbsent)
  })

/** The stored notification preferences of a user. */
export class NotificationPreferences extends listOf("NotificationPreferences", Account.NotificationPreference) {}

/** Categories with their attributes. */
export class Categories extends listOf("Categories", Attribute.Category) {}

/** The id of the written value. */
export class AttributeValueReference extends StructClass.make("AttributeValueReference", {
  id: Attribute.UserAttributeValueId
}) {}

const omittable = { exact: true } as const

/** The operations of the namespace `account`, by name. */
export const account = Operation.table("account", {
  getNotificationPreferences: {
    summary: "Returns the stored notification preferences of the calling user",
    parameters: {},
    response: NotificationPreferences,
    scope: "account:read"
  },
  upsertNotificationPreference: {
    summary: "Stores whether the calling user receives notifications on a topic over a channel",
    parameters: {
      topic: Account.NotificationTopic,
      channel: Account.NotificationChannel.Known,
      enabled: Schema.Boolean
    },
    response: Schema.Null,
    scope: "account:write"
  },
  deleteUserAttributeValue: {
    summary: "Deletes a value of the calling user for an attribute; a missing value is not an error",
    parameters: {
      userAttributeId: Attribute.UserAttributeId,
      userAttributeValueId: Attribute.UserAttributeValueId
    },
    response: Schema.Null,
    scope: "account:write"
  },
  getAccount: {
    summary: "Returns the account of a user of the caller's company",
    parameters: { id: UserId },
    response: Account.Account,
    scope: "account:read",
    errorCodes: ["NOT_FOUND"]
  },
  getCurrentUser: {
    summary: "Returns the profile of the user that owns the API key",
    parameters: {},
    response: Account.CurrentUser,
    scope: undefined
  },
  getAttributes: {
    summary: "Returns the active public or private categories, with the caller's values",
    parameters: { isPublic: Schema.Boolean },
    response: Categories,
    scope: "account:read"
  },
  getPrivateAttributes: {
    summary: "Returns the active private categories, with the caller's values",
    parameters: {},
    response: Categories,
    scope: "account:read"
  },
  getPublicAttributes: {
    summary: "Returns the active public categories, with the caller's values",
    parameters: {},
    response: Categories,
    scope: "account:read"
  },
  getAllAttributeCategories: {
    summary: "Returns all active categories, public and private, with the caller's values",
    parameters: {},
    response: Categories,
    scope: "account:read"
  },
  getAttributeCategoryWithValues: {
    summary: "Returns one category, with the caller's values",
    parameters: { categoryId: Attribute.UserAttributeCategoryId },
    response: Attribute.Category,
    scope: "account:read",
    errorCodes: ["NOT_FOUND"],
    extension: true
  },
  updateAvatar: {
    summary: "Sets or removes the URL of the calling user's avatar",
    parameters: { avatarUrl: Schema.NullOr(HttpAddress.CheckedHttpAddress) },
    response: Schema.Null,
    scope: "account:write",
    extension: true
  },
  updatePublicAccount: {
    summary: "Changes some fields of the calling user's public account",
    parameters: {
      id: UserId,
      firstName: Text.Text,
      lastName: Text.Text,
      about: Schema.optionalWith(Text.Text, omittable),
      phone: Schema.optionalWith(Schema.NullOr(Text.Text), omittable)
    },
    response: Schema.Null,
    scope: "account:write",
    errorCodes: ["NOT_FOUND"],
    extension: true
  },
  upsertUserAttributeValue: {
    summary: "Sets the calling user's value of an attribute; the attribute's type decides the type of the value",
    parameters: {
      userAttributeId: Attribute.UserAttributeId,
      userAttributeValueId: Schema.optionalWith(Attribute.UserAttributeValueId, omittable),
      type: Attribute.ValueType,
      value: Schema.Union(Schema.Boolean, Text.Text, Json.JsonNumber)
    },
    response: AttributeValueReference,
    scope: "account:write",
    errorCodes: ["NOT_FOUND"],
    extension: true
  }
})

/** The name of an operation. */
export type Name = keyof typeof account

/** All operations, in the order of the contract. */
export const all: ReadonlyArray<Operation.Any> = Object.values(account)
