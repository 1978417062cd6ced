/**
 * `mfg <resource> list`.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Connection from "../../Connection.ts"
import * as Fields from "../../Fields.ts"
import * as Output from "../../Output.ts"
import * as Screen from "../../Screen.ts"
import * as Whole from "../../Whole.ts"
import * as Selecting from "./Selecting.ts"

/** How many rows are shown unless told; and how many a service answers at once at most. */
const usual = 100
const most = 1000

const more = (shown: number, offset: number): string =>
  `(The first ${shown}. There are more: --all, --limit ${shown * 10}, or --offset ${offset + shown}.)`

/** The command. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "list",
    {
      asked: Selecting.options,
      limit: Whole.option("limit", { description: `At most so many rows; ${usual} when left out.`, example: 20 }).pipe(
        Options.withAlias("n"),
        Options.optional
      ),
      offset: Whole.option("offset", { description: "Leave out so many rows first.", example: 20 }).pipe(
        Options.withDefault(0)
      ),
      all: Options.boolean("all").pipe(Options.withDescription("Every row, fetched page by page.")),
      count: Options.boolean("count").pipe(Options.withDescription("Only how many rows there are.")),
      output: Output.options,
      profile: Connection.profile
    },
    ({ all, asked, count, limit, offset, output, profile }) =>
      Effect.gen(function* () {
        const parameters = yield* Selecting.parameters(resource, asked)
        const wanted = Option.getOrElse(limit, () => usual)
        const names = Option.isNone(asked.select) ? Fields.names(resource) : undefined
        const query = Selecting.toText(parameters)
        const streamed = { asked: output, names, none: `No ${resource.resource} was found.` }
        yield* Connection.use(profile, ({ rows }) => {
          if (count) {
            const filters = Selecting.toText(parameters.filter(([name]) => name !== "select" && name !== "order"))
            return Effect.flatMap(rows.count(resource, { query: filters }), (total) => Screen.write(`${total}\n`))
          }
          if (all || (wanted > most && offset === 0)) {
            const pages = rows.pages(resource, { query, pageSize: most, ...(all ? {} : { limit: wanted }) })
            return Output.stream(
              Stream.map(pages, (page) => page.rows),
              streamed
            )
          }
          // One more than wanted tells whether there are more.
          const asks = Option.isNone(limit) ? wanted + 1 : wanted
          const text = Selecting.toText([
            ...parameters,
            ["limit", String(asks)],
            ...(offset > 0 ? [["offset", String(offset)] as const] : [])
          ])
          return Effect.flatMap(rows.list(resource, { query: text }), (found) =>
            Effect.zipRight(
              Output.show(found.slice(0, wanted), output, streamed),
              found.length > wanted ? Screen.note(Screen.styledError("dim", more(wanted, offset))) : Effect.void
            )
          )
        })
      })
  ).pipe(Command.withDescription(`List rows of ${resource.resource}.`))
