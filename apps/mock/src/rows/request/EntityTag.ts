/**
 * Entity tags: what tells one state of a row from another, opaque to everyone else. It is made of how often the row
 * was written, and of the form in which the row was told where that changes its text.
 */
import type * as Exchange from "../../Exchange.ts"
import * as MediaType from "./MediaType.ts"

/** The tags that a header lists, quotes and all; `any` is its `*`. */
export type Tags = "any" | ReadonlyArray<string>

const radix = 36
const stripped = "-s"

/** The tag of a row in a state, told in a media type. */
export const make = (revision: number, mediaType: MediaType.MediaType): string =>
  `"${revision.toString(radix)}${MediaType.isStripped(mediaType) ? stripped : ""}"`

const form = new RegExp(`^"([0-9a-z]{1,11})(?:${stripped})?"$`)

/** The states that tags name; one that is weak or none of ours names no state. */
export const revisions = (tags: ReadonlyArray<string>): ReadonlyArray<number> =>
  tags.flatMap((tag) => {
    const [, digits] = form.exec(tag) ?? []
    return digits === undefined ? [] : [Number.parseInt(digits, radix)]
  })

const listed = /(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/g

/** Reads a header; what is no tag in it counts as one that matches nothing. */
export const parse = (header: string | undefined): Tags | undefined =>
  header === undefined ? undefined : header.trim() === "*" ? "any" : (header.match(listed) ?? [])

/** Whether an answer bears one of some tags; a weak one says less, which is enough to know a row again. */
export const bears = ({ headers }: Exchange.Response, tags: Tags, comparison: "strong" | "weak"): boolean => {
  const { ETag: own } = headers
  if (own === undefined) return false
  return tags === "any" || tags.includes(own) || (comparison === "weak" && tags.includes(`W/${own}`))
}
