/**
 * What no line of a log may show: keys, secrets, the values of filters and of sensitive columns.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Exchange from "../Exchange.ts"

const hidden = "***"
const secretHeaders = new Set(["authorization", "apikey", "cookie", "set-cookie", "proxy-authorization"])
const plainParameters = new Set(["select", "order", "limit", "offset", "columns", "on_conflict"])

const sensitive = new Set(
  Catalogue.resources.flatMap((resource) =>
    Column.fromResource(resource).flatMap(({ name, sensitive }) => (sensitive ? [name] : []))
  )
)

const keys = /\b(mfg|whsec)_[^\s"\\&,;)]+/g
/** JSON within a text of a line, where its quotes are escaped: the line's own fields are not meant. */
const fields = new RegExp(String.raw`(\\+"(?:${Array.from(sensitive).join("|")})\\+"\s*:\s*\\+")[^"\\]*`, "g")

/** A finished line, without keys and secrets wherever they stand, as in a path that was mistyped. */
export const line = (text: string): string => text.replaceAll(keys, `$1_${hidden}`).replaceAll(fields, `$1${hidden}`)

const parameters = (search: string): string =>
  search
    .split("&")
    .map((parameter) => {
      const [name = "", value] = parameter.split("=", 2)
      return value === undefined || plainParameters.has(name) ? parameter : `${name}=${hidden}`
    })
    .join("&")

/** A path and a query, without what is looked for. */
export const target = (text: string): string => {
  const [path = "", search] = text.split("?", 2)
  return search === undefined ? path : `${path}?${parameters(search)}`
}

/** Headers, without those that let somebody in. */
export const headers = (given: Exchange.Headers): Exchange.Headers =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, secretHeaders.has(name) ? hidden : value]))
