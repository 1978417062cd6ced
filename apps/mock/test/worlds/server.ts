/**
 * Runs a service with worlds under any settings, and sends it requests.
 */
import * as Effect from "effect/Effect"
import type * as Exchange from "../../src/Exchange.ts"
import * as Settings from "../../src/Settings.ts"
import type * as Sender from "../../src/webhooks/Sender.ts"
import * as WorldServer from "../../src/worlds/WorldServer.ts"

export const keys = { apiKey: "mfg_main_key_of_tests", adminKey: "mfg_administrator_of_tests" }

export interface Options extends Partial<Settings.Settings> {
  readonly send?: Sender.Sender
}

type Row = { readonly [field: string]: unknown }

/** A service, until the scope ends. */
export const start = ({ send, ...settings }: Options = {}) =>
  Effect.gen(function* () {
    const { service } = yield* WorldServer.make({
      settings: {
        ...Settings.defaults,
        ...keys,
        log: "off",
        store: { _tag: "Sqlite", path: ":memory:" },
        ...settings
      },
      send,
      write: (line) => process.stderr.write(line)
    })
    /** Sends a request, as the socket server does. */
    const ask = (key: string, method: string, target: string, body?: unknown, headers: Exchange.Headers = {}) =>
      Effect.gen(function* () {
        const request: Exchange.Request = {
          method,
          target,
          headers: {
            authorization: `Bearer ${key}`,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers
          },
          body: body === undefined ? "" : JSON.stringify(body)
        }
        if (body !== undefined) {
          const admission = yield* service.admit({ ...request, body: "" })
          if (admission._tag === "Refused") return toReply(admission.response)
        }
        return toReply(yield* service.handle(request))
      })
    const admin = (method: string, path: string, body: unknown = method === "POST" ? {} : undefined) =>
      ask(keys.adminKey, method, `/_mock${path}`, body)
    /** Follows an operation of the administrator, until the scope ends: reads the next event. */
    const follow = (path: string) =>
      Effect.gen(function* () {
        const headers = { authorization: `Bearer ${keys.adminKey}`, accept: "text/event-stream" }
        const { stream } = yield* service.handle({ method: "GET", target: `/_mock${path}`, headers, body: "" })
        const controller = new AbortController()
        const parts = stream?.(controller.signal)[Symbol.asyncIterator]()
        if (parts === undefined) throw new Error("the response has no stream")
        yield* Effect.addFinalizer(() =>
          Effect.promise(async () => {
            controller.abort()
            await parts.return?.()
          })
        )
        return Effect.promise(async () => {
          const { value } = await parts.next()
          return String(value)
        })
      })
    return {
      ask,
      admin,
      follow,
      /** Makes a world and returns its key. */
      create: (request: object) => Effect.map(admin("POST", "/worlds", request), ({ json }) => String(json["key"]))
    }
  })

const toReply = ({ body, headers, status }: Exchange.Response) => {
  const text = String(body)
  const json: Row = text.startsWith("{") ? JSON.parse(text) : {}
  const list: ReadonlyArray<Row> = text.startsWith("[") ? JSON.parse(text) : []
  return { status, headers, text, json, list }
}
