/**
 * The secrets that sign each webhook's deliveries. A webhook has one from its first delivery on; while one is rolled
 * the old one signs beside it. Each is shown once.
 */
import * as WebhookSecret from "@mfgdata/domain/WebhookSecret"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"
import type { Step } from "../sql/Change.ts"
import { type Fragment, render, sql } from "../sql/Statement.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { World } from "../world/World.ts"
import * as WebhookRef from "./WebhookRef.ts"

/** There is no such webhook. */
export class WebhookMissing extends Data.TaggedError("WebhookMissing")<{ readonly id: string }> {
  override get message() {
    return `there is no webhook ${JSON.stringify(this.id)}`
  }
}

/** The webhook's secret was shown before, and is not shown again. */
export class SecretShown extends Data.TaggedError("SecretShown")<{ readonly id: string }> {
  override get message() {
    return `the secret of the webhook ${JSON.stringify(this.id)} was shown already: roll it to have another`
  }
}

/** Signs with one secret. */
export type Signer = Pick<Webhook, "sign">

export type Secret = Redacted.Redacted<WebhookSecret.WebhookSecret>

export interface WebhookSecrets {
  /** Makes the webhook's secret if there is none, and shows it the first time. */
  readonly show: (hook: WebhookRef.Hook) => Effect.Effect<Secret, WebhookMissing | SecretShown | StoreUnavailable>
  /** A new secret; the old one signs beside it for a while. */
  readonly roll: (
    hook: WebhookRef.Hook,
    overlapMillis: number
  ) => Effect.Effect<Secret, WebhookMissing | StoreUnavailable>
  /** What signs the deliveries of some webhooks now, the newest first; makes one where there is none. */
  readonly signing: (
    hooks: ReadonlyArray<WebhookRef.Hook>
  ) => Effect.Effect<(hook: WebhookRef.Hook) => ReadonlyArray<Signer>, StoreUnavailable>
}

const micros = (millis: number): number => millis * 1000

export const make = ({ now, store }: Pick<World["Type"], "now" | "store">): WebhookSecrets => {
  const run = (fragment: Fragment): Step => ({ _tag: "Run", statement: render(fragment, store.dialect) })
  const inForce = (hook: WebhookRef.Hook) => sql`${WebhookRef.isAbout(hook)} AND "expiresAt" IS NULL`

  const standing = (hook: WebhookRef.Hook) => sql`FROM "webhook" WHERE ${WebhookRef.isRow(hook)}`

  const addition = (hook: WebhookRef.Hook, shownAt: number | null): Fragment => {
    const secret = WebhookSecret.fromRandom(randomBytes(32))
    return sql`INSERT INTO "_webhookSecret" ("companyId", "webhookId", "secret", "createdAt", "shownAt")
      SELECT "_tenant", "id", CAST(${secret} AS text), CAST(${micros(now())} AS bigint), CAST(${shownAt} AS bigint)
      ${standing(hook)} AND NOT EXISTS (SELECT 1 FROM "_webhookSecret" WHERE ${inForce(hook)})`
  }

  const read = (text: unknown): Secret =>
    // What was made as a secret is one.
    Redacted.make(String(text) as WebhookSecret.WebhookSecret)

  /** No statement here breaks a constraint. */
  const apply = <E>(steps: ReadonlyArray<Fragment>, otherwise: (isMissing: boolean) => E) =>
    store
      .change({
        steps: steps.map(run),
        resolve: (results): Either.Either<Secret, E> => {
          const secret = results.at(-1)?.[0]?.[0]
          return typeof secret === "string"
            ? Either.right(read(secret))
            : Either.left(otherwise(results[0]?.length === 0))
        }
      })
      .pipe(Effect.catchTag("Refused", Effect.die))

  const signing = (hooks: ReadonlyArray<WebhookRef.Hook>) =>
    Effect.map(
      store.read(
        render(
          sql`SELECT "companyId", "webhookId", "secret" FROM "_webhookSecret"
            WHERE "webhookId" IN (SELECT "value" FROM ${store.dialect.each([...new Set(hooks.map(({ id }) => id))], "each")})
            AND ("expiresAt" IS NULL OR "expiresAt" > ${micros(now())}) ORDER BY "createdAt" DESC, "secret"`,
          store.dialect
        )
      ),
      (rows) => {
        const known = new Map<string, Array<Signer>>()
        for (const [companyId, id, secret] of rows) {
          const name = WebhookRef.nameOf({ companyId: String(companyId), id: String(id) })
          known.set(name, [...(known.get(name) ?? []), new Webhook(String(secret))])
        }
        return (hook: WebhookRef.Hook): ReadonlyArray<Signer> => known.get(WebhookRef.nameOf(hook)) ?? []
      }
    )

  return {
    show: (hook) =>
      Effect.suspend(() => {
        const { id } = hook
        return apply(
          [
            sql`SELECT 1 ${standing(hook)}`,
            addition(hook, null),
            sql`UPDATE "_webhookSecret" SET "shownAt" = ${micros(now())} WHERE ${inForce(hook)} AND "shownAt" IS NULL
              RETURNING "secret"`
          ],
          (isMissing) => (isMissing ? new WebhookMissing({ id }) : new SecretShown({ id }))
        )
      }),
    roll: (hook, overlapMillis) =>
      Effect.suspend(() =>
        apply(
          [
            sql`SELECT 1 ${standing(hook)}`,
            sql`UPDATE "_webhookSecret" SET "expiresAt" = ${micros(now() + overlapMillis)} WHERE ${inForce(hook)}`,
            sql`${addition(hook, micros(now()))} RETURNING "secret"`
          ],
          () => new WebhookMissing({ id: hook.id })
        )
      ),
    signing: (hooks) =>
      hooks.length === 0
        ? Effect.succeed(() => [])
        : Effect.flatMap(signing(hooks), (known) => {
            const bare = hooks.filter((hook) => known(hook).length === 0)
            return bare.length === 0
              ? Effect.succeed(known)
              : store
                  .change({ steps: bare.map((hook) => run(addition(hook, null))), resolve: () => Either.void })
                  .pipe(Effect.catchTag("Refused", Effect.die), Effect.zipRight(Effect.suspend(() => signing(hooks))))
          })
  }
}
