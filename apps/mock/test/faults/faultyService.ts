/**
 * A service on a socket, its keys, and requests to it.
 */
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as NodeServer from "../../src/http/NodeServer.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"

const apiKey = "mfg_faulty_service_key"
const adminKey = "mfg_faulty_service_administration"

export const make = (changed: Partial<Settings.Settings> = {}) =>
  Effect.gen(function* () {
    const { service, world } = yield* Instance.make({
      settings: {
        ...Settings.defaults,
        seed: { _tag: "Empty" },
        store: { _tag: "Sqlite", path: ":memory:" },
        apiKey,
        adminKey,
        ...changed
      },
      idSeed: 1,
      write: () => {}
    })
    const { port } = yield* NodeServer.listen(service, {
      ...NodeServer.limits,
      bodyBytes: 1_000_000,
      bodyMemoryBytes: 2_000_000,
      host: "127.0.0.1",
      port: 0
    })
    const origin = `http://127.0.0.1:${port}`
    const companyId = String(world.home()?.companyId)
    const authorization = { Authorization: `Bearer ${apiKey}` }
    const send = (path: string, init: RequestInit = {}) =>
      fetch(`${origin}${path}`, { ...init, headers: { ...authorization, ...init.headers } })
    return {
      companyId,
      /** Sends a request to the service with its key. */
      send,
      /** Sends a request to the administrator's interface. */
      admin: async (method: string, path: string, body?: unknown) => {
        const response = await fetch(`${origin}/_mock${path}`, {
          method,
          headers: { Authorization: `Bearer ${adminKey}`, "Content-Type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
      },
      /** Follows the events of an administrator's operation, each with the lines of one event. */
      follow: (path: string, headers: { readonly [name: string]: string }) => {
        const abort = new AbortController()
        const events = (async function* () {
          const { body } = await fetch(`${origin}/_mock${path}`, {
            headers: { Authorization: `Bearer ${adminKey}`, Accept: "text/event-stream", ...headers },
            signal: abort.signal
          })
          let text = ""
          for await (const part of body ?? []) {
            text += Buffer.from(part).toString()
            for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
              yield text.slice(0, end)
              text = text.slice(end + 2)
            }
          }
        })()
        return {
          next: async () => String((await events.next()).value),
          close: async () => {
            abort.abort()
            await events.next().catch(() => undefined)
          }
        }
      },
      /** Creates a holiday, whose name identifies it. */
      create: (name: string, headers: { readonly [name: string]: string } = {}) =>
        send("/rest/holiday", {
          method: "POST",
          headers: { "Content-Type": "application/json", ...headers },
          body: JSON.stringify({ name, date: "2027-05-01", companyId })
        }),
      /** The names of all holidays; faults do not apply. */
      names: () =>
        Effect.runPromise(
          Effect.map(world.store.read({ text: `SELECT "name" FROM "holiday"`, parameters: [] }), (rows) =>
            rows.map(([name]) => String(name))
          )
        )
    }
  })

export type FaultyService = Effect.Effect.Success<ReturnType<typeof make>>

/** Runs a test with a service. */
export const serves = (
  name: string,
  test: (service: FaultyService) => Promise<void>,
  settings?: Parameters<typeof make>[0]
) =>
  it.scopedLive(name, (): Effect.Effect<void, unknown, Scope.Scope> =>
    Effect.flatMap(make(settings), (service) => Effect.promise(() => test(service)))
  )
