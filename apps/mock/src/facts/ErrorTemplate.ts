/**
 * Fills the body of an error with the parts of the refusal in whose place it is sent.
 */
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"

/** The parts of a refusal by the names that a template uses. */
export type Parts = { readonly [name: string]: Json | undefined }

const quoted = /"([^"]+)"|'([^']+)'|\b\w+\.(\w+)\b/g

const names = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(quoted), ([, double, single, member]) => double ?? single ?? member ?? "")

/** The column that a refusal names: one of the resource, or else the first name that is not the resource's. */
export const columnOf = (
  texts: ReadonlyArray<Json | undefined>,
  resource: Resource.Any | undefined
): string | undefined => {
  const found = texts.flatMap((text) => (typeof text === "string" ? names(text) : []))
  if (resource === undefined) return found[0]
  const columns = Column.byName(resource)
  return found.find((name) => columns.has(name)) ?? found.find((name) => name !== resource.resource)
}

/** The value that a refusal repeats: the last quoted text of its message. */
export const valueOf = (message: Json | undefined): string | undefined =>
  typeof message === "string" ? /"([^"]*)"$/.exec(message)?.[1] : undefined

const variable = /\{(code|message|details|hint|resource|column|value|path|key)\}/g
const only = /^\{(\w+)\}$/

/** Replaces the variables of a template. A text that is one variable becomes its value, which may be null or a list. */
export const fill = (template: Json, parts: Parts): Json => {
  if (typeof template === "string") {
    const name = only.exec(template)?.[1]
    if (name !== undefined && name in parts) return parts[name] ?? null
    return template.replaceAll(variable, (_, name: string) => String(parts[name] ?? ""))
  }
  if (Array.isArray(template)) return template.map((part) => fill(part, parts))
  if (template === null || typeof template !== "object") return template
  return Object.fromEntries(Object.entries(template).map(([name, part]) => [name, fill(part, parts)]))
}
