/**
 * Redacts the values of secret columns in the query of a request, for hooks.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"

/** The target without the parameters' values that a secret column may occur in. */
export const make = (resource: Resource.Any, target: string): string => {
  const [path = "", query] = target.split("?", 2)
  const secrets = Column.sensitiveNames(resource)
  if (query === undefined || secrets.length === 0) return target
  const parameters = query.split("&").map((parameter) => {
    const [name = ""] = parameter.split("=", 1)
    const isSelection = /(^|\.)(select|order|columns|on_conflict)$/.test(name)
    return !isSelection && secrets.some((secret) => decodeURIComponent(parameter).includes(secret))
      ? `${name}=<redacted>`
      : parameter
  })
  return `${path}?${parameters.join("&")}`
}
