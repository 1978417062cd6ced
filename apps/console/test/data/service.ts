/**
 * A service in the process of a test, with the row interface of the console.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Testing from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as ServiceError from "../../src/service/ServiceError.ts"
import * as RowService from "../../src/views/data/edits/RowService.ts"

export interface TestService {
  readonly rows: RowService.RowService
  readonly companyId: string
  readonly close: () => Promise<void>
}

/** Starts a service, which `close` stops. */
export const start = async (): Promise<TestService> => {
  const runtime = ManagedRuntime.make(Testing.layer())
  const { apiKey, companyId } = await runtime.runPromise(Testing.World)
  const send: RowService.Send = (call) =>
    runtime
      .runPromise(
        Effect.gen(function* () {
          const { body, headers = {}, method = "GET", target } = call
          const request = HttpClientRequest.make(method as "POST")(`http://service.test${target}`, { headers }).pipe(
            HttpClientRequest.bearerToken(apiKey)
          )
          const client = yield* HttpClient.HttpClient
          const response = yield* client.execute(
            typeof body === "string" ? HttpClientRequest.bodyText(request, body, headers["Content-Type"]) : request
          )
          const text = yield* response.text
          return { status: response.status, headers: new Headers(response.headers), text }
        })
      )
      .then(({ headers, status, text }) => {
        if (status >= 400) throw ServiceError.fromResponse(status, text, undefined)
        return { headers, response: new Response(status === 204 ? null : text, { status, headers }) }
      })
  return { rows: RowService.make(send), companyId, close: () => runtime.dispose() }
}
