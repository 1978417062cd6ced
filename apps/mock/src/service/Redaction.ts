/**
 * Redacts lines of the log: keys, secrets, the values of filters, and the values of sensitive columns.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Exchange from "../Exchange.ts"

const hidden = "***"
const secretHeaders = new Set(["authorization", "apikey", "cookie", "set-cookie", "proxy-authorization"])
const plainParameters = new Set(["select", "order", "limit", "offset", "columns", "on_conflict"])

const sensitive = new Set(Catalogue.resources.flatMap(Column.sensitiveNames))

const keys = /\b(mfg|whsec)_[^\s"\\&,;)]+/g
/** Fields of JSON inside a string of the line, whose quotes are escaped; the fields of the line itself do not match. */
const fields = new RegExp(String.raw`(\\+"(?:${Array.from(sensitive).join("|")})\\+"\s*:\s*\\+")[^"\\]*`, "g")

/** Redacts keys and secrets anywhere in a line, such as a key in a mistyped path. */
export const line = (text: string): string => text.replaceAll(keys, `$1_${hidden}`).replaceAll(fields, `$1${hidden}`)

const parameters = (search: string): string =>
  search
    .split("&")
    .map((parameter) => {
      const [name = "", value] = parameter.split("=", 2)
      return value === undefined || plainParameters.has(name) ? parameter : `${name}=${hidden}`
    })
    .join("&")

/** Redacts the values of filters in a path with a query. */
export const target = (text: string): string => {
  const [path = "", search] = text.split("?", 2)
  return search === undefined ? path : `${path}?${parameters(search)}`
}

/** Redacts the headers that carry credentials. */
export const headers = (all: Exchange.Headers): Exchange.Headers =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, secretHeaders.has(name) ? hidden : value]))
