/**
 * The one client of the page: every call to the service goes through it. It adds the key, records the call, waits for
 * another key when the service refuses one, and sends reads again when the service was away.
 */
import * as Connection from "./Connection.ts"
import * as RequestLog from "./RequestLog.ts"
import * as ServiceError from "./ServiceError.ts"
import * as Session from "../session/Session.ts"
import * as World from "../session/World.ts"
import { mount } from "./operations.derived.ts"

/** A call. */
export interface Call {
  /** Default: GET. */
  readonly method?: string
  /** Path and query from the origin on, such as `/rest/holiday?limit=1`. */
  readonly target: string
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly body?: string | Blob | undefined
  /** The key (default: the API key of the world). */
  readonly credential?: Session.Credential
  /** The world (default: that of the page). */
  readonly world?: string
  readonly signal?: AbortSignal | undefined
  /** Set for a call that the page makes by itself, such as its check of the health: it is not recorded. */
  readonly isSilent?: boolean
  /** Set for a call whose error responses are results, such as a request that a person tries. */
  readonly acceptsErrors?: boolean
}

/** The response to a call. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  readonly response: Response
}

const isAbort = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true || (error instanceof DOMException && error.name === "AbortError")

/** Creates an API key of a world with the administrator's key. */
const createKey = async (world: string): Promise<string> => {
  const { response } = await open({
    method: "POST",
    target: `${mount}/keys${world === "main" ? "" : `?world=${encodeURIComponent(world)}`}`,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "console" }),
    credential: "admin",
    isSilent: true
  })
  const { key }: { readonly key: string } = await response.json()
  return key
}

const keyFor = async (credential: Session.Credential, world: string): Promise<string> => {
  const { value } = Session.current
  const adminKey = value._tag === "SignedOut" ? undefined : value.keys.adminKey
  if (credential === "admin") {
    if (adminKey === undefined) throw new ServiceError.AdminKeyMissing()
    return adminKey
  }
  return Session.keyOf(world, () => {
    if (adminKey === undefined) throw new ServiceError.AdminKeyMissing()
    return createKey(world)
  })
}

/** Sends a call and returns its response, whose body is not read yet. A response that is an error throws. */
export const open = async (call: Call): Promise<Answer> => {
  const { body, credential = "api", headers = {}, isSilent = false, method = "GET", signal, target } = call
  const world = call.world ?? World.current.value
  const key = await keyFor(credential, world)
  signal?.throwIfAborted()
  const text = typeof body === "string" ? body : undefined
  const finish = isSilent
    ? () => undefined
    : RequestLog.begin({ method, target, headers, body: text, credential, world })
  let response: Response
  try {
    response = await fetch(target, {
      method,
      headers: { ...headers, Authorization: `Bearer ${key}` },
      body: body ?? null,
      signal: signal ?? null,
      cache: "no-store",
      redirect: "error"
    })
  } catch (error) {
    if (isAbort(error, signal)) throw error
    Connection.lost()
    finish({ status: undefined, requestId: undefined })
    if (method !== "GET" && method !== "HEAD") throw new ServiceError.Unreachable()
    await Connection.restored(signal)
    return open(call)
  }
  const requestId = response.headers.get("X-Request-Id") ?? undefined
  finish({ status: response.status, requestId })
  if (call.acceptsErrors === true) return { status: response.status, headers: response.headers, requestId, response }
  if (response.status === 401) {
    Session.expire(credential)
    await Session.renewed(signal)
    return open(call)
  }
  if (!response.ok) throw ServiceError.fromResponse(response.status, await response.text(), requestId)
  return { status: response.status, headers: response.headers, requestId, response }
}

/** Sends a call and returns the JSON of its response; null for an empty one. */
export const json = async (call: Call): Promise<unknown> => {
  const { response } = await open(call)
  const text = await response.text()
  return text === "" ? null : JSON.parse(text)
}
