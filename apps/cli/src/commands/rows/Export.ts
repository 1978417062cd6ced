/**
 * `mfg <resource> export`: exports rows into a file or to standard output.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Connection from "../../service/Connection.ts"
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Export from "../../transfer/Export.ts"
import * as ImportFile from "../../transfer/ImportFile.ts"
import * as RowQuery from "../../RowQuery.ts"
import * as SelectFlags from "./SelectFlags.ts"

/** Adds the key to a selection: a resumed export continues after the last key. */
const withKey = (resource: Resource.Any, select: string): string => {
  const names = select.split(",").map((name) => name.trim())
  return names.includes(resource.key) || names.includes("*") ? select : `${resource.key},${select}`
}

/** The columns of a selection. */
const columnsOf = (resource: Resource.Any, select: string | undefined): ReadonlyArray<string> =>
  select === undefined || select.includes("*")
    ? Export.columnsOf(resource)
    : select.split(",").map((name) => name.trim().replace(/:.*$/, ""))

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "export",
    {
      to: Options.text("to").pipe(
        Options.withPseudoName("file"),
        Options.withDescription(
          "File to write, with a manifest of counts and checksum next to it (default: standard output)."
        ),
        Options.optional
      ),
      format: Options.choice("format", ImportFile.formats).pipe(
        Options.withDescription(
          "Format of the rows (default: by the extension of the file, ndjson on standard output)."
        ),
        Options.optional
      ),
      where: Options.text("where").pipe(
        Options.withPseudoName("condition"),
        Options.withDescription("Condition on the rows, such as status=Draft; may be repeated (default: all rows)."),
        Options.repeated
      ),
      select: SelectFlags.select,
      restart: Options.boolean("restart").pipe(
        Options.withDescription("New start, in place of an interrupted export.")
      ),
      profile: Connection.profile
    },
    ({ format: formatFlag, profile, restart, select, to, where }) =>
      Effect.gen(function* () {
        const chosen = Option.map(select, (text) => withKey(resource, text))
        const parameters: ReadonlyArray<RowQuery.Parameter> = yield* SelectFlags.parameters(resource, {
          where,
          select: chosen,
          order: Option.none()
        })
        const query = RowQuery.toText(parameters)
        const columns = columnsOf(resource, Option.getOrUndefined(chosen))
        const path = Option.getOrUndefined(to)
        const format = yield* ImportFile.formatOf(path ?? "-", Option.getOrUndefined(formatFlag))
        if (path === undefined) {
          return yield* Connection.use(
            profile,
            ({ rows }) =>
              Effect.zipRight(
                Terminal.write(Export.header(format, columns)),
                Stream.runForEach(rows.pages(resource, { ...Query.fromText(query), pageSize: 1000 }), (page) =>
                  Terminal.write(Export.text(format, columns, page.rows))
                )
              ),
            "long"
          )
        }
        const { resumedAt, ...manifest } = yield* Connection.use(
          profile,
          (connection) => Export.run(connection, { resource, path, format, query, columns, restart }),
          "long"
        )
        yield* Export.writeManifest(`${path}.manifest.json`, manifest)
        const resumed = resumedAt > 0 ? ` (${resumedAt} of them before the interruption)` : ""
        yield* Terminal.note(
          `Exported ${manifest.rows} rows to ${path}${resumed}; ${path}.manifest.json has counts and checksum.`
        )
      })
  ).pipe(
    Command.withDescription(
      `Export rows of ${resource.resource}. Repeat the command to resume an interrupted export into a file.`
    )
  )
