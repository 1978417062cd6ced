/**
 * The form of a response: one object or a list, its body, and the error for a wrong number of rows. The media type
 * decides first, then the shape, the method and the preferences.
 */
import type { Payload } from "../request/Payload.ts"
import type * as MediaType from "../request/MediaType.ts"
import * as Preferences from "../request/Preferences.ts"
import type { RowRequest, Shape } from "../request/RowRequest.ts"

export interface ResponseShape {
  readonly format: "object" | "array" | "csv"
  /** The error for a number of rows other than one: `absent` is 404, `singular` is 406. Both roll back a write. */
  readonly exactlyOne: "absent" | "singular" | undefined
  readonly body: "representation" | "minimal" | "headers-only"
  readonly mediaType: MediaType.MediaType
  readonly shape: Shape
  readonly mount: string
  readonly head: boolean
  readonly profile: boolean
  /** The value of `Content-Location`: the address with its parameters sorted. */
  readonly contentLocation: string | undefined
  /** The value of `Preference-Applied`. */
  readonly applied: string | undefined
}

/** Reports whether the contract decides the form: its shape is used, and no media type requests another form. */
const isContract = ({ mediaType, shape }: RowRequest): boolean => shape === "contract" && mediaType._tag === "Json"

const format = (request: RowRequest, { many }: Payload): ResponseShape["format"] => {
  const { action, key, mediaType, preferences } = request
  if (mediaType._tag === "Object") return "object"
  if (mediaType._tag === "Csv") return "csv"
  if (!isContract(request)) return "array"
  switch (action._tag) {
    case "Read":
    case "Update":
      return key === undefined ? "array" : "object"
    case "Create":
      // An ignored duplicate returns no row.
      return many || preferences.resolution === "ignore-duplicates" ? "array" : "object"
    case "Put":
      return "object"
    case "Delete":
      return "array"
  }
}

const exactlyOne = (request: RowRequest): ResponseShape["exactlyOne"] => {
  if (request.mediaType._tag === "Object") return "singular"
  const { _tag } = request.action
  const addressed = request.key !== undefined && _tag !== "Create" && _tag !== "Put"
  return addressed && isContract(request) ? "absent" : undefined
}

const body = (request: RowRequest): ResponseShape["body"] => {
  const { action, key, preferences, shape } = request
  if (action._tag === "Read") return "representation"
  if (action._tag === "Delete") {
    return key !== undefined && isContract(request) ? "minimal" : (preferences.return ?? "minimal")
  }
  return preferences.return ?? (shape === "contract" ? "representation" : "minimal")
}

/** The value of `Preference-Applied`: the preferences that have an effect on the action. */
const applied = (request: RowRequest): string | undefined => {
  const { _tag } = request.action
  const { preferences } = request
  return Preferences.applied(preferences, (kind) => {
    switch (kind) {
      case "resolution":
        return _tag === "Create"
      case "missing":
        return _tag === "Create" || _tag === "Update"
      case "return":
        return _tag !== "Read" && body(request) === preferences.return
      case "tx":
        return _tag !== "Read"
      case "consistency":
        return _tag === "Read"
      case "max-affected":
        return preferences.handling === "strict" && (_tag === "Update" || _tag === "Delete")
      case "count":
      case "handling":
      case "timezone":
        return true
    }
  })
}

const isVisible = /^[\x21-\x7e]*$/

const contentLocation = ({ action, mount, resource: { resource }, search }: RowRequest): string | undefined => {
  if (action._tag !== "Read" || !isVisible.test(search)) return undefined
  if (search === "") return `${mount}/${resource}`
  const sorted = search.includes("&") ? search.split("&").toSorted().join("&") : search
  return `${mount}/${resource}?${sorted}`
}

/** The form of the response to a request with a payload. */
export const make = (request: RowRequest, payload: Payload): ResponseShape => ({
  format: format(request, payload),
  exactlyOne: exactlyOne(request),
  body: body(request),
  mediaType: request.mediaType,
  shape: request.shape,
  mount: request.mount,
  head: request.action._tag === "Read" && request.action.head,
  profile: request.profile,
  contentLocation: contentLocation(request),
  applied: applied(request)
})
