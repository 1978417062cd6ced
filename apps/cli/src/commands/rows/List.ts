/**
 * `mfg <resource> list`: lists rows.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Connection from "../../service/Connection.ts"
import * as Fields from "../../Fields.ts"
import * as Default from "@mfgdata/shell/Default"
import * as Output from "@mfgdata/shell/Output"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as SelectFlags from "./SelectFlags.ts"

/** The default number of rows. */
const defaultLimit = 100

/** The number of rows in a page of the service. */
const pageSize = 1000

const more = (shown: number, offset: number): string =>
  `(Showing ${shown} rows; there are more. Use --all, --limit ${shown * 10} or --offset ${offset + shown}.)`

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "list",
    {
      select: SelectFlags.options,
      limit: IntegerFlag.option("limit", {
        description: `Maximum number of rows (default ${defaultLimit}).`,
        example: 20
      }).pipe(Options.withAlias("n"), Options.optional),
      offset: IntegerFlag.option("offset", { description: "Number of rows to skip.", example: 20 }).pipe(Default.of(0)),
      all: Options.boolean("all").pipe(Options.withDescription("All rows, fetched page by page.")),
      count: Options.boolean("count").pipe(Options.withDescription("Number of matching rows, in place of the rows.")),
      output: Output.options,
      profile: Connection.profile
    },
    ({ all, count, limit, offset, output, profile, select }) =>
      Effect.gen(function* () {
        const parameters = yield* SelectFlags.parameters(resource, select)
        const most = Option.getOrElse(limit, () => defaultLimit)
        const names = Option.isNone(select.select) ? Fields.names(resource) : undefined
        const query = Query.fromText(SelectFlags.toText(parameters))
        const options = { flags: output, names, none: `No rows of ${resource.resource}.` }
        yield* Connection.use(profile, ({ rows }) => {
          if (count) {
            const filters = SelectFlags.toText(parameters.filter(([name]) => name !== "select" && name !== "order"))
            return Effect.flatMap(rows.count(resource, Query.fromText(filters)), (total) =>
              Terminal.write(`${total}\n`)
            )
          }
          if (all || (most > pageSize && offset === 0)) {
            const pages = rows.pages(resource, { ...query, pageSize, ...(all ? {} : { limit: most }) })
            return Output.stream(
              Stream.map(pages, (page) => page.rows),
              options
            )
          }
          // One row more than the default shows that there are others.
          const requested = Option.isNone(limit) ? most + 1 : most
          const text = SelectFlags.toText([
            ...parameters,
            ["limit", String(requested)],
            ...(offset > 0 ? [["offset", String(offset)] as const] : [])
          ])
          return Effect.flatMap(rows.list(resource, Query.fromText(text)), (found) =>
            Effect.zipRight(
              Output.show(found.slice(0, most), output, options),
              found.length > most ? Terminal.note(Terminal.styledError("dim", more(most, offset))) : Effect.void
            )
          )
        })
      })
  ).pipe(Command.withDescription(`List rows of ${resource.resource}.`))
