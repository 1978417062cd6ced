/**
 * Sends requests to the worlds of a test.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { World } from "../../src/testing.ts"

type Row = { readonly [field: string]: unknown }

const origin = "http://mock.test"

interface NewWorld {
  readonly name: string
  readonly key: string
  readonly restUrl: string
  readonly baseUrl: string
  readonly companyId: string
  readonly userId: string
  readonly idleSeconds: number
}

interface Method {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

/** Sends a request with a key. */
export const send = (key: string, target: string, { body, headers = {}, method }: Method) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const bare = HttpClientRequest.make(method)(origin + target)
    const request = bare.pipe(
      HttpClientRequest.setHeaders({ authorization: `Bearer ${key}`, ...headers }),
      body === undefined
        ? (request) => request
        : body instanceof Uint8Array
          ? HttpClientRequest.bodyUint8Array(body, "application/gzip")
          : HttpClientRequest.bodyUnsafeJson(body)
    )
    const response = yield* client.execute(request)
    const text = yield* response.text
    // A test asks for objects, and uses `listed` for lists.
    const parsed: Row = text.startsWith("{") ? JSON.parse(text) : {}
    return { status: response.status, headers: response.headers, text, body: parsed }
  })

export const get = (key: string, target: string) => send(key, target, { method: "GET" })

const listOf = ({ status, text }: { readonly status: number; readonly text: string }): ReadonlyArray<Row> => {
  assert.strictEqual(status, 200, text)
  return JSON.parse(text)
}

/** The names of the holidays of a world. */
export const names = (key: string) =>
  Effect.map(rows(key, "holiday", "?select=name&order=name.asc"), (found) => found.map(({ name }) => name))

/** Asserts that an administrator's request is refused with a code and a sentence. */
export const refuses = <E, R>(
  refused: Effect.Effect<{ readonly status: number; readonly body: Row }, E, R>,
  status: number,
  code: string,
  sentence: string
) =>
  Effect.map(refused, (response) => {
    assert.strictEqual(response.status, status, JSON.stringify(response.body))
    assert.include(response.body, { code, status })
    assert.include(String(response.body["message"]), sentence)
  })

/** The rows of a resource. */
export const rows = (key: string, resource: string, query = "") =>
  Effect.map(get(key, `/rest/${resource}${query}`), listOf)

/** Creates a holiday. */
export const insert = (key: string, name: string) =>
  Effect.gen(function* () {
    const { companyId } = yield* World
    const holiday = { name, date: "2027-01-01", companyId }
    const { body, status, text } = yield* send(key, "/rest/holiday", { method: "POST", body: holiday })
    assert.strictEqual(status, 201, text)
    return body
  })

/** Sends an administrator's request. */
export const admin = (method: Method["method"], path: string, body?: unknown) =>
  Effect.gen(function* () {
    const { adminKey } = yield* World
    return yield* send(Redacted.value(adminKey), `/_mock${path}`, {
      method,
      ...(method === "POST" ? { body: body ?? {} } : {})
    })
  })

/** Makes a world. */
export const create = (request: object) =>
  Effect.map(admin("POST", "/worlds", request), ({ status, text }): NewWorld => {
    assert.strictEqual(status, 201, text)
    return JSON.parse(text)
  })

/** The list of an administrator's request. */
export const listed = (path: string) => Effect.map(admin("GET", path), listOf)

/** Issues or rolls an API key, and returns it with its id. */
export const issue = (path: string, request: object = {}) =>
  Effect.map(admin("POST", path, request), ({ body, status, text }) => {
    assert.strictEqual(status, 201, text)
    return { id: String(body["id"]), key: String(body["key"]) }
  })
