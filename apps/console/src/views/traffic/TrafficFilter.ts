/**
 * The filter of the traffic: the parameters of the view's address, most of which the service applies. The text is
 * searched in the page, in what it has.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import type * as Admin from "../../service/Admin.ts"

export type Exchange = AdminApi.Response<"listTraffic">[number]

/** The parameters that the service applies, in the order of their fields. */
export const parameters = ["method", "path", "status", "resource", "key", "slower", "fault"] as const

/** The fields of `listTraffic` and of `exportTraffic` for an address. */
export const fieldsOf = (query: URLSearchParams): Admin.Fields<"listTraffic"> => {
  const slower = Number(query.get("slower") ?? Number.NaN)
  const texts = parameters.filter((name) => name !== "slower" && query.get(name) !== null)
  return {
    ...Object.fromEntries(texts.map((name) => [name, query.get(name)])),
    ...(Number.isSafeInteger(slower) ? { slower } : {})
  }
}

/** Reports whether an exchange has a text in its target, headers or bodies. */
export const contains = (text: string, { request, requestId, response, target }: Exchange): boolean => {
  if (text === "") return true
  const wanted = text.toLowerCase()
  const has = (part: string) => part.toLowerCase().includes(wanted)
  return (
    has(target) ||
    has(requestId) ||
    [request, response].some(
      ({ body, headers }) => has(body) || Object.entries(headers).some(([name, value]) => has(name) || has(value))
    )
  )
}
