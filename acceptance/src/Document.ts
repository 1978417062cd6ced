/**
 * Reads the examples of a document: its TypeScript blocks, and the output that it shows for each.
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

const block = /^```(\w+)\n([\s\S]*?)^```$/gm

/** The TypeScript examples of a document of this checkout. */
export const examples = (path: string): ReadonlyArray<Example> => {
  const text = readFileSync(join(root, path), "utf8")
  const blocks = Array.from(text.matchAll(block), ({ 1: language, 2: code = "", index }) => ({
    language,
    code,
    line: text.slice(0, index).split("\n").length + 1
  }))
  return blocks.flatMap(({ code, language, line }, index) => {
    const next = blocks[index + 1]
    return language === "ts" ? [{ line, code, prints: next?.language === "text" ? next.code : undefined }] : []
  })
}
