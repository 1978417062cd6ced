import type * as Account from "../src/Account.ts"
import type * as Attribute from "../src/Attribute.ts"
import type { UserId } from "../src/Ids.ts"
import type * as Operation from "../src/Operation.ts"
import type * as Operations from "../src/Operations.ts"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void

type Table = typeof Operations.account

declare const user: UserId
declare const attribute: Attribute.UserAttributeId
declare const value: Attribute.UserAttributeValueId

// the name of each operation
expect<Equals<Table["getAccount"]["id"], "account.getAccount">>()
expect<Equals<Table["getAccount"]["path"], "/account/getAccount">>()

// the response
expect<Equals<Operation.Response<Table["getCurrentUser"]>, Account.CurrentUser>>()
expect<Equals<Operation.Response<Table["getAttributes"]>, Operations.Categories>>()
expect<Equals<Operation.Response<Table["updateAvatar"]>, null>>()
expect<Equals<Operations.Categories["results"], ReadonlyArray<Attribute.Category>>>()
expect<Equals<Operations.Categories["count"], number | null>>()
expect<Equals<Attribute.AttributeValue["valueDate"], string | null>>()
expect<Equals<Account.CurrentUser["id"], UserId>>()

// the error codes
type Common = (typeof Operation.commonErrorCodes)[number]
expect<Equals<Operation.ErrorCode<Table["getAccount"]>, Common | "NOT_FOUND">>()
expect<Equals<Operation.ErrorCode<Table["getCurrentUser"]>, Common>>()

// the parameters
export const nothing: Operation.Request<Table["getPublicAttributes"]> = {}
export const some: Operation.Request<Table["updatePublicAccount"]> = { id: user, firstName: "A", lastName: "B" }
// @ts-expect-error -- a user is named by an id, not by any text
export const text: Operation.Request<Table["getAccount"]> = { id: "u1" }

type Delete = Operation.Request<Table["deleteUserAttributeValue"]>
export const right: Delete = { userAttributeId: attribute, userAttributeValueId: value }
// @ts-expect-error -- the two ids have changed places
export const wrong: Delete = { userAttributeId: value, userAttributeValueId: attribute }

// a preference's channel is open on read and closed on write
export const read: Account.NotificationPreference = { topic: "sales", channel: "pager", enabled: true }
type Upsert = Operation.Request<Table["upsertNotificationPreference"]>
export const written: Upsert = { topic: "any", channel: "slack", enabled: true }
// @ts-expect-error -- not a channel that can be written
export const refused: Upsert = { topic: "sales", channel: "pager", enabled: true }
