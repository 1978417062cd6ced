/**
 * Parses full-text queries in PostgreSQL's four notations into patterns over words. A word is a sequence of letters and
 * digits, where every character outside ASCII counts as a letter and the case of ASCII letters is ignored. This part of
 * the configuration `simple` means the same on both stores.
 */
import type { SearchOperator } from "@mfgdata/domain/Filter"
import * as Either from "effect/Either"
import * as CharacterSet from "./CharacterSet.ts"
import * as Pattern from "./Pattern.ts"
import type { Choice, Node } from "./RegularExpression.ts"

export type TextSearch =
  | { readonly _tag: "Pattern"; readonly pattern: Pattern.Pattern }
  | { readonly _tag: "And" | "Or"; readonly searches: ReadonlyArray<TextSearch> }
  | { readonly _tag: "Not"; readonly search: TextSearch }

/** The reason of a refusal: invalid syntax, an operation that the stores do not share, or too many words. */
export type Refusal =
  | { readonly _tag: "Syntax" }
  | { readonly _tag: "Unsupported"; readonly reason: string }
  | { readonly _tag: "TooLarge"; readonly words: number }

interface Word {
  readonly text: string
  readonly isPrefix: boolean
  /** The distance from the word before it, in words. */
  readonly distance: number
}

/** A parsed query before its words are compiled to patterns; a phrase may have alternatives. */
type Query =
  | { readonly _tag: "Phrases"; readonly phrases: ReadonlyArray<ReadonlyArray<Word>> }
  | { readonly _tag: "And" | "Or"; readonly queries: ReadonlyArray<Query> }
  | { readonly _tag: "Not"; readonly query: Query }

class Rejection {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

const syntax = (): never => {
  throw new Rejection({ _tag: "Syntax" })
}

const unsupported = (reason: string): never => {
  throw new Rejection({ _tag: "Unsupported", reason })
}

const wordsOf = (text: string, isPrefix = false): ReadonlyArray<Word> =>
  Array.from(text.matchAll(/(?:[A-Za-z0-9]|[^\0-\x7f])+/gu), ([word]) => ({
    text: word.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    isPrefix,
    distance: 1
  }))

const phrase = (words: ReadonlyArray<Word>): Query | undefined =>
  words.length === 0 ? undefined : { _tag: "Phrases", phrases: [words] }

type Connected = "And" | "Or"

/** Combines queries and ignores those without a word. */
const connect = (_tag: Connected, all: ReadonlyArray<Query | undefined>): Query | undefined => {
  const queries = all.filter((query) => query !== undefined)
  const [only] = queries
  if (queries.length < 2) return only
  const phrases = queries.flatMap((query) => (query._tag === "Phrases" ? query.phrases : []))
  const isFlat = queries.every(({ _tag }) => _tag === "Phrases")
  return _tag === "Or" && isFlat ? { _tag: "Phrases", phrases } : { _tag, queries }
}

const not = (query: Query | undefined): Query | undefined => (query === undefined ? undefined : { _tag: "Not", query })

/** The maximum number of phrases of a query. */
export const maximumPhrases = 32

/** Combines two queries into a phrase, in which the second follows the first at a distance in words. */
const follow = (before: Query | undefined, after: Query | undefined, distance: number): Query | undefined => {
  if (before === undefined || after === undefined) return before ?? after
  if (before._tag !== "Phrases" || after._tag !== "Phrases")
    return unsupported("& and ! inside a phrase are not supported")
  if (before.phrases.length * after.phrases.length > maximumPhrases) {
    return unsupported(`more than ${maximumPhrases} alternatives in a phrase are not supported`)
  }
  const moved = (words: ReadonlyArray<Word>) => words.map((word, index) => (index === 0 ? { ...word, distance } : word))
  return {
    _tag: "Phrases",
    phrases: before.phrases.flatMap((left) => after.phrases.map((right) => [...left, ...moved(right)]))
  }
}

const tokens =
  /\s*(?:(<->|<(\d{1,5})>|[&|!()])|'((?:[^'\\]|''|\\[^])*)'(:[*A-Da-d]+)?|([^\s&|!()<':\\]+)(:[*A-Da-d]+)?)\s*/y

interface Token {
  readonly operator?: string
  readonly distance?: number
  readonly words?: ReadonlyArray<Word>
}

const tokenize = (text: string): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  for (let position = text.length - text.trimStart().length; position < text.length; position = tokens.lastIndex) {
    tokens.lastIndex = position
    const match = tokens.exec(text)
    if (match === null) return syntax()
    const [, operator, distance, quoted, quotedMark, bare, bareMark] = match
    const mark = quotedMark ?? bareMark ?? ""
    const term = quoted?.replaceAll("''", "'").replace(/\\([^])/g, "$1") ?? bare ?? ""
    if (operator !== undefined) found.push({ operator, distance: distance === undefined ? 1 : Number(distance) })
    // A label selects words by weight, and every word of a plain text has the weight D.
    else if (/[A-Ca-c]/.test(mark) && !/[Dd]/.test(mark)) return unsupported("weights of words are not supported")
    else found.push({ words: wordsOf(term, mark.includes("*")) })
  }
  return found
}

/** Parses a `tsquery`. The operators by precedence are `!`, `<->`, `&` and `|`. */
class Reader {
  private readonly tokens: ReadonlyArray<Token>
  private position = 0
  private depth = 0

  constructor(text: string) {
    this.tokens = tokenize(text)
  }

  private take(...operators: ReadonlyArray<string>): Token | undefined {
    const token = this.tokens[this.position]
    const isTaken = token?.operator !== undefined && operators.some((operator) => token.operator?.startsWith(operator))
    if (isTaken) this.position++
    return isTaken ? token : undefined
  }

  whole(): Query | undefined {
    if (this.tokens.length === 0) return undefined
    const query = this.alternatives()
    return this.position === this.tokens.length ? query : syntax()
  }

  private alternatives(): Query | undefined {
    const queries = [this.together()]
    while (this.take("|") !== undefined) queries.push(this.together())
    return connect("Or", queries)
  }

  private together(): Query | undefined {
    const queries = [this.sequence()]
    while (this.take("&") !== undefined) queries.push(this.sequence())
    return connect("And", queries)
  }

  private sequence(): Query | undefined {
    let query = this.one()
    for (let token = this.take("<"); token !== undefined; token = this.take("<")) {
      query = follow(query, this.one(), token.distance ?? 1)
    }
    return query
  }

  private one(): Query | undefined {
    if (++this.depth > 64) return unsupported("nesting of more than 64 levels is not supported")
    const query = this.operand()
    this.depth--
    return query
  }

  private operand(): Query | undefined {
    if (this.take("!") !== undefined) return not(this.one())
    if (this.take("(") !== undefined) {
      const query = this.alternatives()
      return this.take(")") === undefined ? syntax() : query
    }
    const words = this.tokens[this.position]?.words ?? syntax()
    this.position++
    return phrase(words)
  }
}

/** Parses a web search: required words, `"phrases"`, `or`, and `-` in front of excluded words. */
const fromWeb = (text: string): Query | undefined => {
  const terms = Array.from(text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g))
  const alternatives: Array<Array<Query | undefined>> = [[]]
  for (const [, minus = "", quoted, bare = ""] of terms) {
    if (quoted === undefined && bare.toLowerCase() === "or") alternatives.push([])
    else {
      const query = phrase(wordsOf(quoted ?? bare))
      alternatives.at(-1)?.push(minus === "" ? query : not(query))
    }
  }
  return connect(
    "Or",
    alternatives.map((queries) => connect("And", queries))
  )
}

const read = (operator: SearchOperator, text: string): Query | undefined => {
  switch (operator) {
    case "fts":
      return new Reader(text).whole()
    case "plfts":
      return connect(
        "And",
        wordsOf(text).map((word) => phrase([word]))
      )
    case "phfts":
      return phrase(wordsOf(text))
    case "wfts":
      return fromWeb(text)
  }
}

const set = (set: CharacterSet.CharacterSet): Node => ({ _tag: "Set", set })
const many = (node: Node, least: number, most?: number): Node => ({ _tag: "Repeat", node, least, most })
const group = (...branches: Choice): Node => ({ _tag: "Choice", branches })

const inside = set(CharacterSet.wordCharacter)
const outside = set(CharacterSet.separator)
const anything = many(set(CharacterSet.any), 0)
const before = many(group([anything, outside]), 0, 1)
const after = many(group([outside, anything]), 0, 1)
const gap = many(outside, 1)

const toNodes = (words: ReadonlyArray<Word>): ReadonlyArray<Node> =>
  words.flatMap(({ distance, isPrefix, text }, index) => [
    ...(index === 0 ? [] : [gap]),
    ...(index > 0 && distance > 1 ? [many(group([many(inside, 1), gap]), distance - 1, distance - 1)] : []),
    ...Array.from(text, (character) => set(CharacterSet.of(character.codePointAt(0) ?? 0))),
    ...(isPrefix ? [many(inside, 0)] : [])
  ])

/** The pattern of texts that contain the words in sequence. */
const toPattern = (words: ReadonlyArray<Word>): TextSearch => {
  if (words.some(({ distance }) => distance < 1)) return unsupported("the distance <0> is not supported")
  const pattern = Pattern.ofWhole([before, ...toNodes(words), after], words.length)
  return Either.match(pattern, {
    onLeft: unsupported,
    onRight: (pattern) => ({ _tag: "Pattern", pattern })
  })
}

const compile = (query: Query): TextSearch => {
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
const countOf = (query: Query): number => {
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

/** Parses a query of at most `most` words, which are counted before they are compiled; one without a word matches nothing. */
export const parse = (operator: SearchOperator, text: string, most = Infinity): Either.Either<TextSearch, Refusal> => {
  try {
    const query = read(operator, text)
    const words = query === undefined ? 0 : countOf(query)
    if (words > most) return Either.left({ _tag: "TooLarge", words })
    return Either.right(query === undefined ? { _tag: "Or", searches: [] } : compile(query))
  } catch (error) {
    if (error instanceof Rejection) return Either.left(error.refusal)
    throw error
  }
}
