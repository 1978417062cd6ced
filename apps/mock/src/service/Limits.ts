/**
 * The table of the limits of requests, their values, and the refusals past them. docs/limits.md and the description of
 * the service are generated from it. A value is declared where it is enforced; flags are declared in `Settings`.
 *
 * One file, because it is one table.
 */
import * as HttpAddress from "@mfgdata/domain/HttpAddress"
import * as Json from "@mfgdata/domain/Json"
import * as QueryError from "@mfgdata/domain/QueryError"
import type { KnownCode } from "@mfgdata/domain/RowError"
import * as Idempotency from "../rows/Idempotency.ts"
import * as LargeRequests from "../rows/LargeRequests.ts"
import * as LevelPlan from "../rows/plan/LevelPlan.ts"
import * as PageLimit from "../rows/plan/PageLimit.ts"
import * as SelectPlan from "../rows/plan/SelectPlan.ts"
import * as JsonScan from "../rows/request/JsonScan.ts"
import * as RowStatement from "../rows/RowStatement.ts"
import * as StoppedBody from "../rows/StoppedBody.ts"
import * as WriteBound from "../rows/WriteBound.ts"
import * as Settings from "../Settings.ts"
import * as Aggregation from "../sql/read/Aggregation.ts"
import * as Containment from "../sql/read/Containment.ts"
import * as Deliveries from "../sql/write/Deliveries.ts"
import * as IndexedText from "../sql/text/IndexedText.ts"
import * as Pattern from "../sql/text/Pattern.ts"
import * as TextQuery from "../sql/text/TextQuery.ts"
import * as TextSearch from "../sql/text/TextSearch.ts"
import * as Places from "../store/waiting/Places.ts"
import * as ReaderPool from "../store/sqlite/readers/ReaderPool.ts"
import * as Admission from "./Admission.ts"

/** The limits of a request before its body, which the server enforces. */
export const http = {
  headerBytes: 16 * 1024,
  targetBytes: 8 * 1024,
  headersMillis: 10_000,
  requestMillis: 30_000,
  pipelined: 100
}

/** The limits of bodies that arrive in pieces, which the server enforces. */
export const pieces = {
  /** The memory for bodies up to 64 KiB. */
  memoryBytes: 32 * 1024 * 1024,
  /** The number of pieces above which their mean size counts. */
  number: 1024,
  /** The least mean size: each piece takes the time and the memory of a large one. */
  bytes: 16
}

export interface Limit {
  /** The limited quantity. */
  readonly subject: string
  /** The value, or the default of its flag. */
  readonly value: string
  /** The flag that sets the value, with its dashes; the value of a limit without one is fixed. */
  readonly flag?: string
  /** The status and the code of a refusal; absent where requests wait, connections close, or responses have fewer rows. */
  readonly refusal?: readonly [status: number, code: KnownCode]
  /** A request to send instead. */
  readonly instead: string
}

const bytes = (count: number): string => (count % 1024 === 0 ? `${count / 1024} KiB` : `${count} bytes`)
const seconds = (millis: number): string => `${millis / 1000} s`

/** The value and the flag of a setting. */
const setting = (name: Settings.Name): Pick<Limit, "value" | "flag"> => ({
  value: Settings.settings[name].default ?? "none",
  flag: `--${Settings.flag(name)}`
})

const smallerRow = "Send a smaller JSON value, or divide it between several rows."
const smallerPattern = "Send a shorter pattern, or filter with `ilike` or full-text search."

/** The limits by the part of a request that they concern. */
export const groups: { readonly [group: string]: ReadonlyArray<Limit> } = {
  Requests: [
    {
      subject: "connections of all clients; further ones are closed",
      ...setting("maxConnections"),
      instead: "Keep connections open for several requests, and close idle ones."
    },
    {
      subject: "size of the headers",
      value: bytes(http.headerBytes),
      refusal: [431, "54000"],
      instead: "Send fewer or shorter headers."
    },
    {
      subject: "size of the URL",
      value: bytes(http.targetBytes),
      refusal: [414, "54000"],
      instead: "Send shorter lists in filters, or several requests."
    },
    {
      subject: "time to receive the headers",
      value: seconds(http.headersMillis),
      refusal: [408, "57014"],
      instead: "Send the request over a faster connection."
    },
    {
      subject: "time to receive the whole request",
      value: seconds(http.requestMillis),
      refusal: [408, "57014"],
      instead: "Send a smaller body, or send it faster."
    },
    {
      subject: "requests that wait on a connection for the response to one before (pipelining)",
      value: String(http.pipelined),
      refusal: [429, "54000"],
      instead: "Wait for a response before the next request, or use several connections."
    },
    {
      subject: "requests of a key in a time",
      ...setting("rateLimit"),
      refusal: [429, "P0429"],
      instead: "Repeat the request after the seconds in `Retry-After`."
    },
    {
      subject: "requests of a company in a time, in the part `requests`",
      ...setting("quota"),
      refusal: [429, "P0429"],
      instead: "Repeat the request after the seconds in `Retry-After`."
    },
    {
      subject: "rows, bytes and webhooks of a company, in the parts `rows`, `bytes` and `webhooks`",
      ...setting("quota"),
      refusal: [403, "53400"],
      instead: "Delete rows or webhooks, or ask the operator of the service for a larger quota."
    },
    {
      subject: "webhooks of a company, also without a quota",
      value: String(Settings.mostWebhooks),
      refusal: [403, "53400"],
      instead: "Delete webhooks."
    },
    {
      subject: "length of an `Idempotency-Key`",
      value: `${Idempotency.longest} printable ASCII characters`,
      refusal: [400, "MF400"],
      instead: "Send a shorter key, such as a UUID."
    }
  ],
  Bodies: [
    {
      subject: "size of a body",
      ...setting("maxBody"),
      refusal: [413, "54000"],
      instead: "Send several requests with fewer rows each."
    },
    {
      subject: "size of the body of an operation, of a user or an administrator",
      value: bytes(Admission.operationBytes),
      refusal: [413, "54000"],
      instead: "Send fewer or shorter parameters."
    },
    {
      subject: "memory for bodies above 64 KiB, of which one company gets half",
      ...setting("bodyMemory"),
      refusal: [503, "P0503"],
      instead: "Send fewer large bodies at the same time; repeat the request after the seconds in `Retry-After`."
    },
    {
      subject: "memory for smaller bodies that arrive in pieces, of which one company gets half",
      value: bytes(pieces.memoryBytes),
      refusal: [503, "P0503"],
      instead: "Send fewer bodies at the same time; repeat the request after the seconds in `Retry-After`."
    },
    {
      subject: `least mean size of the chunks or packets of a body that has more than ${pieces.number}`,
      value: bytes(pieces.bytes),
      refusal: [413, "54000"],
      instead: "Send larger chunks, or a body with a `Content-Length`."
    },
    {
      subject: "time in which a request with a body above 16 KiB waits for the others of the company",
      value: seconds(LargeRequests.waitMillis),
      refusal: [503, "P0503"],
      instead: "Send fewer large bodies at the same time; repeat the request after the seconds in `Retry-After`."
    },
    {
      subject: "rows that a request writes, changes or deletes",
      ...setting("maxBatch"),
      refusal: [413, "54000"],
      instead: "Send several requests with fewer rows each, or narrow the filter."
    },
    {
      subject: "webhook deliveries of a request: rows times subscribed webhooks",
      value: String(Deliveries.most),
      refusal: [413, "54000"],
      instead: "Send several requests with fewer rows each, or deactivate webhooks of the table."
    },
    {
      subject: "JSON values of a body",
      value: String(JsonScan.limits.values),
      refusal: [413, "54000"],
      instead: "Send several requests with fewer rows each."
    },
    {
      subject: "JSON values of a row",
      value: String(JsonScan.limits.valuesOfRow),
      refusal: [413, "54000"],
      instead: smallerRow
    },
    {
      subject: "keys of a row",
      value: String(JsonScan.limits.keysOfRow),
      refusal: [413, "54000"],
      instead: smallerRow
    },
    {
      subject: "characters of a text as it is sent, or of a form",
      value: String(JsonScan.limits.charactersOfText),
      refusal: [413, "54000"],
      instead: "Send a shorter text, or divide it between several rows."
    },
    {
      subject: "nested levels of a JSON value",
      value: String(Json.maximumDepth),
      refusal: [413, "54000"],
      instead: smallerRow
    },
    {
      subject: "a key, a reference, or a text of a unique rule",
      value: `${IndexedText.most.characters} characters and ${IndexedText.most.bytes} bytes`,
      refusal: [400, "54000"],
      instead: "Send a shorter value."
    },
    {
      subject: "length of the address of a webhook",
      value: `${HttpAddress.longest} characters`,
      refusal: [400, "22P02"],
      instead: "Send a shorter address."
    },
    {
      subject: "writes of a company that wait for the disk",
      value: String(Places.ofCompany),
      refusal: [503, "PGRST003"],
      instead: "Send fewer requests at the same time; repeat the request after the seconds in `Retry-After`."
    }
  ],
  Queries: [
    {
      subject: "time in which a large query waits and runs",
      ...setting("statementTimeout"),
      refusal: [504, "57014"],
      instead: StoppedBody.smaller
    },
    {
      subject: "memory of the database on SQLite",
      ...setting("maxMemory"),
      refusal: [503, "53200"],
      instead: StoppedBody.smaller
    },
    {
      subject: "connections for large queries on SQLite, of which one company gets half",
      ...setting("readers"),
      instead: "Send fewer large queries at the same time."
    },
    {
      subject: "large queries that wait on SQLite, of which one company has half",
      value: String(ReaderPool.places),
      refusal: [503, "P0503"],
      instead: "Send fewer large queries at the same time; repeat the request after the seconds in `Retry-After`."
    },
    {
      subject: "small reads of a company that wait on PostgreSQL",
      value: String(Places.ofCompany),
      refusal: [503, "P0503"],
      instead: "Send fewer queries at the same time; repeat the request after the seconds in `Retry-After`."
    },
    {
      subject: "filters, with `and` and `or`",
      value: String(QueryError.bounds.filters),
      refusal: [400, "PGRST100"],
      instead: QueryError.remedies.filters
    },
    {
      subject: "nested levels of `and` and `or`",
      value: String(QueryError.bounds.depth),
      refusal: [400, "PGRST100"],
      instead: QueryError.remedies.depth
    },
    {
      subject: "nested levels of embeds",
      value: String(QueryError.bounds.embeds),
      refusal: [400, "PGRST100"],
      instead: QueryError.remedies.embeds
    },
    {
      subject: "embeds of a level",
      value: String(LevelPlan.maximumEmbeds),
      refusal: [400, "PGRST127"],
      instead: LevelPlan.instead.embeds
    },
    {
      subject: "values that spread embeds add to a row",
      value: String(LevelPlan.maximumSpread),
      refusal: [400, "PGRST127"],
      instead: LevelPlan.instead.spread
    },
    {
      subject: "values of a group with aggregates",
      value: String(SelectPlan.maximumGroup),
      refusal: [400, "PGRST127"],
      instead: SelectPlan.fewerValues
    },
    {
      subject: "scalars, objects and lists in the value of `cs`, `cd` or `ov`",
      value: String(Containment.maximumSize),
      refusal: [400, "PGRST127"],
      instead: QueryError.remedies.filters
    },
    {
      subject: "characters and sets of a `match` pattern, with its repetitions written out",
      value: String(Pattern.maximumSize),
      refusal: [400, "2201B"],
      instead: smallerPattern
    },
    {
      subject: "embeds of all levels",
      value: String(LevelPlan.maximumTables),
      refusal: [400, "PGRST127"],
      instead: LevelPlan.instead.tables
    },
    {
      subject: "states of a text that a pattern follows at the same time",
      value: String(Pattern.maximumWidth),
      refusal: [400, "2201B"],
      instead: smallerPattern
    },
    {
      subject: "characters after a `%` or `*` of a `like` pattern",
      value: String(Pattern.maximumRun),
      refusal: [400, "22025"],
      instead: "Send a shorter pattern."
    },
    {
      subject: "phrases that a full-text query forms with `<->`",
      value: String(TextQuery.maximumPhrases),
      refusal: [400, "PGRST127"],
      instead: "Search for fewer alternatives inside phrases."
    },
    {
      subject: "words of a full-text query in the configuration `english`",
      value: String(TextSearch.maximumEnglish),
      refusal: [400, "PGRST127"],
      instead: "Search for fewer words, or in the configuration `simple`."
    }
  ],
  Responses: [
    {
      subject: "size of a response with rows",
      ...setting("maxAnswer"),
      refusal: [413, "54000"],
      instead: "Send a smaller `limit`, also for embeds, or select fewer columns."
    },
    {
      subject:
        "memory for responses that clients have not read: large queries of a company wait while its own take a quarter of it",
      ...setting("answerMemory"),
      refusal: [503, "P0503"],
      instead: "Read responses before you send further requests; repeat the request after the seconds in `Retry-After`."
    },
    {
      subject: `size of the groups of all pages with aggregates, each ${Aggregation.groupBytes} bytes and the values that it is grouped by`,
      ...setting("maxAnswer"),
      refusal: [413, "54000"],
      instead: "Filter, so that fewer groups remain, or group by columns with fewer or shorter values."
    },
    {
      subject: "embedded rows of a response, each counted as often as it appears",
      value: String(RowStatement.mostEmbedded),
      refusal: [413, "54000"],
      instead: "Send a smaller `limit` for the embed that the refusal names."
    },
    {
      subject: "embedded rows in the response to a write",
      value: String(WriteBound.mostEmbedded),
      refusal: [413, "54000"],
      instead: "Write without embeds, and read the rows in another request."
    },
    {
      subject: "size of the response to a write that selects a column several times, or casts",
      value: bytes(WriteBound.mostRepeated),
      refusal: [413, "54000"],
      instead: "Select each column once, or write with `Prefer: return=minimal` and read the rows in another request."
    },
    {
      subject: "rows of a list without a `limit`",
      ...setting("maxRows"),
      instead: "Request the next page, with `offset` or `Range`."
    },
    {
      subject: "rows of a list with a `limit`",
      value: `${PageLimit.largest}, or \`--max-rows\` if that is larger`,
      instead: "Request the next page, with `offset` or `Range`."
    }
  ]
}
