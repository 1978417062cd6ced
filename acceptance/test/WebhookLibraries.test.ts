/**
 * Verifies deliveries of the built service with libraries for Standard Webhooks, as a receiver does.
 */
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as http from "node:http"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import * as BuiltService from "../src/BuiltService.ts"
import * as WebhookReceivers from "../src/WebhookReceivers.ts"

interface Delivery {
  readonly headers: Record<string, string>
  readonly body: string
}

interface Receiver {
  readonly url: string
  readonly next: Effect.Effect<Delivery>
}

/** Receives deliveries on loopback until the scope ends. */
const receiver: Effect.Effect<Receiver, never, Scope.Scope> = Effect.gen(function* () {
  const arrived: Array<Delivery> = []
  let take = () => {}
  const server = http.createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      arrived.push({ headers: Object.fromEntries(headers), body })
      response.writeHead(204).end()
      take()
    })
  })
  const next = Effect.promise(async () => {
    if (arrived.length === 0) await new Promise<void>((resolve) => (take = resolve))
    return arrived.shift() ?? assert.fail("nothing arrived")
  })
  return { url: `http://127.0.0.1:${yield* LocalServer.listen(server)}/`, next }
})

const adminKey = "mfg_libraries_administrator"

const libraries: ReadonlyArray<
  readonly [
    name: string,
    make: (secret: string) => { readonly verify: (body: string, headers: Record<string, string>) => unknown }
  ]
> = [
  ["svix", (secret) => new SvixWebhook(secret)],
  ["standardwebhooks", (secret) => new StandardWebhook(secret)]
]

describe("a receiver of webhooks", () => {
  for (const [name, make] of libraries) {
    it.scoped(
      `verifies deliveries with ${name}, also while a secret is rolled`,
      () =>
        Effect.gen(function* () {
          const { next, url } = yield* receiver
          const { key, origin } = yield* BuiltService.serve("sqlite::memory:", { adminKey })
          const post = (path: string, body: object, as: string) =>
            Effect.promise(async () => {
              const headers = { Authorization: `Bearer ${as}`, "Content-Type": "application/json" }
              const response = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) })
              assert.isTrue(response.ok, path)
              // The responses below are objects of texts.
              return (await response.json()) as { readonly id: string; readonly secret: string }
            })
          const holiday = (name: string) => post("/rest/holiday", { name, date: "2026-05-04", companyId: "demo" }, key)
          const { id } = yield* post("/rest/webhook", WebhookReceivers.row("holiday", url), key)
          const first = yield* post(`/_mock/webhooks/${id}/secret`, {}, adminKey)

          const row = yield* holiday("Founding day")
          const { body, headers } = yield* next
          assert.deepInclude(make(first.secret).verify(body, headers), {
            type: "INSERT",
            table: "holiday",
            record: row
          })
          assert.throws(() => make(first.secret).verify(`${body} `, headers), /signature/i)
          const late = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 3600) }
          assert.throws(() => make(first.secret).verify(body, late), /too old/i)

          const second = yield* post(`/_mock/webhooks/${id}/secret/roll`, { overlapSeconds: 60 }, adminKey)
          assert.notStrictEqual(second.secret, first.secret)
          yield* holiday("Jubilee")
          const rolled = yield* next
          for (const { secret } of [first, second]) {
            assert.deepInclude(make(secret).verify(rolled.body, rolled.headers), { type: "INSERT" })
          }
        }),
      300_000
    )
  }
})
