/**
 * Creates, shows and rolls the secrets that sign each webhook's deliveries. A webhook has one from its first delivery;
 * after a roll the old and the new secret both sign for a while. Each is shown once.
 */
import * as WebhookSecret from "@mfgdata/domain/WebhookSecret"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"
import type { Rows } from "../sql/Change.ts"
import { micros } from "../sql/ServiceColumn.ts"
import { type Fragment, sql } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import * as Vault from "../store/Vault.ts"
import type { World } from "../world/World.ts"
import * as WebhookRef from "./WebhookRef.ts"

/** The webhook does not exist. */
export class WebhookMissing extends Data.TaggedError("WebhookMissing")<{ readonly id: string }> {
  override get message() {
    return `there is no webhook ${JSON.stringify(this.id)}`
  }
}

/** The webhook's secret was shown before; each is shown once. */
export class SecretShown extends Data.TaggedError("SecretShown")<{ readonly id: string }> {
  override get message() {
    return `the secret of the webhook ${JSON.stringify(this.id)} was already shown: roll it to get a new one`
  }
}

/** Signs messages with one secret. */
export type Signer = Pick<Webhook, "sign">

export type Secret = Redacted.Redacted<WebhookSecret.WebhookSecret>

export interface WebhookSecrets {
  /** Returns the webhook's secret, once; creates it if there is none. */
  readonly show: (
    webhook: WebhookRef.WebhookRef
  ) => Effect.Effect<Secret, WebhookMissing | SecretShown | StoreUnavailable>
  /** Creates a new secret; the old one also signs until `overlapMillis` have passed. */
  readonly roll: (
    webhook: WebhookRef.WebhookRef,
    overlapMillis: number
  ) => Effect.Effect<Secret, WebhookMissing | StoreUnavailable>
  /** The current signers of some webhooks, newest first; creates a secret for those that have none. */
  readonly signers: (
    webhooks: ReadonlyArray<WebhookRef.WebhookRef>
  ) => Effect.Effect<(webhook: WebhookRef.WebhookRef) => ReadonlyArray<Signer>, StoreUnavailable>
}

export const make = ({ now, store, vault }: Pick<World["Type"], "now" | "store" | "vault">): WebhookSecrets => {
  const tables = ServiceTables.make(store)
  const current = (webhook: WebhookRef.WebhookRef) => sql`${WebhookRef.referringRows(webhook)} AND "expiresAt" IS NULL`

  const fromWebhook = (webhook: WebhookRef.WebhookRef) => sql`FROM "webhook" WHERE ${WebhookRef.ownRow(webhook)}`

  const addition = (webhook: WebhookRef.WebhookRef, shownAt: number | null): Fragment => {
    const drawn = WebhookSecret.fromRandom(randomBytes(32))
    const secret = vault?.seal(Vault.ofWebhook(webhook.companyId, webhook.id), drawn) ?? drawn
    return sql`INSERT INTO "_webhookSecret" ("companyId", "webhookId", "secret", "createdAt", "shownAt")
      SELECT "_tenant", "id", CAST(${secret} AS text), CAST(${micros(now())} AS bigint), CAST(${shownAt} AS bigint)
      ${fromWebhook(webhook)} AND NOT EXISTS (SELECT 1 FROM "_webhookSecret" WHERE ${current(webhook)})`
  }

  const opened = ({ companyId, id }: WebhookRef.WebhookRef, stored: string): string =>
    vault?.open(Vault.ofWebhook(companyId, id), stored) ?? stored

  const read = (text: string): Secret =>
    // Only `addition` writes secrets.
    Redacted.make(text as WebhookSecret.WebhookSecret)

  /** The secret that the last statement returned. The first statement finds the webhook. */
  const secretOf =
    <E>(webhook: WebhookRef.WebhookRef, otherwise: (isMissing: boolean) => E) =>
    (results: ReadonlyArray<Rows>): Either.Either<Secret, E> => {
      const secret = results.at(-1)?.[0]?.[0]
      return typeof secret === "string"
        ? Either.right(read(opened(webhook, secret)))
        : Either.left(otherwise(results[0]?.length === 0))
    }

  const find = (webhooks: ReadonlyArray<WebhookRef.WebhookRef>) =>
    Effect.map(
      tables.read(sql`SELECT "companyId", "webhookId", "secret" FROM "_webhookSecret"
        WHERE "webhookId" IN (SELECT "value" FROM ${store.dialect.each([...new Set(webhooks.map(({ id }) => id))], "each")})
        AND ("expiresAt" IS NULL OR "expiresAt" > ${micros(now())}) ORDER BY "createdAt" DESC, "secret"`),
      (rows) => {
        const signers = new Map<string, Array<Signer>>()
        for (const [companyId, id, secret] of rows) {
          const webhook = { companyId: String(companyId), id: String(id) }
          const key = WebhookRef.toKey(webhook)
          signers.set(key, [...(signers.get(key) ?? []), new Webhook(opened(webhook, String(secret)))])
        }
        return (webhook: WebhookRef.WebhookRef): ReadonlyArray<Signer> => signers.get(WebhookRef.toKey(webhook)) ?? []
      }
    )

  return {
    show: (webhook) =>
      Effect.suspend(() => {
        const { id } = webhook
        return tables.change({
          statements: [
            sql`SELECT 1 ${fromWebhook(webhook)}`,
            addition(webhook, null),
            sql`UPDATE "_webhookSecret" SET "shownAt" = ${micros(now())} WHERE ${current(webhook)} AND "shownAt" IS NULL
              RETURNING "secret"`
          ],
          resolve: secretOf(webhook, (isMissing) => (isMissing ? new WebhookMissing({ id }) : new SecretShown({ id })))
        })
      }),
    roll: (webhook, overlapMillis) =>
      Effect.suspend(() =>
        tables.change({
          statements: [
            sql`SELECT 1 ${fromWebhook(webhook)}`,
            sql`DELETE FROM "_webhookSecret" WHERE ${WebhookRef.referringRows(webhook)} AND "expiresAt" <= ${micros(now())}`,
            sql`UPDATE "_webhookSecret" SET "expiresAt" = ${micros(now() + overlapMillis)} WHERE ${current(webhook)}`,
            sql`${addition(webhook, micros(now()))} RETURNING "secret"`
          ],
          resolve: secretOf(webhook, () => new WebhookMissing({ id: webhook.id }))
        })
      ),
    signers: (webhooks) =>
      webhooks.length === 0
        ? Effect.succeed(() => [])
        : Effect.flatMap(find(webhooks), (signersOf) => {
            const unsigned = webhooks.filter((webhook) => signersOf(webhook).length === 0)
            if (unsigned.length === 0) return Effect.succeed(signersOf)
            const statements = unsigned.map((webhook) => addition(webhook, null))
            return Effect.zipRight(
              tables.change({ statements, resolve: () => Either.void }),
              Effect.suspend(() => find(webhooks))
            )
          })
  }
}
