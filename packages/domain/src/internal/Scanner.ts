/**
 * A text and the position of its parser. Parsers throw `QueryError`s, which `Query` catches.
 */
import { endOfInput, QueryMalformed } from "../QueryError.ts"

/** The origin of a text, for errors. */
export interface Source {
  readonly parameter: string
  /** The part of the grammar: a filter, an order, … */
  readonly subject: string
  readonly text: string
}

/** Reads a text from left to right; fails where the text does not continue as expected. */
export class Scanner {
  readonly source: Source
  readonly text: string
  position = 0

  /** `text` can have an operator before the text of the source. */
  constructor(source: Source, text: string = source.text) {
    this.source = source
    this.text = text
  }

  /** The next character; empty at the end. */
  peek(): string {
    return this.text.charAt(this.position)
  }

  atEnd(): boolean {
    return this.position === this.text.length
  }

  startsWith(literal: string): boolean {
    return this.text.startsWith(literal, this.position)
  }

  /** Reads a literal if it is next, and returns whether it was. */
  take(literal: string): boolean {
    if (!this.startsWith(literal)) return false
    this.position += literal.length
    return true
  }

  /** Reads the match of a sticky pattern. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position
    if (!pattern.test(this.text)) return undefined
    const found = this.text.slice(this.position, pattern.lastIndex)
    this.position = pattern.lastIndex
    return found
  }

  spaces(): void {
    while (this.startsWith(" ") || this.startsWith("\t")) this.position++
  }

  rest(): string {
    const rest = this.text.slice(this.position)
    this.position = this.text.length
    return rest
  }

  /** Reads a literal, or fails. */
  expect(literal: string): void {
    if (!this.take(literal)) this.fail([JSON.stringify(literal)])
  }

  /** Fails before the end; `others` are expected as well. */
  expectEnd(others: ReadonlyArray<string> = []): void {
    if (!this.atEnd()) this.fail([...others, endOfInput])
  }

  /**
   * Fails at the position, or at another index. The found character is the first one that differs from the literal, as in
   * Parsec.
   */
  fail(expected: ReadonlyArray<string>, at: number = this.position, literal: string = expected[0] ?? ""): never {
    const wanted = literal.startsWith('"') ? literal.slice(1, -1) : ""
    let offset = 0
    while (offset < wanted.length && this.text.charAt(at + offset) === wanted.charAt(offset)) offset++
    const found = this.text.codePointAt(at + offset)
    throw new QueryMalformed({
      ...this.source,
      position: Array.from(this.text.slice(0, at)).length + 1,
      found: found === undefined ? undefined : String.fromCodePoint(found),
      expected
    })
  }
}
