/**
 * Parses full-text queries in PostgreSQL's four notations into phrases of words. A word is a sequence of letters and
 * digits, where every character outside ASCII counts as a letter and the case of ASCII letters is ignored. The
 * configuration `english` ignores stop words, and finds all forms of a word.
 */
import type { SearchOperator } from "@mfgdata/domain/Filter"
import * as Either from "effect/Either"
import * as EnglishForms from "./EnglishForms.ts"

/** The reason of a refusal: invalid syntax, an operation that the stores do not share, or too many words. */
export type Refusal =
  | { readonly _tag: "Syntax" }
  | { readonly _tag: "Unsupported"; readonly reason: string }
  | { readonly _tag: "TooLarge"; readonly words: number }

export interface Word {
  readonly text: string
  readonly isPrefix: boolean
  /** The distance from the word before it, in words. */
  readonly distance: number
  /** The words that are found instead, in lower case. */
  readonly forms?: ReadonlyArray<string>
}

/** The configurations of full-text search. */
const configurations = ["simple", "english"] as const
export type Configuration = (typeof configurations)[number]

export const isConfiguration = (name: string): name is Configuration =>
  configurations.some((configuration) => configuration === name)

/** A parsed query before its words are compiled to patterns; a phrase may have alternatives. */
export type Query =
  | {
      readonly _tag: "Phrases"
      readonly phrases: ReadonlyArray<ReadonlyArray<Word>>
      /** The number of stop words at the end. */
      readonly ignored?: number
    }
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

/** Refuses what the stores do not share, inside of {@link attempt}. */
export const unsupported = (reason: string): never => {
  throw new Rejection({ _tag: "Unsupported", reason })
}

const wordForm = /(?:[A-Za-z0-9]|[^\0-\x7f])+/gu

/** The length of a word that has forms; a longer one is not a word of the language. */
const longestWord = 40

const inEnglish = (text: string, distance: number): Word => ({
  text,
  isPrefix: false,
  distance,
  ...(/^[a-z]+$/.test(text) && text.length <= longestWord ? { forms: EnglishForms.of(text) } : {})
})

const wordsOf = (text: string, configuration: Configuration, isPrefix = false): ReadonlyArray<Word> => {
  const texts = Array.from(text.matchAll(wordForm), ([word]) =>
    word.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  )
  if (configuration === "simple") return texts.map((text) => ({ text, isPrefix, distance: 1 }))
  if (isPrefix) return unsupported("the beginning of a word in the configuration english is not supported")
  const words: Array<Word> = []
  let distance = 1
  for (const one of texts) {
    if (EnglishForms.isStopWord(one)) distance += 1
    else {
      words.push(inEnglish(one, distance))
      distance = 1
    }
  }
  return words
}

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
  if (before === undefined) return after
  if (after === undefined)
    return before._tag === "Phrases" ? { ...before, ignored: (before.ignored ?? 0) + distance } : before
  if (before._tag !== "Phrases" || after._tag !== "Phrases")
    return unsupported("& and ! inside a phrase are not supported")
  if (before.phrases.length * after.phrases.length > maximumPhrases) {
    return unsupported(`more than ${maximumPhrases} alternatives in a phrase are not supported`)
  }
  const whole = distance + (before.ignored ?? 0)
  const moved = (words: ReadonlyArray<Word>) =>
    words.map((word, index) => (index === 0 ? { ...word, distance: whole } : word))
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

const tokenize = (text: string, configuration: Configuration): ReadonlyArray<Token> => {
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
    else found.push({ words: wordsOf(term, configuration, mark.includes("*")) })
  }
  return found
}

/** Parses a `tsquery`. The operators by precedence are `!`, `<->`, `&` and `|`. */
class Reader {
  private readonly tokens: ReadonlyArray<Token>
  private position = 0
  private depth = 0

  constructor(text: string, configuration: Configuration) {
    this.tokens = tokenize(text, configuration)
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
const fromWeb = (text: string, configuration: Configuration): Query | undefined => {
  const terms = Array.from(text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g))
  const alternatives: Array<Array<Query | undefined>> = [[]]
  for (const [, minus = "", quoted, bare = ""] of terms) {
    if (quoted === undefined && bare.toLowerCase() === "or") alternatives.push([])
    else {
      const query = phrase(wordsOf(quoted ?? bare, configuration))
      alternatives.at(-1)?.push(minus === "" ? query : not(query))
    }
  }
  return connect(
    "Or",
    alternatives.map((queries) => connect("And", queries))
  )
}

export const read = (operator: SearchOperator, text: string, configuration: Configuration): Query | undefined => {
  switch (operator) {
    case "fts":
      return new Reader(text, configuration).whole()
    case "plfts":
      return connect(
        "And",
        wordsOf(text, configuration).map((word) => phrase([word]))
      )
    case "phfts":
      return phrase(wordsOf(text, configuration))
    case "wfts":
      return fromWeb(text, configuration)
  }
}

/** The number of words in a text. */
export const wordCount = (text: string): number => text.match(wordForm)?.length ?? 0

/** Runs a function that may refuse a query. */
export const attempt = <A>(make: () => Either.Either<A, Refusal>): Either.Either<A, Refusal> => {
  try {
    return make()
  } catch (error) {
    if (error instanceof Rejection) return Either.left(error.refusal)
    throw error
  }
}
