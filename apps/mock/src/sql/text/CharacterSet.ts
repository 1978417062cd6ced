/**
 * The character sets of regular expressions.
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

/** Builds ASCII ranges, each from its first and last character. */
const from = (...ends: ReadonlyArray<string>): ReadonlyArray<Range> =>
  ends.map((pair) => ({ first: pair.charCodeAt(0), last: pair.charCodeAt(pair.length - 1) }))

/** The set of one character. */
export const of = (code: number): CharacterSet => ({ isNegated: false, ranges: [{ first: code, last: code }] })

/** Reports whether a set contains a character. */
export const contains = ({ isNegated, ranges }: CharacterSet, code: number): boolean =>
  ranges.some(({ first, last }) => first <= code && code <= last) !== isNegated

export const any: CharacterSet = { isNegated: true, ranges: [] }

const digit = from("09")
const word = from("09", "AZ", "az", "_")
const space = from("\t\r", " ")

/** The characters between words: all of ASCII except letters and digits. */
export const separator: CharacterSet = { isNegated: false, ranges: from("\u0001/", ":@", "[`", "{\u007f") }

/** The characters of words: letters, digits, and everything outside ASCII. */
export const wordCharacter: CharacterSet = { ...separator, isNegated: true }

const escapes: { readonly [letter: string]: ReadonlyArray<Range> } = { d: digit, w: word, s: space }

/** The ASCII set of an escape such as `\d`; a capital letter negates it. */
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

/** The ASCII set of a class such as `[:alpha:]`. */
export const fromClass = (name: string): ReadonlyArray<Range> | undefined => classes[name]

const [capitals = { first: 0, last: 0 }] = from("AZ")
const step = 32

/** Adds the lower-case letters of the capitals in a set, to match texts that are folded to lower case. */
export const lower = ({ isNegated, ranges }: CharacterSet): CharacterSet => ({
  isNegated,
  ranges: ranges.flatMap((range) => {
    const first = Math.max(range.first, capitals.first)
    const last = Math.min(range.last, capitals.last)
    return first > last ? [range] : [range, { first: first + step, last: last + step }]
  })
})

/** Prints a character. Letters, digits and characters outside ASCII need no escape in either notation. */
const printCharacter = (code: number): string => {
  const character = String.fromCodePoint(code)
  return /[A-Za-z0-9]/.test(character) || code > 0x7f ? character : `\\u${code.toString(16).padStart(4, "0")}`
}

const printRange = ({ first, last }: Range): string =>
  first === last ? printCharacter(first) : `${printCharacter(first)}-${printCharacter(last)}`

/** Prints a set in a notation that SQLite and PostgreSQL read alike. */
export const print = ({ isNegated, ranges }: CharacterSet): string => {
  const [only] = ranges
  if (only === undefined) return "."
  if (!isNegated && ranges.length === 1 && only.first === only.last) return printRange(only)
  return `[${isNegated ? "^" : ""}${ranges.map(printRange).join("")}]`
}
