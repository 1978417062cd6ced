/**
 * Writes rows into a file, page by page. What is written lies in a draft beside the file, with a note on how far it
 * has come, so that an export which begins again goes on; the file appears when it is whole.
 */
import * as Cursor from "@mfgdata/client/Cursor"
import type { QueryError } from "@mfgdata/client/ClientError"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { createHash, type Hash } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { basename } from "node:path"
import { FileFailed } from "../CliError.ts"
import type { Connection } from "../Connection.ts"
import * as Fields from "../Fields.ts"
import * as Input from "../Input.ts"
import * as Csv from "../output/Csv.ts"
import * as Progress from "./Progress.ts"
import type { Format } from "./Source.ts"

/** What is to be exported. */
export interface Asked {
  readonly resource: Resource.Any
  readonly path: string
  readonly format: Format
  /** Filters and selection, as text. The order is that of keys. */
  readonly query: string
  /** The columns of a CSV file. */
  readonly columns: ReadonlyArray<string>
  /** Begin anew, whatever was done before. */
  readonly restart: boolean
}

/** What was exported. */
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

const attempt = <A>(path: string, work: () => A): Effect.Effect<A, FileFailed> =>
  Effect.try({ try: work, catch: (cause) => new FileFailed({ path, verb: "written", reason: Input.reasonOf(cause) }) })

/** How many rows a page holds. */
const pageSize = 1000

/** The text of some rows. */
export const text = (format: Format, columns: ReadonlyArray<string>, rows: ReadonlyArray<JsonObject>): string =>
  rows
    .map((row) => (format === "csv" ? Csv.line(columns.map((name) => row[name] ?? null)) : `${JSON.stringify(row)}\n`))
    .join("")

/** What stands before the first row. */
export const header = (format: Format, columns: ReadonlyArray<string>): string =>
  format === "csv" ? Csv.line(columns) : ""

/** The columns of a CSV file of whole rows. */
export const columnsOf = (resource: Resource.Any): ReadonlyArray<string> => Fields.names(resource)

const hashOf = (path: string, bytes: number): Hash => {
  const hash = createHash("sha256")
  if (bytes === 0) return hash
  const file = openSync(path, "r")
  try {
    const piece = Buffer.alloc(1_048_576)
    for (let at = 0; at < bytes;) {
      const read = readSync(file, piece, 0, Math.min(piece.length, bytes - at), at)
      if (read === 0) break
      hash.update(piece.subarray(0, read))
      at += read
    }
    return hash
  } finally {
    closeSync(file)
  }
}

const resumable = (asked: Asked, source: string, part: string, note: string): Draft | undefined => {
  if (asked.restart || !existsSync(part) || !existsSync(note)) return undefined
  const draft = Option.getOrUndefined(decodeDraft(readFileSync(note, "utf8")))
  const isSame =
    draft !== undefined &&
    JSON.stringify([draft.query, draft.columns, draft.format, draft.source]) ===
      JSON.stringify([asked.query, asked.columns, asked.format, source])
  return isSame && statSync(part).size >= draft.bytes ? draft : undefined
}

/** Writes a file, and answers what is in it. */
export const run = (
  { profile, rows }: Connection,
  asked: Asked
): Effect.Effect<Manifest & { readonly resumedAt: number }, QueryError | FileFailed> =>
  Effect.gen(function* () {
    const { columns, format, path, query, resource } = asked
    const part = `${path}.part`
    const note = `${path}.part.json`
    const source = profile.restUrl
    const before = yield* attempt(part, () => resumable(asked, source, part, note))
    const begun = before ?? { query, columns, format, source, rows: 0, bytes: 0, key: null }
    const total = yield* Effect.option(
      rows.count(resource, {
        query: new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => name !== "select")).toString()
      })
    )
    const progress = yield* Progress.make(
      resource.resource,
      Option.match(total, { onNone: () => 0, onSome: (all) => (all === 0 ? 0 : begun.rows / all) })
    )
    let draft: Draft = begun

    const { file, hash } = yield* attempt(part, () => {
      if (before !== undefined) truncateSync(part, before.bytes)
      return { file: openSync(part, before === undefined ? "w" : "a", 0o600), hash: hashOf(part, begun.bytes) }
    })
    const put = (piece: string, count: number, key: string | null) =>
      attempt(part, () => {
        const bytes = Buffer.from(piece)
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
        fsyncSync(file)
        hash.update(bytes)
        draft = { ...draft, rows: draft.rows + count, bytes: draft.bytes + bytes.length, key }
        writeFileSync(`${note}.new`, JSON.stringify(draft), { mode: 0o600 })
        renameSync(`${note}.new`, note)
      })

    if (before === undefined) yield* put(header(format, columns), 0, null)
    const after = begun.key === null ? {} : { after: Cursor.fromKey(resource, begun.key) }
    yield* Stream.runForEach(rows.pages(resource, { query, pageSize, ...after }), ({ rows }) => {
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
    yield* attempt(path, () => {
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
      resumedAt: begun.rows
    }
  })

/** Writes a manifest. */
export const writeManifest = (path: string, manifest: unknown): Effect.Effect<void, FileFailed> =>
  attempt(path, () => writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`))
