/**
 * Webhooks that last as long as somebody listens.
 */
import type { QueryError, WriteError } from "@mfgdata/client/ClientError"
import * as Json from "@mfgdata/domain/Json"
import { Webhook } from "@mfgdata/domain/resources/Webhook"
import { WebhookTable } from "@mfgdata/domain/resources/WebhookTable"
import type { WebhookSecret } from "@mfgdata/domain/WebhookSecret"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import { UsageError } from "../CliError.ts"
import * as Company from "../Company.ts"
import type { Connection } from "../Connection.ts"
import * as Control from "../Control.ts"
import * as Screen from "../Screen.ts"
import type * as Sample from "./Sample.ts"

/** A webhook that is there while the scope is open. */
export interface Temporary {
  readonly id: string
  readonly table: string
  /** Below which path deliveries of it arrive. */
  readonly path: string
  readonly secret: Redacted.Redacted<WebhookSecret> | undefined
}

export interface Asked {
  /** Empty means every table there is but the webhooks'. */
  readonly tables: ReadonlyArray<string>
  readonly events: ReadonlySet<Sample.Event>
  /** Where the service reaches this machine, without a slash at the end. */
  readonly address: string
  readonly isVerified: boolean
}

const isRow = Schema.is(Json.JsonObject)

/** The secret that an order was answered with. */
export const secretIn = (answer: Json.Json): string => (isRow(answer) ? String(answer["secret"]) : "")

/** The secret of a webhook, which its service signs with. */
export const secretOf = (connection: Connection, id: string): Effect.Effect<string, Control.Refusal> => {
  const { companyId } = connection.profile
  return Effect.map(
    Control.order(connection, {
      purpose: "Verifying signatures",
      method: "POST",
      path: `/webhooks/${encodeURIComponent(id)}/secret`,
      body: companyId === undefined ? {} : { companyId }
    }),
    secretIn
  )
}

const tablesOf = (
  connection: Connection,
  asked: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, QueryError | UsageError> =>
  Effect.flatMap(connection.rows.list(WebhookTable, { query: "select=table&limit=1000" }), (rows) => {
    const known = rows.map((row) => String(row["table"]))
    const missing = asked.find((table) => !known.includes(table))
    return missing === undefined
      ? // Its own coming and going is no news, unless somebody asks for it.
        Effect.succeed(asked.length === 0 ? known.filter((table) => table !== Webhook.resource) : asked)
      : Effect.fail(
          new UsageError({
            problem: `There is no table ${missing} that a webhook could be for.`,
            expected: "mfg webhookTable list shows those there are."
          })
        )
  })

const create = (
  connection: Connection,
  { address, events, isVerified }: Asked,
  table: string
): Effect.Effect<Temporary, WriteError | Control.Refusal, Scope.Scope> =>
  Effect.gen(function* () {
    // Nobody else on this machine knows the path.
    const path = `/${randomBytes(12).toString("hex")}`
    const values = Company.fill(
      Webhook,
      {
        name: `mfg webhooks listen ${path.slice(1, 9)} ${table}`,
        table,
        url: address + path,
        active: true,
        onInsert: events.has("insert"),
        onUpdate: events.has("update"),
        onDelete: events.has("delete"),
        successCount: 0,
        errorCount: 0
      },
      connection.profile.companyId
    )
    const id = yield* Effect.acquireRelease(
      // The row is made of a resource's fields by the lines above.
      Effect.map(
        connection.rows.create(Webhook, values as Parameters<typeof connection.rows.create<typeof Webhook>>[1]),
        (row) => row.id
      ),
      (id) =>
        Effect.catchAll(connection.rows.remove(Webhook, id), (error) =>
          Screen.note(`The webhook ${id} could not be removed: ${error.message}. Run: mfg webhook delete ${id}`)
        )
    )
    const secret = isVerified ? Redacted.make((yield* secretOf(connection, id)) as WebhookSecret) : undefined
    return { id, table, path, secret }
  })

/** Makes a webhook for each table; all are removed with the scope. */
export const make = (
  connection: Connection,
  asked: Asked
): Effect.Effect<ReadonlyArray<Temporary>, QueryError | WriteError | Control.Refusal | UsageError, Scope.Scope> =>
  Effect.flatMap(tablesOf(connection, asked.tables), (tables) =>
    Effect.forEach(tables, (table) => create(connection, asked, table), { concurrency: 4 })
  )
