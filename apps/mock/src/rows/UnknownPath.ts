/**
 * The errors for paths below a mount that do not name a resource.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import type { RowError } from "./RowError.ts"

const functions = "rpc/"

/** The error of a path. */
export const toError = (name: string): RowError => {
  if (name.startsWith(functions)) return { _tag: "FunctionUnknown", name: name.slice(functions.length) }
  if (name === "" || name.includes("/")) return { _tag: "PathUnknown" }
  const nearest = Suggestion.find(
    name,
    Catalogue.resources.map(({ resource }) => resource)
  )
  return { _tag: "ResourceUnknown", name, nearest }
}
