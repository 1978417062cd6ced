/**
 * Compares the file of a resource with the rows as they were pulled.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import { existsSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { FileFailed, InputMalformed } from "../CliError.ts"
import * as JsonLine from "../JsonLine.ts"
import * as FileAccess from "../FileAccess.ts"
import * as Fields from "../Fields.ts"
import * as RowChange from "../RowChange.ts"
import * as PulledFolder from "./PulledFolder.ts"
import * as RowLines from "./RowLines.ts"

/** A change of a folder, in the order of the file. */
export type FolderChange =
  | { readonly _tag: "Create"; readonly line: number; readonly key: string | undefined; readonly row: JsonObject }
  | {
      readonly _tag: "Update"
      readonly line: number
      readonly key: string
      readonly base: JsonObject
      readonly row: JsonObject
    }
  | { readonly _tag: "Delete"; readonly key: string; readonly base: JsonObject }

/** A line of a file, with its row and its key; a new row may have none. */
interface RowLine {
  readonly line: number
  readonly text: string
  readonly row: JsonObject
  readonly key: string | undefined
}

const keyOf = (resource: Resource.Any, row: JsonObject): string | undefined => {
  const key = row[resource.key]
  return key === undefined || key === null ? undefined : String(key)
}

/** A problem of a file ends its reading. */
class Flaw {
  readonly error: InputMalformed
  constructor(error: InputMalformed) {
    this.error = error
  }
}

function* rowsOf(resource: Resource.Any, path: string): Generator<RowLine, void, undefined> {
  for (const { number, text } of RowLines.read(path)) {
    const row = RowLines.parse(text)
    if (row === undefined) {
      const { column, reason } = JsonLine.mistake(text)
      throw new Flaw(new InputMalformed({ path, line: number, reason, ...(column === undefined ? {} : { column }) }))
    }
    yield { line: number, text, row, key: keyOf(resource, row) }
  }
}

/** The rows of a file by key, the new rows first. A file in the order of the keys is not held in memory. */
const ordered = (resource: Resource.Any, path: string): Iterable<RowLine> => {
  let last: string | undefined
  let isSorted = true
  for (const { key } of rowsOf(resource, path)) {
    if (key === undefined) continue
    if (last !== undefined && RowLines.compare(last, key) >= 0) {
      isSorted = false
      break
    }
    last = key
  }
  if (isSorted) return rowsOf(resource, path)
  const rows = Array.from(rowsOf(resource, path)).toSorted((a, b) =>
    a.key === undefined || b.key === undefined
      ? Number(b.key === undefined) - Number(a.key === undefined)
      : RowLines.compare(a.key, b.key)
  )
  for (const [index, { key, line }] of rows.entries()) {
    if (key !== undefined && key === rows[index + 1]?.key) {
      throw new Flaw(
        new InputMalformed({ path, line, reason: `the ${resource.key} ${JSON.stringify(key)} occurs twice` })
      )
    }
  }
  return rows
}

/** Refuses fields that nobody can write. */
const check = (resource: Resource.Any, path: string, { line, row }: RowLine, base: JsonObject): void => {
  const columns = Column.byName(resource)
  for (const [name, value] of Object.entries(row)) {
    if (isDeepStrictEqual(value, base[name] ?? null)) continue
    const column = columns.get(name)
    const reason =
      column === undefined
        ? Either.match(Fields.column(resource, name), { onLeft: ({ message }) => message, onRight: () => "" })
        : column.write === "never" && name !== resource.key
          ? `the service sets the field ${name}`
          : undefined
    if (reason !== undefined) throw new Flaw(new InputMalformed({ path, line, reason }))
  }
}

function* merged(resource: Resource.Any, folder: string): Generator<FolderChange, void, undefined> {
  const path = PulledFolder.file(folder, resource)
  const pulled = rowsOf(resource, PulledFolder.base(folder, resource))
  // A file that was removed has no rows.
  const mine = existsSync(path) ? ordered(resource, path)[Symbol.iterator]() : [][Symbol.iterator]()
  let before = pulled.next().value ?? undefined
  let after: RowLine | undefined = mine.next().value ?? undefined
  while (before !== undefined || after !== undefined) {
    if (before !== undefined && before.text === after?.text) {
      before = pulled.next().value ?? undefined
      after = mine.next().value ?? undefined
      continue
    }
    const order =
      before === undefined
        ? 1
        : after === undefined
          ? -1
          : after.key === undefined
            ? 1
            : RowLines.compare(before.key ?? "", after.key)
    if (order < 0 && before !== undefined) {
      yield { _tag: "Delete", key: before.key ?? "", base: before.row }
      before = pulled.next().value ?? undefined
    } else if (order > 0 && after !== undefined) {
      check(resource, path, after, {})
      yield { _tag: "Create", line: after.line, key: after.key, row: after.row }
      after = mine.next().value ?? undefined
    } else if (before !== undefined && after !== undefined) {
      check(resource, path, after, before.row)
      if (RowChange.between(resource, before.row, after.row).length > 0) {
        yield { _tag: "Update", line: after.line, key: before.key ?? "", base: before.row, row: after.row }
      }
      before = pulled.next().value ?? undefined
      after = mine.next().value ?? undefined
    }
  }
}

/** A failure of the file system; other errors are defects. */
const isOfFile = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && "syscall" in error

/** The changes of a resource, one at a time; a problem of a file is the last. */
export function* changes(
  resource: Resource.Any,
  folder: string
): Generator<Either.Either<FolderChange, FileFailed | InputMalformed>, void, undefined> {
  try {
    for (const change of merged(resource, folder)) yield Either.right(change)
  } catch (error) {
    if (error instanceof Flaw) yield Either.left(error.error)
    else if (isOfFile(error)) {
      const path = error.path ?? PulledFolder.file(folder, resource)
      yield Either.left(new FileFailed({ path, verb: "read", reason: FileAccess.reasonOf(error) }))
    } else throw error
  }
}
