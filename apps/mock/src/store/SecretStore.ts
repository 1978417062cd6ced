/**
 * Checks the secret key of a store when it is opened, encrypts what is not encrypted yet, and replaces the key.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Fragment, identifier, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import { SecretKeyMissing, SecretKeyWrong } from "./OpenError.ts"
import * as ServiceTables from "./ServiceTables.ts"
import type { Store, StoreUnavailable } from "./Store.ts"
import * as Vault from "./Vault.ts"

const clients = Table.name(Catalogue.byName.oauthClient)

/** The name of the key's id in the metadata. */
const metaName = Vault.metaName

/** The secrets changed while they were encrypted again. */
class SecretsChanged extends Data.TaggedError("SecretsChanged") {
  override get message() {
    return "another process has changed the secrets meanwhile: stop it, and try again"
  }
}

/** Encrypts every secret, and names the key in the metadata: one transaction. Returns the number of secrets. */
const rewrite = (
  store: Store["Type"],
  from: Vault.Vault | undefined,
  to: Vault.Vault
): Effect.Effect<number, StoreUnavailable> =>
  Effect.gen(function* () {
    const { change, read } = ServiceTables.make(store)
    const reseal = (place: Vault.Place, value: string) =>
      to.seal(place, from === undefined ? value : from.open(place, value))
    const texts = (query: Fragment) => Effect.map(read(query), (rows) => rows.map((row) => row.map(String)))

    const rows = yield* texts(sql`SELECT "_tenant", "id", "clientSecret", ${store.dialect.document(clients)}
      FROM ${clients} WHERE "clientSecret" IS NOT NULL`)
    const updates = rows.map(([companyId = "", id = "", secret = "", json = ""]) => {
      const sealed = reseal(Vault.ofClients(companyId), secret)
      // The store wrote the document.
      const row: JsonObject = JSON.parse(json)
      return sql`UPDATE ${clients} SET "clientSecret" = ${sealed}, ${identifier(Table.document)} =
        CAST(${JSON.stringify({ ...row, clientSecret: sealed })} AS ${text(store.dialect.documentType)})
        WHERE "_tenant" = ${companyId} AND "id" = ${id} AND "clientSecret" = ${secret} RETURNING 1`
    })
    const signing = yield* texts(sql`SELECT "companyId", "webhookId", "secret" FROM "_webhookSecret"`)
    for (const [companyId = "", webhookId = "", secret = ""] of signing) {
      updates.push(sql`UPDATE "_webhookSecret" SET "secret" = ${reseal(Vault.ofWebhook(companyId, webhookId), secret)}
        WHERE "companyId" = ${companyId} AND "webhookId" = ${webhookId} AND "secret" = ${secret} RETURNING 1`)
    }
    // Stored responses may contain the secrets of OAuth clients, under any name.
    const responses =
      from === undefined
        ? []
        : yield* texts(sql`SELECT "companyId", "userId", "key", "body" FROM "_idempotency"
            WHERE "body" LIKE ${`%${Vault.prefix}%`}`)
    const replays = responses.map(([companyId = "", userId = "", key = "", body = ""]) => {
      const place = Vault.ofClients(companyId)
      return sql`UPDATE "_idempotency" SET "body" = ${body.replaceAll(Vault.pattern, (sealed) => reseal(place, sealed))}
        WHERE "companyId" = ${companyId} AND "userId" = ${userId} AND "key" = ${key}`
    })
    yield* change({
      statements: [
        ...updates,
        ...(from === undefined ? [sql`DELETE FROM "_idempotency"`] : replays),
        sql`INSERT INTO "_meta" ("key", "value") VALUES (${metaName}, ${to.id})
          ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"`
      ],
      resolve: (results) =>
        updates.every((_, index) => results[index]?.length === 1) ? Either.void : Either.left(new SecretsChanged())
    }).pipe(Effect.catchTag("SecretsChanged", Effect.die))
    yield* store.compact
    return updates.length
  })

/** The id of the key that a store needs. */
const keyId = (store: Store["Type"]): Effect.Effect<string | undefined, StoreUnavailable> =>
  Effect.map(ServiceTables.make(store).read(sql`SELECT "value" FROM "_meta" WHERE "key" = ${metaName}`), ([row]) =>
    row === undefined ? undefined : String(row[0])
  )

/** Refuses a store that needs another key. Returns the number of secrets that a first key has encrypted. */
export const unlock = (
  store: Store["Type"],
  name: string,
  vault: Vault.Vault | undefined
): Effect.Effect<number | undefined, SecretKeyMissing | SecretKeyWrong | StoreUnavailable> =>
  Effect.gen(function* () {
    const needed = yield* keyId(store)
    if (needed === vault?.id) return undefined
    if (vault === undefined) return yield* new SecretKeyMissing({ store: name, needed: needed ?? "" })
    if (needed !== undefined) return yield* new SecretKeyWrong({ store: name, needed, given: vault.id })
    return yield* store.withLock(
      // Another instance may have encrypted the secrets meanwhile.
      Effect.flatMap(keyId(store), (now) =>
        now === undefined ? rewrite(store, undefined, vault) : Effect.succeed(undefined)
      )
    )
  })

/** Encrypts every secret with another key, and returns their number. */
export const rotate = (
  store: Store["Type"],
  from: Vault.Vault | undefined,
  to: Vault.Vault
): Effect.Effect<number, StoreUnavailable> => store.withLock(rewrite(store, from, to))
