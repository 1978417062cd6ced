/**
 * `mfg history [resource] [key]`: lists the changes of rows.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Default from "@mfgdata/shell/Default"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HistoryWorld from "../history/HistoryWorld.ts"
import * as ResourceName from "../ResourceName.ts"
import * as AsOf from "../service/AsOf.ts"
import * as Connection from "../service/Connection.ts"
import * as TextFlag from "@mfgdata/shell/TextFlag"

/** The columns of a table; the rows come last, because they are long. */
const columns = ["sequence", "at", "kind", "resource", "key", "userId", "apiKey", "requestId", "before", "after"]

const given = <N extends string, A>(name: N, value: A | undefined): { readonly [K in N]?: A } =>
  // The object has the one field, or none.
  (value === undefined ? {} : { [name]: value }) as { readonly [K in N]?: A }

const command = Command.make(
  "history",
  {
    name: Args.text({ name: "resource" }).pipe(
      Args.withDescription("Resource of the rows (default: all)."),
      Args.optional
    ),
    key: Args.text({ name: "key" }).pipe(Args.withDescription("Key of the row (default: all rows)."), Args.optional),
    since: TextFlag.optional("since", "Time of the first changes, such as 2027-01-31T00:00:00Z (default: any)."),
    until: TextFlag.optional("until", "Time of the last changes (default: any)."),
    request: TextFlag.optional("request", "Id of the request that made the changes (default: any)."),
    user: TextFlag.optional("user", "Id of the user who made the changes (default: any)."),
    limit: IntegerFlag.option("limit", {
      description: "Maximum number of changes, the newest first.",
      least: 1,
      most: 1000,
      example: 20
    }).pipe(Options.withAlias("n"), Default.of(100)),
    world: HistoryWorld.flag,
    output: Output.options,
    profile: Connection.profile
  },
  ({ key, limit, name, output, profile, request, since, until, user, world }) =>
    Connection.use(profile, (connection) =>
      Effect.gen(function* () {
        const resource = Option.isNone(name) ? undefined : (yield* ResourceName.parse(name.value)).resource
        const { admin, company } = HistoryWorld.use(connection, "mfg history", world)
        const changes = yield* admin.listHistory({
          limit,
          ...company,
          ...given("resource", resource),
          ...given("key", Option.getOrUndefined(key)),
          ...given("since", yield* AsOf.time("since", since)),
          ...given("until", yield* AsOf.time("until", until)),
          ...given("request", Option.getOrUndefined(request)),
          ...given("user", Option.getOrUndefined(user))
        })
        yield* Output.show(changes, output, {
          none: "No changes.",
          ...(Output.isTable(output) ? { names: columns } : {})
        })
      })
    )
).pipe(
  Command.withDescription(
    "List the changes of rows that the service keeps, the newest first. For example: mfg history holiday --since 2027-01-31T00:00:00Z"
  )
)

export const program: Program.Program = Program.make(command, [])
