/**
 * `mfg <resource> update <key>`: updates a row.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../CliError.ts"
import * as Connection from "../../service/Connection.ts"
import * as DryRun from "../../service/DryRun.ts"
import * as RowChange from "../../RowChange.ts"
import * as Fields from "../../Fields.ts"
import * as Output from "@mfgdata/shell/output/Output"
import * as ValueFlags from "./ValueFlags.ts"

const cleared = (resource: Resource.Any, names: ReadonlyArray<string>) =>
  Effect.reduce(names, {}, (values: { readonly [column: string]: Json }, name) =>
    Effect.flatMap(Fields.column(resource, name), ({ name, write }) =>
      write === "optional"
        ? Effect.succeed({ ...values, [name]: null })
        : Effect.fail(
            new UsageError({
              problem: `Invalid field ${name} for --clear: ${write === "required" ? "it is required" : "the service sets it"}.`
            })
          )
    )
  )

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "update",
    {
      key: Args.text({ name: resource.key }).pipe(Args.withDescription(`${resource.key} of the row.`)),
      values: ValueFlags.options(resource),
      clear: Options.text("clear").pipe(
        Options.withPseudoName("field"),
        Options.withDescription("Optional field to set to null; may be repeated."),
        Options.repeated
      ),
      ifMatch: Options.text("if-match").pipe(
        Options.withPseudoName("etag"),
        Options.withDescription("ETag of the version to update; a newer version is a conflict."),
        Options.optional
      ),
      dryRun: DryRun.option,
      output: Output.options,
      profile: Connection.profile
    },
    ({ clear, dryRun, ifMatch, key, output, profile, values }) =>
      Effect.gen(function* () {
        const changes = { ...(yield* ValueFlags.read(resource, values)), ...(yield* cleared(resource, clear)) }
        if (Object.keys(changes).length === 0) {
          const [column] = Fields.writable(resource)
          return yield* new UsageError({
            problem: `Missing fields of mfg ${resource.resource} update.`,
            example:
              column === undefined
                ? undefined
                : `mfg ${resource.resource} update ${key} --${Fields.flag(column.name)} ${Fields.example(column)}`
          })
        }
        yield* Connection.use(profile, (connection) =>
          Effect.gen(function* () {
            const { rows } = connection
            const update = Option.match(ifMatch, {
              onNone: () => rows.update(resource, key, changes),
              onSome: (etag) => rows.update(resource, key, changes, { ifMatch: etag })
            })
            if (!dryRun) {
              const row: Output.Row = yield* update
              return yield* Output.one(row, output)
            }
            const before = yield* rows.retrieve(resource, key)
            const after = yield* DryRun.run(connection, resource, "update", update)
            yield* Output.show(
              RowChange.between(resource, before, after).map((change) => ({ ...change })),
              output,
              { none: "No field changes." }
            )
          })
        )
      })
  ).pipe(Command.withDescription(`Change fields of a row of ${resource.resource}, and show the row.`))
