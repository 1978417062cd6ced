/**
 * Reads the declarations of a command into blocks, from which its help and its page of the manual are made.
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import type { Span } from "@effect/cli/HelpDoc/Span"
import * as Default from "../Default.ts"
import * as Terminal from "../Terminal.ts"

/** A part of the declarations: the title of a section, a text, an item of a list, or a term and its description. */
export type Block =
  | { readonly _tag: "Title"; readonly text: string }
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Item"; readonly text: string }
  | { readonly _tag: "Term"; readonly term: string; readonly text: string; readonly isOptional: boolean }

const textOf = (span: Span): string =>
  Terminal.plain(HelpDoc.toAnsiText(HelpDoc.p(span)))
    .replaceAll(/\s+/g, " ")
    .trim()

/** Sentences that the parser adds by itself, and that repeat the usage. */
const generated =
  /^(?:A user-defined piece of text|An? (?:integer|floating point number)|A true or false value|One of the following: .*|Defaults to: .*|This (?:setting|option|argument) (?:is optional|may be repeated|must be repeated).*)\.?$/

/** The one that it adds to what may be left out. */
const optional = /^This (?:setting is optional|argument may be repeated zero)/

/** The space before the example of a description. */
export const beforeExample = / (?=For example: )/

const textsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  blocks(doc).flatMap((block) => (block._tag === "Text" ? [block.text] : []))

/** The paragraphs, without the generated ones. */
export const paragraphs = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  textsOf(doc).filter((text) => !generated.test(text))

/** The description of a flag or an argument, with the default that it declares. */
const descriptionOf = (doc: HelpDoc.HelpDoc): string => {
  const text = paragraphs(doc).join(" ")
  const [value] = textsOf(doc).flatMap((text) => Default.paragraph.exec(text)?.slice(1) ?? [])
  return value === undefined ? text : text.replace(/\.?$/, ` (default ${value}).`)
}

/** The blocks of the declarations. */
export const blocks = (doc: HelpDoc.HelpDoc): ReadonlyArray<Block> => {
  switch (doc._tag) {
    case "Empty":
      return []
    case "Header":
      return [{ _tag: "Title", text: textOf(doc.value) }]
    case "Paragraph":
      return [{ _tag: "Text", text: textOf(doc.value) }]
    case "Enumeration":
      return doc.elements
        .flatMap(blocks)
        .flatMap((block) => (block._tag === "Text" ? [{ ...block, _tag: "Item" }] : []))
    case "DescriptionList":
      return doc.definitions.map(([term, description]) => ({
        _tag: "Term",
        term: textOf(term)
          .replaceAll(/^\((.*)\)$/g, "$1")
          .replace(/ 1\+$/, "..."),
        text: descriptionOf(description),
        isOptional: textsOf(description).some((text) => optional.test(text))
      }))
    case "Sequence":
      return [...blocks(doc.left), ...blocks(doc.right)]
  }
}

/** The word of an argument in a usage: `<key>`, or `[key]` for an optional one. */
const wordOf = ({ isOptional, term }: Block & { readonly _tag: "Term" }): string =>
  isOptional ? term.replace(/^<(.*)>(\.*)$/, "[$1$2]") : term

const argumentsOf = (found: ReadonlyArray<Block>): string => {
  const from = found.findIndex((block) => block._tag === "Title" && block.text === "ARGUMENTS")
  if (from < 0) return ""
  const to = found.findIndex((block, index) => index > from && block._tag === "Title")
  return found
    .slice(from, to < 0 ? undefined : to)
    .flatMap((block) => (block._tag === "Term" ? [` ${wordOf(block)}`] : []))
    .join("")
}

/** The words of a usage after the path of a command. */
export const usageOf = (found: ReadonlyArray<Block>): string => {
  const hasFlags = found.some((block) => block._tag === "Title" && block.text === "OPTIONS")
  return `${argumentsOf(found)}${hasFlags ? " [flags]" : ""}`
}

/** The blocks of a command with subcommands before the list of those. */
export const ownBlocks = (doc: HelpDoc.HelpDoc): ReadonlyArray<Block> => {
  const found = blocks(doc)
  const end = found.findIndex((block) => block._tag === "Title" && block.text === "COMMANDS")
  return end < 0 ? found : found.slice(0, end)
}

/** The first sentence of a command's description. */
export const summaryOf = (doc: HelpDoc.HelpDoc): string => paragraphs(doc)[0]?.split(beforeExample)[0] ?? ""

const names: { readonly [title: string]: string } = { OPTIONS: "FLAGS" }

/** The title of a section of the help. */
export const titleOf = (text: string): string => names[text] ?? text
