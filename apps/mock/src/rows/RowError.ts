/**
 * Every way in which the row interface refuses, as facts, and the one table that says what each is on the wire:
 * status, code and words. No text repeats what a row holds.
 */
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type { QueryError } from "@mfgdata/domain/QueryError"
import type * as Wire from "@mfgdata/domain/RowError"
import type * as Scope from "@mfgdata/domain/Scope"
import * as Match from "effect/Match"
import type * as Exchange from "../Exchange.ts"
import type { StoreRefusal } from "../sql/Change.ts"
import type { StoreUnavailable } from "../store/Store.ts"

/** Who calls, and what they may do. */
type Denial =
  | { readonly _tag: "KeyMissing" }
  | { readonly _tag: "KeyInvalid" }
  | { readonly _tag: "KeyExpired" }
  | { readonly _tag: "ScopeMissing"; readonly resource: string; readonly action: Scope.Action }
  | { readonly _tag: "CompanyForeign"; readonly column: string; readonly own: string }
  | { readonly _tag: "RateLimited"; readonly secondsLeft: number }

/** Where the request went, and how. */
type Misdirection =
  | { readonly _tag: "PathUnknown" }
  | { readonly _tag: "ResourceUnknown"; readonly name: string; readonly nearest: string | undefined }
  | { readonly _tag: "FunctionUnknown"; readonly name: string }
  | { readonly _tag: "MethodUnsupported"; readonly method: string; readonly allowed: ReadonlyArray<string> }
  | { readonly _tag: "TargetTooLong"; readonly limit: number }
  | { readonly _tag: "BodyTooLarge"; readonly limit: number }
  | { readonly _tag: "HeadersTooLarge"; readonly limit: number }
  | { readonly _tag: "RequestTooSlow" }
  | { readonly _tag: "RequestUnreadable" }
  | { readonly _tag: "HostMissing" }
  | { readonly _tag: "Stopping" }
  | { readonly _tag: "MediaTypeUnavailable"; readonly accept: string }
  | { readonly _tag: "ProfileUnknown"; readonly name: string }
  | { readonly _tag: "PreferencesUnknown"; readonly preferences: ReadonlyArray<string> }

/** A body that cannot be read as rows. */
type BodyError =
  | { readonly _tag: "ContentTypeRefused"; readonly contentType: string; readonly hint: string | null }
  | { readonly _tag: "BodyMalformed"; readonly reason: string }
  | { readonly _tag: "KeysDiffer" }
  | { readonly _tag: "CsvRagged"; readonly line: number }

/** A query that does not fit the resource. */
type Mismatch =
  | {
      readonly _tag: "ColumnUnknown"
      readonly resource: string
      readonly column: string
      readonly nearest: string | undefined
    }
  /** `operation` in PostgreSQL's notation, such as `numeric ~~ unknown`. */
  | { readonly _tag: "OperatorMismatch"; readonly operation: string }
  | { readonly _tag: "TruthMismatch"; readonly truth: string; readonly type: string }
  | { readonly _tag: "TypeUnknown"; readonly type: string }
  | { readonly _tag: "CastImpossible"; readonly from: string; readonly to: string }
  | { readonly _tag: "CastFailed"; readonly casts: ReadonlyArray<{ readonly column: string; readonly type: string }> }
  | { readonly _tag: "LikeRefused"; readonly reason: string }
  | { readonly _tag: "MatchRefused"; readonly reason: string }
  | { readonly _tag: "ConfigurationUnknown"; readonly configuration: string }
  | { readonly _tag: "SearchMalformed"; readonly shown: string }
  | { readonly _tag: "AggregatesOff" }
  | { readonly _tag: "FunctionMismatch"; readonly call: string }
  | { readonly _tag: "NotGrouped"; readonly column: string }
  | { readonly _tag: "Unsupported"; readonly feature: string }
  | {
      readonly _tag: "RelationshipUnknown"
      readonly from: string
      readonly to: string
      readonly hint: string | undefined
      readonly nearest: string | undefined
    }
  | {
      readonly _tag: "RelationshipAmbiguous"
      readonly from: string
      readonly to: string
      readonly candidates: ReadonlyArray<JsonObject>
      /** How each of them could have been asked for. */
      readonly hints: ReadonlyArray<string>
    }
  | { readonly _tag: "EmbedCompared"; readonly name: string }
  | { readonly _tag: "OrderToMany"; readonly from: string; readonly embed: string }
  | { readonly _tag: "RangeInverted" }
  | { readonly _tag: "RangeBeyond"; readonly offset: number; readonly total: number }

/** A value that does not fit its column. */
type ValueError =
  /** A text that cannot be read as a value of a type of PostgreSQL's; `shown` is the text as far as it may be shown. */
  | {
      readonly _tag: "TextMalformed"
      readonly problem: "syntax" | "range"
      readonly type: "numeric" | "boolean" | "date" | "timestamp with time zone" | "text[]" | "json"
      readonly column: string
      readonly shown: string
    }
  | { readonly _tag: "TypeMismatch"; readonly column: string; readonly expected: string; readonly actual: string }
  | { readonly _tag: "TextFlawed"; readonly column: string; readonly flaw: string }
  | {
      readonly _tag: "TextTooLong"
      readonly column: string
      readonly most: { readonly characters: number; readonly bytes: number }
    }
  | {
      readonly _tag: "WordUnknown"
      readonly vocabulary: string
      readonly column: string
      readonly known: ReadonlyArray<string>
      readonly shown: string
    }

/** A write that the resource does not take. */
type WriteError =
  | {
      readonly _tag: "FieldUnknown"
      readonly resource: string
      readonly field: string
      readonly nearest: string | undefined
    }
  | { readonly _tag: "RequiredMissing"; readonly resource: string; readonly columns: ReadonlyArray<string> }
  | { readonly _tag: "FilterMissing"; readonly statement: "UPDATE" | "DELETE" }
  | { readonly _tag: "PutFiltered" }
  | { readonly _tag: "PutPaged" }
  | { readonly _tag: "PutKeyDiffers" }
  | { readonly _tag: "ConflictTargetUnknown" }
  | { readonly _tag: "ConflictRepeated" }

/** A write that was to happen once, and cannot be told apart from another. */
type IdempotencyError =
  | { readonly _tag: "IdempotencyKeyMalformed"; readonly longest: number }
  | { readonly _tag: "IdempotencyKeyReused" }

/** A number of rows that was not what was asked for. */
type CardinalityError =
  | { readonly _tag: "RowAbsent" }
  | { readonly _tag: "NotSingular"; readonly count: number }
  | { readonly _tag: "TooManyAffected"; readonly count: number }

export type RowError =
  | Denial
  | Misdirection
  | BodyError
  | QueryError
  | Mismatch
  | ValueError
  | WriteError
  | IdempotencyError
  | CardinalityError
  | StoreRefusal
  | StoreUnavailable
  | { readonly _tag: "Defect" }

/** What is said on the wire. */
export interface Told {
  readonly status: number
  readonly code: Wire.KnownCode
  readonly message: string
  readonly details?: Json
  readonly hint?: string | null
  readonly headers?: Exchange.Headers
}

const say = (
  status: number,
  code: Wire.KnownCode,
  message: string,
  more: Pick<Told, "details" | "hint" | "headers"> = {}
): Told => ({ status, code, message, ...more })

const list = (names: ReadonlyArray<string>): string => names.join(", ")

const bearer = (error: string): Exchange.Headers => ({
  "WWW-Authenticate": `Bearer error="invalid_token", error_description=${JSON.stringify(error)}`
})

const unauthorized = (code: Wire.KnownCode, message: string): Told =>
  say(401, code, message, { headers: bearer(message) })

const beyondLimit = (status: number, message: string, limit: number): Told =>
  say(status, "54000", message, { details: `At most ${limit} bytes are read.` })

const rangeUnsatisfied = (details: string, headers: Exchange.Headers = {}): Told =>
  say(416, "PGRST103", "Requested range not satisfiable", { details, headers })

const notSingular = (status: 404 | 406, count: number): Told =>
  // Older clients look for these very words.
  say(status, "PGRST116", "Cannot coerce the result to a single JSON object", {
    details: `The result contains ${count} rows`
  })

const perhaps = (noun: string, name: string | undefined): string | null =>
  name === undefined ? null : `Perhaps you meant ${noun} ${name}.`

/** A refusal of the query language has its words already; it lacks a status. */
const fromQuery = ({ _tag, code, details, hint, message }: QueryError): Told =>
  say(_tag === "LimitNegative" ? 416 : 400, code, message, { details, hint })

const fromText = ({ column, problem, shown, type }: Extract<ValueError, { _tag: "TextMalformed" }>): Told => {
  const details = `The value is for the column "${column}".`
  const isMoment = type === "date" || type === "timestamp with time zone"
  if (problem === "syntax") {
    return say(400, isMoment ? "22007" : "22P02", `invalid input syntax for type ${type}: ${shown}`, { details })
  }
  return isMoment
    ? say(400, "22008", `date/time field value out of range: ${shown}`, { details })
    : say(400, "22003", `value ${shown} is out of range for type ${type}`, { details })
}

const unavailable: { readonly [R in StoreUnavailable["reason"]]: Wire.KnownCode } = {
  Overloaded: "PGRST003",
  CommitFailed: "PGRST000",
  ConnectionLost: "PGRST001",
  Closed: "PGRST002"
}

/** What a refusal says. */
export const told: (error: RowError) => Told = Match.type<RowError>().pipe(
  Match.withReturnType<Told>(),
  Match.tagsExhaustive({
    KeyMissing: () =>
      say(401, "PGRST302", "Anonymous access is disabled", {
        hint: "Send an API key: Authorization: Bearer mfg_...",
        headers: { "WWW-Authenticate": "Bearer" }
      }),
    KeyInvalid: () => unauthorized("PGRST301", "Invalid API key"),
    KeyExpired: () => unauthorized("PGRST303", "API key expired"),
    ScopeMissing: ({ action, resource }) =>
      say(403, "42501", `permission denied for table ${resource}`, {
        details: `The API key lacks the scope ${resource}:${action}.`
      }),
    CompanyForeign: ({ column, own }) =>
      say(403, "42501", `"${column}" must name the company of the API key`, {
        hint: `The API key belongs to the company ${own}.`
      }),

    RateLimited: ({ secondsLeft }) =>
      say(429, "P0429", "Rate limit exceeded", {
        details: `The API key may ask again in ${secondsLeft} s.`,
        headers: { "Retry-After": String(secondsLeft) }
      }),

    PathUnknown: () => say(404, "PGRST125", "Invalid path specified in request URL"),
    ResourceUnknown: ({ name, nearest }) =>
      say(404, "PGRST205", `Could not find the table 'public.${name}' in the schema cache`, {
        hint: perhaps("the table", nearest === undefined ? undefined : `'public.${nearest}'`)
      }),
    FunctionUnknown: ({ name }) =>
      say(404, "PGRST202", `Could not find the function public.${name} in the schema cache`),
    MethodUnsupported: ({ allowed, method }) =>
      say(405, "PGRST117", `Unsupported HTTP method: ${method}`, { headers: { Allow: list(allowed) } }),
    TargetTooLong: ({ limit }) => beyondLimit(414, "The URL is too long", limit),
    BodyTooLarge: ({ limit }) => beyondLimit(413, "The body is too large", limit),
    HeadersTooLarge: ({ limit }) => beyondLimit(431, "The headers are too large", limit),
    RequestTooSlow: () => say(408, "57014", "The request took too long to arrive"),
    RequestUnreadable: () => say(400, "PGRST102", "The request is not HTTP"),
    HostMissing: () => say(400, "PGRST102", "The request has no Host header"),
    Stopping: () => say(503, "PGRST002", "The service is stopping", { headers: { "Retry-After": "1" } }),
    MediaTypeUnavailable: ({ accept }) => say(406, "PGRST107", `None of these media types are available: ${accept}`),
    ProfileUnknown: ({ name }) =>
      say(406, "PGRST106", `Invalid schema: ${name}`, { hint: "Only the following schemas are exposed: public" }),
    PreferencesUnknown: ({ preferences }) =>
      say(400, "PGRST122", "Invalid preferences given with handling=strict", {
        details: `Invalid preferences: ${list(preferences)}`
      }),

    ContentTypeRefused: ({ contentType, hint }) =>
      say(415, "PGRST102", `Content-Type not acceptable: ${contentType}`, { hint }),
    BodyMalformed: ({ reason }) => say(400, "PGRST102", "Empty or invalid json", { details: reason }),
    KeysDiffer: () => say(400, "PGRST102", "All object keys must match"),
    CsvRagged: ({ line }) =>
      say(400, "PGRST102", "All lines must have same number of fields", {
        details: `Row ${line} has another number of fields than the header.`
      }),

    QueryMalformed: fromQuery,
    QueryTooLarge: fromQuery,
    NotEmbedded: fromQuery,
    EmbedRepeated: fromQuery,
    LimitNegative: fromQuery,
    ListMalformed: fromQuery,
    TextRefused: fromQuery,

    ColumnUnknown: ({ column, nearest, resource }) =>
      say(400, "42703", `column ${resource}.${column} does not exist`, {
        hint: perhaps("to reference the column", nearest === undefined ? undefined : `"${resource}.${nearest}"`)
      }),
    OperatorMismatch: ({ operation }) =>
      say(404, "42883", `operator does not exist: ${operation}`, {
        hint: "No operator matches the given name and argument types. You might need to add explicit type casts."
      }),
    TruthMismatch: ({ truth, type }) =>
      say(400, "42804", `argument of IS ${truth.toUpperCase()} must be type boolean, not type ${type}`),
    TypeUnknown: ({ type }) => say(400, "42704", `type "${type}" does not exist`),
    CastImpossible: ({ from, to }) => say(400, "42846", `cannot cast type ${from} to ${to}`),
    CastFailed: ({ casts }) =>
      say(400, "22P02", `invalid input syntax for type ${casts.map(({ type }) => type).join(" or ")}`, {
        details: `A value of ${casts.map(({ column }) => `"${column}"`).join(" or ")} cannot be cast.`
      }),
    LikeRefused: ({ reason }) => say(400, "22025", reason),
    MatchRefused: ({ reason }) => say(400, "2201B", `invalid regular expression: ${reason}`),
    ConfigurationUnknown: ({ configuration }) =>
      say(400, "42704", `text search configuration "${configuration}" does not exist`, {
        hint: "The configuration simple is the one there is, and the default."
      }),
    SearchMalformed: ({ shown }) => say(400, "42601", `syntax error in tsquery: ${shown}`),
    AggregatesOff: () => say(400, "PGRST123", "Use of aggregate functions is not allowed"),
    FunctionMismatch: ({ call }) =>
      say(404, "42883", `function ${call} does not exist`, {
        hint: "No function matches the given name and argument types. You might need to add explicit type casts."
      }),
    NotGrouped: ({ column }) =>
      say(400, "42803", `column "${column}" must appear in the GROUP BY clause or be used in an aggregate function`, {
        hint: `Select the column "${column}" to group by it.`
      }),
    Unsupported: ({ feature }) => say(400, "PGRST127", "Feature not implemented", { details: feature }),
    RelationshipUnknown: ({ from, hint, nearest, to }) =>
      say(400, "PGRST200", `Could not find a relationship between '${from}' and '${to}' in the schema cache`, {
        details: `Searched for a foreign key relationship between '${from}' and '${to}'${hint === undefined ? "" : ` using the hint '${hint}'`} in the schema 'public', but no matches were found.`,
        hint: nearest === undefined || nearest === to ? null : `Perhaps you meant '${nearest}' instead of '${to}'.`
      }),
    RelationshipAmbiguous: ({ candidates, from, hints, to }) =>
      say(300, "PGRST201", `Could not embed because more than one relationship was found for '${from}' and '${to}'`, {
        details: candidates,
        hint: `Try changing '${to}' to one of the following: ${hints.map((hint) => `'${hint}'`).join(", ")}. Find the desired relationship in the 'details' key.`
      }),
    EmbedCompared: ({ name }) =>
      say(400, "PGRST120", `Bad operator on the '${name}' embedded resource`, {
        details: "Only is null or not is null filters are allowed on embedded resources"
      }),
    OrderToMany: ({ embed, from }) =>
      say(400, "PGRST118", `A related order on '${embed}' is not possible`, {
        details: `'${from}' and '${embed}' do not form a many-to-one or one-to-one relationship`
      }),
    RangeInverted: () =>
      rangeUnsatisfied("The lower boundary must be lower than or equal to the upper boundary in the Range header."),
    RangeBeyond: ({ offset, total }) =>
      rangeUnsatisfied(`An offset of ${offset} was requested, but there are only ${total} rows.`, {
        "Content-Range": `*/${total}`
      }),

    TextMalformed: fromText,
    TypeMismatch: ({ actual, column, expected }) =>
      say(400, "22P02", `invalid value for column "${column}": expected ${expected}, got ${actual}`),
    TextFlawed: ({ column, flaw }) =>
      say(400, "22P05", "unsupported Unicode escape sequence", {
        details: `The value of the column "${column}" holds ${flaw}.`
      }),
    TextTooLong: ({ column, most }) =>
      say(400, "54000", `value too long for column "${column}"`, {
        details: `At most ${most.characters} characters and ${most.bytes} bytes are kept in a key, a reference or a column of a unique rule.`
      }),
    WordUnknown: ({ column, known, shown, vocabulary }) =>
      say(400, "22P02", `invalid input value for enum "${vocabulary}": ${shown}`, {
        details: `The value is for the column "${column}".`,
        hint: `Known values: ${list(known)}.`
      }),

    FieldUnknown: ({ field, nearest, resource }) =>
      say(400, "PGRST204", `Could not find the '${field}' column of '${resource}' in the schema cache`, {
        hint: perhaps("the column", nearest === undefined ? undefined : `'${nearest}'`)
      }),
    FieldSetByService: ({ column, writing }) =>
      say(
        400,
        "428C9",
        writing === "insert"
          ? `cannot insert a non-DEFAULT value into column "${column}"`
          : `column "${column}" can only be updated to DEFAULT`,
        { details: `The service sets the column "${column}".` }
      ),
    RequiredMissing: ({ columns, resource }) =>
      say(400, "23502", `null value in column "${columns[0]}" of relation "${resource}" violates not-null constraint`, {
        details: `Required and without a value: ${list(columns)}.`
      }),
    FilterMissing: ({ statement }) => say(400, "21000", `${statement} requires a WHERE clause`),
    PutFiltered: () =>
      say(405, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators"),
    PutPaged: () => say(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT"),
    PutKeyDiffers: () => say(400, "PGRST115", "Payload values do not match URL in primary key column(s)"),
    ConflictTargetUnknown: () =>
      say(400, "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification"),
    ConflictRepeated: () =>
      say(400, "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time", {
        hint: "Ensure that no rows proposed for insertion within the same command have duplicate constrained values."
      }),

    IdempotencyKeyMalformed: ({ longest }) =>
      say(400, "MF400", "The Idempotency-Key cannot be used", {
        details: `It has 1 to ${longest} characters, all of them printable ASCII.`
      }),
    IdempotencyKeyReused: () =>
      say(422, "MF422", "The Idempotency-Key was used for another request", {
        hint: "Repeat the request as it was first sent, or send another key."
      }),

    RowAbsent: () => notSingular(404, 0),
    NotSingular: ({ count }) => notSingular(406, count),
    TooManyAffected: ({ count }) =>
      say(400, "PGRST124", "Query result exceeds max-affected preference constraint", {
        details: `The query affects ${count} rows`
      }),

    Duplicate: ({ columns, constraint }) =>
      say(409, "23505", `duplicate key value violates unique constraint "${constraint}"`, {
        details: `Key (${list(columns)}) already exists.`
      }),
    ParentMissing: ({ column, field, parent, resource }) =>
      say(
        409,
        "23503",
        `insert or update on table "${resource}" violates foreign key constraint "${resource}_${column}_fkey"`,
        {
          details: `Key (${column}) is not present in table "${parent}".`,
          hint: `"${column}" must name the "${field}" of a ${parent}.`
        }
      ),
    StillReferenced: ({ child, column, field, resource }) =>
      say(
        409,
        "23503",
        `update or delete on table "${resource}" violates foreign key constraint "${child}_${column}_fkey" on table "${child}"`,
        { details: `Key (${field}) is still referenced from table "${child}".` }
      ),
    CheckFailed: ({ check, resource }) =>
      say(400, "23514", `new row for relation "${resource}" violates check constraint "${check}"`),
    PreconditionFailed: () =>
      say(412, "MF412", "The row is not in the state that the request expects", {
        hint: "Read the row, and repeat the request with its ETag in If-Match."
      }),
    StoreUnavailable: ({ reason, retryAfterSeconds }) =>
      say(503, unavailable[reason], "The store cannot answer now", {
        headers: { "Retry-After": String(retryAfterSeconds) }
      }),
    Defect: () => say(500, "XX000", "Internal server error")
  })
)

/** What answers of the row interface depend on. */
export const vary = "Accept, Prefer, Range, Accept-Profile, Content-Profile, Authorization"

/** The answer that a refusal amounts to. */
export const toAnswer = (error: RowError): Exchange.Answer => {
  const { code, details = null, headers, hint = null, message, status } = told(error)
  return {
    status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      Vary: vary,
      // As PostgREST names itself to whoever looks for the code here.
      "Proxy-Status": `PostgREST; error=${code}`,
      ...headers
    },
    body: JSON.stringify({ code, details, hint, message })
  }
}
