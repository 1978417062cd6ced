/**
 * Makes the template of another service's error from one refusal of both services.
 */
import * as JsonText from "@mfgdata/client/contract/JsonText"
import type { Answer } from "@mfgdata/client/contract/Ask"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as RowError from "@mfgdata/domain/RowError"
import type * as Resource from "@mfgdata/domain/Resource"
import * as ErrorTemplate from "../../facts/ErrorTemplate.ts"

/** Our refusal with its status: its body, or the code of a response without a body; undefined when it is none. */
export const refusalOf = ({ headers, status, text }: Answer): JsonObject | undefined => {
  const body = JsonText.parse(text)
  const code = /error=(\w+)/.exec(headers["proxy-status"] ?? "")?.[1]
  const refusal = JsonText.isObject(body) ? body : {}
  const own = typeof refusal["code"] === "string" ? refusal["code"] : code
  return own === undefined || !Object.hasOwn(RowError.meanings, own) ? undefined : { ...refusal, code: own, status }
}

/** Replaces what differs between requests by the variables that a template has. */
const generalize = (
  value: Json,
  parts: ReadonlyArray<readonly [name: string, text: string]>,
  ours: JsonObject = {}
): Json => {
  if (Array.isArray(value)) return value.map((part) => generalize(part, parts))
  if (JsonText.isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        // A field that both refusals have alike, such as a hint without a value.
        Object.hasOwn(ours, name) && ours[name] === part ? `{${name}}` : generalize(part, parts)
      ])
    )
  }
  if (typeof value !== "string") return value
  return parts.reduce((text, [name, part]) => text.replaceAll(part, `{${name}}`), value)
}

/** The body of their error as a template, which our refusal fills. */
export const template = (
  ours: JsonObject,
  theirs: Pick<Answer, "text">,
  name: string,
  resource: Resource.Any | undefined
): Json => {
  const { details, hint, message } = ours
  const column = ErrorTemplate.columnOf([message, details, hint], resource)
  const value = ErrorTemplate.valueOf(message)
  const parts = Object.entries({ message, details, hint, value, column, resource: name }).flatMap(
    ([name, text]): ReadonlyArray<[string, string]> =>
      // Short texts occur by chance.
      typeof text === "string" && text.length > 2 ? [[name, text]] : []
  )
  const body = JsonText.parse(theirs.text)
  return generalize(body ?? theirs.text, parts, ours)
}
