/**
 * Renders the help of a command from its declarations: lines that fit a terminal, with the default of each flag.
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import type { Span } from "@effect/cli/HelpDoc/Span"
import * as Default from "../Default.ts"
import { listed, room, title, wrap } from "./HelpText.ts"
import * as Terminal from "../Terminal.ts"

type Block =
  | { readonly _tag: "Title"; readonly text: string }
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Item"; readonly text: string }
  | { readonly _tag: "Term"; readonly term: string; readonly text: string }

const textOf = (span: Span): string =>
  Terminal.plain(HelpDoc.toAnsiText(HelpDoc.p(span)))
    .replaceAll(/\s+/g, " ")
    .trim()

/** Sentences that the parser adds by itself, and that repeat the usage. */
const generated =
  /^(?:A user-defined piece of text|An? (?:integer|floating point number)|A true or false value|One of the following: .*|Defaults to: .*|This (?:setting|option|argument) (?:is optional|may be repeated|must be repeated).*)\.?$/

/** The space before the example of a description. */
const beforeExample = / (?=For example: )/

const textsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  blocks(doc).flatMap((block) => (block._tag === "Text" ? [block.text] : []))

const paragraphs = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> => textsOf(doc).filter((text) => !generated.test(text))

/** The description of a flag or an argument, with the default that it declares. */
const descriptionOf = (doc: HelpDoc.HelpDoc): string => {
  const text = paragraphs(doc).join(" ")
  const [value] = textsOf(doc).flatMap((text) => Default.paragraph.exec(text)?.slice(1) ?? [])
  return value === undefined ? text : text.replace(/\.?$/, ` (default ${value}).`)
}

const blocks = (doc: HelpDoc.HelpDoc): ReadonlyArray<Block> => {
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
        term: textOf(term).replaceAll(/^\((.*)\)$/g, "$1"),
        text: descriptionOf(description)
      }))
    case "Sequence":
      return [...blocks(doc.left), ...blocks(doc.right)]
  }
}

const names: { readonly [title: string]: string } = { OPTIONS: "FLAGS" }

/** Renders blocks, section by section. */
const section = (found: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const terms: Array<readonly [string, string]> = []
  const flush = () => lines.push(...listed(terms.splice(0), room()))
  for (const block of found) {
    if (block._tag === "Term") {
      terms.push([block.term, block.text])
      continue
    }
    flush()
    switch (block._tag) {
      case "Title":
        // The description comes first, without a title.
        if (block.text !== "DESCRIPTION") lines.push("", title(names[block.text] ?? block.text))
        break
      case "Text":
        // An example is one line, to be copied.
        for (const part of block.text.split(beforeExample)) {
          lines.push(...(beforeExample.test(` ${part}`) ? [part] : wrap(part, room())))
        }
        break
      case "Item":
        lines.push(...wrap(block.text, room() - 4).map((line, index) => `${index === 0 ? "  " : "      "}${line}`))
        break
    }
  }
  flush()
  return lines
}

const argumentsOf = (found: ReadonlyArray<Block>): string => {
  const from = found.findIndex((block) => block._tag === "Title" && block.text === "ARGUMENTS")
  if (from < 0) return ""
  const to = found.findIndex((block, index) => index > from && block._tag === "Title")
  return found
    .slice(from, to < 0 ? undefined : to)
    .flatMap((block) => (block._tag === "Term" ? [` ${block.term}`] : []))
    .join("")
}

/** The help of a command. */
export const ofCommand = (path: string, doc: HelpDoc.HelpDoc): string => {
  const found = blocks(doc)
  const hasFlags = found.some((block) => block._tag === "Title" && block.text === "OPTIONS")
  return [
    title("USAGE"),
    `  $ ${path}${argumentsOf(found)}${hasFlags ? " [flags]" : ""}`,
    "",
    ...section(found),
    ""
  ].join("\n")
}

/** The help of a command with subcommands. */
export const ofGroup = (
  path: string,
  doc: HelpDoc.HelpDoc,
  commands: ReadonlyArray<readonly [name: string, doc: HelpDoc.HelpDoc]>
): string => {
  const found = blocks(doc)
  const end = found.findIndex((block) => block._tag === "Title" && block.text === "COMMANDS")
  const summaries = commands.map(([name, doc]) => [name, paragraphs(doc)[0]?.split(beforeExample)[0] ?? ""] as const)
  return [
    title("USAGE"),
    `  $ ${path} <command> [flags]`,
    "",
    ...section(end < 0 ? found : found.slice(0, end)),
    "",
    title("COMMANDS"),
    ...listed(summaries, room()),
    "",
    `${path} <command> --help shows the flags of a command.`,
    ""
  ].join("\n")
}
