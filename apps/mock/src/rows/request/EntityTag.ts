/**
 * Makes and compares entity tags. A tag consists of the revision of the row, and of the form of the response where that
 * changes the text. It is opaque to clients.
 */
import type * as Exchange from "../../Exchange.ts"
import * as MediaType from "./MediaType.ts"

/** The tags of a header with their quotes; `any` is `*`. */
export type Tags = "any" | ReadonlyArray<string>

const radix = 36
const stripped = "-s"

/** The tag of a revision in a media type. */
export const make = (revision: number, mediaType: MediaType.MediaType): string =>
  `"${revision.toString(radix)}${MediaType.isStripped(mediaType) ? stripped : ""}"`

const form = new RegExp(`^"([0-9a-z]{1,11})(?:${stripped})?"$`)

/** The revisions of tags. A weak tag, and a tag that this service did not make, has none. */
export const revisions = (tags: ReadonlyArray<string>): ReadonlyArray<number> =>
  tags.flatMap((tag) => {
    const [, digits] = form.exec(tag) ?? []
    return digits === undefined ? [] : [Number.parseInt(digits, radix)]
  })

const listed = /(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/g

/** Parses a header. Text that is not a tag is skipped. */
export const parse = (header: string | undefined): Tags | undefined =>
  header === undefined ? undefined : header.trim() === "*" ? "any" : (header.match(listed) ?? [])

/** Reports whether the tag of a response is among those listed. The weak comparison also accepts weak tags. */
export const matches = ({ headers }: Exchange.Response, tags: Tags, comparison: "strong" | "weak"): boolean => {
  const { ETag: own } = headers
  if (own === undefined) return false
  return tags === "any" || tags.includes(own) || (comparison === "weak" && tags.includes(`W/${own}`))
}
