/**
 * Records each call of the administrator's operations: its name, what it names, and its outcome.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Effect from "effect/Effect"
import type { Audit, Fields } from "../access/Audit.ts"
import type { AdminRefused } from "./AdminRefused.ts"

/** The fields of a request that a line has; none of them is secret. */
const named = [
  "id",
  "companyId",
  "userId",
  "webhookId",
  "name",
  "scopes",
  "expiresAt",
  "overlapSeconds",
  "file",
  "world",
  "snapshot",
  "from",
  "to"
] as const

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null

const subject = (request: unknown): Fields =>
  isObject(request)
    ? Object.fromEntries(
        // The file of an import is its content.
        named.flatMap((name) => {
          const value = request[name]
          return value === undefined || value instanceof Uint8Array ? [] : [[name, value]]
        })
      )
    : {}

/** The operations whose response has the id of a new key. */
const making: ReadonlyArray<AdminApi.Name> = ["createKey", "rollKey"]

/** Runs an operation, and records it. */
const observed = <A, E extends AdminRefused>(
  { record }: Pick<Audit, "record">,
  name: AdminApi.Name,
  request: unknown,
  context: Fields,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> => {
  const fields = { operation: name, ...subject(request), ...context }
  return Effect.tapBoth(effect, {
    onFailure: ({ code }) => Effect.sync(() => record("admin", { ...fields, outcome: code })),
    onSuccess: (result) =>
      Effect.sync(() => {
        const made = making.includes(name) && isObject(result) ? { keyId: result["id"] } : {}
        record("admin", { ...fields, ...made, outcome: "done" })
      })
  })
}

type Admin = AdminApi.Service<AdminRefused>

/** The operations, recorded as calls of a peer, or of a command on this machine, on a world or on the main one. */
export const make = (
  admin: Admin,
  audit: Pick<Audit, "record">,
  context: { readonly peer?: string; readonly world?: string } = {}
): Admin => {
  const operation = (name: AdminApi.Name) => {
    // Each operation takes its own request, and receives the one that it was called with.
    const run = admin[name] as (request: unknown) => Effect.Effect<unknown, AdminRefused>
    return (request: unknown) => observed(audit, name, request, context, run(request))
  }
  // The names are those of all operations.
  return Object.fromEntries(AdminApi.names.map((name) => [name, operation(name)])) as Admin
}
