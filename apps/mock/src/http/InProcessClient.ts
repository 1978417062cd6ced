/**
 * Calls the service without a socket: an `HttpClient` that passes its requests to the service, under every host name.
 */
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"
import type { RequestHandler } from "../service/Admission.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { Limits } from "./NodeServer.ts"
import * as ServerSpan from "./ServerSpan.ts"

type EncodedBody = Effect.Effect<
  { readonly body: Exchange.Request["body"]; readonly contentType?: string | undefined },
  HttpClientError.RequestError
>

type ResponseEffect = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

const unencodable = (request: HttpClientRequest.HttpClientRequest) => (cause: unknown) =>
  new HttpClientError.RequestError({ request, reason: "Encode", cause })

/** Encodes a form as `fetch` does. */
const fromForm = (form: FormData) =>
  Effect.promise(async () => {
    const encoded = new Response(form)
    const contentType = encoded.headers.get("content-type") ?? undefined
    return { body: new Uint8Array(await encoded.arrayBuffer()), contentType }
  })

const bodyOf = (request: HttpClientRequest.HttpClientRequest): EncodedBody => {
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

/** The error of a request that exceeds a limit of the socket server. */
const limitError = (
  { body, target }: Exchange.Request,
  { bodyBytes, targetBytes }: Pick<Limits, "bodyBytes" | "targetBytes">
): RowError | undefined =>
  target.length > targetBytes
    ? { _tag: "TargetTooLong", limit: targetBytes }
    : Exchange.bytesOf(body) > bodyBytes
      ? { _tag: "BodyTooLarge", limit: bodyBytes }
      : undefined

const utf8 = new TextDecoder()

/** Reports whether a response has no body on the wire. */
const isEmpty = (status: number, method: string) => status === 204 || status === 304 || method === "HEAD"

/** A body of `fetch` that reads its parts on demand, and ends its source when it is cancelled. */
const toWebStream = (body: Exchange.BodyStream): ReadableStream<Uint8Array> => {
  const controller = new AbortController()
  const parts = body(controller.signal)[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (stream) => {
      const { done, value } = await parts.next()
      if (done === true) stream.close()
      else stream.enqueue(encoder.encode(value))
    },
    cancel: () => controller.abort()
  })
}

/** Converts a response to one of `fetch`. */
const toWeb = ({ body, headers, status, stream }: Exchange.Response, method: string): Response => {
  const entries = Object.entries(headers).flatMap(([name, value]): ReadonlyArray<[string, string]> =>
    value === undefined ? [] : [[name, value]]
  )
  const whole = stream === undefined ? body : toWebStream(stream)
  return new Response(isEmpty(status, method) ? null : whole, { status, headers: entries })
}

/** A complete response: text and JSON are read directly, all other forms by way of a `fetch` response. */
class InProcessResponse extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpClientResponse.TypeId]: HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  readonly remoteAddress = Option.none<string>()
  readonly #response: Exchange.Response
  #web: HttpClientResponse.HttpClientResponse | undefined
  #headers: Headers.Headers | undefined

  constructor(request: HttpClientRequest.HttpClientRequest, response: Exchange.Response) {
    super()
    this.request = request
    this.#response = response
  }

  private get web(): HttpClientResponse.HttpClientResponse {
    return (this.#web ??= HttpClientResponse.fromWeb(this.request, toWeb(this.#response, this.request.method)))
  }
  get status() {
    return this.#response.status
  }
  get headers() {
    return (this.#headers ??= Headers.fromInput(this.#response.headers))
  }
  get text(): HttpClientResponse.HttpClientResponse["text"] {
    const { body, status, stream } = this.#response
    if (stream !== undefined) return this.web.text
    const isText = typeof body === "string"
    return Effect.succeed(isEmpty(status, this.request.method) ? "" : isText ? body : utf8.decode(body))
  }
  get json(): HttpClientResponse.HttpClientResponse["json"] {
    return Effect.tryMap(this.text, {
      try: (text): unknown => (text === "" ? null : JSON.parse(text)),
      catch: (cause) =>
        new HttpClientError.ResponseError({ request: this.request, response: this, reason: "Decode", cause })
    })
  }
  get cookies() {
    return this.web.cookies
  }
  get stream() {
    return this.web.stream
  }
  get formData() {
    return this.web.formData
  }
  get arrayBuffer() {
    return this.web.arrayBuffer
  }
  get urlParamsBody() {
    return this.web.urlParamsBody
  }
  toJSON() {
    return this.web.toJSON()
  }
}

/** The error of a connection that was reset. */
const reset = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })

/** A `fetch` response whose body ends early with an error. */
const cut = ({ body, headers, status }: Exchange.Response, bytes: number, method: string): Response => {
  const part = Buffer.from(body).subarray(0, bytes)
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(part)
      controller.error(reset())
    }
  })
  const { headers: list } = toWeb({ status, headers, body: "" }, method)
  return new Response(isEmpty(status, method) ? null : stream, { status, headers: list })
}

/** The response that a fault disturbs, as a client sees it. */
const disturbed = (
  request: HttpClientRequest.HttpClientRequest,
  response: Exchange.Response,
  sending: Exchange.Sending
): ResponseEffect => {
  switch (sending._tag) {
    case "Reset":
      return Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause: reset() }))
    case "Hang":
      return Effect.never
    case "Cut":
    case "Paced": {
      const { bytesPerSecond } = sending
      const bytes = Exchange.bytesOf(response.body) * (sending._tag === "Cut" ? sending.part : 1)
      const received =
        sending._tag === "Cut"
          ? HttpClientResponse.fromWeb(request, cut(response, Math.floor(bytes), request.method))
          : new InProcessResponse(request, response)
      return bytesPerSecond === undefined
        ? Effect.succeed(received)
        : Effect.delay(Effect.succeed(received), Duration.millis((bytes / bytesPerSecond) * 1000))
    }
  }
}

/** Answers a request; one with a body is judged by its headers first, as on a socket. */
const answer = (service: RequestHandler, request: Exchange.Request): Effect.Effect<Exchange.Response> =>
  request.body.length === 0
    ? service.handle(request)
    : SyncEffect.andThen(service.admit({ ...request, body: "" }), (exit) => {
        if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
        return exit.value._tag === "Refused" ? Exit.succeed(exit.value.response) : service.handle(request)
      })

/** A client of a service. */
export const client = (
  service: RequestHandler,
  limits: Pick<Limits, "bodyBytes" | "targetBytes">
): HttpClient.HttpClient => {
  const handle = (request: Exchange.Request) => answer(service, request)
  const send = (
    request: HttpClientRequest.HttpClientRequest,
    { pathname, search }: URL,
    answer: Exchange.Handler = handle
  ) =>
    Effect.flatMap(bodyOf(request), ({ body, contentType }) => {
      // The responses of this client are not decompressed.
      const { "accept-encoding": _, ...sent } = request.headers
      const headers = contentType === undefined ? sent : { "content-type": contentType, ...sent }
      const exchange = { method: request.method, target: pathname + search, headers, body }
      const error = limitError(exchange, limits)
      const response = error === undefined ? answer(exchange) : Exit.succeed(service.refuse(exchange, error))
      return Effect.flatMap(response, (response) =>
        response.sending === undefined
          ? Exit.succeed(new InProcessResponse(request, response))
          : disturbed(request, response, response.sending)
      )
    })
  const spanned = ServerSpan.around(handle)
  const traced = HttpClient.make((request, url) => send(request, url, spanned))
  // Without a tracer, this bypasses the platform's constructor, which takes several times as long as the service.
  const execute = (request: HttpClientRequest.HttpClientRequest): ResponseEffect =>
    Effect.withFiberRuntime((fiber) => {
      if (fiber.currentTracer !== noTracer) return traced.execute(request)
      const url = UrlParams.makeUrl(request.url, request.urlParams, request.hash)
      return Either.isRight(url)
        ? send(request, url.right)
        : Effect.fail(new HttpClientError.RequestError({ request, reason: "InvalidUrl", cause: url.left }))
    })
  return HttpClient.makeWith(
    (request) => Effect.flatMap(request, execute),
    Effect.succeed<HttpClientRequest.HttpClientRequest>
  )
}

/** The default tracer, which keeps no spans. */
const noTracer = Context.get(DefaultServices.liveServices, Tracer.Tracer)
