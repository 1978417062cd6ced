/**
 * Writes the language of manual pages: the macros of man(7), which every renderer knows.
 */
import type { Term } from "./Topic.ts"

const escapes: { readonly [character: string]: string } = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  '"': "\\(dq"
}

/** A text without the characters that the language gives a meaning. */
export const text = (plain: string): string =>
  plain.replaceAll(/[\\'`^~"-]/g, (character) => escapes[character] ?? character).replace(/^\./, "\\&.")

/** The lines of a page before its sections. */
export const head = (name: string, source: string): ReadonlyArray<string> => [
  `.TH "${text(name.toUpperCase())}" "1" "" "${text(source)}" "${text(`${source} manual`)}"`,
  // Neither hyphens nor justified lines: both change what a reader copies.
  ".nh",
  ".ad l"
]

export const section = (title: string): string => `.SH "${text(title)}"`

export const subsection = (title: string): string => `.SS "${text(title)}"`

export const paragraph = (plain: string): ReadonlyArray<string> => [".PP", text(plain)]

/** A line to be copied. */
export const example = (lines: ReadonlyArray<string>): ReadonlyArray<string> => [
  ".PP",
  ".RS 4",
  ".nf",
  ...lines.map(text),
  ".fi",
  ".RE"
]

export const term = ([name, description]: Term): ReadonlyArray<string> => [
  ".TP",
  `\\fB${text(name)}\\fR`,
  text(description)
]

export const item = (plain: string): ReadonlyArray<string> => ['.IP "\\(bu" 2', text(plain)]
