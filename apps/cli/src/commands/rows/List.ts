/**
 * `mfg <resource> list`: lists rows.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Query from "@mfgdata/domain/Query"
import type { QueryError } from "@mfgdata/client/ClientError"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { UsageError } from "../../CliError.ts"
import * as RowQuery from "../../RowQuery.ts"
import * as Connection from "../../service/Connection.ts"
import * as AsOf from "../../service/AsOf.ts"
import * as Fields from "../../Fields.ts"
import * as Default from "@mfgdata/shell/Default"
import * as Output from "@mfgdata/shell/output/Output"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as IntegerFlag from "@mfgdata/shell/IntegerFlag"
import * as SelectFlags from "./SelectFlags.ts"

/** The default number of rows. */
const defaultLimit = 100

/** The number of rows in a page of the service. */
const pageSize = 1000

const more = (shown: number, offset: number): string =>
  `(Showing ${shown} rows; there are more. Use --all, --limit ${shown * 10} or --offset ${offset + shown}.)`

/** A query, and its range of rows. */
interface Range {
  readonly parameters: ReadonlyArray<RowQuery.Parameter>
  readonly offset: number
  readonly limit: number
}

type Pieces = Stream.Stream<ReadonlyArray<Output.Row>, QueryError>

/** Requests rows until there are as many as asked for: a service may answer with fewer. */
const byOffset = ({ rows }: Connection.Connection, resource: Resource.Any, range: Range): Pieces =>
  Stream.unfoldEffect(range.offset, (offset) => {
    const limit = Math.min(pageSize, range.offset + range.limit - offset)
    if (limit < 1) return Effect.succeedNone
    const query = RowQuery.toText([
      ...range.parameters,
      ["limit", String(limit)],
      ...(offset > 0 ? [["offset", String(offset)] as const] : [])
    ])
    return Effect.map(rows.list(resource, Query.fromText(query)), (piece) =>
      piece.length === 0 ? Option.none() : Option.some([piece, offset + piece.length])
    )
  })

const pieces = (connection: Connection.Connection, resource: Resource.Any, range: Range): Pieces => {
  const { limit, offset, parameters } = range
  const paging = RowQuery.paging(parameters)
  if (paging === "grouped") return byOffset(connection, resource, range)
  if (paging === "offset" || offset > 0) {
    // The key makes the order complete, as it does in pages by key.
    const order = [...parameters.flatMap(([name, value]) => (name === "order" ? [value] : [])), resource.key].join(",")
    const others = parameters.filter(([name]) => name !== "order")
    return byOffset(connection, resource, { ...range, parameters: [...others, ["order", order]] })
  }
  const query = RowQuery.toText(parameters)
  const size = { pageSize: Math.min(pageSize, limit), ...(limit === Infinity ? {} : { limit }) }
  return Stream.map(connection.rows.pages(resource, { ...Query.fromText(query), ...size }), ({ rows }) => rows)
}

const checkRange = (all: boolean, flags: { readonly [name: string]: boolean }): Effect.Effect<void, UsageError> => {
  const other = Object.keys(flags).find((name) => flags[name] === true)
  return all && other !== undefined
    ? Effect.fail(new UsageError({ problem: `Use either --all or --${other}.` }))
    : Effect.void
}

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "list",
    {
      select: SelectFlags.options,
      limit: IntegerFlag.option("limit", {
        description: `Maximum number of rows (default ${defaultLimit}).`,
        least: 1,
        example: 20
      }).pipe(Options.withAlias("n"), Options.optional),
      offset: IntegerFlag.option("offset", { description: "Number of rows to skip.", example: 20 }).pipe(Default.of(0)),
      all: Options.boolean("all").pipe(Options.withDescription("All rows, fetched page by page.")),
      count: Options.boolean("count").pipe(Options.withDescription("Number of matching rows, in place of the rows.")),
      at: AsOf.option,
      output: Output.options,
      profile: Connection.profile
    },
    ({ all, at, count, limit, offset, output, profile, select }) =>
      Effect.gen(function* () {
        yield* checkRange(all, { limit: Option.isSome(limit), offset: offset > 0, count })
        const parameters = yield* SelectFlags.parameters(resource, select)
        if (count) {
          const query = RowQuery.toText(parameters.filter(([name]) => name !== "select" && name !== "order"))
          const total = yield* Connection.use(profile, ({ rows }) =>
            AsOf.read(at, rows.count(resource, Query.fromText(query)))
          )
          return yield* Terminal.write(`${total}\n`)
        }
        const most = all ? Infinity : Option.getOrElse(limit, () => defaultLimit)
        // One row more than the default shows that there are others.
        const requested = Option.isNone(limit) ? most + 1 : most
        let shown = 0
        let hasMore = false
        const keep = (rows: ReadonlyArray<Output.Row>) => {
          const kept = rows.slice(0, most - shown)
          hasMore ||= kept.length < rows.length
          shown += kept.length
          return kept
        }
        const names = Option.isNone(select.select) ? Fields.names(resource) : undefined
        const options = { flags: output, names, none: `No rows of ${resource.resource}.` }
        yield* Connection.use(profile, (connection) => {
          const found = Stream.map(pieces(connection, resource, { parameters, offset, limit: requested }), keep)
          // All rows of one page decide the layout of a table, however many a service answers with.
          const whole = Effect.map(Stream.runCollect(found), (all) => Chunk.toReadonlyArray(all).flat())
          return AsOf.read(at, Output.stream(most > pageSize ? found : Stream.fromEffect(whole), options))
        })
        if (hasMore) yield* Terminal.note(Terminal.styledError("dim", more(shown, offset)))
      })
  ).pipe(Command.withDescription(`List rows of ${resource.resource}.`))
