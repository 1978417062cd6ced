/**
 * `mfg-mock replay`: sends the requests of a HAR file to a running service again, and shows the responses that differ.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type * as AdminApi from "@mfgdata/client/AdminApi"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import * as ServiceTarget from "../target/ServiceTarget.ts"
import * as Reason from "../../Reason.ts"

/** Responses of a replay differ from the recorded ones. */
class ResponsesDiffer extends Data.TaggedError("ResponsesDiffer")<{
  readonly count: number
  readonly requests: number
}> {
  override get message() {
    return `${this.count} of ${this.requests} responses differ from the recorded ones.`
  }
}

/** The addresses of the entries of a file, which the service checks. */
const decodeAddresses = Schema.decodeUnknownOption(
  Schema.Struct({
    log: Schema.Struct({ entries: Schema.Array(Schema.Struct({ request: Schema.Struct({ url: Schema.String }) })) })
  })
)

const addressesOf = (har: unknown): ReadonlyArray<URL> =>
  Option.match(decodeAddresses(har), {
    onNone: () => [],
    onSome: ({ log }) => log.entries.flatMap(({ request: { url } }) => (URL.canParse(url) ? [new URL(url)] : []))
  })

/** Names the recorded services that are not the one of the replay. */
const noteOrigins = (addresses: ReadonlyArray<URL>, origin: string): Effect.Effect<void> => {
  const others = [...new Set(addresses.map((address) => address.origin))].filter((one) => one !== origin)
  return others.length === 0
    ? Effect.void
    : Terminal.note(`The requests were recorded at ${others.join(", ")}. They are sent to ${origin}.`)
}

const read = (file: string): Effect.Effect<{ readonly log?: unknown } | null, UsageError> =>
  Effect.try({
    // The service checks the content.
    try: () => JSON.parse(fs.readFileSync(file, "utf8")) as { readonly log?: unknown } | null,
    catch: (cause) =>
      new UsageError({
        problem: `The file ${file} cannot be read: ${Reason.ofCause(cause)}.`,
        example: "mfg-mock replay incident.har"
      })
  })

const linesOf = ({
  expected,
  got,
  method,
  position,
  target
}: AdminApi.Response<"replayTraffic">["differences"][number]) => [
  `${position}: ${method} ${target}`,
  `  - ${expected.status} ${expected.body}`,
  `  + ${got.status} ${got.body}`
]

const command = Command.make(
  "replay",
  {
    ...ServiceTarget.flags,
    file: Args.text({ name: "file" }).pipe(Args.withDescription("HAR file, such as that of /_mock/traffic.har."))
  },
  ({ file, ...target }) =>
    Effect.gen(function* () {
      const har = yield* read(file)
      const addresses = addressesOf(har)
      const { differences, requests } = yield* ServiceTarget.run(target, (admin, { origin }) =>
        Effect.zipRight(noteOrigins(addresses, origin), admin.replayTraffic({ log: har?.log }))
      )
      const others = addresses.length - requests
      if (others > 0) {
        const which = others === 1 ? "1 request was" : `${others} requests were`
        yield* Terminal.note(`${which} not sent: only those to /rest and /api/v1 are.`)
      }
      yield* Terminal.write(
        differences
          .flatMap(linesOf)
          .map((line) => `${line}\n`)
          .join("")
      )
      if (differences.length > 0) return yield* new ResponsesDiffer({ count: differences.length, requests })
      yield* Terminal.note(`All ${requests} responses are the recorded ones.`)
    })
).pipe(
  Command.withDescription(
    "Send recorded requests to a running service again. For example: mfg-mock replay incident.har --world incident"
  )
)

export const program: Program.Program = Program.make(command)
