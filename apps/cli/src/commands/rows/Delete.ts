/**
 * `mfg <resource> delete <key>...`.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Confirmation from "../../Confirmation.ts"
import * as Connection from "../../Connection.ts"
import * as Screen from "../../Screen.ts"

/** The command. */
export const make = (resource: Resource.Any) =>
  Command.make(
    "delete",
    {
      keys: Args.text({ name: resource.key }).pipe(
        Args.withDescription(`The ${resource.key} of a row; several delete several.`),
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
            yield* Screen.note(`Deleted ${resource.resource} ${key}.`)
          }
        })
      )
  ).pipe(Command.withDescription(`Delete rows of ${resource.resource}. Asks first.`))
