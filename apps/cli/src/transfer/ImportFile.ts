/**
 * Reads the rows of NDJSON and CSV files in pieces, each row with its line.
 */
import type { Json } from "@mfgdata/domain/Json"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs"
import { extname } from "node:path"
import { StringDecoder } from "node:string_decoder"
import { FileFailed, InputMalformed, UsageError } from "../CliError.ts"
import * as RowObject from "../RowObject.ts"
import * as FileAccess from "../FileAccess.ts"
import * as Input from "../Input.ts"
import * as JsonLine from "../JsonLine.ts"
import * as Csv from "@mfgdata/shell/output/Csv"

export const formats = ["ndjson", "csv"] as const
export type Format = (typeof formats)[number]

/** A row of a file. */
export interface Entry {
  readonly line: number
  /** The number of bytes read, up to this row. */
  readonly position: number
  /** The fields, or the reason why the row is malformed. */
  readonly content: Content
}

export type Content =
  | { readonly _tag: "Object"; readonly fields: { readonly [name: string]: Json } }
  /** Texts, and null for empty fields. */
  | { readonly _tag: "Texts"; readonly fields: { readonly [name: string]: Csv.Field } }
  | { readonly _tag: "Flawed"; readonly reason: string; readonly text: string }

/** The format of a file: that of `--format`, or by its extension. */
export const formatOf = (path: string, flag: Format | undefined): Effect.Effect<Format, UsageError> => {
  if (flag !== undefined) return Effect.succeed(flag)
  const ending = extname(path).slice(1).toLowerCase()
  if (ending === "csv") return Effect.succeed("csv")
  if (ending === "ndjson" || ending === "jsonl" || path === Input.standard) return Effect.succeed("ndjson")
  return Effect.fail(
    new UsageError({
      problem: `Unknown format of ${path}: expected a name that ends in .csv or .ndjson.`,
      expected: `--format ${formats.join(" or ")} sets the format of other names.`
    })
  )
}

/** A hash of a file's size, start and end, which changes with the file. */
export const fingerprint = (path: string): Effect.Effect<string, FileFailed> =>
  FileAccess.reading(path, () => {
    const file = openSync(path, "r")
    try {
      const { size } = fstatSync(file)
      const piece = Buffer.alloc(65_536)
      const hash = createHash("sha256").update(String(size))
      for (const at of [0, Math.max(0, size - piece.length)]) {
        hash.update(piece.subarray(0, readSync(file, piece, 0, piece.length, at)))
      }
      return hash.digest("hex")
    } finally {
      closeSync(file)
    }
  })

const parse = (text: string): Content => {
  try {
    const value: unknown = JSON.parse(text)
    if (RowObject.is(value)) return { _tag: "Object", fields: value }
  } catch {
    // The mistake is explained below.
  }
  const { column, reason } = JsonLine.mistake(text)
  return { _tag: "Flawed", reason: column === undefined ? reason : `column ${column}: ${reason}`, text }
}

type Pieces = AsyncIterable<{ readonly text: string; readonly position: number }>

async function* piecesOf(path: string): Pieces {
  const decoder = new StringDecoder("utf8")
  const stream = path === Input.standard ? process.stdin : createReadStream(path, { highWaterMark: 262_144 })
  let position = 0
  for await (const chunk of stream) {
    // Streams without an encoding emit bytes.
    const bytes = chunk as Buffer
    position += bytes.length
    yield { text: decoder.write(bytes), position }
  }
  yield { text: decoder.end(), position }
}

async function* lines(path: string): AsyncIterable<ReadonlyArray<Entry>> {
  let rest = ""
  let line = 0
  const entriesOf = (texts: ReadonlyArray<string>, position: number): ReadonlyArray<Entry> =>
    texts.flatMap((text) => {
      const bare = (++line === 1 ? text.replace(/^\uFEFF/, "") : text).trim()
      return bare === "" ? [] : [{ line, position, content: parse(bare) }]
    })
  let last = 0
  for await (const { position, text } of piecesOf(path)) {
    const texts = (rest + text).split("\n")
    rest = texts.pop() ?? ""
    last = position
    if (texts.length > 0) yield entriesOf(texts, position)
  }
  if (rest !== "") yield entriesOf([rest], last)
}

async function* records(path: string): AsyncIterable<ReadonlyArray<Entry>> {
  const reader = Csv.reader()
  let header: ReadonlyArray<string> | undefined
  const entriesOf = (read: ReadonlyArray<Csv.Record> | Csv.Flaw, position: number): ReadonlyArray<Entry> => {
    // Array.isArray does not narrow a readonly array.
    const isFlaw = (value: typeof read): value is Csv.Flaw => !Array.isArray(value)
    if (isFlaw(read)) throw new InputMalformed({ path, line: read.line, reason: "misplaced quote" })
    const rows = read
    const [first, ...others] = rows
    if (header === undefined) {
      if (first === undefined) return []
      header = first.fields.map((name) => name?.trim() ?? "")
      return entriesOf(others, position)
    }
    const names = header
    return rows.map(({ fields, line }) => ({
      line,
      position,
      content:
        fields.length === names.length
          ? { _tag: "Texts", fields: Object.fromEntries(names.map((name, index) => [name, fields[index] ?? null])) }
          : {
              _tag: "Flawed",
              reason: `the line has ${fields.length} fields, the header ${names.length}`,
              text: Csv.line(fields).trim()
            }
    }))
  }
  let last = 0
  for await (const { position, text } of piecesOf(path)) {
    last = position
    yield entriesOf(reader.push(text), position)
  }
  yield entriesOf(reader.end(), last)
}

/** The rows of a file, or of standard input. */
export const read = (path: string, format: Format): Stream.Stream<Entry, FileFailed | InputMalformed> =>
  Stream.fromAsyncIterable(format === "csv" ? records(path) : lines(path), (cause) =>
    cause instanceof InputMalformed
      ? cause
      : new FileFailed({
          path: path === Input.standard ? "standard input" : path,
          verb: "read",
          reason: FileAccess.reasonOf(cause)
        })
  ).pipe(Stream.mapConcat((entries) => entries))
