/**
 * A text and how far a grammar has read it. The grammars fail by throwing a `QueryError`, so that they read like
 * grammars; `Query` catches it, and nothing else sees it.
 */
import { endOfInput, QueryMalformed } from "../QueryError.ts"

/** What a text is, for the error that tells of it. */
export interface Source {
  readonly parameter: string
  /** What is being read: a filter, an order, … */
  readonly subject: string
  readonly text: string
}

/** Moves forward through a text; what it is asked for it reads, or fails with what stands there instead. */
export class Scanner {
  readonly source: Source
  readonly text: string
  position = 0

  /** `text` differs from the source's where an operator is put before it. */
  constructor(source: Source, text: string = source.text) {
    this.source = source
    this.text = text
  }

  /** The next character, `""` at the end. */
  peek(): string {
    return this.text.charAt(this.position)
  }

  atEnd(): boolean {
    return this.position === this.text.length
  }

  startsWith(literal: string): boolean {
    return this.text.startsWith(literal, this.position)
  }

  /** Whether the literal comes next; it is read if so. */
  take(literal: string): boolean {
    if (!this.startsWith(literal)) return false
    this.position += literal.length
    return true
  }

  /** Reads what a sticky pattern matches here. */
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

  /** Requires a literal. */
  expect(literal: string): void {
    if (!this.take(literal)) this.fail([JSON.stringify(literal)])
  }

  /** Requires the end; `others` could have come too. */
  expectEnd(others: ReadonlyArray<string> = []): void {
    if (!this.atEnd()) this.fail([...others, endOfInput])
  }

  /**
   * Something else was expected here, or at another index. A literal is told by its first character that differs, as
   * Parsec tells it.
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
