/**
 * `mfg watch <resource>`: shows rows as they change.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { UsageError } from "../CliError.ts"
import * as Fields from "../Fields.ts"
import * as ResourceName from "../ResourceName.ts"
import * as RowQuery from "../RowQuery.ts"
import * as Connection from "../service/Connection.ts"
import * as Profile from "../service/Profile.ts"
import * as LiveTable from "../watch/LiveTable.ts"
import * as RowEvent from "../watch/RowEvent.ts"
import * as Watch from "../watch/Watch.ts"
import * as SelectFlags from "./rows/SelectFlags.ts"

/** Writes each change as it happens. */
const show = (resource: Resource.Any, events: Watch.Events, flags: Output.Flags) => {
  const rows = Stream.map(events, (event): Output.Row => ({ ...event }))
  const form = Output.formOf(flags)._tag
  if (form === "table" && Terminal.isTerminal()) {
    return Effect.scoped(
      Effect.flatMap(LiveTable.make(Fields.names(resource), Option.getOrUndefined(flags.fields)), (table) =>
        Stream.runForEach(events, table)
      )
    )
  }
  if (form === "jq") return Stream.runForEach(rows, (row) => Output.one(row, flags))
  // A stream has no end, so each change is an object of its own in a line of its own.
  const lines = form === "json" ? { ...flags, format: Option.some("ndjson" as const) } : flags
  const pieces = Stream.map(rows, (row) => [row])
  return Output.stream(pieces, { flags: lines, names: ["change", "time", "key", "row"] })
}

const timestamp = (text: string): Effect.Effect<string, UsageError> =>
  Timestamp.read(text) === undefined
    ? Effect.fail(
        new UsageError({
          problem: `Invalid value ${JSON.stringify(text)} for --since: expected a timestamp.`,
          example: "--since 2027-05-01T12:30:00Z"
        })
      )
    : Effect.succeed(text)

const command = Command.make(
  "watch",
  {
    resource: Args.text({ name: "resource" }).pipe(Args.withDescription("Resource of the rows.")),
    where: SelectFlags.where,
    changes: Options.choice("change", RowEvent.changes).pipe(
      Options.withDescription("Kind of the changes; may be repeated (default: all kinds)."),
      Options.repeated
    ),
    since: Options.text("since").pipe(
      Options.withPseudoName("timestamp"),
      Options.withDescription(
        "Time of the first changes, such as that of the last line of an earlier run (default: now)."
      ),
      Options.optional
    ),
    limit: IntegerFlag.option("limit", {
      description: "Number of changes after which the command ends (default: none).",
      least: 1,
      example: 10
    }).pipe(Options.withAlias("n"), Options.optional),
    polls: Options.boolean("poll").pipe(Options.withDescription("Polls in place of a temporary webhook.")),
    interval: IntegerFlag.option("interval", {
      description: "Seconds between two polls (default 2), or between two checks of the webhook (default 15).",
      placeholder: "seconds",
      least: 1,
      most: 86_400,
      example: 10
    }).pipe(Options.optional),
    publicUrl: Options.text("public-url").pipe(
      Options.withPseudoName("url"),
      Options.withDescription("URL of this machine for the service (default: the address it listens on)."),
      Options.optional
    ),
    output: Output.options,
    profile: Connection.profile
  },
  ({ changes, interval, limit, output, polls, profile, publicUrl, resource: name, since, where }) =>
    Effect.gen(function* () {
      const resource = yield* ResourceName.parse(name)
      const parameters = yield* Effect.forEach(where, (text) => RowQuery.parse(resource, text))
      const options: Watch.Options = {
        where: parameters,
        since: Option.isNone(since) ? undefined : yield* timestamp(since.value),
        polls,
        publicUrl: Option.isNone(publicUrl) ? undefined : yield* Profile.address("--public-url", publicUrl.value),
        interval: Option.getOrUndefined(interval)
      }
      let last: string | undefined
      const farewell = Effect.suspend(() =>
        last === undefined || RowEvent.timeColumns(resource).length === 0
          ? Effect.void
          : Terminal.note(Terminal.styledError("dim", `To continue, add: --since ${last}`))
      )
      const watch = (connection: Connection.Connection) =>
        Effect.flatMap(Watch.make(connection, resource, options), (events) => {
          const selected = Stream.filter(events, ({ change }) => changes.length === 0 || changes.includes(change))
          const some = Option.isNone(limit) ? selected : Stream.take(selected, limit.value)
          const noted = Stream.tap(some, ({ time }) =>
            Effect.sync(() => void (last = last === undefined || time > last ? time : last))
          )
          return show(resource, noted, output)
        })
      yield* Effect.ensuring(
        Connection.use(profile, (connection) => Effect.scoped(watch(connection)), "long"),
        farewell
      )
    })
).pipe(
  Command.withDescription(
    "Show rows as they change: by a temporary webhook where the service reaches this machine, by polls else. For example: mfg watch warehouseTransfer --where status=Draft"
  )
)

export const program: Program.Program = Program.make(command)
