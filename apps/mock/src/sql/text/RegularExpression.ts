/**
 * Parses PostgreSQL's advanced regular expressions. A construct that is not regular, or that SQLite and PostgreSQL
 * interpret differently, is refused by its name.
 */
import * as Either from "effect/Either"
import * as CharacterSet from "./CharacterSet.ts"

export type Node =
  | { readonly _tag: "Start" | "End" }
  | { readonly _tag: "Set"; readonly set: CharacterSet.CharacterSet }
  | {
      readonly _tag: "Choice"
      readonly branches: Choice
      /** The number of states that the choice follows in parallel, where that is known. */
      readonly width?: number
    }
  | { readonly _tag: "Repeat"; readonly node: Node; readonly least: number; readonly most: number | undefined }

/** Alternatives, each a sequence. */
export type Choice = ReadonlyArray<ReadonlyArray<Node>>

class Rejection {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const refuse = (reason: string): never => {
  throw new Rejection(reason)
}

const unsupported = (construct: string): never => refuse(`${construct} is not supported`)

const maximumDepth = 32
/** The maximum of PostgreSQL. */
const maximumCount = 255

const controls: { readonly [letter: string]: string } = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v" }

const constraints: { readonly [letter: string]: string } = {
  A: "the constraint \\A",
  Z: "the constraint \\Z",
  m: "a word boundary",
  M: "a word boundary",
  y: "a word boundary",
  Y: "a word boundary"
}

const bounds = /\{(\d+)(?:(,)(\d*))?\}/y
const unicode = /u([0-9A-Fa-f]{4})/y

class Reader {
  private readonly characters: ReadonlyArray<string>
  private position = 0
  private depth = 0

  constructor(text: string) {
    this.characters = [...text]
  }

  private peek(ahead = 0): string | undefined {
    return this.characters[this.position + ahead]
  }

  private take(expected: string): boolean {
    const found = expected === this.characters.slice(this.position, this.position + expected.length).join("")
    if (found) this.position += expected.length
    return found
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = 0
    // No pattern of this parser matches more than 40 characters.
    const found = pattern.exec(this.characters.slice(this.position, this.position + 40).join("")) ?? undefined
    this.position += found?.[0].length ?? 0
    return found
  }

  whole(): Choice {
    if (this.take("***")) return unsupported("a director")
    const choice = this.choice()
    return this.peek() === undefined ? choice : refuse("parentheses () not balanced")
  }

  private choice(): Choice {
    const branches = [this.branch()]
    while (this.take("|")) branches.push(this.branch())
    return branches
  }

  private branch(): ReadonlyArray<Node> {
    const nodes: Array<Node> = []
    for (let next = this.peek(); next !== undefined && next !== "|" && next !== ")"; next = this.peek()) {
      nodes.push(this.quantified(this.atom()))
    }
    return nodes
  }

  private quantified(node: Node): Node {
    const counts = this.counts()
    if (counts === undefined) return node
    if (node._tag === "Start" || node._tag === "End") return refuse("quantifier operand invalid")
    // A lazy quantifier matches the same texts as a greedy one.
    this.take("?")
    if (this.counts() !== undefined) return refuse("quantifier operand invalid")
    const [least, most] = counts
    return { _tag: "Repeat", node, least, most }
  }

  private counts(): readonly [least: number, most: number | undefined] | undefined {
    if (this.take("*")) return [0, undefined]
    if (this.take("+")) return [1, undefined]
    if (this.take("?")) return [0, 1]
    if (this.peek() !== "{" || !/\d/.test(this.peek(1) ?? "")) return undefined
    const [, low = "", comma, high = ""] = this.match(bounds) ?? refuse("invalid repetition count(s)")
    const least = Number(low)
    const most = comma === undefined ? least : high === "" ? undefined : Number(high)
    return Math.max(least, most ?? 0) > maximumCount || (most !== undefined && most < least)
      ? refuse("invalid repetition count(s)")
      : [least, most]
  }

  private atom(): Node {
    const character = this.peek() ?? ""
    this.position++
    switch (character) {
      case "(":
        return this.group()
      case "[":
        return { _tag: "Set", set: this.brackets() }
      case "\\":
        return { _tag: "Set", set: this.escape() }
      case ".":
        return { _tag: "Set", set: CharacterSet.any }
      case "^":
        return { _tag: "Start" }
      case "$":
        return { _tag: "End" }
      case "*":
      case "+":
      case "?":
        return refuse("quantifier operand invalid")
      case "{":
        return /\d/.test(this.peek() ?? "") ? refuse("quantifier operand invalid") : literal(character)
      default:
        return literal(character)
    }
  }

  private group(): Node {
    if (this.peek() === "?" && !this.take("?:")) {
      return unsupported(/[=!<]/.test(this.peek(1) ?? "") ? "lookaround" : "an embedded option")
    }
    if (++this.depth > maximumDepth) return unsupported(`nesting of more than ${maximumDepth} groups`)
    const branches = this.choice()
    this.depth--
    return this.take(")") ? { _tag: "Choice", branches } : refuse("parentheses () not balanced")
  }

  /** The backslash has been read. */
  private escape(): CharacterSet.CharacterSet {
    const [, digits] = this.match(unicode) ?? []
    if (digits !== undefined) {
      const code = Number.parseInt(digits, 16)
      return isCharacter(code) ? CharacterSet.of(code) : refuse("invalid escape \\ sequence")
    }
    const letter = this.peek() ?? refuse("invalid escape \\ sequence")
    this.position++
    const named = CharacterSet.fromEscape(letter)
    if (named !== undefined) return named
    const control = controls[letter]
    if (control !== undefined) return CharacterSet.of(codeOf(control))
    if (/[1-9]/.test(letter)) return unsupported("a back reference")
    return /[0-9A-Za-z]/.test(letter)
      ? unsupported(constraints[letter] ?? `the escape \\${letter}`)
      : CharacterSet.of(codeOf(letter))
  }

  /** The opening bracket has been read. */
  private brackets(): CharacterSet.CharacterSet {
    const isNegated = this.take("^")
    const ranges: Array<CharacterSet.Range> = []
    do {
      const first = this.element()
      if (this.peek() === "-" && this.peek(1) !== "]" && this.peek(1) !== undefined) {
        this.position++
        ranges.push(rangeOf(first, this.element()))
      } else ranges.push(...first.ranges)
    } while (!this.take("]"))
    return { isNegated, ranges }
  }

  private element(): CharacterSet.CharacterSet {
    const character = this.peek() ?? refuse("brackets [] not balanced")
    this.position++
    if (character === "\\") {
      const set = this.escape()
      return set.isNegated ? unsupported("a negated class inside brackets") : set
    }
    if (character === "[" && /[.=]/.test(this.peek() ?? "")) return unsupported("a collating element")
    if (character === "[" && this.peek() === ":") {
      const [, name = ""] = this.match(/:([a-z]+):\]/y) ?? refuse("invalid character class")
      return { isNegated: false, ranges: CharacterSet.fromClass(name) ?? refuse("invalid character class") }
    }
    return CharacterSet.of(codeOf(character))
  }
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0

/** Reports whether a code of four hexadecimal digits is a character: not NUL, and not a surrogate. */
const isCharacter = (code: number): boolean => code > 0 && (code < 0xd800 || code > 0xdfff)

const literal = (character: string): Node => ({ _tag: "Set", set: CharacterSet.of(codeOf(character)) })

const single = ({ ranges }: CharacterSet.CharacterSet): number => {
  const [only] = ranges
  return only === undefined || ranges.length > 1 || only.first !== only.last
    ? refuse("invalid character range")
    : only.first
}

const rangeOf = (from: CharacterSet.CharacterSet, to: CharacterSet.CharacterSet): CharacterSet.Range => {
  const range = { first: single(from), last: single(to) }
  return range.first > range.last ? refuse("invalid character range") : range
}

/** Parses an expression, or returns the reason why it is refused. */
export const parse = (text: string): Either.Either<Choice, string> => {
  try {
    return Either.right(new Reader(text).whole())
  } catch (error) {
    if (error instanceof Rejection) return Either.left(error.reason)
    throw error
  }
}
