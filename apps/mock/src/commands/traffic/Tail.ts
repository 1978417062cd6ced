/**
 * `mfg-mock tail`: the requests of a running service as they happen, one line each.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as RemoteAdmin from "../target/RemoteAdmin.ts"
import * as ServiceTarget from "../target/ServiceTarget.ts"
import * as Reason from "../../Reason.ts"

const filter = {
  method: Options.text("method").pipe(Options.withDescription("Method of the requests."), Options.optional),
  resource: Options.text("resource").pipe(Options.withDescription("Resource of the requests."), Options.optional),
  status: Options.text("status").pipe(
    Options.withDescription("Status of the responses, such as 404 or 4xx."),
    Options.optional
  ),
  key: Options.text("key").pipe(Options.withDescription("Name of the API key."), Options.optional),
  fault: Options.text("fault").pipe(
    Options.withDescription("Id of a fault rule, or * for every response with a fault."),
    Options.optional
  )
}

const json = Options.boolean("json").pipe(Options.withDescription("Output of each exchange as a line of JSON."))

const colors = { 2: "green", 3: "cyan", 4: "yellow", 5: "red" } as const

const isClass = (digit: number): digit is keyof typeof colors => Object.hasOwn(colors, digit)

/** An exchange in one line: its time, status, duration, method, target, key and fault. */
const lineOf = ({ apiKey, at, fault, lost, method, millis, status, target }: AdminApi.Exchange): string => {
  const digit = Math.floor(status / 100)
  const shown = isClass(digit) ? Terminal.styled(colors[digit], String(status)) : String(status)
  const faults = fault === null ? "" : ` fault ${fault}${lost === null ? "" : ` (${lost})`}`
  return `${at.slice(11, 23)} ${shown} ${millis.toFixed(1).padStart(7)} ms ${method.padEnd(6)} ${target}${apiKey === null ? "" : ` key ${apiKey}`}${Terminal.styled("red", faults)}`
}

const decode = Schema.decodeUnknownEither(Schema.parseJson(AdminApi.Exchange))

/** The beginning of a line of a server-sent event. */
const data = "data: "

type Failure = RemoteAdmin.RemoteFailure

/** Follows the exchanges of a service until it ends. */
const follow = (located: ServiceTarget.Located, search: URLSearchParams): Stream.Stream<string, Failure> => {
  const { adminKey, origin } = located
  const failure = (reason: string) => new RemoteAdmin.RemoteFailure({ origin, reason })
  const open = Effect.tryPromise({
    try: (signal) =>
      fetch(`${origin}${AdminApi.mount}/traffic?${search}`, {
        headers: { authorization: `Bearer ${adminKey}`, accept: "text/event-stream" },
        signal
      }),
    catch: (cause) => failure(Reason.ofFetch(cause))
  })
  return Stream.unwrap(
    Effect.gen(function* () {
      const { body, ok, status, text } = yield* Effect.map(open, (response) => ({
        body: response.body,
        ok: response.ok,
        status: response.status,
        text: () => response.text()
      }))
      if (!ok || body === null) {
        return yield* failure(RemoteAdmin.reasonOf(status, yield* Effect.promise(text)))
      }
      const parts = Stream.fromReadableStream({
        evaluate: () => body,
        onError: (cause) => failure(Reason.ofCause(cause)),
        // A body whose connection broke cannot be cancelled.
        releaseLockOnEnd: true
      })
      // An event is one line of JSON. Comments keep the connection open.
      return parts.pipe(
        Stream.decodeText(),
        Stream.splitLines,
        Stream.filter((line) => line.startsWith(data)),
        Stream.map((line) => line.slice(data.length))
      )
    })
  )
}

const command = Command.make("tail", { ...ServiceTarget.flags, ...filter, json }, ({ json, url, world, ...filter }) =>
  Effect.gen(function* () {
    const located = yield* ServiceTarget.locate({ url, world })
    const search = new URLSearchParams(located.world === undefined ? {} : { world: located.world })
    for (const [name, value] of Object.entries(filter)) if (Option.isSome(value)) search.set(name, value.value)
    yield* Terminal.note(`Following the requests of ${located.origin}. Ctrl-C ends it.`)
    yield* Stream.runForEach(follow(located, search), (text) =>
      Terminal.write(
        json
          ? `${text}\n`
          : Either.match(decode(text), { onLeft: () => "", onRight: (exchange) => `${lineOf(exchange)}\n` })
      )
    )
  })
).pipe(
  Command.withDescription(
    "Show the requests of a running service as they happen. For example: mfg-mock tail --status 5xx"
  )
)

export const program: Program.Program = Program.make(command)
