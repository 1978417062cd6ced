/**
 * `mfg webhooks deliveries` and `mfg webhooks redeliver`: what was sent, and sending it again.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Json from "@mfgdata/domain/Json"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { UsageError } from "../CliError.ts"
import * as Connection from "../Connection.ts"
import * as Control from "../Control.ts"
import * as Output from "../Output.ts"
import * as Screen from "../Screen.ts"
import * as Whole from "../Whole.ts"

const isRow = Schema.is(Json.JsonObject)

const text = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional)

const filters = {
  webhookId: text("webhook", "Only of the webhook with this id."),
  table: text("table", "Only of rows of this table."),
  key: text("key", "Only of the row with this key."),
  state: Options.choice("state", ["pending", "delivered", "dead", "dropped"]).pipe(
    Options.withDescription("Only what stands there; dead is what was given up."),
    Options.optional
  ),
  since: text("since", "Only what was made since a timestamp, such as 2027-01-31T00:00:00Z.")
}

type Filters = { readonly [K in keyof typeof filters]: Option.Option<string> }

const read = (given: Filters, companyId: string | undefined): Effect.Effect<Record<string, string>, UsageError> => {
  const { since } = given
  if (Option.isSome(since) && !Timestamp.is(since.value)) {
    return Effect.fail(
      new UsageError({
        problem: `--since takes a timestamp, and ${JSON.stringify(since.value)} is none.`,
        example: "--since 2027-01-31T00:00:00Z"
      })
    )
  }
  const asked = Object.entries(given).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  return Effect.succeed({ ...Object.fromEntries(asked), ...(companyId === undefined ? {} : { companyId }) })
}

const id = Args.text({ name: "id" }).pipe(Args.withDescription("A delivery, as the list shows it."), Args.optional)

/** Whole timestamps and both ids make a line long; these are what one looks for. */
const shown = ["id", "state", "type", "table", "key", "attempts", "createdAt", "dueAt", "webhookId", "eventId"]

/** The command that lists deliveries, or shows one with its attempts. */
export const list = Command.make(
  "deliveries",
  {
    id,
    ...filters,
    limit: Whole.option("limit", {
      description: "At most so many, the newest first; 100 when left out.",
      least: 1,
      example: 20
    }).pipe(Options.withAlias("n"), Options.withDefault(100)),
    output: Output.options,
    profile: Connection.profile
  },
  ({ id, key, limit, output, profile, since, state, table, webhookId }) =>
    Connection.use(profile, (connection) =>
      Effect.gen(function* () {
        const purpose = "mfg webhooks deliveries"
        if (Option.isSome(id)) {
          const path = `/deliveries/${encodeURIComponent(id.value)}`
          const found = yield* Control.order(connection, { purpose, method: "GET", path })
          return yield* isRow(found) ? Output.one(found, output) : Effect.void
        }
        const asked = yield* read({ key, since, state, table, webhookId }, connection.profile.companyId)
        const query = new URLSearchParams({ ...asked, limit: String(limit) })
        const found = yield* Control.order(connection, { purpose, method: "GET", path: `/deliveries?${query}` })
        yield* Output.show(Array.isArray(found) ? found.filter(isRow) : [], output, {
          none: "Nothing was sent.",
          ...(Output.formatOf(output) === "table" ? { names: shown } : {})
        })
      })
    )
).pipe(Command.withDescription("List what was sent to webhooks, or show one delivery with every attempt."))

/** The command that sends again. */
export const redeliver = Command.make(
  "redeliver",
  { id, ...filters, profile: Connection.profile },
  ({ id, key, profile, since, state, table, webhookId }) =>
    Connection.use(profile, (connection) =>
      Effect.gen(function* () {
        const purpose = "mfg webhooks redeliver"
        const body = yield* read({ key, since, state, table, webhookId }, connection.profile.companyId)
        if (Option.isNone(id) && Option.isNone(since)) {
          return yield* new UsageError({
            problem: "mfg webhooks redeliver needs a delivery, or --since.",
            example: "mfg webhooks redeliver --state dead --since 2027-01-31T00:00:00Z"
          })
        }
        const answer = yield* Control.order(connection, {
          purpose,
          method: "POST",
          ...(Option.isSome(id)
            ? { path: `/deliveries/${encodeURIComponent(id.value)}/redeliver`, body: {} }
            : { path: "/deliveries/redeliver", body })
        })
        const count = isRow(answer) ? Number(answer["count"]) : 0
        yield* Screen.note(`${count} ${count === 1 ? "delivery is" : "deliveries are"} sent again.`)
      })
    )
).pipe(Command.withDescription("Send a delivery again, or all that filters find since some time."))
