/**
 * Parses the name of a resource on a command line.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import * as Either from "effect/Either"
import { UsageError } from "./CliError.ts"

/** The resource with a name, or an error with a suggestion. */
export const parse = (name: string): Either.Either<Resource.Any, UsageError> =>
  Either.fromNullable(
    Catalogue.find(name),
    () =>
      new UsageError({
        problem: `Unknown resource ${name}.`,
        nearest: Suggestion.find(
          name,
          Catalogue.resources.map(({ resource }) => resource)
        ),
        expected: "mfg describe lists the resources."
      })
  )
