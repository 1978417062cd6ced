/**
 * `mfg browse [resource]`: shows rows on the whole terminal.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Browse from "../browse/Browse.ts"
import * as Model from "../browse/Model.ts"
import * as Fields from "../Fields.ts"
import * as ResourceName from "../ResourceName.ts"
import * as RowQuery from "../RowQuery.ts"
import * as Connection from "../service/Connection.ts"
import * as SelectFlags from "./rows/SelectFlags.ts"

const table: Output.Flags = {
  format: Option.some("table"),
  wide: false,
  fields: Option.none(),
  jq: Option.none(),
  template: Option.none()
}

/** The number of rows in a table. */
const limit = 100

/** Writes the first rows as a table. */
const firstRows = ({ rows }: Connection.Connection, resource: Resource.Any, where: ReadonlyArray<RowQuery.Parameter>) =>
  Effect.gen(function* () {
    const page = yield* rows.page(resource, { ...Query.fromText(RowQuery.toText(where)), limit })
    yield* Output.show(page.rows, table, {
      names: Fields.names(resource),
      none: `No rows of ${resource.resource}.`
    })
    if (page.hasMore)
      yield* Terminal.note(`(Showing ${limit} rows; there are more. mfg ${resource.resource} list --all shows all.)`)
  })

const resources: ReadonlyArray<Output.Row> = Catalogue.resources.map(({ key, resource }) => ({ resource, key }))

const command = Command.make(
  "browse",
  {
    resource: Args.text({ name: "resource" }).pipe(
      Args.withDescription("Resource of the rows (default: a choice of all resources)."),
      Args.optional
    ),
    where: SelectFlags.where,
    profile: Connection.profile
  },
  ({ profile, resource: name, where }) =>
    Effect.gen(function* () {
      const resource = Option.isNone(name) ? undefined : yield* ResourceName.parse(name.value)
      const parameters =
        resource === undefined ? [] : yield* Effect.forEach(where, (text) => RowQuery.parse(resource, text))
      const hasScreen = Terminal.isScreen()
      if (resource === undefined && !hasScreen) return yield* Output.show(resources, table)
      yield* Connection.use(profile, (connection) => {
        if (resource === undefined) return Browse.run(connection, Model.resources)
        return hasScreen
          ? Browse.run(connection, Model.list(resource, parameters))
          : firstRows(connection, resource, parameters)
      })
    })
).pipe(
  Command.withDescription(
    "Show rows on the whole terminal, with the keyboard alone: ? lists the keys. Without a terminal the first rows are a table."
  )
)

export const program: Program.Program = Program.make(command)
