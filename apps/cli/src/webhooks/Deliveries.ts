/**
 * `mfg webhooks deliveries` and `mfg webhooks redeliver`: lists deliveries, and sends them again.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Default from "@mfgdata/shell/Default"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Output from "@mfgdata/shell/output/Output"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../CliError.ts"
import * as AdminClient from "../service/AdminClient.ts"
import * as AsOf from "../service/AsOf.ts"
import * as Connection from "../service/Connection.ts"
import * as TextFlag from "@mfgdata/shell/TextFlag"

const flags = {
  webhookId: TextFlag.optional("webhook", "Id of the webhook (default: all)."),
  table: TextFlag.optional("table", "Table of the rows (default: all)."),
  key: TextFlag.optional("key", "Key of the row (default: all)."),
  state: Options.choice("state", AdminApi.DeliveryState.literals).pipe(
    Options.withDescription("State of the deliveries; dead ones failed every attempt (default: all)."),
    Options.optional
  ),
  since: TextFlag.optional("since", "Earliest creation of the deliveries, such as 2027-01-31T00:00:00Z (default: any).")
}

interface FilterFlags {
  readonly webhookId: Option.Option<string>
  readonly table: Option.Option<string>
  readonly key: Option.Option<string>
  readonly state: Option.Option<AdminApi.DeliveryState>
}

/** The filter of a request; deliveries of other companies than the profile's are left out. */
const filterOf = ({ key, state, table, webhookId }: FilterFlags, companyId: string | undefined) => ({
  ...(companyId === undefined ? {} : { companyId }),
  ...(Option.isSome(webhookId) ? { webhookId: webhookId.value } : {}),
  ...(Option.isSome(table) ? { table: table.value } : {}),
  ...(Option.isSome(key) ? { key: key.value } : {}),
  ...(Option.isSome(state) ? { state: state.value } : {})
})

const id = Args.text({ name: "id" }).pipe(Args.withDescription("Id of a delivery, as in the list."), Args.optional)

/** The columns of a table; both ids come last, because they are long. */
const columns = ["id", "state", "type", "table", "key", "attempts", "createdAt", "dueAt", "webhookId", "eventId"]

/** Lists deliveries, or shows one with its attempts. */
export const list = Command.make(
  "deliveries",
  {
    id,
    ...flags,
    limit: IntegerFlag.option("limit", {
      description: "Maximum number of deliveries, the newest first.",
      least: 1,
      most: 1000,
      example: 20
    }).pipe(Options.withAlias("n"), Default.of(100)),
    output: Output.options,
    profile: Connection.profile
  },
  ({ id, limit, output, profile, since, ...filters }) =>
    Connection.use(profile, (connection) =>
      Effect.gen(function* () {
        const admin = AdminClient.make(connection, "mfg webhooks deliveries")
        if (Option.isSome(id)) {
          return yield* Effect.flatMap(admin.getDelivery({ id: id.value }), (delivery) => Output.one(delivery, output))
        }
        const time = yield* AsOf.time("since", since)
        const filter = filterOf(filters, connection.profile.companyId)
        const deliveries = yield* admin.listDeliveries({
          ...filter,
          limit,
          ...(time === undefined ? {} : { since: time })
        })
        yield* Output.show(deliveries, output, {
          none: "No deliveries.",
          ...(Output.isTable(output) ? { names: columns } : {})
        })
      })
    )
).pipe(Command.withDescription("List deliveries of webhooks, or show one delivery with every attempt."))

/** Sends deliveries again. */
export const redeliver = Command.make(
  "redeliver",
  { id, ...flags, profile: Connection.profile },
  ({ id, profile, since, ...filters }) =>
    Connection.use(profile, (connection) =>
      Effect.gen(function* () {
        const admin = AdminClient.make(connection, "mfg webhooks redeliver")
        const time = yield* AsOf.time("since", since)
        const send = Option.isSome(id)
          ? admin.redeliver({ id: id.value })
          : time === undefined
            ? Effect.fail(
                new UsageError({
                  problem: "Missing <id> or --since of mfg webhooks redeliver.",
                  example: "mfg webhooks redeliver --state dead --since 2027-01-31T00:00:00Z"
                })
              )
            : admin.redeliverAll({ ...filterOf(filters, connection.profile.companyId), since: time })
        const { count } = yield* send
        yield* Terminal.note(`Redelivering ${count} ${count === 1 ? "delivery" : "deliveries"}.`)
      })
    )
).pipe(Command.withDescription("Send a delivery again, or all deliveries of a filter since some time."))
