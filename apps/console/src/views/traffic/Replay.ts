/**
 * Sends a recorded request again, with changes. The key is that of the session: the recorded one is hidden.
 */
import * as Service from "../../service/Service.ts"
import type { Exchange } from "./TrafficFilter.ts"

/** A request as the form has it. */
export interface Draft {
  readonly method: string
  readonly target: string
  /** One header on a line. */
  readonly headers: string
  readonly body: string
}

export interface Outcome {
  readonly status: number
  readonly millis: number
  readonly requestId: string | undefined
  readonly body: string
}

/** Headers that the browser or the session sets. */
const own =
  /^(authorization|apikey|host|connection|content-length|accept-encoding|user-agent|origin|referer|cookie|sec-.*)$/i

export const draftOf = ({ method, request, target }: Exchange): Draft => ({
  method,
  target,
  headers: Object.entries(request.headers)
    .filter(([name]) => !own.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n"),
  body: request.body
})

const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/

/** The first problem of a draft, by the name of its field. */
export const problemOf = ({
  headers,
  target
}: Draft): { readonly field: keyof Draft; readonly message: string } | undefined => {
  if (!target.startsWith("/")) return { field: "target", message: "Expected a path such as /rest/holiday?limit=1." }
  const wrong = headers.split("\n").find((line) => line.trim() !== "" && !headerLine.test(line))
  return wrong === undefined ? undefined : { field: "headers", message: `Expected "name: value", found "${wrong}".` }
}

const headersOf = (text: string): { readonly [name: string]: string } =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, name, value = ""] = headerLine.exec(line) ?? []
      return name === undefined ? [] : [[name, value]]
    })
  )

export const send = async ({ body, headers, method, target }: Draft, signal: AbortSignal): Promise<Outcome> => {
  const start = performance.now()
  const { requestId, response, status } = await Service.open({
    method,
    target,
    headers: headersOf(headers),
    // `fetch` refuses a body of these methods.
    body: method === "GET" || method === "HEAD" || body === "" ? undefined : body,
    credential: target.startsWith("/_mock") ? "admin" : "api",
    acceptsErrors: true,
    signal
  })
  const text = await response.text()
  return { status, requestId, body: text, millis: performance.now() - start }
}
