/**
 * The portable snapshot: gzipped lines of JSON, a header and then every row of every table in the order of creation, the
 * same for both databases. Rows of resources have their wire form, so that the file does not depend on the types of a
 * database.
 * One file, because the lines of rows and the file that has them are one format.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Decoder from "@mfgdata/domain/Decoder"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import { Json, type JsonObject } from "@mfgdata/domain/Json"
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as zlib from "node:zlib"
import * as PastRow from "../sql/PastRow.ts"
import type { Value } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import * as IndexedText from "../sql/text/IndexedText.ts"
import * as StoredRow from "./StoredRow.ts"
import * as Reason from "../Reason.ts"

/** The file could not be written. */
export class SnapshotUnwritable extends Data.TaggedError("SnapshotUnwritable")<{
  readonly file: string
  readonly cause: unknown
}> {
  override get message() {
    return `The snapshot ${this.file} cannot be written: ${Reason.ofCause(this.cause)}`
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
    return `The snapshot ${this.file}${place} cannot be read: ${Reason.ofCause(this.cause)}`
  }
}

/** The name of the format in a header. */
const format = "mfgdata-snapshot"

/** The version of the format that is written, and the newest that is read. */
const version = 1

/** The clock of the world that was saved: how far ahead of the machine's it is, or the time at which it is frozen. */
export const ClockState = Schema.Struct({ aheadMillis: Schema.Number, frozenAt: Schema.NullOr(Schema.Number) })
export type ClockState = typeof ClockState.Type

/** The name of the clock in the metadata. */
export const clockName = "clock"

/** The first line. */
export const Header = Schema.Struct({
  format: Schema.Literal(format),
  version: Schema.Int.pipe(
    Schema.filter((found) => found <= version || `this version of mfg-mock reads snapshots up to version ${version}`)
  ),
  ruleSet: Schema.Literal("contract", "public"),
  /** The id of the key that its secrets are encrypted with. */
  secretKey: Schema.optionalWith(Schema.String, { exact: true }),
  clock: Schema.optionalWith(ClockState, { exact: true }),
  /** The number of rows of each table. */
  counts: Schema.Record({ key: Schema.String, value: Schema.NonNegativeInt })
})
export interface Header extends Schema.Schema.Type<typeof Header> {}

export const header = (ruleSet: RuleSet, counts: Header["counts"], secretKey?: string, clock?: ClockState): Header => ({
  format,
  version,
  ruleSet,
  ...(secretKey === undefined ? {} : { secretKey }),
  ...(clock === undefined ? {} : { clock }),
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

/**
 * Every other line: a row of a resource with its owner, revision and number in the order of creation, present or past, or
 * a row of a service table.
 */
export const Line = Schema.Struct({
  table: Schema.String,
  company: Schema.optionalWith(Schema.String, { exact: true }),
  user: Schema.optionalWith(Schema.String, { exact: true }),
  revision: Schema.optionalWith(Schema.Int, { exact: true }),
  sequence: Schema.optionalWith(Schema.Int, { exact: true }),
  /** The change that overwrote or deleted a past row. */
  change: Schema.optionalWith(Schema.Int, { exact: true }),
  /** Set for a row of another service that is not one of the contract. */
  asItCame: Schema.optionalWith(Schema.Boolean, { exact: true }),
  row: Schema.Record({ key: Schema.String, value: Json })
})
export interface Line extends Schema.Schema.Type<typeof Line> {}

/** A row of a resource: its document, and the values of the columns of its table. */
interface ResourceRow {
  readonly document: JsonObject
  readonly columns: JsonObject
}

const contractRow = Memo.make((resource: Resource.Any) =>
  Decoder.make(resource.resource, Schema.Struct(Column.schemas(resource, "contract")))
)

/**
 * Reads the rows of a resource. They must be rows of the contract, unless the line says otherwise; other rules are checked
 * after all rows are stored. Throws for a value that is not such a row, or whose text is longer than an index allows.
 */
export const rowOf = (resource: Resource.Any): ((line: Pick<Line, "row" | "asItCame">) => ResourceRow) => {
  const decode = contractRow(resource)
  return ({ asItCame = false, row }) => {
    if (!asItCame) Either.getOrThrowWith(decode(row), (malformed) => malformed)
    const columns = asItCame ? StoredRow.columns(resource, row) : row
    const long = IndexedText.lengthError(resource, columns)
    if (long !== undefined) throw long
    return { document: row, columns }
  }
}

/** A table of the rows of a resource, or of its past ones. */
export interface RowTable {
  readonly resource: Resource.Any
  readonly isPast: boolean
  /** The hidden columns: the document, the revision, the number, the change of a past row, and the owner. */
  readonly hidden: ReadonlyArray<string>
}

const rowTables = new Map(
  Catalogue.resources.flatMap((resource): ReadonlyArray<readonly [string, RowTable]> => {
    const [first, rest] = [[Table.document, Table.revision, Table.sequence], Table.ownerColumns(resource)]
    return [
      [resource.resource, { resource, isPast: false, hidden: [...first, ...rest] }],
      [PastRow.tableName(resource), { resource, isPast: true, hidden: [...first, PastRow.change, ...rest] }]
    ]
  })
)

/** The table of rows with a name; undefined for a table of the service. */
export const rowTable = (name: string): RowTable | undefined => rowTables.get(name)

/** The line of a row, from the values of its hidden columns. */
export const toLine = (table: string, { isPast, resource }: RowTable, values: ReadonlyArray<Value>): string => {
  const [document, revision, sequence, ...others] = values
  const [change, company, user] = isPast ? others : [undefined, ...others]
  const isForeseen = isPast || Either.isRight(contractRow(resource)(JSON.parse(String(document))))
  const asItCame = isForeseen ? undefined : true
  // The document is JSON already.
  return `${JSON.stringify({ table, company, user, revision, sequence, change, asItCame }).slice(0, -1)},"row":${document}}`
}

/** The row of a line. A past row lacks its sensitive values, which the contract may require. */
export const decoderOf = ({ isPast, resource }: RowTable): ((line: Line) => ResourceRow) =>
  isPast ? ({ row }) => ({ document: row, columns: StoredRow.fitting(resource, row) }) : rowOf(resource)

/** The values of the hidden columns besides the document; null for a number that the database gives. */
export const hiddenOf = (
  { isPast, resource }: RowTable,
  { change, company, revision = 1, sequence, user }: Line
): { readonly [column: string]: Value } => {
  const owners = Table.ownerColumns(resource).map((name, index) => [name, (index === 0 ? company : user) ?? null])
  return {
    [Table.revision]: revision,
    [Table.sequence]: sequence ?? null,
    ...(isPast ? { [PastRow.change]: change ?? null } : {}),
    ...Object.fromEntries(owners)
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

/** The beginning of the names of temporary folders, in which snapshots are made. */
export const scratchPrefix = ".mfg-mock-"

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
