/**
 * Creates webhooks that are removed when their scope closes.
 */
import type { QueryError, WriteError } from "@mfgdata/client/ClientError"
import * as Query from "@mfgdata/domain/Query"
import { Webhook } from "@mfgdata/domain/resources/Webhook"
import { WebhookTable } from "@mfgdata/domain/resources/WebhookTable"
import type { WebhookSecret } from "@mfgdata/domain/WebhookSecret"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import { UsageError } from "../CliError.ts"
import * as Company from "../service/Company.ts"
import type { Connection } from "../service/Connection.ts"
import * as AdminClient from "../service/AdminClient.ts"
import * as Terminal from "@mfgdata/shell/Terminal"
import type * as SampleEvent from "./SampleEvent.ts"

/** A webhook that exists while the scope is open. */
export interface TemporaryWebhook {
  readonly id: string
  readonly table: string
  /** The path of its deliveries. */
  readonly path: string
  readonly secret: Redacted.Redacted<WebhookSecret> | undefined
}

export interface Options {
  /** Empty for every table but that of webhooks. */
  readonly tables: ReadonlyArray<string>
  readonly events: ReadonlySet<SampleEvent.Event>
  /** The address of this machine for the service, without a slash at the end. */
  readonly address: string
  readonly isVerified: boolean
  /** The command that needs the webhooks; their names begin with it. */
  readonly purpose: string
}

const tablesOf = (
  connection: Connection,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, QueryError | UsageError> =>
  Effect.flatMap(connection.rows.list(WebhookTable, Query.fromText("select=table&limit=1000")), (rows) => {
    const known = rows.map((row) => String(row["table"]))
    const missing = names.find((table) => !known.includes(table))
    return missing === undefined
      ? // The webhooks created here are events of their own table.
        Effect.succeed(names.length === 0 ? known.filter((table) => table !== Webhook.resource) : names)
      : Effect.fail(
          new UsageError({
            problem: `Unknown table ${missing} of a webhook.`,
            expected: "mfg webhookTable list shows the tables."
          })
        )
  })

const create = (
  connection: Connection,
  { address, events, isVerified, purpose }: Options,
  table: string
): Effect.Effect<TemporaryWebhook, WriteError | AdminClient.AdminError, Scope.Scope> =>
  Effect.gen(function* () {
    // A random path keeps out requests of other programs.
    const path = `/${randomBytes(12).toString("hex")}`
    const values = Company.fill(
      Webhook,
      {
        name: `${purpose} ${path.slice(1, 9)} ${table}`,
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
      // The lines above set every required field.
      Effect.map(
        connection.rows.create(Webhook, values as Parameters<typeof connection.rows.create<typeof Webhook>>[1]),
        (row) => row.id
      ),
      (id) =>
        Effect.catchAll(connection.rows.remove(Webhook, id), (error) =>
          Terminal.note(`Could not remove the webhook ${id}: ${error.message}. Run: mfg webhook delete ${id}`)
        )
    )
    const { companyId } = connection.profile
    const admin = AdminClient.make(connection, `${purpose} without --skip-verify`)
    const ref = { id, ...(companyId === undefined ? {} : { companyId }) }
    // The service responds with a secret of this form.
    const secret = isVerified ? Redacted.make((yield* admin.showWebhookSecret(ref)).secret as WebhookSecret) : undefined
    return { id, table, path, secret }
  })

/** Creates a webhook for each table; all are removed with the scope. */
export const make = (
  connection: Connection,
  options: Options
): Effect.Effect<
  ReadonlyArray<TemporaryWebhook>,
  QueryError | WriteError | AdminClient.AdminError | UsageError,
  Scope.Scope
> =>
  Effect.flatMap(tablesOf(connection, options.tables), (tables) =>
    Effect.forEach(tables, (table) => create(connection, options, table), { concurrency: 4 })
  )
