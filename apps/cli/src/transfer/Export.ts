/**
 * Exports rows into a file, page by page. Pages are written to a draft next to the file, with a note of its progress,
 * so that an interrupted export can resume; the complete draft is renamed to the file.
 */
import * as Cursor from "@mfgdata/client/Cursor"
import type { QueryError } from "@mfgdata/client/ClientError"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { basename } from "node:path"
import type { FileFailed } from "../CliError.ts"
import type { Connection } from "../service/Connection.ts"
import * as Fields from "../Fields.ts"
import * as FileAccess from "../FileAccess.ts"
import * as Csv from "@mfgdata/shell/output/Csv"
import * as Progress from "@mfgdata/shell/Progress"
import type { Format } from "./ImportFile.ts"

/** The options of an export. */
export interface Options {
  readonly resource: Resource.Any
  readonly path: string
  readonly format: Format
  /** The filters and the selection as a query string; the order is by key. */
  readonly query: string
  /** The columns of a CSV file. */
  readonly columns: ReadonlyArray<string>
  /** True to discard the draft of an interrupted export. */
  readonly restart: boolean
}

/** The manifest of an exported file. */
export const Manifest = Schema.Struct({
  resource: Schema.String,
  file: Schema.String,
  format: Schema.Literal("ndjson", "csv"),
  query: Schema.String,
  source: Schema.String,
  rows: Schema.Int,
  bytes: Schema.Int,
  sha256: Schema.String,
  finishedAt: Schema.String
})
export type Manifest = typeof Manifest.Type

const Draft = Schema.Struct({
  query: Schema.String,
  columns: Schema.Array(Schema.String),
  format: Schema.String,
  source: Schema.String,
  rows: Schema.Int,
  bytes: Schema.Int,
  key: Schema.NullOr(Schema.String)
})
type Draft = typeof Draft.Type

const decodeDraft = Schema.decodeUnknownOption(Schema.parseJson(Draft))

/** The number of rows in a page. */
const pageSize = 1000

/** Formats rows. */
export const text = (format: Format, columns: ReadonlyArray<string>, rows: ReadonlyArray<JsonObject>): string =>
  rows
    .map((row) => (format === "csv" ? Csv.line(columns.map((name) => row[name] ?? null)) : `${JSON.stringify(row)}\n`))
    .join("")

/** The text before the first row. */
export const header = (format: Format, columns: ReadonlyArray<string>): string =>
  format === "csv" ? Csv.line(columns) : ""

/** The columns of a CSV file of whole rows. */
export const columnsOf = (resource: Resource.Any): ReadonlyArray<string> => Fields.names(resource)

const resumable = (options: Options, source: string, part: string, note: string): Draft | undefined => {
  if (options.restart || !existsSync(part) || !existsSync(note)) return undefined
  const draft = Option.getOrUndefined(decodeDraft(readFileSync(note, "utf8")))
  const isSame =
    draft !== undefined &&
    JSON.stringify([draft.query, draft.columns, draft.format, draft.source]) ===
      JSON.stringify([options.query, options.columns, options.format, source])
  return isSame && statSync(part).size >= draft.bytes ? draft : undefined
}

/** Writes a file, and returns its manifest. */
export const run = (
  { profile, rows }: Connection,
  options: Options
): Effect.Effect<Manifest & { readonly resumedAt: number }, QueryError | FileFailed> =>
  Effect.gen(function* () {
    const { columns, format, path, query, resource } = options
    const part = `${path}.part`
    const note = `${path}.part.json`
    const source = profile.restUrl
    const resumed = yield* FileAccess.writing(part, () => resumable(options, source, part, note))
    const initial = resumed ?? { query, columns, format, source, rows: 0, bytes: 0, key: null }
    const total = yield* Effect.option(
      rows.count(
        resource,
        Query.fromText(
          String(new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => name !== "select")))
        )
      )
    )
    const progress = yield* Progress.make(
      resource.resource,
      Option.match(total, { onNone: () => 0, onSome: (all) => (all === 0 ? 0 : initial.rows / all) })
    )
    let draft: Draft = initial

    const { file, hash } = yield* FileAccess.writing(part, () => {
      if (resumed !== undefined) truncateSync(part, resumed.bytes)
      return {
        file: openSync(part, resumed === undefined ? "w" : "a", 0o600),
        hash: FileAccess.hash(part, initial.bytes)
      }
    })
    const put = (piece: string, count: number, key: string | null) =>
      FileAccess.writing(part, () => {
        const bytes = Buffer.from(piece)
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
        fsyncSync(file)
        hash.update(bytes)
        draft = { ...draft, rows: draft.rows + count, bytes: draft.bytes + bytes.length, key }
        writeFileSync(`${note}.new`, JSON.stringify(draft), { mode: 0o600 })
        renameSync(`${note}.new`, note)
      })

    if (resumed === undefined) yield* put(header(format, columns), 0, null)
    const after = initial.key === null ? {} : { after: Cursor.fromKey(resource, initial.key) }
    yield* Stream.runForEach(rows.pages(resource, { ...Query.fromText(query), pageSize, ...after }), ({ rows }) => {
      const last = rows.at(-1)
      return last === undefined
        ? Effect.void
        : Effect.zipRight(
            put(text(format, columns, rows), rows.length, String(last[resource.key])),
            Effect.suspend(() =>
              progress.report(
                draft.rows,
                Option.getOrUndefined(Option.map(total, (all) => Math.min(1, draft.rows / all)))
              )
            )
          )
    })
    yield* progress.clear
    const finishedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    yield* FileAccess.writing(path, () => {
      closeSync(file)
      renameSync(part, path)
      rmSync(note, { force: true })
    })
    return {
      resource: resource.resource,
      file: basename(path),
      format,
      query,
      source,
      rows: draft.rows,
      bytes: draft.bytes,
      sha256: hash.digest("hex"),
      finishedAt,
      resumedAt: initial.rows
    }
  }).pipe(Effect.scoped)

/** Writes a manifest. */
export const writeManifest = (path: string, manifest: unknown): Effect.Effect<void, FileFailed> =>
  FileAccess.writing(path, () => writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`))
