/**
 * Makes the methods of `Accounts` over an HTTP client, one for each operation of the domain. The interface
 * `Accounts.Service` gives them their types; here a result is a value that its operation's schema accepted.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Decoder from "@mfgdata/domain/Decoder"
import * as DecodeError from "@mfgdata/domain/DecodeError"
import type * as Operation from "@mfgdata/domain/Operation"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Operations from "@mfgdata/domain/Operations"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Options, Service } from "../Accounts.ts"
import type { CallOptions } from "../CallOptions.ts"
import { NotFound, OperationRejected, type ReadError, type ResponseMalformed } from "../ClientError.ts"
import * as RequestId from "./call/RequestId.ts"
import * as CallContext from "./call/CallContext.ts"
import * as ClientOptions from "./ClientOptions.ts"
import * as Confirmation from "./Confirmation.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as ResponseError from "./ResponseError.ts"
import * as Telemetry from "./Telemetry.ts"
import * as Transport from "./Transport.ts"

type Failure = ReadError | OperationRejected | NotFound

const toIssue = ({ actual, expected, path }: DecodeError.Issue): OperationError.Issue => ({
  path: path.map((part) => (typeof part === "number" ? part : String(part))),
  message: `expected ${expected}, got ${actual}`
})

/** Encodes the parameters of an operation as the body of its request. */
const encode = ({ id, request }: Operation.Any, parameters: unknown): Either.Either<string, OperationRejected> =>
  ParseResult.encodeUnknownEither(request, { errors: "all" })(parameters).pipe(
    Either.mapBoth({
      onLeft: (issue) =>
        new OperationRejected({
          operation: id,
          status: undefined,
          code: "BAD_REQUEST" satisfies OperationError.KnownCode,
          detail: "invalid parameters",
          issues: DecodeError.fromIssue(id, issue).issues.map(toIssue)
        }),
      onRight: (body) => JSON.stringify(body)
    })
  )

const decodeError = Schema.decodeUnknownOption(Schema.parseJson(OperationError.OperationError))

/** The error of an error response: one that its operation declares, or a malformed response. */
const toError = (
  operation: Operation.Any,
  origin: string,
  response: Transport.Response,
  nowMillis: number
): Failure => {
  const source = { subject: operation.id, origin }
  const general = ResponseError.general(source, response, ErrorBody.parse(response), nowMillis)
  if (general !== undefined) return general
  const body = response.status < 400 ? Option.none() : decodeError(response.text)
  return Option.match(body, {
    onNone: () => ResponseError.malformed(source, response, { expected: "a response of the service" }),
    onSome: (error) => {
      const { code, message: detail, status } = error
      if (code === "NOT_FOUND" && operation.errorCodes.includes("NOT_FOUND")) {
        return new NotFound({ operation: operation.id, detail })
      }
      return code === "NOT_FOUND" || Object.keys(operation.parameters).length === 0
        ? ResponseError.malformed(source, response, { expected: "a response of this operation" })
        : new OperationRejected({ operation: operation.id, status, code, detail, issues: OperationError.issues(error) })
    }
  })
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reports whether an operation changes nothing. */
const isReading = (name: string): boolean => name.startsWith("get")

/** Reads the results of an operation. */
const reader = ({ id, name, response }: Operation.Any) => {
  const decode = Decoder.make(id, response)
  const written = (response: Transport.Response) => !isReading(name) && Confirmation.isConfirmed(response)
  return (origin: string, response: Transport.Response): Either.Either<unknown, ResponseMalformed> => {
    const source = { subject: id, origin }
    const value = parse(response.text)
    return value === undefined
      ? Either.left(ResponseError.malformed(source, response, { expected: "JSON" }, written(response)))
      : Either.mapLeft(decode(value), (error) =>
          ResponseError.malformed(
            source,
            response,
            { expected: "a response of this operation", decodeError: error },
            written(response)
          )
        )
  }
}

const method = (transport: Transport.Transport, operation: Operation.Any, layer: Options) => {
  const { id: subject, name, path: target } = operation
  const read = reader(operation)
  const isRead = isReading(name)
  const { origin } = transport
  const call = (parameters: unknown): Effect.Effect<unknown, Failure> =>
    Telemetry.observe(
      `Accounts.${name}`,
      subject,
      Effect.gen(function* () {
        const body = yield* encode(operation, parameters)
        // An operation sets a state, so that a retry changes nothing.
        const response = yield* transport.send({ subject, method: "POST", target, body, isIdempotent: true, isRead })
        const clock = yield* Effect.clock
        const result: Either.Either<unknown, Failure> =
          response.status >= 200 && response.status < 300
            ? read(origin, response)
            : Either.left(toError(operation, origin, response, clock.unsafeCurrentTimeMillis()))
        return yield* Either.mapLeft(result, (error) => RequestId.identify(error, response))
      })
    )
  const hasParameters = Object.keys(operation.parameters).length > 0
  return (...given: ReadonlyArray<unknown>): Effect.Effect<unknown, Failure> => {
    // The interface gives the operations with parameters a second parameter, and the others their first.
    const options = given[hasParameters ? 1 : 0] as CallOptions | undefined
    const effect = call(hasParameters ? given[0] : {})
    const ofCall = options === undefined ? effect : CallContext.withOptions(effect, options)
    return layer.spans === false ? CallContext.withoutSpans(ofCall) : ofCall
  }
}

/** The service; an invalid option is a defect that names the option. */
export const make = (client: HttpClient.HttpClient, options: Options): Effect.Effect<Service> =>
  Effect.sync(() => {
    const { baseUrl, timeout = "60 seconds" } = options
    ClientOptions.authorization("apiKey", options.apiKey)
    const url = ClientOptions.parseAddress("baseUrl", baseUrl)
    const transport = Transport.make(client, url, { ...options, timeout })
    const methods = Operations.all.map((operation) => [operation.name, method(transport, operation, options)])
    // Only the interface declares their types; type tests and the tests over the service compare the two.
    const service: Service = Object.fromEntries(methods)
    return service
  })
