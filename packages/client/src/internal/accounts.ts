/**
 * The methods of `Accounts` over a client, one for each operation that the domain declares. Types are told by
 * `Accounts.Service`; in here an answer is whatever its operation's schema accepted.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Decoder from "@mfgdata/domain/Decoder"
import * as DecodeError from "@mfgdata/domain/DecodeError"
import type * as Operation from "@mfgdata/domain/Operation"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Operations from "@mfgdata/domain/Operations"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Options, Service } from "../Accounts.ts"
import { NotFound, OperationRejected, type ReadError, type ResponseMalformed } from "../ClientError.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import * as Address from "./Address.ts"
import * as Refusal from "./Refusal.ts"
import * as Telemetry from "./Telemetry.ts"
import * as Transport from "./Transport.ts"

type Failure = ReadError | OperationRejected | NotFound

const toIssue = ({ actual, expected, path }: DecodeError.Issue): OperationError.Issue => ({
  path: path.map((part) => (typeof part === "number" ? part : String(part))),
  message: `expected ${expected}, got ${actual}`
})

/** The body of a request, or what is wrong with it, found before it is sent. */
const encode = ({ id, request }: Operation.Any, given: unknown): Either.Either<string, OperationRejected> =>
  ParseResult.encodeUnknownEither(request, { errors: "all" })(given).pipe(
    Either.mapBoth({
      onLeft: (issue) =>
        new OperationRejected({
          operation: id,
          status: undefined,
          code: "BAD_REQUEST" satisfies OperationError.Known,
          detail: "the request is not what the operation takes",
          issues: DecodeError.fromIssue(id, issue).issues.map(toIssue)
        }),
      onRight: (body) => JSON.stringify(body)
    })
  )

const decodeRefusal = Schema.decodeUnknownOption(Schema.parseJson(OperationError.OperationError))

/** What an answer means that is no success. An operation fails only as it may. */
const refused = (operation: Operation.Any, origin: string, answer: Transport.Answer, nowMillis: number): Failure => {
  const asked = { subject: operation.id, origin }
  const general = Refusal.general(asked, answer, Refusal.read(answer.text), nowMillis)
  if (general !== undefined) return general
  return Option.match(decodeRefusal(answer.text), {
    onNone: () => Refusal.malformed(asked, answer, "an answer of the service"),
    onSome: (error) => {
      const { code, message: detail, status } = error
      if (code === "NOT_FOUND" && operation.refusals.includes("NOT_FOUND")) {
        return new NotFound({ operation: operation.id, detail })
      }
      return code === "NOT_FOUND" || Object.keys(operation.parameters).length === 0
        ? Refusal.malformed(asked, answer, "an answer of this operation")
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

/** Reads an operation's answers. */
const reader = ({ id, response }: Operation.Any) => {
  const decode = Decoder.make(id, response)
  return (origin: string, answer: Transport.Answer): Either.Either<unknown, ResponseMalformed> => {
    const asked = { subject: id, origin }
    const value = parse(answer.text)
    return value === undefined
      ? Either.left(Refusal.malformed(asked, answer, "JSON"))
      : Either.mapLeft(decode(value), (flaw) => Refusal.malformed(asked, answer, "an answer of this operation", flaw))
  }
}

const method = (transport: Transport.Transport, operation: Operation.Any) => {
  const { id: subject, name, path: target } = operation
  const read = reader(operation)
  const { origin } = transport
  return (given: unknown = {}): Effect.Effect<unknown, Failure> =>
    Telemetry.observe(
      `Accounts.${name}`,
      subject,
      Effect.gen(function* () {
        const body = yield* encode(operation, given)
        // Each operation says how things shall be, so that the second of two equal calls changes nothing.
        const answer = yield* transport.send({ subject, method: "POST", target, body, repeatable: true })
        if (answer.status >= 200 && answer.status < 300) return yield* read(origin, answer)
        const clock = yield* Effect.clock
        return yield* Effect.fail(refused(operation, origin, answer, clock.unsafeCurrentTimeMillis()))
      })
    )
}

/** The service; a mistake in the options dies, naming the option. */
export const make = (client: HttpClient.HttpClient, options: Options): Effect.Effect<Service> =>
  Effect.sync(() => {
    const { apiKey, baseUrl, retry, timeout = "60 seconds" } = options
    const transport = Transport.make(client, {
      url: Address.parse("baseUrl", baseUrl),
      headers: Address.authorization("apiKey", apiKey),
      retry: RetryPolicy.make(retry),
      timeout: Duration.decode(timeout)
    })
    const methods = Operations.all.map((operation) => [operation.name, method(transport, operation)])
    // Types are told once, by the interface; the type tests and those over the real service hold the two together.
    const service: Service = Object.fromEntries(methods)
    return service
  })
