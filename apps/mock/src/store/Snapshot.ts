/**
 * The portable snapshot: gzipped lines of JSON, a header and then every row of every table in the order of creation, the
 * same for both databases. Rows of resources have their wire form, so that the file does not depend on the types of a
 * database.
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
    return `The snapshot ${this.file} cannot be written: ${reason(this.cause)}`
  }
}

/** The file is not a snapshot, or this version or this store cannot restore it. */
export class SnapshotUnreadable extends Data.TaggedError("SnapshotUnreadable")<{
  readonly file: string
  /** The number of the invalid line, from 1. */
  readonly line?: number
  readonly cause: unknown
}> {
  override get message() {
    const place = this.line === undefined ? "" : `, line ${this.line}`
    return `The snapshot ${this.file}${place} cannot be read: ${reason(this.cause)}`
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
  /** The id of the key that its secrets are encrypted with. */
  secretKey: Schema.optionalWith(Schema.String, { exact: true }),
  /** The number of rows of each table. */
  counts: Schema.Record({ key: Schema.String, value: Schema.NonNegativeInt })
})
export interface Header extends Schema.Schema.Type<typeof Header> {}

export const header = (ruleSet: RuleSet, counts: Header["counts"], secretKey?: string): Header => ({
  format,
  version,
  ruleSet,
  ...(secretKey === undefined ? {} : { secretKey }),
  counts
})

/** The reason why a store cannot use the secrets of a snapshot. A snapshot without a key is encrypted afterwards. */
export const keyProblem = (needed: string | undefined, given: string | undefined): Error | undefined =>
  needed === undefined || needed === given
    ? undefined
    : new Error(
        `its secrets are encrypted with the key ${needed}, and this store has ${given === undefined ? "no key" : `the key ${given}`}: ` +
          `restore it into a store whose MFG_MOCK_SECRET_KEY is the key ${needed}`
      )

/** Every other line: a row of a resource with its owner and revision, or a row of a service table. */
export const Line = Schema.Struct({
  table: Schema.String,
  company: Schema.optionalWith(Schema.String, { exact: true }),
  user: Schema.optionalWith(Schema.String, { exact: true }),
  revision: Schema.optionalWith(Schema.Int, { exact: true }),
  row: Schema.Record({ key: Schema.String, value: Json })
})
export interface Line extends Schema.Schema.Type<typeof Line> {}

/**
 * Decodes the rows of a resource by the contract; other rules are checked after all rows are stored. Throws for a value
 * that is not such a row, or whose text is longer than an index allows.
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

/** The consumer of a snapshot, called in the order of its lines. */
export interface Target {
  readonly header: (header: Header) => unknown
  /** Reading waits for a promise that it returns. */
  readonly line: (line: Line) => unknown
}

const decodeHeader = Schema.decodeUnknownSync(Schema.parseJson(Header))
const decodeLine = Schema.decodeUnknownSync(Schema.parseJson(Line))

/** The application id in the header of a database that is a snapshot, and its place. A store has another one. */
export const applicationId = 0x6d66676d
const applicationIdAt = 68

/** The number of bytes of a compressed snapshot that hold more than its header. */
const headerBytes = 64 * 1024

/** Reports whether a file is a snapshot in one of the two forms. */
export const is = (file: string): boolean => {
  if (!fs.statSync(file).isFile()) return false
  const start = Buffer.alloc(headerBytes)
  const descriptor = fs.openSync(file, "r")
  let length: number
  try {
    length = fs.readSync(descriptor, start)
  } finally {
    fs.closeSync(descriptor)
  }
  if (start.toString("latin1", 0, 15) === "SQLite format 3")
    return start.readUInt32BE(applicationIdAt) === applicationId
  try {
    const text = zlib.gunzipSync(start.subarray(0, length), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString()
    decodeHeader(text.slice(0, text.indexOf("\n")))
    return true
  } catch {
    return false
  }
}

const newline = (text: string) => `${text}\n`

type Lines = Iterable<string> | AsyncIterable<string>

async function* texts(header: Header, lines: Lines): AsyncGenerator<string> {
  yield newline(JSON.stringify(header))
  for await (const line of lines) yield newline(line)
}

/** Writes a snapshot to a temporary file, then renames it, so that the file is never incomplete. */
export const write = (file: string, header: Header, lines: Lines): Effect.Effect<void, SnapshotUnwritable> =>
  Effect.tryPromise({
    try: async (signal) => {
      const partial = `${file}.partial`
      try {
        // The file contains digests of keys and secrets of webhooks, so only its owner may read it.
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

/** Splits chunks of UTF-8 into lines. */
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

/** Reads a snapshot into `target`; an error that `target` throws gets the number of the line. */
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
      // When two streams fail together, the pipeline may report the abort of the other one instead of the cause.
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

/** Throws unless the numbers of rows are those of the header. */
const compare = (header: Header | undefined, counts: ReadonlyMap<string, number>): void => {
  if (header === undefined) throw new Error("it is empty")
  for (const table of new Set([...Object.keys(header.counts), ...counts.keys()])) {
    const found = counts.get(table) ?? 0
    const announced = header.counts[table] ?? 0
    if (found !== announced) throw new Error(`it holds ${found} rows of ${table}, and its header says ${announced}`)
  }
}
