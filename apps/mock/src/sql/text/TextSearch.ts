/**
 * Compiles full-text queries to patterns over words, which mean the same on both stores: this part of PostgreSQL's
 * configurations `simple` and `english` is the same without its parser.
 */
import type { SearchOperator } from "@mfgdata/domain/Filter"
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import * as CharacterSet from "./CharacterSet.ts"
import * as Pattern from "./Pattern.ts"
import type { Choice, Node } from "./RegularExpression.ts"
import * as TextQuery from "./TextQuery.ts"

export type TextSearch =
  | { readonly _tag: "Pattern"; readonly pattern: Pattern.Pattern }
  | { readonly _tag: "And" | "Or"; readonly searches: ReadonlyArray<TextSearch> }
  | { readonly _tag: "Not"; readonly search: TextSearch }

const set = (set: CharacterSet.CharacterSet): Node => ({ _tag: "Set", set })
const many = (node: Node, least: number, most?: number): Node => ({ _tag: "Repeat", node, least, most })
const group = (...branches: Choice): Node => ({ _tag: "Choice", branches })

const inside = set(CharacterSet.wordCharacter)
const outside = set(CharacterSet.separator)
const anything = many(set(CharacterSet.any), 0)
const before = many(group([anything, outside]), 0, 1)
const after = many(group([outside, anything]), 0, 1)
const gap = many(outside, 1)

/** The nodes of some words from a place in them, which share their beginnings. */
const shared = (words: ReadonlyArray<string>, place = 0): ReadonlyArray<Node> => {
  const heads = Arr.groupBy(
    words.filter((word) => word.length > place),
    (word) => word.charAt(place)
  )
  const branches = Object.entries(heads).map(([head, words]) => [
    set(CharacterSet.of(head.charCodeAt(0))),
    ...shared(words, place + 1)
  ])
  const [only] = branches
  if (only === undefined) return []
  if (words.some((word) => word.length === place)) return [many(group(...branches), 0, 1)]
  return branches.length === 1 ? only : [group(...branches)]
}

/** Few of the forms have the same letters before a place of a text, and they differ after it. */
const formsWidth = 3

const wordNodes = ({ forms, text }: TextQuery.Word): ReadonlyArray<Node> =>
  forms === undefined
    ? Array.from(text, (character) => set(CharacterSet.of(character.codePointAt(0) ?? 0)))
    : [{ _tag: "Choice", branches: [shared(forms)], width: formsWidth }]

const toNodes = (words: ReadonlyArray<TextQuery.Word>): ReadonlyArray<Node> =>
  words.flatMap((word, index) => [
    ...(index === 0 ? [] : [gap]),
    ...(index > 0 && word.distance > 1
      ? [many(group([many(inside, 1), gap]), word.distance - 1, word.distance - 1)]
      : []),
    ...wordNodes(word),
    ...(word.isPrefix ? [many(inside, 0)] : [])
  ])

/** The pattern of texts that contain the words in sequence. */
const toPattern = (words: ReadonlyArray<TextQuery.Word>): TextSearch => {
  if (words.some(({ distance }) => distance < 1)) return TextQuery.unsupported("the distance <0> is not supported")
  const pattern = Pattern.ofWhole([before, ...toNodes(words), after], words.length)
  return Either.match(pattern, {
    onLeft: TextQuery.unsupported,
    onRight: (pattern) => ({ _tag: "Pattern", pattern })
  })
}

const compile = (query: TextQuery.Query): TextSearch => {
  switch (query._tag) {
    case "Phrases":
      return { _tag: "Or", searches: query.phrases.map(toPattern) }
    case "Not":
      return { _tag: "Not", search: compile(query.query) }
    case "And":
    case "Or":
      return { _tag: query._tag, searches: query.queries.map(compile) }
  }
}

/** The number of words that a query compares. */
const countOf = (query: TextQuery.Query): number => {
  switch (query._tag) {
    case "Phrases":
      return query.phrases.reduce((sum, words) => sum + words.length, 0)
    case "Not":
      return countOf(query.query)
    case "And":
    case "Or":
      return query.queries.reduce((sum, one) => sum + countOf(one), 0)
  }
}

interface Options {
  readonly configuration?: TextQuery.Configuration
  /** The maximum number of words. */
  readonly most?: number
}

/** The maximum number of words of a query in English: finding the forms of a word takes a millisecond. */
export const maximumEnglish = 32

/** Parses a query of at most `most` words, which are counted before they are compiled; one without a word matches nothing. */
export const parse = (
  operator: SearchOperator,
  text: string,
  { configuration = "simple", most = Infinity }: Options = {}
): Either.Either<TextSearch, TextQuery.Refusal> => {
  return TextQuery.attempt(() => {
    if (configuration === "english" && TextQuery.wordCount(text) > maximumEnglish)
      return TextQuery.unsupported(`more than ${maximumEnglish} words in the configuration english are not supported`)
    const query = TextQuery.read(operator, text, configuration)
    const words = query === undefined ? 0 : countOf(query)
    if (words > most) return Either.left({ _tag: "TooLarge", words })
    return Either.right(query === undefined ? { _tag: "Or", searches: [] } : compile(query))
  })
}
