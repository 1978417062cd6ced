/**
 * Makes and compares entity tags. A tag consists of the revision of the row, and of the form of the response where that
 * changes the text. It is opaque to clients.
 */
import type * as Exchange from "../../Exchange.ts"
import * as ContentEncoding from "./ContentEncoding.ts"
import * as MediaType from "./MediaType.ts"

/** The tags of a header with their quotes; `any` is `*`. */
export type Tags = "any" | ReadonlyArray<string>

const stripped = "-s"

/** The tag of a revision in a media type. */
export const make = (revision: number, mediaType: MediaType.MediaType): string =>
  `"${revision}${MediaType.isStripped(mediaType) ? stripped : ""}"`

const form = new RegExp(`^"(\\d{1,16})(?:${stripped})?"$`)

/** The revisions of tags. A weak tag, and a tag that this service did not make, has none. */
export const revisions = (tags: ReadonlyArray<string>): ReadonlyArray<number> =>
  tags.flatMap((tag) => {
    const [, digits] = form.exec(ContentEncoding.identityTag(tag)) ?? []
    return digits === undefined ? [] : [Number(digits)]
  })

const listed = /(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/g

/** Parses a header. Text that is not a tag is skipped. */
export const parse = (header: string | undefined): Tags | undefined =>
  header === undefined ? undefined : header.trim() === "*" ? "any" : (header.match(listed) ?? [])

/**
 * Finds the tag of a response among those listed. The transport adds the content encoding of a response to its tag, so a
 * listed tag may have any. The weak comparison also accepts weak tags, which are returned as strong ones.
 */
export const find = ({ headers }: Exchange.Response, tags: Tags, comparison: "strong" | "weak"): string | undefined => {
  const { ETag: own } = headers
  if (own === undefined || tags === "any") return own
  return tags
    .map((tag) => (comparison === "weak" && tag.startsWith("W/") ? tag.slice(2) : tag))
    .find((tag) => tag === own || ContentEncoding.identityTag(tag) === own)
}
