/**
 * Implements each operation of the `AccountApi` for the caller.
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { AccountApi, Caller } from "@mfgdata/client/AccountApi"
import * as Effect from "effect/Effect"
import type * as Exchange from "../Exchange.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import { StoreUnavailable } from "../store/Store.ts"
import type { Member, World } from "../world/World.ts"
import * as Attributes from "./Attributes.ts"
import * as NotificationPreferences from "./NotificationPreferences.ts"
import * as OperationErrorResponse from "./OperationErrorResponse.ts"
import * as Users from "./Users.ts"

/** A response as it is: the schema has no place for its headers. */
const toHttpResponse = ({ body, headers, status }: Exchange.Response) =>
  HttpServerResponse.raw(body, { status, headers })

/** Runs work for the caller; while the store is unavailable, the response has `Retry-After`. */
const asCaller = <A, E>(work: (caller: Member) => Effect.Effect<A, E>) =>
  Effect.flatMap(Caller, work).pipe(
    Effect.catchIf(
      (error): error is Extract<E, StoreUnavailable> => error instanceof StoreUnavailable,
      (error) => Effect.succeed(toHttpResponse(OperationErrorResponse.fromRowError(error)))
    )
  )

/** The operations over a world. */
export const layer = ({ newId, now, store }: World["Type"]) => {
  const tables = ServiceTables.make(store)
  const categories = (filter: Attributes.CategoryFilter) => () =>
    asCaller((caller) => Attributes.list(tables, caller, filter))

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
