/**
 * `mfg <resource> create`: creates a row.
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../CliError.ts"
import * as Company from "../../service/Company.ts"
import * as Connection from "../../service/Connection.ts"
import * as DryRun from "../../service/DryRun.ts"
import * as Fields from "../../Fields.ts"
import * as Output from "@mfgdata/shell/output/Output"
import * as ValueFlags from "./ValueFlags.ts"

/** Names all missing fields in one error, with a complete command. */
const checkComplete = (resource: Resource.Any, values: JsonObject): Effect.Effect<void, UsageError> => {
  const required = Fields.writable(resource).filter(({ write }) => write === "required")
  const missing = required.filter(({ name }) => values[name] === undefined)
  const flags = missing.map(({ name }) => `--${Fields.flag(name)}`)
  return missing.length === 0
    ? Effect.void
    : Effect.fail(
        new UsageError({
          problem: `Missing ${flags.join(", ")} of mfg ${resource.resource} create.`,
          example: `mfg ${resource.resource} create ${required.map((column) => `--${Fields.flag(column.name)} ${Fields.example(column)}`).join(" ")}`
        })
      )
}

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "create",
    {
      values: ValueFlags.options(resource),
      idempotencyKey: Options.text("idempotency-key").pipe(
        Options.withPseudoName("key"),
        Options.withDescription("Key of this create: with the same key within a day, the row of the first is shown."),
        Options.optional
      ),
      dryRun: DryRun.option,
      output: Output.options,
      profile: Connection.profile
    },
    ({ dryRun, idempotencyKey, output, profile, values: flags }) =>
      Effect.flatMap(ValueFlags.read(resource, flags), (given) =>
        Connection.use(profile, (connection) =>
          Effect.gen(function* () {
            const values = Company.fill(resource, given, connection.profile.companyId)
            yield* checkComplete(resource, values)
            const create = connection.rows.create(resource, values, {
              idempotencyKey: Option.getOrUndefined(idempotencyKey)
            })
            const row: Output.Row = yield* dryRun ? DryRun.run(connection, resource, "create", create) : create
            yield* Output.one(row, output)
          })
        )
      )
  ).pipe(Command.withDescription(`Create a row of ${resource.resource}, and show it.`))
