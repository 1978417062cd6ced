/**
 * A position in the sequence of commits: the timeline of the server and the place in its log. Positions are texts of one
 * length, which are ordered as the commits are.
 */

export type Position = string

const form = /^[\dA-F]{8}-[\dA-F]{16}$/

/** The accepted form, as the end of an error message. */
export const expected = "a position from the header Mfg-Position of a response, such as 00000001-00000000016B3748"

/** Makes a position of a timeline, as eight hexadecimal digits, and a number of bytes. */
export const make = (timeline: string, bytes: number): Position =>
  `${timeline}-${bytes.toString(16).toUpperCase().padStart(16, "0")}`

export const parse = (text: string): Position | undefined => (form.test(text) ? text : undefined)

export const timelineOf = (position: Position): string => position.slice(0, 8)

/** The later one of two positions. */
export const latest = (one: Position | undefined, other: Position | undefined): Position | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one
