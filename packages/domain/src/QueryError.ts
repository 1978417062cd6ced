/**
 * The errors of a query's parameters. The `code`, `message`, `details` and `hint` of a response are computed from their
 * fields, in PostgREST's words.
 */
import * as Data from "effect/Data"

/** A parameter does not match the grammar: at `position` it has `found` in place of one of `expected`. */
export class QueryMalformed extends Data.TaggedError("QueryMalformed")<{
  readonly parameter: string
  /** The part of the grammar: a filter, an order, … */
  readonly subject: string
  readonly text: string
  /** 1-based, in characters; in a logic tree, the operator before its brackets counts too. */
  readonly position: number
  /** One character, or `undefined` at the end of the text. */
  readonly found: string | undefined
  /** Literals in double quotes, and names of parts of the grammar. */
  readonly expected: ReadonlyArray<string>
}> {
  readonly code = "PGRST100"
  readonly hint = null
  override get message(): string {
    return `"failed to parse ${this.subject} (${this.text})" (line 1, column ${this.position})`
  }
  get details(): string {
    return `unexpected ${this.unexpected} expecting ${enumerate(this.expected)}`
  }
  private get unexpected(): string {
    if (this.found === undefined) return endOfInput
    // Parsec, whose messages these are, uses single quotes where the text might have ended.
    return this.expected.includes(endOfInput) ? `'${this.found}'` : JSON.stringify(this.found)
  }
}

/** The name under which {@link QueryMalformed} expects the end of a text. */
export const endOfInput = "end of input"

const enumerate = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

/** The limits of one query. */
export const bounds = { filters: 200, depth: 32, embeds: 8 } as const

const boundary = {
  filters: `expected at most ${bounds.filters} filters, including and() and or()`,
  depth: `expected and() and or() at most ${bounds.depth} levels deep`,
  embeds: `expected embeds at most ${bounds.embeds} levels deep`
}

/** A request to send instead of one that exceeds a limit. */
export const remedies: { readonly [B in keyof typeof bounds]: string } = {
  filters: "Send several requests with fewer filters each.",
  depth: "Write the conditions with fewer levels of and() and or().",
  embeds: "Request the inner resource by itself."
}

/** The query exceeds one of the {@link bounds}. */
export class QueryTooLarge extends Data.TaggedError("QueryTooLarge")<{
  readonly parameter: string
  readonly bound: keyof typeof bounds
}> {
  readonly code = "PGRST100"
  get hint(): string {
    return remedies[this.bound]
  }
  override get message(): string {
    return `the query is too large: ${boundary[this.bound]}`
  }
  get details(): string {
    return `The parameter '${this.parameter}' exceeds the limit.`
  }
}

/** A filter, an order or a page names a resource that `select` does not embed, or embeds under another name. */
export class NotEmbedded extends Data.TaggedError("NotEmbedded")<{
  readonly parameter: string
  readonly name: string
  /** The alias of the resource in `select`. */
  readonly alias: string | undefined
}> {
  readonly code = "PGRST108"
  override get message(): string {
    return `'${this.name}' is not an embedded resource in this request`
  }
  get details(): string | null {
    return this.alias === undefined ? null : "Target names are not allowed in filters if they have an alias"
  }
  get hint(): string {
    return this.alias === undefined
      ? `Verify that '${this.name}' is included in the 'select' query parameter.`
      : `Change '${this.name}' to '${this.alias}' in filters, orders or limits.`
  }
}

/** Two embeds of one level have the same name, so that parameters cannot address either. */
export class EmbedRepeated extends Data.TaggedError("EmbedRepeated")<{ readonly name: string }> {
  readonly code = "42712"
  readonly details = null
  override get message(): string {
    return `table name "${this.name}" specified more than once`
  }
  get hint(): string {
    return `Give one of them another name: alias:${this.name}(...)`
  }
}

/** A limit below zero, where other invalid limits are ignored. */
export class LimitNegative extends Data.TaggedError("LimitNegative")<{ readonly parameter: string }> {
  readonly code = "PGRST103"
  readonly details = "Limit should be greater than or equal to zero."
  readonly hint = null
  override get message(): string {
    return "Requested range not satisfiable"
  }
}

/** The value of `any` or `all` is not a list. */
export class ListMalformed extends Data.TaggedError("ListMalformed")<{
  readonly parameter: string
  readonly text: string
  readonly details: string
}> {
  readonly code = "22P02"
  readonly hint = null
  override get message(): string {
    return `malformed array literal: "${this.text}"`
  }
}

/** A parameter contains a character that cannot be stored. */
export class TextRefused extends Data.TaggedError("TextRefused")<{
  readonly parameter: string
  readonly flaw: string
}> {
  readonly code = "22P05"
  readonly hint = null
  override get message(): string {
    return "unsupported Unicode escape sequence"
  }
  get details(): string {
    return `A query parameter contains ${this.flaw}.`
  }
}

const errors = [QueryMalformed, QueryTooLarge, NotEmbedded, EmbedRepeated, LimitNegative, ListMalformed, TextRefused]

export type QueryError = InstanceType<(typeof errors)[number]>

/** Reports whether a value is one of the errors of this module. */
export const isQueryError = (value: unknown): value is QueryError => errors.some((error) => value instanceof error)
