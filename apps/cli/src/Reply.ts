/**
 * What an answer of the operation interface, or of an administrator's, comes to: a value, or the error it tells of.
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
import { OperationRefused } from "./CliError.ts"
import type { Reply } from "./Connection.ts"

export type Refusal = Unauthorized | Forbidden | RateLimited | ServiceUnavailable | ResponseMalformed | OperationRefused

const decode = Schema.decodeUnknownOption(Schema.parseJson(OperationError.OperationError))

const issues = (error: OperationError.OperationError): string =>
  OperationError.issues(error)
    .map(({ message, path }) => `; ${path.join(".")}: ${message}`)
    .join("")

const refused = (
  operation: string,
  { headers, status }: Reply,
  error: Option.Option<OperationError.OperationError>,
  nowMillis: number
): Refusal => {
  const code = Option.getOrUndefined(Option.map(error, ({ code }) => code))
  const detail = Option.match(error, {
    onNone: () => `status ${status}`,
    onSome: (error) => error.message + issues(error)
  })
  const retryAfter = RetryAfter.delay(headers["retry-after"], nowMillis)
  if (status === 401) return new Unauthorized({ subject: operation, code, detail })
  if (status === 403) return new Forbidden({ subject: operation, code, detail, hint: undefined })
  if (status === 429) return new RateLimited({ subject: operation, retryAfter })
  if (status >= 500) return new ServiceUnavailable({ subject: operation, status, code, retryAfter })
  return new OperationRefused({ operation, status, code: code ?? `status ${status}`, detail })
}

const json = (text: string): Option.Option<Json> => {
  try {
    return Option.some(JSON.parse(text))
  } catch {
    return Option.none()
  }
}

/** The JSON of an answer. */
export const read = (operation: string, url: string, reply: Reply): Effect.Effect<Json, Refusal> => {
  const malformed = new ResponseMalformed({
    subject: operation,
    origin: new URL(url).origin,
    status: reply.status,
    contentType: reply.headers["content-type"],
    expected: "JSON",
    decodeError: undefined
  })
  if (reply.status >= 400) {
    const error = decode(reply.text)
    // A page of somebody else, such as a proxy's or another service's, tells no reason.
    const isForeign = Option.isNone(error) && reply.status !== 401 && reply.status < 500
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.fail(isForeign ? malformed : refused(operation, reply, error, now))
    )
  }
  return Effect.mapError(json(reply.text), () => malformed)
}
