/**
 * Negotiates the media type of a response from `Accept`.
 */

export type MediaType =
  /** An object or an array, as the shape decides. */
  | { readonly _tag: "Json" }
  | { readonly _tag: "Array"; readonly withoutNulls: boolean }
  /** Exactly one row, or an error. */
  | { readonly _tag: "Object"; readonly withoutNulls: boolean }
  | { readonly _tag: "Csv" }

const json: MediaType = { _tag: "Json" }
const csv: MediaType = { _tag: "Csv" }

const vendor = (_tag: "Array" | "Object", parameters: ReadonlyArray<string>): MediaType => ({
  _tag,
  withoutNulls: parameters.includes("nulls=stripped")
})

const available: { readonly [name: string]: (parameters: ReadonlyArray<string>) => MediaType } = {
  "*/*": () => json,
  "application/*": () => json,
  "application/json": () => json,
  "application/vnd.pgrst.array": (parameters) => vendor("Array", parameters),
  "application/vnd.pgrst.array+json": (parameters) => vendor("Array", parameters),
  "application/vnd.pgrst.object": (parameters) => vendor("Object", parameters),
  "application/vnd.pgrst.object+json": (parameters) => vendor("Object", parameters),
  "text/*": () => csv,
  "text/csv": () => csv
}

interface Offer {
  readonly quality: number
  readonly mediaType: MediaType
}

const offer = (range: string): ReadonlyArray<Offer> => {
  const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
  const make = Object.hasOwn(available, name) ? available[name] : undefined
  const weight = parameters.find((parameter) => parameter.startsWith("q="))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return make === undefined || !(quality > 0) ? [] : [{ quality, mediaType: make(parameters) }]
}

/** The available media type that the client prefers, the first of equals; `undefined` if none is available. */
export const negotiate = (accept: string | undefined): MediaType | undefined => {
  if (accept === undefined || accept === "*/*" || accept === "application/json") return json
  const offers = accept.split(",").flatMap(offer)
  return offers.toSorted((a, b) => b.quality - a.quality)[0]?.mediaType
}

/** Reports whether null members are omitted. */
export const isStripped = (mediaType: MediaType): boolean => "withoutNulls" in mediaType && mediaType.withoutNulls

/** The `Content-Type` of a response. */
export const contentType = (mediaType: MediaType): string => {
  switch (mediaType._tag) {
    case "Json":
      return "application/json; charset=utf-8"
    case "Csv":
      return "text/csv; charset=utf-8"
    case "Array":
      return mediaType.withoutNulls
        ? "application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8"
        : contentType(json)
    case "Object":
      return `application/vnd.pgrst.object+json${mediaType.withoutNulls ? ";nulls=stripped" : ""}; charset=utf-8`
  }
}

/** A media type without its parameters. */
export const essence = (contentType: string): string => contentType.split(";", 1)[0]?.trim().toLowerCase() ?? ""

const jsonForm = /^(?:(?:application|text)\/json|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+json)?$/

/** Reports whether a request body is JSON: any JSON type, or no type. */
export const isJson = (contentType = ""): boolean => jsonForm.test(essence(contentType))

const descriptions = ["*/*", "application/*", "application/json", "application/openapi+json"]

/** Reports whether a client accepts the OpenAPI document of the row interface. */
export const acceptsOpenApi = (accept = "*/*"): boolean =>
  accept.split(",").some((range) => descriptions.includes(range.split(";", 1)[0]?.trim().toLowerCase() ?? ""))
