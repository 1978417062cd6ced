/**
 * The filter of the changes: parameters of the view's address, which the service applies.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import type * as Admin from "../../service/Admin.ts"
import * as Moment from "../../ui/moment.ts"

export type Change = AdminApi.HistoryEntry

/** The parameters that the service applies. */
const parameters = ["resource", "key", "request", "user", "since"] as const

/** The part of an address that the service applies, as text: a change of another parameter loads nothing. */
export const servedSearch = (query: URLSearchParams): string =>
  new URLSearchParams(
    parameters.map((name) => [name, query.get(name) ?? ""]).filter(([, value]) => value !== "")
  ).toString()

/** The fields of `listHistory` for an address. A moment that cannot be parsed filters nothing. */
export const fieldsOf = (query: URLSearchParams): Admin.Fields<"listHistory"> => {
  const { since = "", ...rest } = Object.fromEntries(new URLSearchParams(servedSearch(query)))
  const from = Moment.parse(since)
  return { ...rest, ...(from === undefined ? {} : { since: from }) }
}
