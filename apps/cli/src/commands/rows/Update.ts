/**
 * `mfg <resource> update <key>`.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../CliError.ts"
import * as Connection from "../../Connection.ts"
import * as Fields from "../../Fields.ts"
import * as Output from "../../Output.ts"
import * as Values from "./Values.ts"

const cleared = (resource: Resource.Any, names: ReadonlyArray<string>) =>
  Effect.reduce(names, {}, (values: { readonly [column: string]: Json }, name) =>
    Effect.flatMap(Fields.column(resource, name), ({ name, write }) =>
      write === "optional"
        ? Effect.succeed({ ...values, [name]: null })
        : Effect.fail(
            new UsageError({
              problem: `${name} cannot be cleared: ${write === "required" ? "every row has one" : "the service sets it"}.`
            })
          )
    )
  )

/** The command. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "update",
    {
      key: Args.text({ name: resource.key }).pipe(Args.withDescription(`The ${resource.key} of the row.`)),
      given: Values.options(resource),
      clear: Options.text("clear").pipe(
        Options.withPseudoName("field"),
        Options.withDescription("Leave an optional field empty; may be repeated."),
        Options.repeated
      ),
      ifMatch: Options.text("if-match").pipe(
        Options.withPseudoName("etag"),
        Options.withDescription("Only if the row is still the version of this ETag."),
        Options.optional
      ),
      output: Output.options,
      profile: Connection.profile
    },
    ({ clear, given, ifMatch, key, output, profile }) =>
      Effect.gen(function* () {
        const changes = { ...(yield* Values.read(resource, given)), ...(yield* cleared(resource, clear)) }
        if (Object.keys(changes).length === 0) {
          const [column] = Fields.writable(resource)
          return yield* new UsageError({
            problem: `mfg ${resource.resource} update changes nothing.`,
            expected: "Give a field to change.",
            example:
              column === undefined
                ? undefined
                : `mfg ${resource.resource} update ${key} --${Fields.flag(column.name)} ${Fields.example(column)}`
          })
        }
        yield* Connection.use(profile, ({ rows }) =>
          Effect.flatMap(
            Option.match(ifMatch, {
              onNone: () => rows.update(resource, key, changes),
              onSome: (etag) => rows.update(resource, key, changes, { ifMatch: etag })
            }),
            (row: Output.Row) => Output.one(row, output)
          )
        )
      })
  ).pipe(Command.withDescription(`Change fields of a row of ${resource.resource}; what is stored then is answered.`))
