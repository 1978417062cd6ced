/**
 * `mfg <resource> get <key>`: shows one row.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Connection from "../../service/Connection.ts"
import * as AsOf from "../../service/AsOf.ts"
import * as RowRead from "../../service/RowRead.ts"
import * as Fields from "../../Fields.ts"
import * as Output from "@mfgdata/shell/output/Output"
import * as SelectFlags from "./SelectFlags.ts"

const chosen = (resource: Resource.Any, select: Option.Option<string>) =>
  Effect.forEach(Option.match(select, { onNone: () => [], onSome: (text) => text.split(",") }), (name) =>
    Effect.map(Fields.column(resource, name.trim()), (column) => column.name)
  )

/** The row with its fields in the order of display. */
const ordered = (resource: Resource.Any, row: Output.Row): Output.Row =>
  Object.fromEntries([
    ...Fields.names(resource).flatMap((name) => (name in row ? [[name, row[name] ?? null] as const] : [])),
    ...Object.entries(row).filter(([name]) => !Fields.names(resource).includes(name))
  ])

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "get",
    {
      key: Args.text({ name: resource.key }).pipe(Args.withDescription(`${resource.key} of the row.`)),
      select: SelectFlags.select,
      at: AsOf.option,
      output: Output.options,
      profile: Connection.profile
    },
    ({ at, key, output, profile, select }) =>
      Effect.gen(function* () {
        const columns = yield* chosen(resource, select)
        const row = yield* Connection.use(profile, (connection) =>
          AsOf.read(at, RowRead.one(connection, resource, key, columns))
        )
        yield* Output.one(Output.isTable(output) ? ordered(resource, row) : row, output)
      })
  ).pipe(Command.withDescription(`Show one row of ${resource.resource}.`))
