/**
 * What each operation does, for the caller that its key names.
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { AccountApi, Caller } from "@mfgdata/client/AccountApi"
import * as Effect from "effect/Effect"
import type * as Exchange from "../Exchange.ts"
import { StoreUnavailable } from "../store/Store.ts"
import type { Member, World } from "../world/World.ts"
import * as Attributes from "./Attributes.ts"
import * as NotificationPreferences from "./NotificationPreferences.ts"
import * as OperationErrorResponse from "./OperationErrorResponse.ts"
import * as AccountTables from "./AccountTables.ts"
import * as Users from "./Users.ts"

/** An answer as it is, where a schema has no place for its headers. */
const toResponse = ({ body, headers, status }: Exchange.Answer) => HttpServerResponse.raw(body, { status, headers })

/** Works for the caller; while the store cannot answer, the answer says when to come again. */
const asCaller = <A, E>(work: (caller: Member) => Effect.Effect<A, E>) =>
  Effect.flatMap(Caller, work).pipe(
    Effect.catchIf(
      (error): error is Extract<E, StoreUnavailable> => error instanceof StoreUnavailable,
      (error) => Effect.succeed(toResponse(OperationErrorResponse.fromRowError(error)))
    )
  )

/** The operations on a world. */
export const layer = ({ newId, now, store }: World["Type"]) => {
  const tables = AccountTables.make(store)
  const categories = (wanted: Attributes.Wanted) => () => asCaller((caller) => Attributes.list(tables, caller, wanted))

  return HttpApiBuilder.group(AccountApi, "account", (handlers) =>
    handlers
      .handle("getNotificationPreferences", () => asCaller((caller) => NotificationPreferences.list(tables, caller)))
      .handle("upsertNotificationPreference", ({ payload }) =>
        asCaller((caller) => NotificationPreferences.upsert(tables, caller, payload, now()))
      )
      .handle("deleteUserAttributeValue", ({ payload }) =>
        asCaller((caller) => Attributes.remove(tables, caller, payload))
      )
      .handle("getAccount", ({ payload }) => asCaller((caller) => Users.get(tables, caller, payload.id)))
      .handle("getCurrentUser", () => asCaller((caller) => Users.profile(tables, caller)))
      .handle("getAttributes", ({ payload }) =>
        asCaller((caller) => Attributes.list(tables, caller, { _tag: "Public", isPublic: payload.isPublic }))
      )
      .handle("getPrivateAttributes", categories({ _tag: "Public", isPublic: false }))
      .handle("getPublicAttributes", categories({ _tag: "Public", isPublic: true }))
      .handle("getAllAttributeCategories", categories({ _tag: "All" }))
      .handle("getAttributeCategoryWithValues", ({ payload }) =>
        asCaller((caller) => Attributes.get(tables, caller, payload.categoryId))
      )
      .handle("updateAvatar", ({ payload }) =>
        asCaller((caller) => Users.updateAvatar(tables, caller, payload.avatarUrl, now()))
      )
      .handle("updatePublicAccount", ({ payload }) =>
        asCaller((caller) => Users.updatePublic(tables, caller, payload, now()))
      )
      .handle("upsertUserAttributeValue", ({ payload }) =>
        asCaller((caller) => Attributes.upsert(tables, caller, payload, newId))
      )
  )
}
