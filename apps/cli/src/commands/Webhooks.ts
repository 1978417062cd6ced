/**
 * `mfg webhooks`: receives events, lists deliveries, and triggers sample events.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../CliError.ts"
import * as Default from "@mfgdata/shell/Default"
import * as Confirmation from "@mfgdata/shell/Confirmation"
import * as Connection from "../service/Connection.ts"
import * as AdminClient from "../service/AdminClient.ts"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Deliveries from "../webhooks/Deliveries.ts"
import * as Listen from "../webhooks/Listen.ts"
import * as SampleEvent from "../webhooks/SampleEvent.ts"

const known = <A>(
  text: string,
  noun: string,
  names: ReadonlyArray<string>,
  value: A | undefined
): Effect.Effect<A, UsageError> =>
  value === undefined
    ? Effect.fail(
        new UsageError({
          problem: `Unknown ${noun} ${text}.`,
          nearest: Suggestion.find(text, names),
          example: "mfg webhooks trigger holiday insert"
        })
      )
    : Effect.succeed(value)

const trigger = Command.make(
  "trigger",
  {
    table: Args.text({ name: "table" }).pipe(Args.withDescription("Resource of the row.")),
    event: Args.text({ name: "event" }).pipe(Args.withDescription(`Event: ${SampleEvent.events.join(", ")}.`)),
    key: Options.text("key").pipe(
      Options.withDescription("Key of the row to update or delete (default: a new row)."),
      Options.optional
    ),
    yes: Confirmation.option,
    profile: Connection.profile
  },
  ({ event, key, profile, table, yes }) =>
    Effect.gen(function* () {
      const names = Catalogue.resources.map(({ resource }) => resource)
      const resource = yield* known(table, "resource", names, Catalogue.find(table))
      const kind = event.toLowerCase()
      const operation = yield* known(
        event,
        "event",
        SampleEvent.events,
        SampleEvent.events.find((event) => event === kind)
      )
      const named = Option.getOrUndefined(key)
      if (operation === "delete" && named !== undefined) yield* Confirmation.need(`delete ${table} ${named}`, yes)
      const result = yield* Connection.use(profile, (connection) =>
        SampleEvent.trigger(connection, resource, operation, named)
      )
      const removal =
        result.isNew && operation !== "delete" ? ` To remove the new row: mfg ${table} delete ${result.key} --yes` : ""
      yield* Terminal.note(`Triggered ${operation} of ${table} ${result.key}.${removal}`)
    })
).pipe(
  Command.withDescription(
    "Trigger an event: insert, update or delete a row of a resource. For example: mfg webhooks trigger holiday insert"
  )
)

const secret = Command.make(
  "secret",
  {
    id: Args.text({ name: "id" }).pipe(Args.withDescription("Id of the webhook.")),
    roll: Options.boolean("roll").pipe(
      Options.withDescription("New secret; both secrets sign until the overlap ends.")
    ),
    overlapSeconds: IntegerFlag.option("overlap", {
      placeholder: "seconds",
      description: "Number of seconds for which both secrets sign.",
      example: 3600
    }).pipe(Default.of(86_400)),
    yes: Confirmation.option,
    profile: Connection.profile
  },
  ({ id, overlapSeconds, profile, roll, yes }) =>
    Connection.use(profile, (connection) =>
      Effect.gen(function* () {
        const admin = AdminClient.make(connection, "mfg webhooks secret")
        const { companyId } = connection.profile
        const webhook = { id, ...(companyId === undefined ? {} : { companyId }) }
        if (roll) yield* Confirmation.need(`replace the secret of webhook ${id}`, yes || overlapSeconds > 0)
        const { secret } = yield* roll
          ? admin.rollWebhookSecret({ ...webhook, overlapSeconds })
          : admin.showWebhookSecret(webhook)
        yield* Terminal.write(`${secret}\n`)
      })
    )
).pipe(Command.withDescription("Show the secret that signs the deliveries of a webhook, or replace it."))

const command = Command.make("webhooks").pipe(
  Command.withDescription("Events of the service. The webhooks themselves are rows: mfg webhook list."),
  Command.withSubcommands([Listen.command, Deliveries.list, Deliveries.redeliver, trigger, secret])
)

export const program: Program.Program = Program.make(command, ["listen", "trigger"])
