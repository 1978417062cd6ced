/**
 * Shows the secret of a webhook to an API key of its company, once. The key needs the scope to change webhooks: it could
 * direct the deliveries to an address of its own anyway.
 */
import * as Scope from "@mfgdata/domain/Scope"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Audit } from "../access/Audit.ts"
import type { Caller } from "../access/Caller.ts"
import type * as Exchange from "../Exchange.ts"
import * as RowErrorBody from "../rows/RowErrorBody.ts"
import type { WebhookSecrets } from "./WebhookSecrets.ts"

export interface WebhookSecretRoute {
  (request: Exchange.Request, caller: Caller, id: string): Effect.Effect<Exchange.Response>
}

/** The beginning of the paths. */
export const mount = "/webhooks/"

const form = /^\/webhooks\/([^/]+)\/secret$/

/** The id of the webhook in a path; undefined for another path. */
export const idOf = (path: string): string | undefined => {
  const [, id] = form.exec(path) ?? []
  try {
    return id === undefined ? undefined : decodeURIComponent(id)
  } catch {
    return undefined
  }
}

const methods = ["POST"]

/** The route of the secrets of one service. */
export const make =
  (secrets: Pick<WebhookSecrets, "show">, audit?: Audit): WebhookSecretRoute =>
  ({ method, peer }, { companyId, keyId, scopes }, id) => {
    const refuse = (error: Parameters<typeof RowErrorBody.toResponse>[0]) =>
      Effect.succeed(RowErrorBody.toResponse(error))
    if (!methods.includes(method)) return refuse({ _tag: "MethodUnsupported", method, allowed: methods })
    if (!Scope.allows(scopes, "webhook", "update"))
      return refuse({ _tag: "ScopeMissing", resource: "webhook", action: "update" })
    return Effect.matchEffect(secrets.show({ companyId, id }), {
      onSuccess: (secret) =>
        Effect.sync(() => {
          audit?.record("webhook.secret", { webhookId: id, companyId, keyId, ...(peer === undefined ? {} : { peer }) })
          return {
            status: 200,
            headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" },
            body: JSON.stringify({ secret: Redacted.value(secret) })
          }
        }),
      onFailure: (error) => refuse(error._tag === "SecretShown" ? { _tag: "WebhookSecretShown" } : error)
    })
  }
