/**
 * Renders the manual pages of an executable from its help: a page for the executable, and one for each command.
 */
import type * as HelpDoc from "@effect/cli/HelpDoc"
import { beforeExample, type Block, blocks, ownBlocks, titleOf, usageOf } from "./Blocks.ts"
import type { Front, Group } from "../Front.ts"
import type { Program } from "../Program.ts"
import * as Roff from "./Roff.ts"
import type { Passage } from "./Topic.ts"

const fromPassage = (passage: Passage): ReadonlyArray<string> => {
  switch (passage._tag) {
    case "Text":
      return Roff.paragraph(passage.text)
    case "Example":
      return Roff.example(passage.lines)
    case "Terms":
      return [Roff.subsection(passage.title), ...passage.terms.flatMap(Roff.term)]
  }
}

const fromBlock = (block: Block, title: (text: string) => string): ReadonlyArray<string> => {
  switch (block._tag) {
    case "Title":
      // The description comes first, without a title.
      return block.text === "DESCRIPTION" ? [] : [title(titleOf(block.text))]
    case "Text": {
      const [text = "", ...examples] = block.text.split(beforeExample)
      const lines = examples.map((example) => example.replace("For example: ", ""))
      return [...Roff.paragraph(text), ...(lines.length === 0 ? [] : Roff.example(lines))]
    }
    case "Item":
      return Roff.item(block.text)
    case "Term":
      return Roff.term([block.term, block.text])
  }
}

const seeAlso = (names: ReadonlyArray<string>): ReadonlyArray<string> => [
  Roff.section("SEE ALSO"),
  ...names.map((name, index) => `.BR ${Roff.text(name)} (1)${index === names.length - 1 ? "" : " ,"}`)
]

const opening = (name: string, source: string, summary: string, usages: ReadonlyArray<string>) => [
  ...Roff.head(name, source),
  Roff.section("NAME"),
  `${Roff.text(name)} \\- ${Roff.text(summary.replace(/\.$/, ""))}`,
  Roff.section("SYNOPSIS"),
  ...Roff.example(usages)
]

/** The page of a command with its subcommands. */
const ofProgram = (front: Front, { name, summary }: Group, program: Program): string => {
  const { commands, own } = program.declarations()
  const path = `${front.name} ${name}`
  const line = (words: string, doc: HelpDoc.HelpDoc) => `${words}${usageOf(blocks(doc))}`
  const usages = commands.length === 0 ? [line(path, own)] : commands.map(([word, doc]) => line(`${path} ${word}`, doc))
  return [
    ...opening(`${front.name}-${name}`, front.name, summary, usages),
    Roff.section("DESCRIPTION"),
    ...ownBlocks(own).flatMap((block) => fromBlock(block, Roff.section)),
    ...commands.flatMap(([word, doc]) => [
      Roff.section(`${path} ${word}`),
      ...blocks(doc).flatMap((block) => fromBlock(block, Roff.subsection))
    ]),
    ...seeAlso([front.name]),
    ""
  ].join("\n")
}

/** The page of the executable, with the topics of its help. */
const ofFront = async (front: Front, groups: ReadonlyArray<Group>): Promise<string> => {
  const { everywhere, name, sections, summary, switches = [], topics = [], usages } = front
  const pages = await Promise.all(
    topics.map(async ({ load, name, summary }) => [
      Roff.section(name.replaceAll("-", " ").toUpperCase()),
      ...Roff.paragraph(summary),
      ...(await load()).flatMap(fromPassage)
    ])
  )
  return [
    ...opening(name, name, summary, usages),
    ...sections.flatMap(({ compact, groups, title }) => [
      Roff.section(title),
      ...(compact === true
        ? Roff.paragraph(groups.map(({ name }) => name).join(", "))
        : groups.flatMap(({ name, summary }) => Roff.term([name, summary])))
    ]),
    Roff.section("EVERYWHERE"),
    ...[...everywhere, ...switches].flatMap(Roff.term),
    ...pages.flat(),
    ...seeAlso(groups.map((group) => `${name}-${group.name}`)),
    ""
  ].join("\n")
}

/** The name of each file with its page. */
export const make = async (front: Front): Promise<ReadonlyMap<string, string>> => {
  const groups = front.sections.flatMap(({ groups }) => groups)
  const pages = await Promise.all(
    groups.map(async (group) => {
      const page = ofProgram(front, group, await group.load())
      return [`${front.name}-${group.name}.1`, page] as const
    })
  )
  return new Map([[`${front.name}.1`, await ofFront(front, groups)], ...pages])
}
