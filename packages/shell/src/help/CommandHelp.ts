/**
 * Renders the help of a command from its declarations: lines that fit a terminal, with the default of each flag.
 */
import type * as HelpDoc from "@effect/cli/HelpDoc"
import { beforeExample, type Block, blocks, ownBlocks, summaryOf, titleOf, usageOf } from "./Blocks.ts"
import { listed, room, title, wrap } from "./HelpText.ts"

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
        if (block.text !== "DESCRIPTION") lines.push("", title(titleOf(block.text)))
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

/** The help of a command. */
export const ofCommand = (path: string, doc: HelpDoc.HelpDoc): string => {
  const found = blocks(doc)
  return [title("USAGE"), `  $ ${path}${usageOf(found)}`, "", ...section(found), ""].join("\n")
}

/** The help of a command with subcommands. */
export const ofGroup = (
  path: string,
  doc: HelpDoc.HelpDoc,
  commands: ReadonlyArray<readonly [name: string, doc: HelpDoc.HelpDoc]>
): string => {
  const summaries = commands.map(([name, doc]) => [name, summaryOf(doc)] as const)
  return [
    title("USAGE"),
    `  $ ${path} <command> [flags]`,
    "",
    ...section(ownBlocks(doc)),
    "",
    title("COMMANDS"),
    ...listed(summaries, room()),
    "",
    `${path} <command> --help shows the flags of a command.`,
    ""
  ].join("\n")
}
