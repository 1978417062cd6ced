/**
 * The ways in which the row interface refuses a request, as facts. `RowErrorBody` gives each its status and its texts.
 */
import type { JsonObject } from "@mfgdata/domain/Json"
import type { QueryError } from "@mfgdata/domain/QueryError"
import type * as Scope from "@mfgdata/domain/Scope"
import type { Exceeded } from "../access/RateLimit.ts"
import type { Exposure } from "../Exchange.ts"
import type { StoreRefusal } from "../sql/Change.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import type { Excess } from "./request/JsonScan.ts"

/** The caller, and the permissions of the key. */
type Denial =
  | { readonly _tag: "KeyMissing" }
  | { readonly _tag: "KeyInvalid" }
  | { readonly _tag: "KeyExpired" }
  | { readonly _tag: "KeyPublished"; readonly exposure: Exposure }
  | { readonly _tag: "ScopeMissing"; readonly resource: string; readonly action: Scope.Action }
  | { readonly _tag: "CompanyForeign"; readonly column: string; readonly own: string }
  | ({ readonly _tag: "RateLimited" } & Exceeded)

/** The path, the method and the headers of a request, and its way over the network. */
type Misdirection =
  | { readonly _tag: "PathUnknown" }
  | { readonly _tag: "ResourceUnknown"; readonly name: string; readonly nearest: string | undefined }
  | { readonly _tag: "FunctionUnknown"; readonly name: string }
  | { readonly _tag: "MethodUnsupported"; readonly method: string; readonly allowed: ReadonlyArray<string> }
  | { readonly _tag: "TargetTooLong"; readonly limit: number }
  | { readonly _tag: "BodyTooLarge"; readonly limit: number; readonly isOperation?: boolean }
  | { readonly _tag: "EncodingUnsupported"; readonly encoding: string; readonly supported: ReadonlyArray<string> }
  | { readonly _tag: "BodyFragmented"; readonly number: number; readonly bytes: number }
  | { readonly _tag: "BodyUndecodable"; readonly encoding: string }
  | { readonly _tag: "BodyMemoryFull"; readonly bytes: number; readonly millis: number }
  | { readonly _tag: "TurnMissed"; readonly millis: number }
  | { readonly _tag: "HeadersTooLarge"; readonly limit: number }
  | { readonly _tag: "PipelineTooLong"; readonly limit: number }
  | { readonly _tag: "RequestTooSlow" }
  | { readonly _tag: "RequestUnreadable" }
  | { readonly _tag: "HostMissing" }
  | { readonly _tag: "HostMalformed" }
  | { readonly _tag: "HostForeign"; readonly host: string }
  | { readonly _tag: "Stopping" }
  | { readonly _tag: "MediaTypeUnavailable"; readonly accept: string }
  | { readonly _tag: "ProfileUnknown"; readonly name: string }
  | { readonly _tag: "PreferencesUnknown"; readonly preferences: ReadonlyArray<string> }

/** A body that cannot be read as rows. */
type BodyError =
  | { readonly _tag: "ContentTypeRefused"; readonly contentType: string; readonly hint: string | null }
  | { readonly _tag: "BodyMalformed"; readonly reason: string }
  | { readonly _tag: "KeysDiffer" }
  | Excess
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
  | {
      readonly _tag: "Unsupported"
      readonly feature: string
      /** A request to send instead, where a limit refuses this one. */
      readonly instead?: string
    }
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
      /** The way to name each of them. */
      readonly hints: ReadonlyArray<string>
    }
  | { readonly _tag: "EmbedCompared"; readonly name: string }
  | { readonly _tag: "OrderToMany"; readonly from: string; readonly embed: string }
  | { readonly _tag: "RangeInverted" }
  | { readonly _tag: "RangeBeyond"; readonly offset: number; readonly total: number }

/** An answer, or the rows to write, larger than a limit; an embed is named by its path in parameters. */
export type SizeError =
  | {
      readonly _tag: "AnswerTooLarge"
      readonly bytes: number
      readonly embed: string | undefined
      /** Set for the limit of a write that returns a column several times, or casts. */
      readonly isFixed: boolean
    }
  | { readonly _tag: "GroupsTooLarge"; readonly bytes: number }
  | { readonly _tag: "EmbedTooLarge"; readonly rows: number; readonly embed: string }
  | { readonly _tag: "RowsTooLarge"; readonly bytes: number }

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
      readonly _tag: "VocabularyValueUnknown"
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

/** A time as of which rows cannot be read, or a position after which. */
export type DatetimeError =
  /** The header `Mfg-Position`. */
  | { readonly _tag: "PositionMalformed" }
  | { readonly _tag: "DatetimeMalformed" }
  | { readonly _tag: "DatetimeFuture"; readonly now: string }
  | { readonly _tag: "DatetimeWrite"; readonly method: string }
  /** The history of the rows begins later, or is not kept. */
  | { readonly _tag: "HistoryMissing"; readonly begins: string | undefined }

/** The secret of a webhook that is not there to show. */
type SecretError = { readonly _tag: "WebhookMissing"; readonly id: string } | { readonly _tag: "WebhookSecretShown" }

/** An `Idempotency-Key` that cannot be used. */
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
  | SizeError
  | { readonly _tag: "FilterTooLarge"; readonly limit: number; readonly counted: ReadonlyArray<string> }
  | Excess
  | ValueError
  | WriteError
  | DatetimeError
  | SecretError
  | IdempotencyError
  | CardinalityError
  | StoreRefusal
  | StoreUnavailable
  | QueryStopped
  /** A fault rule responds with the status. */
  | { readonly _tag: "FaultInjected"; readonly status: number }
  /** The header `Mfg-Fault` of a request. */
  | { readonly _tag: "FaultMalformed"; readonly expected: string }
  | { readonly _tag: "Defect" }
