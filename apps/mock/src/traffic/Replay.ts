/**
 * Sends the requests of a HAR file to a world again, one after the other, and compares the responses with the recorded
 * ones. A virtual clock goes to the time of each request. New rows may have other ids than in the recording.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Effect from "effect/Effect"
import type * as Exchange from "../Exchange.ts"
import type { VirtualClock } from "../world/VirtualClock.ts"
import type { HarRequest } from "./Har.ts"
import * as IdTranslation from "./IdTranslation.ts"
import * as TrafficText from "./TrafficText.ts"

export interface Options {
  readonly handle: Exchange.Handler
  /** The key of requests whose own was hidden. */
  readonly apiKey: string
  readonly clock: VirtualClock | undefined
}

type Result = AdminApi.Response<"replayTraffic">

/** The request with the ids of the replay, and with a key in place of a hidden one. */
const toRequest = (
  { body, headers, key, method, target }: HarRequest,
  ids: IdTranslation.IdTranslation,
  apiKey: string
): Exchange.Request => {
  const isAuthorized = key === "None" || "authorization" in headers || "apikey" in headers
  const authorization = `Bearer ${key === "Valid" ? apiKey : "invalid"}`
  return {
    method,
    target: ids.apply(target),
    headers: isAuthorized ? headers : { ...headers, authorization },
    body: ids.apply(body)
  }
}

/** Replays requests. */
export const run = (requests: ReadonlyArray<HarRequest>, { apiKey, clock, handle }: Options): Effect.Effect<Result> =>
  Effect.suspend(() => {
    const ids = IdTranslation.make()
    const compare = (recorded: HarRequest, { body, headers, status }: Exchange.Response) => {
      const text = TrafficText.redactBody(TrafficText.fromBody(body), headers["Content-Type"])
      if (status === recorded.status) ids.learn(recorded.responseBody, text)
      const expected = ids.apply(recorded.responseBody)
      // The last character of a body that was cut may be a part of one.
      const isSame = recorded.isCut ? text.startsWith(expected.slice(0, -1)) : text === expected
      if (isSame && status === recorded.status) return []
      const { method, position, target } = recorded
      return [
        { position, method, target, expected: { status: recorded.status, body: expected }, got: { status, body: text } }
      ]
    }
    const send = (recorded: HarRequest) =>
      Effect.suspend(() => {
        clock?.freeze()
        clock?.set(recorded.at)
        return Effect.map(handle(toRequest(recorded, ids, apiKey)), (response) => compare(recorded, response))
      })
    return Effect.map(Effect.forEach(requests, send), (found) => {
      const differences = found.flat()
      return { requests: requests.length, same: requests.length - differences.length, differences }
    })
  })
