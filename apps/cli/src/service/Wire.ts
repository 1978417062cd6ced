/**
 * Shows the requests of a command on standard error: their headers with `--verbose`, their times with `--trace`.
 */
import type * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Switches from "@mfgdata/shell/Switches"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { trace, verbose } from "../Switches.ts"

/** Headers that hold an address. */
const addresses: ReadonlySet<string> = new Set(["location", "content-location"])

/** Headers that hold a secret. */
const secret = /^(?:authorization|apikey|cookie|set-cookie)$|secret|token/

const redacted = "<redacted>"

/** The names of the columns that hold secrets, of the resource in a path. */
const secretsOf = (path: string): ReadonlyArray<string> => {
  const resource = Catalogue.find(path.split("/").at(-1) ?? "")
  return resource === undefined
    ? []
    : Column.fromResource(resource).flatMap(({ name, sensitive }) => (sensitive ? [name] : []))
}

/** An address without the conditions on secrets. */
const visible = (address: string): string => {
  const [path = "", search = ""] = address.split("?", 2)
  const secrets = secretsOf(path)
  if (search === "" || secrets.length === 0) return address
  const parameters = search.split("&").map((parameter) => {
    const [name = ""] = parameter.split("=", 1)
    const isSecret = secrets.some((column) => (/(?:and|or)$/.test(name) ? parameter : name).includes(column))
    return isSecret ? `${name}=${redacted}` : parameter
  })
  return `${path}?${parameters.join("&")}`
}

const linesOf = (mark: string, headers: Headers.Headers): ReadonlyArray<string> =>
  Object.entries(headers).map(([name, value]) => {
    const shown = secret.test(name) ? redacted : addresses.has(name) ? visible(value) : value
    return `${mark} ${name}: ${shown}`
  })

const addressOf = ({ url, urlParams }: HttpClientRequest.HttpClientRequest): string => {
  const pairs = Array.from(urlParams, ([name, value]): [string, string] => [name, value])
  const query = new URLSearchParams(pairs).toString()
  return visible(query === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`)
}

const note = (lines: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.forEach(lines, (line) => Terminal.note(Terminal.styledError("dim", line)), { discard: true })

/** A client that shows its requests where a switch asks for it. */
export const shown = (client: HttpClient.HttpClient): Effect.Effect<HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const [isVerbose, isTraced] = [yield* Switches.isOn(verbose), yield* Switches.isOn(trace)]
    if (!isVerbose && !isTraced) return client
    return HttpClient.transform(client, (effect, request) =>
      Effect.gen(function* () {
        const line = `${request.method} ${addressOf(request)}`
        if (isVerbose) yield* note([`> ${line}`, ...linesOf(">", request.headers)])
        const start = yield* Clock.currentTimeMillis
        const since = Effect.map(Clock.currentTimeMillis, (now) => `${now - start} ms`)
        const response = yield* Effect.tapError(effect, () =>
          Effect.flatMap(since, (time) => note([`< ${line} without a response after ${time}`]))
        )
        if (isVerbose) yield* note([`< ${response.status}`, ...linesOf("<", response.headers)])
        if (isTraced) {
          const cost = response.headers["mfg-cost"]
          yield* note([`${line} ${response.status} in ${yield* since}${cost === undefined ? "" : ` (${cost})`}`])
        }
        return response
      })
    )
  })
