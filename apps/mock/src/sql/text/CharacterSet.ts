/**
 * Sets of characters, as a regular expression names them.
 */

/** Code points from `first` to `last`. */
export interface Range {
  readonly first: number
  readonly last: number
}

export interface CharacterSet {
  readonly isNegated: boolean
  readonly ranges: ReadonlyArray<Range>
}

/** Ranges of ASCII, each as its ends. */
const from = (...ends: ReadonlyArray<string>): ReadonlyArray<Range> =>
  ends.map((pair) => ({ first: pair.charCodeAt(0), last: pair.charCodeAt(pair.length - 1) }))

/** One character. */
export const of = (code: number): CharacterSet => ({ isNegated: false, ranges: [{ first: code, last: code }] })

export const any: CharacterSet = { isNegated: true, ranges: [] }

const digit = from("09")
const word = from("09", "AZ", "az", "_")
const space = from("\t\r", " ")

/** What parts words in a text: everything of ASCII but letters and digits. */
export const separator: CharacterSet = { isNegated: false, ranges: from("\u0001/", ":@", "[`", "{\u007f") }

/** What words are made of. */
export const wordCharacter: CharacterSet = { ...separator, isNegated: true }

const escapes: { readonly [letter: string]: ReadonlyArray<Range> } = { d: digit, w: word, s: space }

/** What `\d` and its kin mean, the large letters negated; ASCII alone. */
export const fromEscape = (letter: string): CharacterSet | undefined => {
  const ranges = escapes[letter.toLowerCase()]
  return ranges === undefined ? undefined : { isNegated: letter !== letter.toLowerCase(), ranges }
}

const classes: { readonly [name: string]: ReadonlyArray<Range> } = {
  alnum: from("09", "AZ", "az"),
  alpha: from("AZ", "az"),
  blank: from("\t", " "),
  digit,
  lower: from("az"),
  punct: from("!/", ":@", "[`", "{~"),
  space,
  upper: from("AZ"),
  word,
  xdigit: from("09", "AF", "af")
}

/** What `[:alpha:]` and its kin mean; ASCII alone. */
export const fromClass = (name: string): ReadonlyArray<Range> | undefined => classes[name]

const [capitals = { first: 0, last: 0 }] = from("AZ")
const step = 32

/** The set of which a text with lower-case letters holds a character when any text of those letters would. */
export const lower = ({ isNegated, ranges }: CharacterSet): CharacterSet => ({
  isNegated,
  ranges: ranges.flatMap((range) => {
    const first = Math.max(range.first, capitals.first)
    const last = Math.min(range.last, capitals.last)
    return first > last ? [range] : [range, { first: first + step, last: last + step }]
  })
})

/** Letters, digits and what is not ASCII mean themselves everywhere. */
const printCharacter = (code: number): string => {
  const character = String.fromCodePoint(code)
  return /[A-Za-z0-9]/.test(character) || code > 0x7f ? character : `\\u${code.toString(16).padStart(4, "0")}`
}

const printRange = ({ first, last }: Range): string =>
  first === last ? printCharacter(first) : `${printCharacter(first)}-${printCharacter(last)}`

/** The set as SQLite and PostgreSQL both read it. */
export const print = ({ isNegated, ranges }: CharacterSet): string => {
  const [only] = ranges
  if (only === undefined) return "."
  if (!isNegated && ranges.length === 1 && only.first === only.last) return printRange(only)
  return `[${isNegated ? "^" : ""}${ranges.map(printRange).join("")}]`
}
