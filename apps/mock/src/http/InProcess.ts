/**
 * The service without a socket: an `HttpClient` whose requests become exchanges, whatever host they name.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"
import type * as Service from "../service/Service.ts"
import type { Limits } from "./NodeServer.ts"

type Sent = Effect.Effect<
  { readonly body: Exchange.Request["body"]; readonly contentType?: string | undefined },
  HttpClientError.RequestError
>

const unencodable = (request: HttpClientRequest.HttpClientRequest) => (cause: unknown) =>
  new HttpClientError.RequestError({ request, reason: "Encode", cause })

/** A form is encoded as fetch would encode it. */
const fromForm = (form: FormData) =>
  Effect.promise(async () => {
    const encoded = new Response(form)
    const contentType = encoded.headers.get("content-type") ?? undefined
    return { body: new Uint8Array(await encoded.arrayBuffer()), contentType }
  })

const bodyOf = (request: HttpClientRequest.HttpClientRequest): Sent => {
  const { body } = request
  switch (body._tag) {
    case "Empty":
      return Effect.succeed({ body: "" })
    case "Uint8Array":
      return Effect.succeed({ body: body.body, contentType: body.contentType })
    case "FormData":
      return fromForm(body.formData)
    case "Stream":
      return Stream.runCollect(body.stream).pipe(
        Effect.map((chunks) => ({ body: Buffer.concat(Chunk.toReadonlyArray(chunks)), contentType: body.contentType })),
        Effect.mapError(unencodable(request))
      )
    case "Raw":
      return typeof body.body === "string" || body.body instanceof Uint8Array
        ? Effect.succeed({ body: body.body, contentType: body.contentType })
        : Effect.fail(unencodable(request)(`a raw body of type ${typeof body.body}`))
  }
}

const size = (body: Exchange.Request["body"]) => (typeof body === "string" ? Buffer.byteLength(body) : body.length)

/** Why the socket server would not let a request in. */
const excess = (
  { body, target }: Exchange.Request,
  { bodyBytes, targetBytes }: Pick<Limits, "bodyBytes" | "targetBytes">
): RowError | undefined =>
  target.length > targetBytes
    ? { _tag: "TargetTooLong", limit: targetBytes }
    : size(body) > bodyBytes
      ? { _tag: "BodyTooLarge", limit: bodyBytes }
      : undefined

/** An answer as `fetch` would have it: some have no body. */
const toResponse = ({ body, headers, status }: Exchange.Answer, method: string): Response => {
  const entries = Object.entries(headers).flatMap(([name, value]): ReadonlyArray<[string, string]> =>
    value === undefined ? [] : [[name, value]]
  )
  const isEmpty = status === 204 || status === 304 || method === "HEAD"
  return new Response(isEmpty ? null : body, { status, headers: entries })
}

/** A client of a service. */
export const client = (
  service: Service.Service,
  limits: Pick<Limits, "bodyBytes" | "targetBytes">
): HttpClient.HttpClient =>
  HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const { body, contentType } = yield* bodyOf(request)
      const headers = contentType === undefined ? request.headers : { "content-type": contentType, ...request.headers }
      const exchanged = { method: request.method, target: url.pathname + url.search, headers, body }
      const refusal = excess(exchanged, limits)
      const answer = refusal === undefined ? yield* service.handle(exchanged) : service.refuse(exchanged, refusal)
      return HttpClientResponse.fromWeb(request, toResponse(answer, request.method))
    })
  )
