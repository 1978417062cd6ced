/**
 * Selects the content encoding of a response by the `Accept-Encoding` header of its request.
 */
import * as zlib from "node:zlib"

/** The encodings of responses, the preferred one first. */
const known = ["zstd", "br", "gzip"] as const

export type ContentEncoding = (typeof known)[number]

/** The encodings that this version of Node has. */
export const available: ReadonlyArray<ContentEncoding> = known.filter(
  (name) => name !== "zstd" || "createZstdCompress" in zlib
)

/** The encoding of a header among those that are offered: the one of the highest quality, and the first of several. */
export const select = <E extends ContentEncoding>(
  accept: string | undefined,
  offered: ReadonlyArray<E>
): E | "identity" => {
  if (accept === undefined) return "identity"
  const qualities = new Map(
    accept.split(",").map((item) => {
      const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))
      return [name === "x-gzip" ? "gzip" : name, weight === undefined ? 1 : Number(weight.slice(2))]
    })
  )
  const [best] = offered
    .map((encoding) => ({ encoding, quality: qualities.get(encoding) ?? qualities.get("*") ?? 0 }))
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return best === undefined || best.quality < (qualities.get("identity") ?? 0) ? "identity" : best.encoding
}

/** The entity tag of a response in an encoding. */
export const tag = (identity: string, encoding: ContentEncoding): string => identity.replace(/"$/, `-${encoding}"`)

const suffix = new RegExp(`-(?:${known.join("|")})"$`)

/** The entity tag of the same response without its encoding. */
export const identityTag = (tag: string): string => tag.replace(suffix, '"')
