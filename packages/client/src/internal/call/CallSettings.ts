/**
 * Resolves the options of a layer and of a call to the settings of a request, which are kept for the next call with the
 * same options.
 */
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Memo from "@mfgdata/domain/Memo"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import type { CallOptions, LayerOptions } from "../../CallOptions.ts"
import * as ClientConfig from "../../ClientConfig.ts"
import * as CallContext from "./CallContext.ts"
import * as ClientOptions from "../ClientOptions.ts"
import * as Retry from "./Retry.ts"

export interface CallSettings {
  /** A request without an address, with the headers of every request. */
  readonly request: HttpClientRequest.HttpClientRequest
  readonly retry: Retry.Retry
  readonly timeout: Duration.Duration | undefined
}

const resolve = ({ apiKey, at, headers, retry, timeout }: CallOptions): Either.Either<CallSettings, string> => {
  const time = timeout === undefined ? undefined : ClientOptions.duration("timeout", timeout)
  const authorization = apiKey === undefined ? undefined : ClientOptions.authorizationOf(apiKey)
  const settings: CallSettings = {
    request: HttpClientRequest.make("GET")("", {
      headers: {
        accept: "application/json",
        ...(authorization !== undefined && { authorization }),
        ...(at && { "accept-datetime": at instanceof Date ? at.toISOString() : at }),
        ...ClientOptions.headers(headers)
      }
    }),
    retry: Retry.make(retry),
    timeout: time !== undefined && Duration.isFinite(time) ? time : undefined
  }
  // The key of a call may come from a user, so that an invalid one is an error of the call.
  return authorization === undefined
    ? Either.left(`apiKey: expected ${ClientConfig.expectedKey}`)
    : Either.right(settings)
}

/** The settings of calls below the options of a layer; an invalid option throws. */
export const make = (layer: LayerOptions): ((call: CallOptions) => Either.Either<CallSettings, string>) =>
  // A world of tests is the options of a layer too, and its `at` is a function.
  Memo.make((call: CallOptions) => resolve(CallContext.merge({ ...layer, at: undefined }, call)))

/** Adds headers to those of a request: the preferences of both count. */
export const combine = (
  { headers: { prefer } }: HttpClientRequest.HttpClientRequest,
  headers: { readonly [name: string]: string }
): { readonly [name: string]: string } =>
  prefer === undefined
    ? headers
    : { ...headers, prefer: headers["prefer"] === undefined ? prefer : `${headers["prefer"]},${prefer}` }

let schedules = 0
const idOf = Memo.make<object, number>(() => ++schedules)

const retryText = (retry: CallOptions["retry"]): unknown => (Schedule.isSchedule(retry) ? idOf(retry) : retry)

/** A text that is the same for the same options; it holds the key. */
export const signature: (options: CallOptions) => string = Memo.make(({ apiKey, at, headers, retry, spans, timeout }) =>
  JSON.stringify([
    apiKey === undefined ? null : (ClientOptions.authorizationOf(apiKey) ?? String(apiKey)),
    Object.entries(headers ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    at,
    retryText(retry),
    timeout === undefined ? null : String(timeout),
    spans
  ])
)
