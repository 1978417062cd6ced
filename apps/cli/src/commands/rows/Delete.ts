/**
 * `mfg <resource> delete <key>...`: deletes rows.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Confirmation from "@mfgdata/shell/Confirmation"
import * as Connection from "../../service/Connection.ts"
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
      yes: Confirmation.option,
      profile: Connection.profile
    },
    ({ keys, profile, yes }) =>
      Connection.use(profile, ({ rows }) =>
        Effect.gen(function* () {
          yield* Confirmation.need(`delete ${resource.resource} ${keys.join(", ")}`, yes)
          for (const key of keys) {
            yield* rows.remove(resource, key)
            yield* Terminal.note(`Deleted ${resource.resource} ${key}.`)
          }
        })
      )
  ).pipe(Command.withDescription(`Delete rows of ${resource.resource}. Asks for confirmation.`))
