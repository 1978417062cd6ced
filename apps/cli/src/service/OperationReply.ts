/**
 * Reads the replies of the operation interface and of the administrator's interface: a value or an error.
 */
import {
  Forbidden,
  RateLimited,
  ResponseMalformed,
  ServiceUnavailable,
  Unauthorized
} from "@mfgdata/client/ClientError"
import type { Json } from "@mfgdata/domain/Json"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as RetryAfter from "@mfgdata/domain/RetryAfter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { OperationRefused } from "../CliError.ts"
import type { Reply } from "./Connection.ts"

export type ReplyError =
  | Unauthorized
  | Forbidden
  | RateLimited
  | ServiceUnavailable
  | ResponseMalformed
  | OperationRefused

const decode = Schema.decodeUnknownOption(Schema.parseJson(OperationError.OperationError))

/** The identifier of a request in the log of the service. */
export const requestId = ({ headers }: Pick<Reply, "headers">): string | undefined => headers["x-request-id"]

const issues = (error: OperationError.OperationError): string =>
  OperationError.issues(error)
    .map(({ message, path }) => `; ${path.join(".")}: ${message}`)
    .join("")

const errorOf = (
  operation: string,
  reply: Reply,
  error: Option.Option<OperationError.OperationError>,
  nowMillis: number
): ReplyError => {
  const { headers, status } = reply
  const code = Option.getOrUndefined(Option.map(error, ({ code }) => code))
  const detail = Option.match(error, {
    onNone: () => `status ${status}`,
    onSome: (error) => error.message + issues(error)
  })
  const facts = { subject: operation, code, detail, requestId: requestId(reply) }
  const retryAfter = RetryAfter.delay(headers["retry-after"], nowMillis)
  if (status === 401) return new Unauthorized(facts)
  if (status === 403) return new Forbidden({ ...facts, hint: undefined })
  if (status === 429) return new RateLimited({ subject: operation, retryAfter, requestId: facts.requestId })
  if (status >= 500) {
    return new ServiceUnavailable({ subject: operation, status, code, retryAfter, requestId: facts.requestId })
  }
  const fields = Option.match(error, {
    onNone: () => [],
    onSome: (error) => OperationError.issues(error).map(({ path }) => path.join("."))
  })
  return new OperationRefused({
    operation,
    status,
    code: code ?? `status ${status}`,
    detail,
    fields,
    requestId: facts.requestId
  })
}

const json = (text: string): Option.Option<Json> => {
  try {
    return Option.some(JSON.parse(text))
  } catch {
    return Option.none()
  }
}

/** The error of a reply that the interface does not define. */
export const malformed = (operation: string, url: string, reply: Reply): ResponseMalformed =>
  new ResponseMalformed({
    subject: operation,
    origin: new URL(url).origin,
    status: reply.status,
    requestId: requestId(reply),
    contentType: reply.headers["content-type"],
    expected: "JSON",
    key: undefined,
    decodeError: undefined,
    written: false
  })

/** The text of a successful reply. */
export const check = (operation: string, url: string, reply: Reply): Effect.Effect<string, ReplyError> => {
  if (reply.status < 400) return Effect.succeed(reply.text)
  const error = decode(reply.text)
  // The page of a proxy or of another service has no code and no message.
  const isForeign = Option.isNone(error) && reply.status !== 401 && reply.status < 500
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.fail(isForeign ? malformed(operation, url, reply) : errorOf(operation, reply, error, now))
  )
}

/** The JSON of a successful reply. */
export const read = (operation: string, url: string, reply: Reply): Effect.Effect<Json, ReplyError> =>
  Effect.flatMap(check(operation, url, reply), (text) =>
    Effect.mapError(json(text), () => malformed(operation, url, reply))
  )
