/**
 * Writes exchanges as a file of HAR 1.2, which the developer tools of browsers open, and reads the requests of such a
 * file. Fields that begin with `_` are of this service.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as http from "node:http"
import * as TrafficText from "./TrafficText.ts"

interface Creator {
  readonly name: string
  readonly version: string
}

const nameValues = (entries: Iterable<readonly [string, string]>) =>
  Array.from(entries, ([name, value]) => ({ name, value }))

const mediaType = (headers: { readonly [name: string]: string }): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "application/octet-stream"

/** The address of a request. A target may begin with two slashes, or be no path. */
const addressOf = (target: string, origin: string): URL => {
  const address = target.startsWith("/") ? origin + target : target
  return URL.canParse(address, origin) ? new URL(address, origin) : new URL(origin)
}

const isCut = ({ body, bytes }: AdminApi.Exchange["request"]): boolean => Buffer.byteLength(body) < bytes

const toEntry = (origin: string) => (exchange: AdminApi.Exchange) => {
  const { apiKey, at, fault, lost, method, millis, request, requestId, response, status, target } = exchange
  const url = addressOf(target, origin)
  return {
    startedDateTime: at,
    time: millis,
    request: {
      method,
      url: url.href,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: nameValues(Object.entries(request.headers)),
      queryString: nameValues(url.searchParams),
      ...(request.bytes === 0
        ? {}
        : {
            postData: {
              mimeType: mediaType(request.headers),
              text: request.body,
              ...(isCut(request) ? { _truncated: true } : {})
            }
          }),
      headersSize: -1,
      bodySize: request.bytes
    },
    response: {
      status,
      statusText: http.STATUS_CODES[status] ?? "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: nameValues(Object.entries(response.headers)),
      content: {
        size: response.bytes,
        mimeType: mediaType(response.headers),
        text: response.body,
        ...(isCut(response) ? { _truncated: true } : {})
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: response.bytes
    },
    cache: {},
    timings: { send: 0, wait: millis, receive: 0 },
    _requestId: requestId,
    _apiKey: apiKey,
    _fault: fault,
    _lost: lost
  }
}

/** The file of exchanges, the oldest first. */
export const write = (exchanges: ReadonlyArray<AdminApi.Exchange>, origin: string, creator: Creator): string =>
  JSON.stringify({ log: { version: "1.2", creator, entries: exchanges.map(toEntry(origin)) } })

const NameValue = Schema.Struct({ name: Schema.String, value: Schema.String })
const truncated = { _truncated: Schema.optional(Schema.Boolean) }

const Entry = Schema.Struct({
  startedDateTime: Schema.String,
  time: Schema.optional(Schema.Number),
  request: Schema.Struct({
    method: Schema.String,
    url: Schema.String,
    headers: Schema.Array(NameValue),
    bodySize: Schema.optional(Schema.Number),
    postData: Schema.optional(Schema.Struct({ text: Schema.optional(Schema.String), ...truncated }))
  }),
  response: Schema.Struct({
    status: Schema.Int,
    content: Schema.Struct({
      text: Schema.optional(Schema.String),
      encoding: Schema.optional(Schema.String),
      ...truncated
    })
  }),
  _requestId: Schema.optional(Schema.String),
  _apiKey: Schema.optional(Schema.NullOr(Schema.String)),
  _lost: Schema.optional(Schema.NullOr(Schema.String))
})

const Log = Schema.Struct({ version: Schema.String, entries: Schema.Array(Entry) })

/** A request of a file, and the response that it had. */
export interface HarRequest {
  /** The number of entries before it. */
  readonly position: number
  /** Milliseconds since 1970: the time that its rows got, or else that of the request. */
  readonly at: number
  /** The key that it had. Files of other programs do not say that it was invalid or missing. */
  readonly key: "Valid" | "Invalid" | "None"
  readonly method: string
  /** The path and the query. */
  readonly target: string
  /** Names in lower case. Headers with hidden values are left out. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string
  readonly status: number
  readonly responseBody: string
  /** True where the file has only the beginning of the response. */
  readonly isCut: boolean
}

/** A file that cannot be replayed. */
export class HarInvalid extends Data.TaggedError("HarInvalid")<{
  /** The place in the file. */
  readonly path: ReadonlyArray<string | number>
  readonly problem: string
}> {
  override get message() {
    return `the HAR file cannot be replayed: ${this.path.join(".")}: ${this.problem}`
  }
}

/** Headers that the transport sets, and those of HTTP/2. */
const transportHeaders = /^(:|(host|connection|content-length|accept-encoding|transfer-encoding|content-encoding)$)/

const isKey = ({ name }: typeof NameValue.Type): boolean => /^(authorization|apikey)$/i.test(name)

const decode = Schema.decodeUnknownEither(Log)

const invalid = (position: number, path: string, problem: string) =>
  Either.left(new HarInvalid({ path: ["log", "entries", position, ...path.split(".")], problem }))

/** The paths of the service that are not replayed. */
const otherPaths = new RegExp(
  String.raw`^(/+|(${AdminApi.mount}|/favicon\.ico|/openapi\.json|/health|/metrics|/docs|/console|/webhooks)(/.*)?)$`
)

/** The text of the response of an entry. */
const responseText = ({ response: { content } }: typeof Entry.Type): string => {
  const { encoding, text = "" } = content
  return encoding === "base64" ? Buffer.from(text, "base64").toString() : text
}

const stamps = (text: string): ReadonlyArray<number> =>
  Array.from(text.matchAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g), ([stamp]) => Date.parse(stamp))

/** The request of an entry; undefined for one of a path that is not replayed. */
const fromEntry = (
  entry: typeof Entry.Type,
  position: number,
  known: ReadonlyArray<number>
): Either.Either<HarRequest | undefined, HarInvalid> => {
  const { _apiKey, _requestId, request, response, startedDateTime, time = 0 } = entry
  const { bodySize = 0, headers, method, postData, url } = request
  const { content, status } = response
  if (!URL.canParse(url)) return invalid(position, "request.url", "expected an absolute address")
  const { pathname, search } = new URL(url)
  if (otherPaths.test(pathname)) return Either.right(undefined)
  if (!/^\/(rest|api\/v1)(\/|$)/.test(pathname)) {
    // A service of this kind recorded that it does not have the path.
    if (_requestId !== undefined && status === 404) return Either.right(undefined)
    return invalid(position, "request.url", `${pathname} is not a path of this service: expected /rest or /api/v1`)
  }
  const at = Date.parse(startedDateTime)
  if (Number.isNaN(at)) return invalid(position, "startedDateTime", "expected a timestamp")
  const body = postData?.text ?? ""
  if (postData?._truncated === true || Buffer.byteLength(body) < bodySize) {
    return invalid(position, "request.postData", `the body was cut: ${Buffer.byteLength(body)} of ${bodySize} bytes`)
  }
  const responseBody = responseText(entry)
  const isRead = /^(GET|HEAD)$/i.test(method)
  const isWithin = (stamp: number) => stamp >= at && stamp <= at + time + 1
  return Either.right({
    position,
    // The response to a write need not have the time that its rows got: then a later response may.
    at: stamps(responseBody).find(isWithin) ?? (isRead ? undefined : known.find(isWithin)) ?? at,
    // The file has no name for a key that was revoked after the request.
    key: _apiKey !== null || status !== 401 ? "Valid" : headers.some(isKey) ? "Invalid" : "None",
    method: method.toUpperCase(),
    target: pathname + search,
    headers: Object.fromEntries(
      headers
        .map(({ name, value }) => [name.toLowerCase(), value] as const)
        .filter(([name, value]) => !transportHeaders.test(name) && !TrafficText.isHidden(value))
    ),
    body,
    status,
    responseBody,
    isCut: content._truncated === true
  })
}

/** Reads the requests of rows and operations in a file. */
export const read = (log: unknown): Either.Either<ReadonlyArray<HarRequest>, HarInvalid> =>
  Either.gen(function* () {
    const { entries, version } = yield* Either.mapLeft(decode(log), (error) => {
      const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
      return new HarInvalid({
        path: ["log", ...(issue?.path ?? []).map((part) => (typeof part === "number" ? part : String(part)))],
        // The message about the whole log would be its schema.
        problem:
          issue === undefined || issue.path.length === 0
            ? "expected the log of a HAR file, with version and entries"
            : issue.message
      })
    })
    if (version !== "1.2") {
      return yield* Either.left(new HarInvalid({ path: ["log", "version"], problem: `expected 1.2, got ${version}` }))
    }
    const known = [...new Set(entries.flatMap((entry) => stamps(responseText(entry))))]
    const requests = yield* Either.all(entries.map((entry, position) => fromEntry(entry, position, known)))
    return requests.filter((request) => request !== undefined)
  })
