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
  "file"
] as const

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null

const subject = (request: unknown): Fields =>
  isObject(request)
    ? Object.fromEntries(named.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])))
    : {}

/** The operations whose response has the id of a new key. */
const making: ReadonlyArray<AdminApi.Name> = ["createKey", "rollKey"]

/** Runs an operation, and records it. */
const observed = <A, E extends AdminRefused>(
  { record }: Pick<Audit, "record">,
  name: AdminApi.Name,
  request: unknown,
  peer: string | undefined,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> => {
  const fields = { operation: name, ...subject(request), ...(peer === undefined ? {} : { peer }) }
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

/** The operations, recorded as calls of a peer, or of a command on this machine. */
export const make = (admin: Admin, audit: Pick<Audit, "record">, peer?: string): Admin => {
  const operation = (name: AdminApi.Name) => {
    // Each operation takes its own request, and receives the one that it was called with.
    const run = admin[name] as (request: unknown) => Effect.Effect<unknown, AdminRefused>
    return (request: unknown) => observed(audit, name, request, peer, run(request))
  }
  // The names are those of all operations.
  return Object.fromEntries(AdminApi.names.map((name) => [name, operation(name)])) as Admin
}
