/**
 * Receives many webhooks on one server of this process, verifies the deliveries, and records their order.
 */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as http from "node:http"
import { Webhook } from "standardwebhooks"

/** A change of a row, as it was written and as it should be delivered. */
export interface Change {
  readonly table: string
  readonly row: string
  readonly version: number
}

/** A new webhook that subscribes to every change of a table's rows. */
export const row = (table: string, url: string) => ({
  name: `${table} hook`,
  table,
  url,
  active: true,
  onInsert: true,
  onUpdate: true,
  onDelete: true,
  successCount: 0,
  errorCount: 0,
  companyId: "demo"
})

export interface WebhookReceivers {
  /** The URL of the webhook with a number. */
  readonly url: (hook: number) => string
  /** Sets the secret that verifies a webhook's deliveries. */
  readonly trust: (hook: number, secret: string) => void
  /** Reports whether a change was delivered to a webhook. */
  readonly has: (hook: number, change: Change) => boolean
  /** Forgets which changes were delivered, before they are delivered again. */
  readonly forget: () => void
  /** The faults of deliveries: signatures, order, ids. */
  readonly complaints: ReadonlyArray<string>
  readonly count: () => { readonly arrivals: number; readonly events: number; readonly failed: number }
}

export interface Options {
  /** The field of each table that holds the version of a row. */
  readonly versionOf: { readonly [table: string]: string }
  /** One event out of this number gets 500 at its first attempt. */
  readonly failEvery: number
}

const name = ({ row, table, version }: Change): string => `${table}/${row}/${version}`

/** Listens until the scope ends. */
export const open = ({ failEvery, versionOf }: Options): Effect.Effect<WebhookReceivers, never, Scope.Scope> =>
  Effect.gen(function* () {
    const secrets = new Map<number, Webhook>()
    const events = new Map<string, string>()
    const arrived = new Set<string>()
    const latest = new Map<string, number>()
    const complaints: Array<string> = []
    const refused = new Set<string>()
    let arrivals = 0

    /** The status of the response. */
    const receive = (hook: number, headers: http.IncomingHttpHeaders, body: string): number => {
      arrivals += 1
      // Deliveries repeat no header.
      const event = secrets.get(hook)?.verify(body, headers as Record<string, string>) as {
        readonly table: string
        readonly eventId: string
        readonly record: { readonly [field: string]: unknown }
      }
      const { eventId, record, table } = event
      const version = Number(
        String(record[versionOf[table] ?? ""])
          .split("/")
          .at(-1)
      )
      const change = { table, row: String(record["id"]), version }
      const here = `${hook} ${eventId}`
      const known = events.get(here)
      if (known !== undefined && known !== name(change)) complaints.push(`${here} is ${known} and ${name(change)}`)
      if (known === undefined) {
        const row = `${hook} ${table}/${change.row}`
        const before = latest.get(row) ?? -1
        if (version < before) complaints.push(`${row} was at ${before} when ${version} arrived`)
        latest.set(row, version)
        events.set(here, name(change))
        if (events.size % failEvery === 0) {
          refused.add(here)
          return 500
        }
      }
      arrived.add(`${hook} ${name(change)}`)
      return 204
    }

    const server = http.createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        let status = 400
        try {
          status = receive(Number(request.url?.slice(1)), request.headers, Buffer.concat(chunks).toString("utf8"))
        } catch (error) {
          complaints.push(String(error))
        }
        response.writeHead(status).end()
      })
    })
    const port = yield* LocalServer.listen(server)
    return {
      url: (hook) => `http://127.0.0.1:${port}/${hook}`,
      trust: (hook, secret) => void secrets.set(hook, new Webhook(secret)),
      has: (hook, change) => arrived.has(`${hook} ${name(change)}`),
      forget: () => arrived.clear(),
      complaints,
      count: () => ({ arrivals, events: events.size, failed: refused.size })
    }
  })
