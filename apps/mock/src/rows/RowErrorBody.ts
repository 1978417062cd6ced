/**
 * The wire form of every `RowError`: status, code, message, details, hint and headers. No text repeats a stored value.
 *
 * One file, because it is one table with an entry for each error.
 */
import type { Json } from "@mfgdata/domain/Json"
import type { QueryError } from "@mfgdata/domain/QueryError"
import type * as Wire from "@mfgdata/domain/RowError"
import * as Match from "effect/Match"
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "./RowError.ts"
import * as DatetimeBody from "./DatetimeBody.ts"
import * as OutageBody from "./OutageBody.ts"
import * as QuotaBody from "./response/QuotaBody.ts"
import * as StoppedBody from "./StoppedBody.ts"
import * as AnswerBody from "./response/AnswerBody.ts"

/** The status, the headers and the texts of an error on the wire. */
export interface RowErrorBody {
  readonly status: number
  readonly code: Wire.KnownCode
  readonly message: string
  readonly details?: Json
  readonly hint?: string | null
  readonly headers?: Exchange.Headers
}

const body = (
  status: number,
  code: Wire.KnownCode,
  message: string,
  more: Pick<RowErrorBody, "details" | "hint" | "headers"> = {}
): RowErrorBody => ({ status, code, message, ...more })

const list = (names: ReadonlyArray<string>): string => names.join(", ")

const bearer = (error: string): Exchange.Headers => ({
  "WWW-Authenticate": `Bearer error="invalid_token", error_description=${JSON.stringify(error)}`
})

const unauthorized = (code: Wire.KnownCode, message: string, hint: string): RowErrorBody =>
  body(401, code, message, { hint, headers: bearer(message) })

/** The reason for which a request is not a local one. */
const exposures: { readonly [E in Exchange.Exposure]: string } = {
  address: "the service listens on an address that other machines reach",
  peer: "this one comes from another machine",
  host: "the Host of this one is not a loopback address or localhost",
  origin: "a page of another site sent this one"
}

const beyondLimit = (status: number, message: string, limit: number, hint: string, flag?: string): RowErrorBody =>
  body(status, "54000", message, {
    details: `At most ${limit} bytes are accepted${flag === undefined ? "" : ` (${flag})`}.`,
    hint
  })

const measures = {
  keys: "keys",
  depth: "levels of nested JSON",
  values: "JSON values",
  characters: "characters of one text"
} as const

const rangeUnsatisfied = (details: string, headers: Exchange.Headers = {}): RowErrorBody =>
  body(416, "PGRST103", "Requested range not satisfiable", { details, headers })

const notSingular = (status: 404 | 406, count: number): RowErrorBody =>
  // Older clients compare this message.
  body(status, "PGRST116", "Cannot coerce the result to a single JSON object", {
    details: `The result contains ${count} rows`
  })

const perhaps = (noun: string, name: string | undefined): string | null =>
  name === undefined ? null : `Perhaps you meant ${noun} ${name}.`

/** A query error has its texts already; only the status is added. */
const fromQuery = ({ _tag, code, details, hint, message }: QueryError): RowErrorBody =>
  body(_tag === "LimitNegative" ? 416 : 400, code, message, { details, hint })

const fromText = ({
  column,
  problem,
  shown,
  type
}: Extract<RowError, { readonly _tag: "TextMalformed" }>): RowErrorBody => {
  const details = `The value is for the column "${column}".`
  const isMoment = type === "date" || type === "timestamp with time zone"
  if (problem === "syntax") {
    return body(400, isMoment ? "22007" : "22P02", `invalid input syntax for type ${type}: ${shown}`, { details })
  }
  return isMoment
    ? body(400, "22008", `date/time field value out of range: ${shown}`, { details })
    : body(400, "22003", `value ${shown} is out of range for type ${type}`, { details })
}

/** The body of each error. */
export const make: (error: RowError) => RowErrorBody = Match.type<RowError>().pipe(
  Match.withReturnType<RowErrorBody>(),
  Match.tagsExhaustive({
    KeyMissing: () =>
      body(401, "PGRST302", "Anonymous access is disabled", {
        hint: "Send an API key: Authorization: Bearer mfg_...",
        headers: { "WWW-Authenticate": "Bearer" }
      }),
    KeyInvalid: () =>
      unauthorized(
        "PGRST301",
        "Invalid API key",
        "Check that the key is complete, not revoked, and a key of this service."
      ),
    KeyPublished: ({ exposure }) =>
      unauthorized(
        "PGRST301",
        `The documentation shows this API key, so only local requests may use it, and ${exposures[exposure]}`,
        "Set MFG_MOCK_API_KEY or MFG_MOCK_ADMIN_KEY to a key of your own."
      ),
    KeyExpired: () => unauthorized("PGRST303", "API key expired", "Use a key that has not expired."),
    ScopeMissing: ({ action, resource }) =>
      body(403, "42501", `permission denied for table ${resource}`, {
        details: `The API key lacks the scope ${resource}:${action}.`,
        hint: "Use a key with this scope."
      }),
    WebhookUnreadable: () =>
      body(403, "42501", "permission denied for the table of the webhook", {
        details: "The API key lacks the scope to read the table whose rows the webhook sends.",
        hint: "Use a key with the scope <table>:read, where <table> is the table of the webhook."
      }),
    CompanyForeign: ({ column, own }) =>
      body(403, "42501", `"${column}" must name the company of the API key`, {
        hint: `The API key belongs to the company ${own}.`
      }),

    RateLimited: ({ policy, requests, secondsLeft, windowMillis }) =>
      body(429, "P0429", "Rate limit exceeded", {
        details: `${policy === "key" ? "The API key" : "The company"} has sent ${requests} of ${requests} requests in ${windowMillis / 1000} s (${policy === "key" ? "--rate-limit" : "--quota requests"}).`,
        hint: `Repeat the request after ${secondsLeft} s.`,
        headers: { "Retry-After": String(secondsLeft) }
      }),

    PathUnknown: () =>
      body(404, "PGRST125", "Invalid path specified in request URL", {
        hint: "The path of a resource is its name, without further segments."
      }),
    ResourceUnknown: ({ name, nearest }) =>
      body(404, "PGRST205", `Could not find the table 'public.${name}' in the schema cache`, {
        hint: perhaps("the table", nearest === undefined ? undefined : `'public.${nearest}'`)
      }),
    FunctionUnknown: ({ name }) =>
      body(404, "PGRST202", `Could not find the function public.${name} in the schema cache`, {
        hint: "Functions are not supported: read and write resources."
      }),
    MethodUnsupported: ({ allowed, method }) =>
      body(405, "PGRST117", `Unsupported HTTP method: ${method}`, {
        hint: `Expected one of ${list(allowed)}.`,
        headers: { Allow: list(allowed) }
      }),
    TargetTooLong: ({ limit }) =>
      beyondLimit(414, "The URL is too long", limit, "Send shorter lists in filters, or several requests."),
    BodyTooLarge: ({ isOperation = false, limit }) =>
      isOperation
        ? beyondLimit(413, "The body is too large", limit, "Send fewer or shorter parameters.")
        : beyondLimit(413, "The body is too large", limit, "Send several requests with fewer rows each.", "--max-body"),
    EncodingUnsupported: ({ encoding, supported }) =>
      body(415, "PGRST102", `Content-Encoding not acceptable: ${encoding}`, {
        hint: `Send the body without an encoding, or with one of ${list(supported)}.`,
        headers: { "Accept-Encoding": list(supported) }
      }),
    BodyFragmented: ({ bytes, number }) =>
      body(413, "54000", "The body has too many small pieces", {
        details: `A body with more than ${number} chunks or packets needs ${bytes} bytes in each, on average.`,
        hint: "Send larger chunks, or a body with a Content-Length."
      }),
    BodyUndecodable: ({ encoding }) =>
      body(400, "PGRST102", `The body does not have the encoding ${encoding} of its Content-Encoding`, {
        hint: "Compress the whole body once, or leave out the header Content-Encoding."
      }),
    TooManyRows: ({ limit }) =>
      body(413, "54000", "The body has too many rows", {
        details: `At most ${limit} rows are accepted in one request (--max-batch).`,
        hint: `Send at most ${limit} rows per request.`
      }),
    TooManyValues: ({ limit }) =>
      body(413, "54000", "The body has too many values", {
        details: `At most ${limit} JSON values are accepted in one request.`,
        hint: "Send fewer rows per request."
      }),
    RowTooLarge: ({ limit, measure, row }) =>
      body(413, "54000", `Row ${row} of the body is too large`, {
        details: `At most ${limit} ${measures[measure]} are accepted in a row.`,
        hint: "Send a smaller JSON value, or divide it between several rows."
      }),
    TurnMissed: ({ millis }) =>
      body(503, "P0503", "Too many large requests of the company wait for their turn", {
        details: `One request of a company with a body above 16 KB is handled at a time. This one waited for ${millis} ms, which is a fixed limit.`,
        hint: "Send fewer large bodies at the same time, and repeat this request after the seconds in Retry-After.",
        headers: { "Retry-After": "1" }
      }),
    BodyMemoryFull: ({ bytes, millis }) =>
      body(503, "P0503", "Too many large bodies of the company wait for memory", {
        details: `Bodies above 64 KB share ${bytes} bytes (--body-memory), at most half of them for one company. The body waited for ${millis} ms.`,
        hint: "Send fewer large bodies at the same time, and repeat this request after the seconds in Retry-After.",
        headers: { "Retry-After": "1" }
      }),
    HeadersTooLarge: ({ limit }) =>
      beyondLimit(431, "The headers are too large", limit, "Send fewer or shorter headers."),
    PipelineTooLong: ({ limit }) =>
      body(429, "54000", "Too many requests of the connection wait for responses", {
        details: `At most ${limit} requests of a connection wait for an earlier one. The connection is closed, and no waiting request is repeated.`,
        hint: "Wait for a response before the next request, or use several connections."
      }),
    RequestTooSlow: () =>
      body(408, "57014", "The request took too long to arrive", { hint: "Send a smaller body, or send it faster." }),
    RequestUnreadable: () => body(400, "PGRST102", "The request is not HTTP"),
    HostMissing: () => body(400, "PGRST102", "The request has no Host header"),
    HostMalformed: () =>
      body(400, "PGRST102", "The request does not have one host", {
        hint: "Send one Host header: a name or an address, with the port after a colon."
      }),
    HostForeign: ({ host }) =>
      body(421, "MF421", `The service does not have the host name ${JSON.stringify(host)}`, {
        hint: `Use localhost or an address, or start the service with --allowed-hosts ${host}.`
      }),
    Stopping: () =>
      body(503, "PGRST002", "The service is stopping", {
        hint: "Repeat the request after the seconds in Retry-After.",
        headers: { "Retry-After": "1" }
      }),
    MediaTypeUnavailable: ({ accept }) =>
      body(406, "PGRST107", `None of these media types are available: ${accept}`, {
        hint: "Send Accept: application/json."
      }),
    ProfileUnknown: ({ name }) =>
      body(406, "PGRST106", `Invalid schema: ${name}`, { hint: "Only the following schemas are exposed: public" }),
    PreferencesUnknown: ({ preferences }) =>
      body(400, "PGRST122", "Invalid preferences given with handling=strict", {
        details: `Invalid preferences: ${list(preferences)}`
      }),

    ContentTypeRefused: ({ contentType, hint }) =>
      body(415, "PGRST102", `Content-Type not acceptable: ${contentType}`, {
        hint: hint ?? "Send Content-Type: application/json, text/csv or application/x-www-form-urlencoded."
      }),
    BodyMalformed: ({ reason }) => body(400, "PGRST102", "Empty or invalid json", { details: reason }),
    KeysDiffer: () =>
      body(400, "PGRST102", "All object keys must match", {
        hint: "Send a list of objects with the same keys, or name the columns in the parameter columns."
      }),
    CsvRagged: ({ line }) =>
      body(400, "PGRST102", "All lines must have same number of fields", {
        details: `Row ${line} has a different number of fields than the header.`
      }),

    QueryMalformed: fromQuery,
    QueryTooLarge: fromQuery,
    NotEmbedded: fromQuery,
    EmbedRepeated: fromQuery,
    LimitNegative: fromQuery,
    ListMalformed: fromQuery,
    TextRefused: fromQuery,

    ColumnUnknown: ({ column, nearest, resource }) =>
      body(400, "42703", `column ${resource}.${column} does not exist`, {
        hint: perhaps("to reference the column", nearest === undefined ? undefined : `"${resource}.${nearest}"`)
      }),
    OperatorMismatch: ({ operation }) =>
      body(404, "42883", `operator does not exist: ${operation}`, {
        hint: "No operator matches the given name and argument types. You might need to add explicit type casts."
      }),
    TruthMismatch: ({ truth, type }) =>
      body(400, "42804", `argument of IS ${truth.toUpperCase()} must be type boolean, not type ${type}`),
    TypeUnknown: ({ type }) =>
      body(400, "42704", `type "${type}" does not exist`, {
        hint: "Known types: text, numeric, integer, boolean, date, timestamptz, jsonb."
      }),
    CastImpossible: ({ from, to }) => body(400, "42846", `cannot cast type ${from} to ${to}`),
    CastFailed: ({ casts }) =>
      body(400, "22P02", `invalid input syntax for type ${casts.map(({ type }) => type).join(" or ")}`, {
        details: `A value of ${casts.map(({ column }) => `"${column}"`).join(" or ")} cannot be cast.`
      }),
    LikeRefused: ({ reason }) => body(400, "22025", reason),
    MatchRefused: ({ reason }) => body(400, "2201B", `invalid regular expression: ${reason}`),
    ConfigurationUnknown: ({ configuration }) =>
      body(400, "42704", `text search configuration "${configuration}" does not exist`, {
        hint: "Use the configuration simple, which is the default, or english."
      }),
    SearchMalformed: ({ shown }) => body(400, "42601", `syntax error in tsquery: ${shown}`),
    AggregatesOff: () =>
      body(400, "PGRST123", "Use of aggregate functions is not allowed", {
        hint: "Start the service with aggregates set to on, or aggregate the rows in the client."
      }),
    FunctionMismatch: ({ call }) =>
      body(404, "42883", `function ${call} does not exist`, {
        hint: "No function matches the given name and argument types. You might need to add explicit type casts."
      }),
    NotGrouped: ({ column }) =>
      body(400, "42803", `column "${column}" must appear in the GROUP BY clause or be used in an aggregate function`, {
        hint: `Select the column "${column}" to group by it.`
      }),
    Unsupported: ({ feature, instead }) =>
      body(400, "PGRST127", "Feature not implemented", { details: feature, hint: instead ?? null }),
    RelationshipUnknown: ({ from, hint, nearest, to }) =>
      body(400, "PGRST200", `Could not find a relationship between '${from}' and '${to}' in the schema cache`, {
        details: `Searched for a foreign key relationship between '${from}' and '${to}'${hint === undefined ? "" : ` using the hint '${hint}'`} in the schema 'public', but no matches were found.`,
        hint: nearest === undefined || nearest === to ? null : `Perhaps you meant '${nearest}' instead of '${to}'.`
      }),
    RelationshipAmbiguous: ({ candidates, from, hints, to }) =>
      body(300, "PGRST201", `Could not embed because more than one relationship was found for '${from}' and '${to}'`, {
        details: candidates,
        hint: `Try changing '${to}' to one of the following: ${hints.map((hint) => `'${hint}'`).join(", ")}. Find the desired relationship in the 'details' key.`
      }),
    EmbedCompared: ({ name }) =>
      body(400, "PGRST120", `Bad operator on the '${name}' embedded resource`, {
        details: "Only is null or not is null filters are allowed on embedded resources"
      }),
    OrderToMany: ({ embed, from }) =>
      body(400, "PGRST118", `A related order on '${embed}' is not possible`, {
        details: `'${from}' and '${embed}' do not form a many-to-one or one-to-one relationship`
      }),
    RangeInverted: () =>
      rangeUnsatisfied("The lower boundary must be lower than or equal to the upper boundary in the Range header."),
    RangeBeyond: ({ offset, total }) =>
      rangeUnsatisfied(`An offset of ${offset} was requested, but there are only ${total} rows.`, {
        "Content-Range": `*/${total}`
      }),

    AnswerTooLarge: AnswerBody.make,
    GroupsTooLarge: AnswerBody.make,
    EmbedTooLarge: AnswerBody.make,
    FilterTooLarge: ({ counted, limit }) =>
      body(400, "PGRST100", `the query is too large: expected at most ${limit} conditions`, {
        details: `The filters have ${list(counted)}, which all count as conditions.`,
        hint: "Send several requests with fewer conditions each."
      }),
    RowsTooLarge: AnswerBody.make,

    TextMalformed: fromText,
    TypeMismatch: ({ actual, column, expected }) =>
      body(400, "22P02", `invalid value for column "${column}": expected ${expected}, got ${actual}`),
    TextFlawed: ({ column, flaw }) =>
      body(400, "22P05", "unsupported Unicode escape sequence", {
        details: `The value of the column "${column}" holds ${flaw}.`
      }),
    TextTooLong: ({ column, most }) =>
      body(400, "54000", `value too long for column "${column}"`, {
        details: `At most ${most.characters} characters and ${most.bytes} bytes are accepted in a key, a reference or a column of a unique rule.`
      }),
    VocabularyValueUnknown: ({ column, known, shown, vocabulary }) =>
      body(400, "22P02", `invalid input value for enum "${vocabulary}": ${shown}`, {
        details: `The value is for the column "${column}".`,
        hint: `Known values: ${list(known)}.`
      }),

    FieldUnknown: ({ field, nearest, resource }) =>
      body(400, "PGRST204", `Could not find the '${field}' column of '${resource}' in the schema cache`, {
        hint: perhaps("the column", nearest === undefined ? undefined : `'${nearest}'`)
      }),
    FieldSetByService: ({ column, writing }) =>
      body(
        400,
        "428C9",
        writing === "insert"
          ? `cannot insert a non-DEFAULT value into column "${column}"`
          : `column "${column}" can only be updated to DEFAULT`,
        { details: `The service sets the column "${column}".` }
      ),
    RequiredMissing: ({ columns, resource }) =>
      body(
        400,
        "23502",
        `null value in column "${columns[0]}" of relation "${resource}" violates not-null constraint`,
        {
          details: `Required and without a value: ${list(columns)}.`
        }
      ),
    FilterMissing: ({ statement }) =>
      body(400, "21000", `${statement} requires a WHERE clause`, {
        hint: "Add a filter to the URL, such as ?id=eq.<id>."
      }),
    PutFiltered: () =>
      body(405, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators", {
        hint: "Filter by the key alone, such as ?id=eq.<id>."
      }),
    PutPaged: () =>
      body(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT", {
        hint: "Remove the parameters limit and offset."
      }),
    PutKeyDiffers: () =>
      body(400, "PGRST115", "Payload values do not match URL in primary key column(s)", {
        hint: "Send the same key in the body and in the URL."
      }),
    ConflictTargetUnknown: () =>
      body(400, "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification", {
        hint: "Name the key in on_conflict, or leave on_conflict out."
      }),
    ConflictRepeated: () =>
      body(400, "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time", {
        hint: "Ensure that no rows proposed for insertion within the same command have duplicate constrained values."
      }),

    WebhookMissing: ({ id }) => body(404, "PGRST116", `No webhook has the id ${JSON.stringify(id)}`),
    WebhookSecretShown: () =>
      body(409, "MF409", "The secret of the webhook was already shown", {
        hint: "Ask the administrator to roll it: mfg-mock webhooks roll <id>."
      }),
    DatetimeMalformed: DatetimeBody.make,
    PositionMalformed: DatetimeBody.make,
    DatetimeFuture: DatetimeBody.make,
    DatetimeWrite: DatetimeBody.make,
    HistoryMissing: DatetimeBody.make,
    IdempotencyKeyMalformed: ({ longest }) =>
      body(400, "MF400", "The Idempotency-Key cannot be used", {
        details: `Expected 1 to ${longest} printable ASCII characters.`
      }),
    IdempotencyKeyReused: () =>
      body(422, "MF422", "The Idempotency-Key was used for another request", {
        hint: "Repeat the request as it was first sent, or send another key."
      }),

    RowAbsent: () => notSingular(404, 0),
    NotSingular: ({ count }) => notSingular(406, count),
    TooManyAffected: ({ count }) =>
      body(400, "PGRST124", "Query result exceeds max-affected preference constraint", {
        details: `The query affects ${count} rows`
      }),

    Duplicate: ({ columns, constraint }) =>
      body(409, "23505", `duplicate key value violates unique constraint "${constraint}"`, {
        details: `Key (${list(columns)}) already exists.`
      }),
    ParentMissing: ({ column, field, parent, resource }) =>
      body(
        409,
        "23503",
        `insert or update on table "${resource}" violates foreign key constraint "${resource}_${column}_fkey"`,
        {
          details: `Key (${column}) is not present in table "${parent}".`,
          hint: `"${column}" must name the "${field}" of a ${parent}.`
        }
      ),
    StillReferenced: ({ child, column, field, resource }) =>
      body(
        409,
        "23503",
        `update or delete on table "${resource}" violates foreign key constraint "${child}_${column}_fkey" on table "${child}"`,
        { details: `Key (${field}) is still referenced from table "${child}".` }
      ),
    CheckFailed: ({ check, resource }) =>
      body(400, "23514", `new row for relation "${resource}" violates check constraint "${check}"`),
    QuotaExceeded: QuotaBody.make,
    ChangeTooLarge: ({ limit }) =>
      body(413, "54000", "The filter matches too many rows for one request", {
        details: `At most ${limit} rows are changed or deleted by one request (--max-batch).`,
        hint: `Narrow the filter, so that each request changes at most ${limit} rows.`
      }),
    TooManyDeliveries: ({ count, limit }) =>
      body(413, "54000", "The request has too many webhook deliveries", {
        details: `It would create ${count} deliveries, one of each row for each subscribed webhook. At most ${limit} are accepted in one request.`,
        hint: "Send several requests with fewer rows each, or deactivate webhooks of the table."
      }),
    PreconditionFailed: () =>
      body(412, "MF412", "The row is not in the state that the request expects", {
        hint: "Read the row, and repeat the request with its ETag in If-Match."
      }),
    StoreUnavailable: (error) =>
      error.stopped === undefined ? OutageBody.make(error) : StoppedBody.make(error.stopped),
    QueryStopped: ({ reason }) => StoppedBody.make(reason),
    FaultInjected: ({ status }) =>
      body(status, "MF599", `A fault rule responds with ${status}`, {
        hint: "The header Mfg-Fault has the id of the rule."
      }),
    FaultMalformed: ({ expected }) =>
      body(400, "MF400", "The header Mfg-Fault cannot be used", { details: `Expected ${expected}.` }),
    Defect: () => body(500, "XX000", "Internal server error")
  })
)

/** The `Vary` of every response of the row interface. */
export const vary = "Accept, Prefer, Range, Accept-Profile, Content-Profile, Accept-Datetime, Authorization"

/** The response to a request that is refused. */
export const toResponse = (error: RowError): Exchange.Response => {
  const { code, details = null, headers, hint = null, message, status } = make(error)
  return {
    status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      Vary: vary,
      // Clients of PostgREST read the code from this header.
      "Proxy-Status": `PostgREST; error=${code}`,
      ...headers
    },
    body: JSON.stringify({ code, details, hint, message })
  }
}
