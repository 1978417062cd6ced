/**
 * Removes secrets from exchanges: the keys of the services, the values of sensitive columns, and those of columns whose
 * name says that they are secret.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import type * as Ask from "./Ask.ts"
import * as JsonText from "./JsonText.ts"
import type { Exchange } from "./Difference.ts"

const hidden = "***"

const sensitive = new Set(Catalogue.resources.flatMap(Column.sensitiveNames))
const isSecret = (name: string): boolean =>
  sensitive.has(name) || /secret|password|passwd|token$|apikey|api_key|privatekey/i.test(name)

/** The longest body of an exchange, and the most rows of one. */
const longestBody = 4000
const mostRows = 2

const redactJson = (value: Json, isError: boolean): Json => {
  if (Array.isArray(value)) return value.map((element) => redactJson(element, isError))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      // The code of an error is not that of an OAuth code.
      isSecret(name) && !(isError && name === "code") && inner !== null && typeof inner !== "boolean"
        ? hidden
        : redactJson(inner, isError)
    ])
  )
}

const shortened = (value: Json): Json => (Array.isArray(value) ? value.slice(0, mostRows) : value)

const redactText = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, hidden), text)
    .replaceAll(/\b(mfg|whsec|crbn)_[A-Za-z0-9_-]{16,}/g, `$1_${hidden}`)

/** The columns of a CSV that are secret cannot be found in its text, so it keeps its first line only. */
const redactBody = (text: string, headers: Ask.Answer["headers"], isError = false): string => {
  const json = JsonText.parse(text)
  if (json !== undefined) return JSON.stringify(redactJson(shortened(json), isError))
  return /csv/.test(headers["content-type"] ?? "") ? (text.split("\n", 1)[0] ?? "") : text
}

const redactHeaders = (headers: Ask.Answer["headers"], secrets: ReadonlyArray<string>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, /^(authorization|.*cookie|apikey)$/.test(name) ? hidden : redactText(value, secrets)]]
    )
  )

/** A response without the given secrets, and with the secrets of its rows. */
export const answer = ({ headers, status, text }: Ask.Answer, secrets: ReadonlyArray<string>): Ask.Answer => ({
  status,
  headers: redactHeaders(headers, secrets),
  text: redactText(text, secrets)
})

/** A request and its response without the given secrets and those of rows. */
export const exchange = (request: Ask.Request, answer: Ask.Answer, secrets: ReadonlyArray<string>): Exchange => {
  const { body, headers = {}, method, target } = request
  return {
    request: {
      method,
      target: redactText(target, secrets),
      headers: redactHeaders(headers, secrets),
      body: body === undefined ? null : redactText(redactBody(body, {}), secrets)
    },
    response: {
      status: answer.status,
      headers: redactHeaders(answer.headers, secrets),
      body: redactText(redactBody(answer.text, answer.headers, answer.status >= 400), secrets).slice(0, longestBody)
    }
  }
}
