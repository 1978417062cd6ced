/**
 * `mfg <resource> create`.
 */
import * as Command from "@effect/cli/Command"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import { UsageError } from "../../CliError.ts"
import * as Company from "../../Company.ts"
import * as Connection from "../../Connection.ts"
import * as Fields from "../../Fields.ts"
import * as Output from "../../Output.ts"
import * as Values from "./Values.ts"

/** All that is missing is named at once, with a command that has it. */
const checkComplete = (resource: Resource.Any, values: JsonObject): Effect.Effect<void, UsageError> => {
  const required = Fields.writable(resource).filter(({ write }) => write === "required")
  const missing = required.filter(({ name }) => values[name] === undefined)
  const flags = missing.map(({ name }) => `--${Fields.flag(name)}`)
  return missing.length === 0
    ? Effect.void
    : Effect.fail(
        new UsageError({
          problem: `mfg ${resource.resource} create needs ${flags.join(", ")}.`,
          example: `mfg ${resource.resource} create ${required.map((column) => `--${Fields.flag(column.name)} ${Fields.example(column)}`).join(" ")}`
        })
      )
}

/** The command. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "create",
    { given: Values.options(resource), output: Output.options, profile: Connection.profile },
    ({ given, output, profile }) =>
      Effect.flatMap(Values.read(resource, given), (read) =>
        Connection.use(profile, (connection) =>
          Effect.gen(function* () {
            const values = Company.fill(resource, read, connection.profile.companyId)
            yield* checkComplete(resource, values)
            const row: Output.Row = yield* connection.rows.create(resource, values)
            yield* Output.one(row, output)
          })
        )
      )
  ).pipe(Command.withDescription(`Create a row of ${resource.resource}; what was stored is answered.`))
