/**
 * Checks a request against the scopes of its key, by the table of rights. `filtered` and the like are checked before the
 * values of a body; the rights that depend on values are checked with the values.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Right from "@mfgdata/domain/Right"
import * as Scope from "@mfgdata/domain/Scope"
import { Webhook } from "@mfgdata/domain/resources/Webhook"
import * as Either from "effect/Either"
import type { Caller } from "../../access/Caller.ts"
import type { RowError } from "../RowError.ts"
import type { RowRequest } from "../request/RowRequest.ts"
import type { ResponseShape } from "./ResponseShape.ts"

type Result = Either.Either<void, RowError>

/** Requires the actions of a use on the rows of a resource. */
export const require = ({ scopes }: Caller, { resource }: Pick<Resource.Any, "resource">, use: Right.Use): Result => {
  // A request is for a resource of the catalogue; the generic type does not name it.
  const action = Right.rows[use].actions.find((action) => !Scope.allows(scopes, resource as Catalogue.Name, action))
  return action === undefined ? Either.void : Either.left({ _tag: "ScopeMissing", resource, action })
}

const verb = ({ action, preferences: { resolution } }: RowRequest): Right.Use => {
  switch (action._tag) {
    case "Read":
      return "read"
    case "Create":
      return resolution === "merge-duplicates" ? "merge" : resolution === "ignore-duplicates" ? "ignore" : "create"
    case "Put":
      return "merge"
    case "Update":
      return "update"
    case "Delete":
      return "delete"
  }
}

/** The uses that a request's method, query and headers show, the verb first. */
const usesOf = (request: RowRequest): ReadonlyArray<Right.Use> => {
  const { action, key, precondition, preferences } = request
  const isFiltered = (action._tag === "Update" || action._tag === "Delete") && key === undefined
  return [
    verb(request),
    ...(isFiltered ? (["filtered"] as const) : []),
    ...(precondition === undefined ? [] : (["conditional"] as const)),
    ...(preferences.count === undefined ? [] : (["counted"] as const))
  ]
}

/** Checks the method, the query and the headers of a request, before its body is read. */
export const request = (request: RowRequest, caller: Caller): Result => {
  if (caller.scopes.includes("*")) return Either.void
  for (const use of usesOf(request)) {
    const checked = require(caller, request.resource, use)
    if (Either.isLeft(checked)) return checked
  }
  return Either.void
}

/** Checks a response with rows. */
export const returned = ({ resource }: RowRequest, { body }: ResponseShape, caller: Caller): Result =>
  body === "representation" && !caller.scopes.includes("*") ? require(caller, resource, "returned") : Either.void

/** Checks a PATCH with values for columns that the service sets, which are compared with the stored values. */
export const compared = (resource: Resource.Any, service: JsonObject, caller: Caller): Result =>
  Object.keys(service).length === 0 ? Either.void : require(caller, resource, "compared")

/** Checks the table of a webhook that a write names. A table that is not a resource sends no rows. */
export const subscribed = (resource: Resource.Any, { table }: JsonObject, caller: Caller): Result => {
  const found = resource.resource === Webhook.resource && typeof table === "string" ? Catalogue.find(table) : undefined
  return found === undefined ? Either.void : require(caller, found, "subscribed")
}

/** The tables that no webhook may be of, when an update changes its address alone. */
export const unreadable = (resource: Resource.Any, set: JsonObject, caller: Caller): ReadonlyArray<string> =>
  resource.resource === Webhook.resource && "url" in set && !("table" in set)
    ? Catalogue.resources
        .filter((resource) => Either.isLeft(require(caller, resource, "subscribed")))
        .map(({ resource }) => resource)
    : []
