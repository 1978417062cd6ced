/**
 * `mfg <resource> delete <key>...`: deletes rows.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Confirmation from "@mfgdata/shell/Confirmation"
import * as Connection from "../../service/Connection.ts"
import * as DryRun from "../../service/DryRun.ts"
import * as Terminal from "@mfgdata/shell/Terminal"

/** The command of a resource. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "delete",
    {
      keys: Args.text({ name: resource.key }).pipe(
        Args.withDescription(`${resource.key} of a row; several delete several rows.`),
        Args.atLeast(1)
      ),
      dryRun: DryRun.option,
      yes: Confirmation.option,
      profile: Connection.profile
    },
    ({ dryRun, keys, profile, yes }) =>
      Connection.use(profile, (connection) =>
        Effect.gen(function* () {
          yield* Confirmation.need(`delete ${resource.resource} ${keys.join(", ")}`, yes || dryRun)
          const remove = Effect.forEach(keys, (key) =>
            Effect.zipRight(
              connection.rows.remove(resource, key),
              Terminal.note(`${dryRun ? "Would delete" : "Deleted"} ${resource.resource} ${key}.`)
            )
          )
          yield* dryRun ? DryRun.run(connection, resource, "delete", remove) : remove
        })
      )
  ).pipe(Command.withDescription(`Delete rows of ${resource.resource}. Asks for confirmation.`))
