/**
 * Writes rows by a template: text with the fields of a row in double braces, written once for each row.
 */
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Either from "effect/Either"
import * as Field from "./Field.ts"
import type { Row } from "./Table.ts"

/** The parts of a template in their order. */
export type Template = ReadonlyArray<Part>

type Part = { readonly _tag: "Text"; readonly text: string } | { readonly _tag: "Field"; readonly path: string }

const escapes: { readonly [escape: string]: string } = { "\\n": "\n", "\\t": "\t", "\\\\": "\\" }

const unescaped = (text: string): string => text.replaceAll(/\\[nt\\]/g, (escape) => escapes[escape] ?? escape)

const refused = (problem: string): Either.Either<never, UsageError> =>
  Either.left(new UsageError({ problem: `Invalid template: ${problem}.`, example: "--template '{{id}}: {{name}}'" }))

/** A path of names and indexes; the leading dot of other programs' templates is accepted. */
const path = /^\s*\.?([A-Za-z_]\w*(?:\.\w+)*)\s*$/

/**
 * Parses a template.
 *
 * @example
 * Template.parse("{{id}}\\t{{customFields.shift}}")
 */
export const parse = (text: string): Either.Either<Template, UsageError> => {
  const parts: Array<Part> = []
  for (const [index, piece] of text.split(/(\{\{.*?\}\})/s).entries()) {
    // The separators have the odd places.
    if (index % 2 === 0) {
      if (piece.includes("{{"))
        return refused(`${JSON.stringify(piece.slice(piece.indexOf("{{")))} has no end, expected }}`)
      if (piece !== "") parts.push({ _tag: "Text", text: unescaped(piece) })
      continue
    }
    const [, name] = path.exec(piece.slice(2, -2)) ?? []
    if (name === undefined) {
      return refused(
        `${piece} is not a field, such as {{id}} or {{customFields.shift}}; for other expressions, use --jq`
      )
    }
    parts.push({ _tag: "Field", path: name })
  }
  return Either.right(parts)
}

/** The paths of a template. */
export const paths = (template: Template): ReadonlyArray<string> =>
  template.flatMap((part) => (part._tag === "Field" ? [part.path] : []))

const textOf = (row: Row, path: string): string => {
  const value = Field.value(row, path)
  return value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)
}

/** The line of a row. */
export const line = (template: Template, row: Row): string =>
  `${template.map((part) => (part._tag === "Text" ? part.text : textOf(row, part.path))).join("")}\n`
