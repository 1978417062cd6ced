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
  Either.fromNullable(Catalogue.find(name), () => {
    const names = Catalogue.resources.map(({ resource }) => resource)
    const nearest = Suggestion.find(name, names)
    return new UsageError({
      problem: `Unknown resource ${name}.`,
      nearest,
      expected: nearest === undefined ? `The resources are ${names.join(", ")}.` : undefined
    })
  })
