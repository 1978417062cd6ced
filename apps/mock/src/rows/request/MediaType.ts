/**
 * In what form an answer is wanted, negotiated from `Accept`.
 */

export type MediaType =
  /** Whatever the shape makes of it: an object or an array. */
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

/** The form a client likes best, the first of equals; `undefined` when none of those it takes is available. */
export const negotiate = (accept: string | undefined): MediaType | undefined => {
  if (accept === undefined || accept === "*/*" || accept === "application/json") return json
  const offers = accept.split(",").flatMap(offer)
  return offers.toSorted((a, b) => b.quality - a.quality)[0]?.mediaType
}

/** Whether members that are null are left out. */
export const isStripped = (mediaType: MediaType): boolean => "withoutNulls" in mediaType && mediaType.withoutNulls

/** The `Content-Type` of an answer in that form. */
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

/** Whether a body of a media type is JSON: any type of JSON is, and a body without a type. */
export const isJson = (contentType = ""): boolean => jsonForm.test(essence(contentType))

const descriptions = ["*/*", "application/*", "application/json", "application/openapi+json"]

/** Whether a client takes the description of the interface, which is JSON. */
export const takesDescription = (accept = "*/*"): boolean =>
  accept.split(",").some((range) => descriptions.includes(range.split(";", 1)[0]?.trim().toLowerCase() ?? ""))
