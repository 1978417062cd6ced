/**
 * `mfg <resource> export`.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Connection from "../../Connection.ts"
import * as Screen from "../../Screen.ts"
import * as Exporting from "../../transfer/Exporting.ts"
import * as Source from "../../transfer/Source.ts"
import type * as Where from "../../Where.ts"
import * as Selecting from "./Selecting.ts"

/** A selection has the key, by which an export that was interrupted goes on. */
const withKey = (resource: Resource.Any, select: string): string => {
  const names = select.split(",").map((name) => name.trim())
  return names.includes(resource.key) || names.includes("*") ? select : `${resource.key},${select}`
}

/** The columns that a selection names, as far as these are plain. */
const columnsOf = (resource: Resource.Any, select: string | undefined): ReadonlyArray<string> =>
  select === undefined || select.includes("*")
    ? Exporting.columnsOf(resource)
    : select.split(",").map((name) => name.trim().replace(/:.*$/, ""))

/** The command. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "export",
    {
      to: Options.text("to").pipe(
        Options.withPseudoName("file"),
        Options.withDescription(
          "The file to write; a manifest with counts and checksum comes beside it. Standard output when left out."
        ),
        Options.optional
      ),
      format: Options.choice("format", Source.formats).pipe(
        Options.withDescription(
          "What to write; unless told, what the file's name ends with, and ndjson on standard output."
        ),
        Options.optional
      ),
      where: Options.text("where").pipe(
        Options.withPseudoName("condition"),
        Options.withDescription("Only rows that meet it, such as status=Draft; may be repeated."),
        Options.repeated
      ),
      select: Selecting.select,
      restart: Options.boolean("restart").pipe(
        Options.withDescription("Begin anew, whatever an interrupted export has written.")
      ),
      profile: Connection.profile
    },
    ({ format: told, profile, restart, select, to, where }) =>
      Effect.gen(function* () {
        const chosen = Option.map(select, (text) => withKey(resource, text))
        const parameters: ReadonlyArray<Where.Parameter> = yield* Selecting.parameters(resource, {
          where,
          select: chosen,
          order: Option.none()
        })
        const query = Selecting.toText(parameters)
        const columns = columnsOf(resource, Option.getOrUndefined(chosen))
        const path = Option.getOrUndefined(to)
        const format = yield* Source.formatOf(path ?? "-", Option.getOrUndefined(told))
        if (path === undefined) {
          return yield* Connection.use(
            profile,
            ({ rows }) =>
              Effect.zipRight(
                Screen.write(Exporting.header(format, columns)),
                Stream.runForEach(rows.pages(resource, { query, pageSize: 1000 }), (page) =>
                  Screen.write(Exporting.text(format, columns, page.rows))
                )
              ),
            "long"
          )
        }
        const { resumedAt, ...manifest } = yield* Connection.use(
          profile,
          (connection) => Exporting.run(connection, { resource, path, format, query, columns, restart }),
          "long"
        )
        yield* Exporting.writeManifest(`${path}.manifest.json`, manifest)
        const resumed = resumedAt > 0 ? ` (${resumedAt} of them before it was interrupted)` : ""
        yield* Screen.note(
          `Wrote ${manifest.rows} rows to ${path}${resumed}; ${path}.manifest.json has counts and checksum.`
        )
      })
  ).pipe(
    Command.withDescription(
      `Write rows of ${resource.resource}, all of them unless told. An export into a file that was interrupted goes on when it is repeated.`
    )
  )
