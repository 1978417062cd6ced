/**
 * `mfg webhooks`: receiving events, looking at deliveries, and causing some.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../CliError.ts"
import * as Confirmation from "../Confirmation.ts"
import * as Connection from "../Connection.ts"
import * as Control from "../Control.ts"
import * as Program from "../Program.ts"
import * as Screen from "../Screen.ts"
import * as Whole from "../Whole.ts"
import * as Deliveries from "../webhooks/Deliveries.ts"
import * as Listen from "../webhooks/Listen.ts"
import * as Sample from "../webhooks/Sample.ts"
import * as Temporary from "../webhooks/Temporary.ts"

const one = <A>(
  text: string,
  what: string,
  known: ReadonlyArray<string>,
  found: A | undefined
): Effect.Effect<A, UsageError> =>
  found === undefined
    ? Effect.fail(
        new UsageError({
          problem: `There is no ${what} ${text}.`,
          nearest: Suggestion.find(text, known),
          example: "mfg webhooks trigger holiday insert"
        })
      )
    : Effect.succeed(found)

const trigger = Command.make(
  "trigger",
  {
    table: Args.text({ name: "table" }).pipe(Args.withDescription("The resource of which a row changes.")),
    event: Args.text({ name: "event" }).pipe(Args.withDescription(`${Sample.events.join(", ")}.`)),
    key: Options.text("key").pipe(
      Options.withDescription("The row to update or delete; one is made for it when left out."),
      Options.optional
    ),
    yes: Confirmation.option,
    profile: Connection.profile
  },
  ({ event, key, profile, table, yes }) =>
    Effect.gen(function* () {
      const names = Catalogue.resources.map(({ resource }) => resource)
      const resource = yield* one(table, "resource", names, Catalogue.find(table))
      const kind = event.toLowerCase()
      const wanted = yield* one(
        event,
        "event",
        Sample.events,
        Sample.events.find((known) => known === kind)
      )
      const named = Option.getOrUndefined(key)
      if (wanted === "delete" && named !== undefined) yield* Confirmation.need(`delete ${table} ${named}`, yes)
      const done = yield* Connection.use(profile, (connection) => Sample.trigger(connection, resource, wanted, named))
      const left =
        done.made && wanted !== "delete" ? ` It was made for this: mfg ${table} delete ${done.key} --yes` : ""
      yield* Screen.note(`Caused ${wanted} of ${table} ${done.key}.${left}`)
    })
).pipe(Command.withDescription("Cause an event: insert, update or delete a row of a resource."))

const secret = Command.make(
  "secret",
  {
    id: Args.text({ name: "id" }).pipe(Args.withDescription("The id of the webhook.")),
    roll: Options.boolean("roll").pipe(Options.withDescription("Make another one; the old one signs too for a while.")),
    overlap: Whole.option("overlap", {
      placeholder: "seconds",
      description: "For how long the old secret signs too; a day when left out.",
      example: 3600
    }).pipe(Options.withDefault(86_400)),
    yes: Confirmation.option,
    profile: Connection.profile
  },
  ({ id, overlap, profile, roll, yes }) =>
    Connection.use(profile, (connection) =>
      Effect.gen(function* () {
        if (!roll) return yield* Effect.flatMap(Temporary.secretOf(connection, id), (text) => Screen.write(`${text}\n`))
        yield* Confirmation.need(`replace the secret of webhook ${id}`, yes || overlap > 0)
        const { companyId } = connection.profile
        const answer = yield* Control.order(connection, {
          purpose: "mfg webhooks secret",
          method: "POST",
          path: `/webhooks/${encodeURIComponent(id)}/secret/roll`,
          body: { overlapSeconds: overlap, ...(companyId === undefined ? {} : { companyId }) }
        })
        yield* Screen.write(`${Temporary.secretIn(answer)}\n`)
      })
    )
).pipe(Command.withDescription("Show the secret that deliveries of a webhook are signed by, or replace it."))

const command = Command.make("webhooks").pipe(
  Command.withDescription("Events of the service. Webhooks themselves are rows: mfg webhook list."),
  Command.withSubcommands([Listen.command, Deliveries.list, Deliveries.redeliver, trigger, secret])
)

export const program: Program.Program = Program.make(command, ["listen", "trigger"])
