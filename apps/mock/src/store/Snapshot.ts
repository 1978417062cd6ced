/**
 * The portable snapshot: gzipped lines of JSON, a header and then every row of every table, the same from and for each
 * kind of store. Rows of resources stand in their wire form, so that no store's types leak into the file.
 */
import * as Column from "@mfgdata/domain/Column"
import * as Decoder from "@mfgdata/domain/Decoder"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import { Json, type JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as zlib from "node:zlib"
import * as IndexedText from "../sql/text/IndexedText.ts"

/** The file could not be written. */
export class SnapshotUnwritable extends Data.TaggedError("SnapshotUnwritable")<{
  readonly file: string
  readonly cause: unknown
}> {
  override get message() {
    return `the snapshot ${this.file} cannot be written: ${reason(this.cause)}`
  }
}

/** The file is no snapshot, or not one that this version and this store can take. */
export class SnapshotUnreadable extends Data.TaggedError("SnapshotUnreadable")<{
  readonly file: string
  /** Counted from 1, where one line is at fault. */
  readonly line?: number
  readonly cause: unknown
}> {
  override get message() {
    const place = this.line === undefined ? "" : `, line ${this.line}`
    return `the snapshot ${this.file}${place} cannot be read: ${reason(this.cause)}`
  }
}

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The name of the format in a header. */
const format = "mfgdata-snapshot"

/** The version of the format that is written, and the newest that is read. */
const version = 1

/** The first line. */
export const Header = Schema.Struct({
  format: Schema.Literal(format),
  version: Schema.Int.pipe(
    Schema.filter((found) => found <= version || `this version of mfg-mock reads snapshots up to version ${version}`)
  ),
  ruleSet: Schema.Literal("contract", "public"),
  /** How many rows of each table follow. */
  counts: Schema.Record({ key: Schema.String, value: Schema.NonNegativeInt })
})
export interface Header extends Schema.Schema.Type<typeof Header> {}

export const header = (ruleSet: RuleSet, counts: Header["counts"]): Header => ({ format, version, ruleSet, counts })

/** Every other line: a row of a resource with its hidden columns, or a row of one of the service's own tables. */
export const Line = Schema.Struct({
  table: Schema.String,
  company: Schema.optionalWith(Schema.String, { exact: true }),
  user: Schema.optionalWith(Schema.String, { exact: true }),
  revision: Schema.optionalWith(Schema.Int, { exact: true }),
  row: Schema.Record({ key: Schema.String, value: Json })
})
export interface Line extends Schema.Schema.Type<typeof Line> {}

/**
 * Reads a resource's rows, after the contract; other rules are checked once all rows are in place. Throws for a value
 * that is not such a row, or holds more than a store keeps.
 */
export const rowOf = (resource: Resource.Any): ((row: Line["row"]) => JsonObject) => {
  const decode = Decoder.make(resource.resource, Schema.Struct(Column.schemas(resource, "contract")))
  return (row) => {
    const whole: JsonObject = Either.getOrThrowWith(decode(row), (malformed) => malformed)
    const long = IndexedText.lengthError(resource, whole)
    if (long !== undefined) throw long
    return whole
  }
}

/** Where a snapshot goes when it is read, in the order of its lines. */
export interface Target {
  readonly header: (header: Header) => unknown
  /** Waited for when it takes time. */
  readonly line: (line: Line) => unknown
}

const decodeHeader = Schema.decodeUnknownSync(Schema.parseJson(Header))
const decodeLine = Schema.decodeUnknownSync(Schema.parseJson(Line))

const newline = (text: string) => `${text}\n`

type Lines = Iterable<string> | AsyncIterable<string>

async function* texts(header: Header, lines: Lines): AsyncGenerator<string> {
  yield newline(JSON.stringify(header))
  for await (const line of lines) yield newline(line)
}

/** Writes a snapshot beside its place and then moves it there, so that nobody sees half of one. */
export const write = (file: string, header: Header, lines: Lines): Effect.Effect<void, SnapshotUnwritable> =>
  Effect.tryPromise({
    try: async (signal) => {
      const partial = `${file}.partial`
      try {
        // It holds digests of keys and secrets of webhooks. It is open before anything can fail, so that nothing is left.
        const handle = await fs.promises.open(partial, "w", 0o600)
        const output = handle.createWriteStream({ flush: true })
        await pipeline(Readable.from(texts(header, lines)), zlib.createGzip(), output, { signal })
        fs.renameSync(partial, file)
      } finally {
        fs.rmSync(partial, { force: true })
      }
    },
    catch: (cause) => new SnapshotUnwritable({ file, cause })
  })

/** The lines of UTF-8 text that arrives in pieces. */
async function* split(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let rest = ""
  for await (const piece of source) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== "") yield rest
}

/** Reads a snapshot into `target`; what `target` throws is laid to the line. */
export const read = (file: string, target: Target): Effect.Effect<void, SnapshotUnreadable> =>
  Effect.tryPromise({
    try: async (signal) => {
      let line = 0
      const counts = new Map<string, number>()
      const take = async (source: AsyncIterable<Uint8Array>) => {
        let announced: Header | undefined
        for await (const text of split(source)) {
          line += 1
          if (announced === undefined) await target.header((announced = decodeHeader(text)))
          else {
            const row = decodeLine(text)
            await target.line(row)
            counts.set(row.table, (counts.get(row.table) ?? 0) + 1)
          }
        }
        line = 0
        compare(announced, counts)
      }
      // Of two streams that fail together, a pipeline may tell that the other one was aborted.
      let fault: unknown
      const consume = (source: AsyncIterable<Uint8Array>) =>
        take(source).catch((cause: unknown) => {
          fault = cause
          throw cause
        })
      try {
        await pipeline(fs.createReadStream(file), zlib.createGunzip(), consume, { signal })
      } catch (cause) {
        throw new SnapshotUnreadable({ file, ...(line === 0 ? {} : { line }), cause: fault ?? cause })
      }
    },
    catch: (cause) => (cause instanceof SnapshotUnreadable ? cause : new SnapshotUnreadable({ file, cause }))
  })

/** Throws unless the rows that came are those that were announced. */
const compare = (header: Header | undefined, counts: ReadonlyMap<string, number>): void => {
  if (header === undefined) throw new Error("it is empty")
  for (const table of new Set([...Object.keys(header.counts), ...counts.keys()])) {
    const found = counts.get(table) ?? 0
    const announced = header.counts[table] ?? 0
    if (found !== announced) throw new Error(`it holds ${found} rows of ${table}, and its header says ${announced}`)
  }
}
