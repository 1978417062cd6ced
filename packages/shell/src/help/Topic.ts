/**
 * The topics of the help, as data: pages about what concerns more than one command.
 */

/** A page of the help that is about no single command: paragraphs, examples, and tables of terms. */
export interface Topic {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<ReadonlyArray<Passage>>
}

/** A part of a topic. The lines of an example are shown as they are. */
export type Passage =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Example"; readonly lines: ReadonlyArray<string> }
  | { readonly _tag: "Terms"; readonly title: string; readonly terms: ReadonlyArray<Term> }

/** A term, and its description. */
export type Term = readonly [term: string, text: string]
