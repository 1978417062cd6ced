/**
 * The services of the model test: one in this process, and the built one on a socket, which can
 * be killed. The rules of a set apply to the key of the client under test alone.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Rows } from "@mfgdata/client"
import * as Promises from "@mfgdata/client/promise"
import type { Holiday } from "@mfgdata/domain"
import * as Testing from "@mfgdata/mock/testing"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as Bin from "../Bin.ts"
import * as Program from "../Program.ts"
import * as Caller from "./Caller.ts"
import type { Truth } from "./ModelRun.ts"
import * as ScaledClock from "./ScaledClock.ts"

export interface ModelTarget {
  /** The number of faults so far. */
  readonly fired: () => Promise<number>
  readonly caller: Caller.Caller
  readonly truth: Truth
  readonly companyId: Caller.NewHoliday["companyId"]
  readonly now: () => number
  /** The time of one attempt of the client under test, in milliseconds by `now`. */
  readonly timeoutMillis: number
}

/** Sends a request, and returns the body of the response. */
interface Send {
  (
    method: string,
    path: string,
    key: string,
    body?: unknown
  ): Promise<{ readonly body: unknown; readonly etag: string }>
}

const modelKey = "model"

export interface Options {
  /** The name of a ready set of fault rules. */
  readonly set: string
  readonly seed: number
}

/** Creates the key of the client under test. */
const createKey = async (send: Send, adminKey: string): Promise<string> => {
  // The administrator's interface has these fields.
  const { key } = (await send("POST", "/_mock/keys", adminKey, { name: modelKey })).body as { readonly key: string }
  return key
}

/** Arms the rules of a set for the key of the client under test. */
const arm = async (send: Send, adminKey: string, { seed, set }: Options): Promise<void> => {
  const rules = (await send("POST", "/_mock/faults", adminKey, { set })).body as ReadonlyArray<object>
  await send("DELETE", "/_mock/faults", adminKey)
  for (const rule of rules) {
    const { fired: _, id: __, matched: ___, ...fields } = rule as { [name: string]: unknown }
    await send("POST", "/_mock/faults", adminKey, { ...fields, seed, match: { key: modelKey } })
  }
}

/** Counts the faults of all rules. */
const countFired = async (send: Send, adminKey: string): Promise<number> => {
  // The administrator's interface has these fields.
  const rules = (await send("GET", "/_mock/faults", adminKey)).body as ReadonlyArray<{ readonly fired: number }>
  return rules.reduce((sum, { fired }) => sum + fired, 0)
}

/** The rows of the service, by a key without faults. */
const truthOf = (send: Send, apiKey: string, kill: Truth["kill"]): Truth => ({
  rows: async () => {
    const { body } = await send("GET", "/rest/holiday?select=id,name&limit=1000", apiKey)
    // As selected.
    return new Map(
      (body as ReadonlyArray<{ readonly id: string; readonly name: string }>).map(({ id, name }) => [id, name])
    )
  },
  version: async (id) => (await send("GET", `/rest/holiday?id=eq.${id}`, apiKey)).etag,
  touch: async (id, name) => void (await send("PATCH", `/rest/holiday?id=eq.${id}`, apiKey, { name })),
  kill
})

const cannotKill = () => Promise.reject(new Error("a service in this process cannot be killed"))

/** The factor of the time in this process. */
const factor = 50

const timeoutMillis = 5000

/** A service in this process, whose time passes faster. */
export const inProcess = (options: Options): Effect.Effect<ModelTarget, unknown, Scope.Scope> => {
  const clock = ScaledClock.make(factor)
  return Effect.gen(function* () {
    const context = yield* Layer.build(Testing.layer({ seed: { _tag: "Empty" }, idSeed: options.seed, log: "off" }))
    return yield* Effect.gen(function* () {
      const { adminKey, apiKey, companyId, restUrl } = yield* Testing.World
      const client = yield* HttpClient.HttpClient
      const runtime = yield* Effect.runtime()
      const origin = restUrl.slice(0, -"/rest".length)
      const send: Send = (method, path, key, body) =>
        HttpClientRequest.make(method as "GET")(`${origin}${path}`).pipe(
          HttpClientRequest.bearerToken(key),
          body === undefined ? (request) => request : HttpClientRequest.bodyUnsafeJson(body),
          client.execute,
          Effect.flatMap((response) =>
            Effect.map(response.json, (body) => ({ body, etag: response.headers["etag"] ?? "" }))
          ),
          Runtime.runPromise(runtime)
        )
      const key = yield* Effect.promise(() => createKey(send, Redacted.value(adminKey)))
      yield* Effect.promise(() => arm(send, Redacted.value(adminKey), options))
      const rows = yield* Rows.make({ restUrl, apiKey: Redacted.make(key), timeout: Duration.millis(timeoutMillis) })
      return {
        fired: () => countFired(send, Redacted.value(adminKey)),
        caller: Caller.fromEffect(rows, runtime),
        truth: truthOf(send, Redacted.value(apiKey), cannotKill),
        companyId,
        now: () => clock.unsafeCurrentTimeMillis(),
        timeoutMillis
      }
    }).pipe(Effect.provide(context))
  }).pipe(Effect.withClock(clock))
}

const apiKey = "mfg_model_truth_key"
const adminKey = "mfg_model_administration"

/** The built service on a store, which a kill ends and starts again; the client under test is the one for promises or Effect. */
export const built = (
  faults: Options,
  store: string,
  kind: "effect" | "promise"
): Effect.Effect<ModelTarget, never, Scope.Scope> =>
  Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    const runtime = yield* Effect.runtime<Scope.Scope>()
    const start = (port: number) =>
      Program.start([bin, "serve", "--port", String(port), "--seed", "empty", "--store", store], /Try:/, {
        env: { MFG_MOCK_API_KEY: apiKey, MFG_MOCK_ADMIN_KEY: adminKey }
      })
    let service = yield* start(0)
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(service.said)?.[0] ?? ""
    const companyId = /company +(\S+)/.exec(service.said)?.[1] ?? ""
    const send: Send = async (method, path, key, body) => {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return { body: text === "" ? undefined : JSON.parse(text), etag: response.headers.get("etag") ?? "" }
    }
    const key = yield* Effect.promise(() => createKey(send, adminKey))
    yield* Effect.promise(() => arm(send, adminKey, faults))
    const options = {
      restUrl: `${origin}/rest`,
      apiKey: Redacted.make(key),
      timeout: "1 second",
      retry: { first: "5 millis" }
    } as const
    const kill = () =>
      Runtime.runPromise(runtime)(
        Effect.gen(function* () {
          yield* service.end("SIGKILL")
          service = yield* start(Number(new URL(origin).port))
          yield* Effect.promise(() => arm(send, adminKey, faults))
        })
      )
    const caller =
      kind === "promise"
        ? Caller.fromPromises(Promises.connect(options))
        : Caller.fromEffect(yield* Effect.provide(Rows.make(options), FetchHttpClient.layer), yield* Effect.runtime())
    return {
      fired: () => countFired(send, adminKey),
      caller,
      truth: truthOf(send, apiKey, kill),
      companyId: companyId as Holiday["companyId"],
      now: () => performance.now(),
      timeoutMillis: 1000
    }
  })
