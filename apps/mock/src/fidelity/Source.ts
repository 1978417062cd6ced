/**
 * Opens the live service of a profile: its rows through the client, and any request as it is. Checks that it is the
 * service and that it accepts the key, and finds the resources that the key may read.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Rows from "@mfgdata/client/Rows"
import type * as Ask from "@mfgdata/client/contract/Ask"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as RawCalls from "./RawCalls.ts"

/** The addresses and the key of a service, and the name of its profile. */
export interface Address {
  readonly name: string
  readonly restUrl: string
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** The client that sends the requests (default: fetch). */
  readonly client?: HttpClient.HttpClient
}

/** A resource that the key cannot read, and the response of the service. */
export interface LeftOut {
  readonly resource: string
  readonly status: number
  readonly code: string | undefined
  readonly reason: string
}

export interface Source extends Address {
  readonly rows: Rows.Service
  /** Sends a request as it is; waits while the service has too many requests, and retries it while it is unavailable. */
  readonly ask: Ask.Ask<SourceUnreachable>
  /** The resources that the key may read. */
  readonly resources: ReadonlyArray<Resource.Any>
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** No response from the address. */
class SourceUnreachable extends Data.TaggedError("SourceUnreachable")<{
  readonly name: string
  readonly origin: string
  readonly reason: string
}> {
  override get message() {
    return `The service of the profile ${this.name} at ${this.origin} cannot be reached: ${this.reason}.`
  }
}

/** Another service at the address. */
class SourceForeign extends Data.TaggedError("SourceForeign")<{
  readonly name: string
  readonly url: string
  readonly found: string
}> {
  override get message() {
    return (
      `The profile ${this.name} leads to another service: ${this.url} returned ${this.found}, expected a JSON array of rows. ` +
      `Check the address of the row interface.`
    )
  }
}

/** A key that the service does not accept, or that may not read any of the resources. */
class SourceKeyRefused extends Data.TaggedError("SourceKeyRefused")<{
  readonly name: string
  readonly origin: string
  readonly status: number
  readonly reason: string
}> {
  override get message() {
    return `The service of the profile ${this.name} at ${this.origin} refuses the key (status ${this.status}): ${this.reason}`
  }
}

export type OpenError = SourceUnreachable | SourceForeign | SourceKeyRefused

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const errorOf = (text: string): { readonly code?: unknown; readonly message?: unknown } => {
  const body = parse(text)
  return typeof body === "object" && body !== null ? body : {}
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const describe = ({ headers, status, text }: Ask.Answer): string =>
  `status ${status} and ${text === "" ? "no body" : (headers["content-type"]?.split(";")[0] ?? "a body without a type")}`

/** Reads one row of a resource: it can be read, it was refused, or the response is not one of the service. */
const read = (ask: Source["ask"], resource: Resource.Any) =>
  Effect.map(ask({ method: "GET", face: "rows", target: `/${resource.resource}?limit=1` }), (answer) => {
    const { code, message } = errorOf(answer.text)
    const isRead = answer.status >= 200 && answer.status < 300
    return {
      resource,
      answer,
      isRead: isRead && Array.isArray(parse(answer.text)),
      code: text(code),
      reason: text(message) ?? describe(answer)
    }
  })

export interface Options {
  /** The resources to read (default: all). */
  readonly resources?: ReadonlyArray<Resource.Any>
  /** The maximum number of concurrent requests (default 4). */
  readonly concurrency?: number
}

/** Opens the service over a client. */
export const make = (
  address: Address,
  { concurrency = 4, resources = Catalogue.resources }: Options = {}
): Effect.Effect<Source, OpenError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const { apiKey, baseUrl, name, restUrl } = address
    const { origin } = new URL(restUrl)
    const ask = yield* RawCalls.make(client, address, {
      concurrency,
      unreachable: (reason) => new SourceUnreachable({ name, origin, reason })
    })
    const rows = yield* Rows.make({ restUrl, apiKey, retry: { times: 8 } })
    const found = yield* Effect.forEach(resources, (resource) => read(ask, resource), { concurrency })
    const first = found[0]
    if (first === undefined || !found.some(({ isRead }) => isRead)) {
      const refused = found.find(({ answer: { status } }) => status === 401 || status === 403)
      if (refused !== undefined) {
        const { reason } = refused
        return yield* new SourceKeyRefused({ name, origin, status: refused.answer.status, reason })
      }
      const url = `${restUrl}/${first?.resource.resource ?? ""}`
      return yield* new SourceForeign({ name, url, found: first === undefined ? "nothing" : describe(first.answer) })
    }
    return {
      name,
      restUrl,
      baseUrl,
      apiKey,
      rows,
      ask,
      resources: found.flatMap(({ isRead, resource }) => (isRead ? [resource] : [])),
      leftOut: found.flatMap(({ answer, code, isRead, reason, resource }) =>
        isRead ? [] : [{ resource: resource.resource, status: answer.status, code, reason }]
      )
    }
  })

/** Opens the service over the network. */
export const open = (address: Address, options?: Options): Effect.Effect<Source, OpenError> =>
  address.client === undefined
    ? Effect.provide(make(address, options), FetchHttpClient.layer)
    : Effect.provideService(make(address, options), HttpClient.HttpClient, address.client)
