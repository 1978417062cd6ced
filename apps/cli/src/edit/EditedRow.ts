/**
 * Writes a row as YAML for an editor, and reads it back.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import { InputMalformed } from "../CliError.ts"
import * as Fields from "../Fields.ts"
import * as RowObject from "../RowObject.ts"

const yaml = Effect.promise(() => import("yaml"))

const comment = (lines: ReadonlyArray<string>): string =>
  lines.map((line) => `# ${line.replaceAll("\n", "\n# ")}\n`).join("")

/** The text of a row's writable fields, below lines of comment. */
export const write = (resource: Resource.Any, row: JsonObject, notes: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.map(yaml, ({ stringify }) => {
    const fields = Fields.writable(resource).map(({ name }) => [name, row[name] ?? null] as const)
    return comment(notes) + stringify(Object.fromEntries(fields), { lineWidth: 0 })
  })

/** The fields of a text; none where only comments are left. */
export const read = (
  resource: Resource.Any,
  path: string,
  text: string
): Effect.Effect<JsonObject | undefined, InputMalformed> =>
  Effect.flatMap(yaml, ({ LineCounter, parseDocument, isMap, isScalar }) => {
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const failed = (offset: number, reason: string) => {
      const { col: column, line } = lines.linePos(offset)
      return Effect.fail(new InputMalformed({ path, line, column, reason }))
    }
    const [error] = document.errors
    if (error !== undefined) return failed(error.pos[0], error.message)
    if (document.contents === null) return Effect.succeed(undefined)
    const value: unknown = document.toJS()
    if (!isMap(document.contents) || !RowObject.is(value)) return failed(0, "expected a field and a value in each line")
    for (const { key } of document.contents.items) {
      const name = isScalar(key) ? String(key.value) : String(key)
      const column = Fields.column(resource, name)
      const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0
      if (column._tag === "Left") return failed(offset, column.left.message)
      if (column.right.write === "never") return failed(offset, `the service sets the field ${name}`)
    }
    return Effect.succeed(value)
  })
