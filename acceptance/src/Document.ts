/**
 * Reads the blocks of code of a document: its commands, and its TypeScript examples with the output that it shows for
 * each.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Program.ts"

export interface Example {
  /** The line of the document on which the code begins. */
  readonly line: number
  readonly code: string
  /** The text block that follows the code before any other code does. */
  readonly prints: string | undefined
}

/** A block, whose lines may be those of a list. */
const block = /^( *)```(\w+)\n([\s\S]*?)^\1```$/gm

const all = (path: string) => {
  const text = readFileSync(join(root, path), "utf8")
  return Array.from(text.matchAll(block), ({ 1: indent = "", 2: language, 3: code = "", index }) => ({
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    line: text.slice(0, index).split("\n").length + 1
  }))
}

/** The blocks of a language in a document of this checkout. */
export const blocks = (path: string, language: string): ReadonlyArray<string> =>
  all(path).flatMap((block) => (block.language === language ? [block.code] : []))

/** The TypeScript examples of a document of this checkout. */
export const examples = (path: string): ReadonlyArray<Example> => {
  const blocks = all(path)
  return blocks.flatMap(({ code, language, line }, index) => {
    const next = blocks[index + 1]
    return language === "ts" ? [{ line, code, prints: next?.language === "text" ? next.code : undefined }] : []
  })
}
