import * as QueryError from "@mfgdata/domain/QueryError"
import * as Wire from "@mfgdata/domain/RowError"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type * as RowError from "../../src/rows/RowError.ts"
import * as RowErrorBody from "../../src/rows/RowErrorBody.ts"
import { QueryStopped } from "../../src/store/QueryStopped.ts"
import { StoreUnavailable } from "../../src/store/Store.ts"

type Sample<E extends RowError.RowError> = readonly [error: E, status: number, code: Wire.KnownCode]

/** One sample of each error. */
const samples: {
  readonly [Tag in RowError.RowError["_tag"]]: Sample<Extract<RowError.RowError, { readonly _tag: Tag }>>
} = {
  KeyMissing: [{ _tag: "KeyMissing" }, 401, "PGRST302"],
  KeyInvalid: [{ _tag: "KeyInvalid" }, 401, "PGRST301"],
  KeyExpired: [{ _tag: "KeyExpired" }, 401, "PGRST303"],
  KeyPublished: [{ _tag: "KeyPublished", exposure: "origin" }, 401, "PGRST301"],
  HostMalformed: [{ _tag: "HostMalformed" }, 400, "PGRST102"],
  HostForeign: [{ _tag: "HostForeign", host: "mfg.test" }, 421, "MF421"],
  WebhookUnreadable: [{ _tag: "WebhookUnreadable" }, 403, "42501"],
  ScopeMissing: [{ _tag: "ScopeMissing", resource: "holiday", action: "read" }, 403, "42501"],
  CompanyForeign: [{ _tag: "CompanyForeign", column: "companyId", own: "c" }, 403, "42501"],
  RateLimited: [
    { _tag: "RateLimited", policy: "key", requests: 60, windowMillis: 60_000, secondsLeft: 7 },
    429,
    "P0429"
  ],
  PathUnknown: [{ _tag: "PathUnknown" }, 404, "PGRST125"],
  ResourceUnknown: [{ _tag: "ResourceUnknown", name: "holidays", nearest: "holiday" }, 404, "PGRST205"],
  FunctionUnknown: [{ _tag: "FunctionUnknown", name: "f" }, 404, "PGRST202"],
  MethodUnsupported: [{ _tag: "MethodUnsupported", method: "TRACE", allowed: ["GET", "HEAD"] }, 405, "PGRST117"],
  TargetTooLong: [{ _tag: "TargetTooLong", limit: 8192 }, 414, "54000"],
  BodyMemoryFull: [{ _tag: "BodyMemoryFull", bytes: 1, millis: 1 }, 503, "P0503"],
  EncodingUnsupported: [{ _tag: "EncodingUnsupported", encoding: "br", supported: ["gzip"] }, 415, "PGRST102"],
  BodyFragmented: [{ _tag: "BodyFragmented", number: 1024, bytes: 16 }, 413, "54000"],
  BodyUndecodable: [{ _tag: "BodyUndecodable", encoding: "gzip" }, 400, "PGRST102"],
  TurnMissed: [{ _tag: "TurnMissed", millis: 1 }, 503, "P0503"],
  TooManyRows: [{ _tag: "TooManyRows", limit: 1 }, 413, "54000"],
  TooManyValues: [{ _tag: "TooManyValues", limit: 1 }, 413, "54000"],
  RowTooLarge: [{ _tag: "RowTooLarge", measure: "keys", limit: 1, row: 1 }, 413, "54000"],
  BodyTooLarge: [{ _tag: "BodyTooLarge", limit: 1024 }, 413, "54000"],
  HeadersTooLarge: [{ _tag: "HeadersTooLarge", limit: 16384 }, 431, "54000"],
  PipelineTooLong: [{ _tag: "PipelineTooLong", limit: 16 }, 429, "54000"],
  RequestTooSlow: [{ _tag: "RequestTooSlow" }, 408, "57014"],
  RequestUnreadable: [{ _tag: "RequestUnreadable" }, 400, "PGRST102"],
  HostMissing: [{ _tag: "HostMissing" }, 400, "PGRST102"],
  Stopping: [{ _tag: "Stopping" }, 503, "PGRST002"],
  MediaTypeUnavailable: [{ _tag: "MediaTypeUnavailable", accept: "text/html" }, 406, "PGRST107"],
  ProfileUnknown: [{ _tag: "ProfileUnknown", name: "private" }, 406, "PGRST106"],
  PreferencesUnknown: [{ _tag: "PreferencesUnknown", preferences: ["foo", "bar"] }, 400, "PGRST122"],
  ContentTypeRefused: [{ _tag: "ContentTypeRefused", contentType: "a/b", hint: null }, 415, "PGRST102"],
  BodyMalformed: [{ _tag: "BodyMalformed", reason: "The body is empty." }, 400, "PGRST102"],
  KeysDiffer: [{ _tag: "KeysDiffer" }, 400, "PGRST102"],
  CsvRagged: [{ _tag: "CsvRagged", line: 2 }, 400, "PGRST102"],
  QueryMalformed: [
    new QueryError.QueryMalformed({
      parameter: "id",
      subject: "filter",
      text: "0",
      position: 1,
      found: "0",
      expected: ['"not"', "operator (eq, gt, ...)"]
    }),
    400,
    "PGRST100"
  ],
  QueryTooLarge: [new QueryError.QueryTooLarge({ parameter: "or", bound: "depth" }), 400, "PGRST100"],
  NotEmbedded: [new QueryError.NotEmbedded({ parameter: "a.b", name: "a", alias: undefined }), 400, "PGRST108"],
  EmbedRepeated: [new QueryError.EmbedRepeated({ name: "a" }), 400, "42712"],
  LimitNegative: [new QueryError.LimitNegative({ parameter: "limit" }), 416, "PGRST103"],
  ListMalformed: [new QueryError.ListMalformed({ parameter: "a", text: "x", details: "d" }), 400, "22P02"],
  TextRefused: [new QueryError.TextRefused({ parameter: "a", flaw: "U+0000" }), 400, "22P05"],
  ColumnUnknown: [{ _tag: "ColumnUnknown", resource: "holiday", column: "nam", nearest: "name" }, 400, "42703"],
  OperatorMismatch: [{ _tag: "OperatorMismatch", operation: "numeric ~~ unknown" }, 404, "42883"],
  TruthMismatch: [{ _tag: "TruthMismatch", truth: "true", type: "text" }, 400, "42804"],
  TypeUnknown: [{ _tag: "TypeUnknown", type: "money" }, 400, "42704"],
  CastImpossible: [{ _tag: "CastImpossible", from: "boolean", to: "date" }, 400, "42846"],
  CastFailed: [{ _tag: "CastFailed", casts: [{ column: "name", type: "integer" }] }, 400, "22P02"],
  LikeRefused: [{ _tag: "LikeRefused", reason: "r" }, 400, "22025"],
  MatchRefused: [{ _tag: "MatchRefused", reason: "r" }, 400, "2201B"],
  ConfigurationUnknown: [{ _tag: "ConfigurationUnknown", configuration: "english" }, 400, "42704"],
  SearchMalformed: [{ _tag: "SearchMalformed", shown: '"a b"' }, 400, "42601"],
  AggregatesOff: [{ _tag: "AggregatesOff" }, 400, "PGRST123"],
  FunctionMismatch: [{ _tag: "FunctionMismatch", call: "sum(text)" }, 404, "42883"],
  NotGrouped: [{ _tag: "NotGrouped", column: "name" }, 400, "42803"],
  Unsupported: [{ _tag: "Unsupported", feature: "full-text search" }, 400, "PGRST127"],
  RelationshipUnknown: [
    { _tag: "RelationshipUnknown", from: "a", to: "b", hint: undefined, nearest: undefined },
    400,
    "PGRST200"
  ],
  RelationshipAmbiguous: [
    { _tag: "RelationshipAmbiguous", from: "a", to: "b", candidates: [], hints: [] },
    300,
    "PGRST201"
  ],
  EmbedCompared: [{ _tag: "EmbedCompared", name: "b" }, 400, "PGRST120"],
  OrderToMany: [{ _tag: "OrderToMany", from: "a", embed: "b" }, 400, "PGRST118"],
  RangeInverted: [{ _tag: "RangeInverted" }, 416, "PGRST103"],
  RangeBeyond: [{ _tag: "RangeBeyond", offset: 100, total: 15 }, 416, "PGRST103"],
  AnswerTooLarge: [{ _tag: "AnswerTooLarge", bytes: 1024, embed: undefined, isFixed: false }, 413, "54000"],
  GroupsTooLarge: [{ _tag: "GroupsTooLarge", bytes: 1024 }, 413, "54000"],
  EmbedTooLarge: [{ _tag: "EmbedTooLarge", rows: 100_000, embed: "a.b" }, 413, "54000"],
  FilterTooLarge: [
    { _tag: "FilterTooLarge", limit: 200, counted: ["201 words of full-text queries"] },
    400,
    "PGRST100"
  ],
  RowsTooLarge: [{ _tag: "RowsTooLarge", bytes: 1024 }, 413, "54000"],
  TextMalformed: [
    { _tag: "TextMalformed", problem: "syntax", type: "numeric", column: "year", shown: '"abc"' },
    400,
    "22P02"
  ],
  TypeMismatch: [{ _tag: "TypeMismatch", column: "year", expected: "a number", actual: '"a"' }, 400, "22P02"],
  TextFlawed: [{ _tag: "TextFlawed", column: "name", flaw: "U+0000" }, 400, "22P05"],
  TextTooLong: [{ _tag: "TextTooLong", column: "id", most: { characters: 512, bytes: 1024 } }, 400, "54000"],
  VocabularyValueUnknown: [
    { _tag: "VocabularyValueUnknown", vocabulary: "v", column: "c", known: ["a", "b"], shown: '"x"' },
    400,
    "22P02"
  ],
  FieldUnknown: [{ _tag: "FieldUnknown", resource: "holiday", field: "nam", nearest: "name" }, 400, "PGRST204"],
  FieldSetByService: [{ _tag: "FieldSetByService", column: "id", writing: "insert" }, 400, "428C9"],
  RequiredMissing: [{ _tag: "RequiredMissing", resource: "holiday", columns: ["name", "date"] }, 400, "23502"],
  FilterMissing: [{ _tag: "FilterMissing", statement: "DELETE" }, 400, "21000"],
  PutFiltered: [{ _tag: "PutFiltered" }, 405, "PGRST105"],
  PutPaged: [{ _tag: "PutPaged" }, 400, "PGRST114"],
  PutKeyDiffers: [{ _tag: "PutKeyDiffers" }, 400, "PGRST115"],
  ConflictTargetUnknown: [{ _tag: "ConflictTargetUnknown" }, 400, "42P10"],
  ConflictRepeated: [{ _tag: "ConflictRepeated" }, 400, "21000"],
  RowAbsent: [{ _tag: "RowAbsent" }, 404, "PGRST116"],
  NotSingular: [{ _tag: "NotSingular", count: 2 }, 406, "PGRST116"],
  TooManyAffected: [{ _tag: "TooManyAffected", count: 14 }, 400, "PGRST124"],
  Duplicate: [{ _tag: "Duplicate", resource: "holiday", columns: ["id"], constraint: "holiday_pkey" }, 409, "23505"],
  ParentMissing: [
    {
      _tag: "ParentMissing",
      resource: "warehouseTransferLine",
      column: "transferId",
      parent: "warehouseTransfer",
      field: "id"
    },
    409,
    "23503"
  ],
  StillReferenced: [
    {
      _tag: "StillReferenced",
      resource: "paymentTerm",
      field: "id",
      child: "salesOrderPayment",
      column: "paymentTermId"
    },
    409,
    "23503"
  ],
  CheckFailed: [{ _tag: "CheckFailed", resource: "fulfillment", check: "fulfillment_jobId_check" }, 400, "23514"],
  QuotaExceeded: [{ _tag: "QuotaExceeded", quota: "rows", limit: 10, used: 10 }, 403, "53400"],
  TooManyDeliveries: [{ _tag: "TooManyDeliveries", limit: 10_000, count: 10_001 }, 413, "54000"],
  ChangeTooLarge: [{ _tag: "ChangeTooLarge", limit: 1 }, 413, "54000"],
  FaultMalformed: [{ _tag: "FaultMalformed", expected: "a rule" }, 400, "MF400"],
  FaultInjected: [{ _tag: "FaultInjected", status: 502 }, 502, "MF599"],
  PreconditionFailed: [{ _tag: "PreconditionFailed" }, 412, "MF412"],
  WebhookMissing: [{ _tag: "WebhookMissing", id: "none" }, 404, "PGRST116"],
  WebhookSecretShown: [{ _tag: "WebhookSecretShown" }, 409, "MF409"],
  PositionMalformed: [{ _tag: "PositionMalformed" }, 400, "MF400"],
  DatetimeMalformed: [{ _tag: "DatetimeMalformed" }, 400, "22007"],
  DatetimeFuture: [{ _tag: "DatetimeFuture", now: "2026-01-01T00:00:00.000Z" }, 400, "22008"],
  DatetimeWrite: [{ _tag: "DatetimeWrite", method: "PATCH" }, 405, "MF405"],
  HistoryMissing: [{ _tag: "HistoryMissing", begins: undefined }, 410, "MF410"],
  IdempotencyKeyMalformed: [{ _tag: "IdempotencyKeyMalformed", longest: 255 }, 400, "MF400"],
  IdempotencyKeyReused: [{ _tag: "IdempotencyKeyReused" }, 422, "MF422"],
  StoreUnavailable: [new StoreUnavailable({ reason: "Overloaded", retryAfterSeconds: 3 }), 503, "PGRST003"],
  QueryStopped: [new QueryStopped({ reason: { _tag: "QueueFull", places: 64, retryAfterSeconds: 1 } }), 503, "P0503"],
  Defect: [{ _tag: "Defect" }, 500, "XX000"]
}

const isBody = Schema.is(Wire.RowError)

/** The response to a sample, with its body parsed. */
const answered = (tag: keyof typeof samples) => {
  const { body, headers, status } = RowErrorBody.toResponse(samples[tag][0])
  return { status, headers, body: JSON.parse(String(body)) }
}

describe("RowError", () => {
  for (const [tag, [error, status, code]] of Object.entries(samples)) {
    it(`${tag} is ${status} ${code}`, () => {
      const answer = RowErrorBody.toResponse(error)
      const body: unknown = JSON.parse(String(answer.body))
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.headers["Content-Type"], "application/json; charset=utf-8")
      assert.isTrue(isBody(body), String(answer.body))
      assert.hasAllKeys(body, ["code", "details", "hint", "message"])
      assert.propertyVal(body, "code", code)
    })
  }

  it("uses PostgreSQL's and PostgREST's codes and messages", () => {
    assert.deepStrictEqual(answered("ParentMissing").body, {
      code: "23503",
      message:
        'insert or update on table "warehouseTransferLine" violates foreign key constraint "warehouseTransferLine_transferId_fkey"',
      details: 'Key (transferId) is not present in table "warehouseTransfer".',
      hint: '"transferId" must name the "id" of a warehouseTransfer.'
    })
    assert.deepStrictEqual(answered("StillReferenced").body, {
      code: "23503",
      message:
        'update or delete on table "paymentTerm" violates foreign key constraint "salesOrderPayment_paymentTermId_fkey" on table "salesOrderPayment"',
      details: 'Key (id) is still referenced from table "salesOrderPayment".',
      hint: null
    })
    assert.deepStrictEqual(answered("Duplicate").body, {
      code: "23505",
      message: 'duplicate key value violates unique constraint "holiday_pkey"',
      details: "Key (id) already exists.",
      hint: null
    })
    assert.deepStrictEqual(answered("RequiredMissing").body, {
      code: "23502",
      message: 'null value in column "name" of relation "holiday" violates not-null constraint',
      details: "Required and without a value: name, date.",
      hint: null
    })
    assert.deepStrictEqual(answered("QueryMalformed").body, {
      code: "PGRST100",
      message: '"failed to parse filter (0)" (line 1, column 1)',
      details: 'unexpected "0" expecting "not" or operator (eq, gt, ...)',
      hint: null
    })
    assert.deepStrictEqual(answered("NotSingular").body, {
      code: "PGRST116",
      message: "Cannot coerce the result to a single JSON object",
      details: "The result contains 2 rows",
      hint: null
    })
    assert.strictEqual(answered("RowAbsent").body.details, "The result contains 0 rows")
    assert.strictEqual(
      answered("CheckFailed").body.message,
      'new row for relation "fulfillment" violates check constraint "fulfillment_jobId_check"'
    )
  })

  it("sets headers that say how to repeat the request", () => {
    const header = (tag: keyof typeof samples, name: string) => answered(tag).headers[name]
    assert.strictEqual(header("KeyMissing", "WWW-Authenticate"), "Bearer")
    assert.strictEqual(
      header("KeyInvalid", "WWW-Authenticate"),
      'Bearer error="invalid_token", error_description="Invalid API key"'
    )
    assert.strictEqual(header("MethodUnsupported", "Allow"), "GET, HEAD")
    assert.strictEqual(header("StoreUnavailable", "Retry-After"), "3")
    assert.strictEqual(header("RangeBeyond", "Content-Range"), "*/15")
  })

  it("hints at the request to send instead", () => {
    const hint = (tag: keyof typeof samples) => answered(tag).body.hint
    assert.strictEqual(RowErrorBody.make({ _tag: "Unsupported", feature: "a", instead: "Send b." }).hint, "Send b.")
    assert.strictEqual(hint("MethodUnsupported"), "Expected one of GET, HEAD.")
    assert.strictEqual(hint("MediaTypeUnavailable"), "Send Accept: application/json.")
    assert.strictEqual(
      hint("ContentTypeRefused"),
      "Send Content-Type: application/json, text/csv or application/x-www-form-urlencoded."
    )
    assert.strictEqual(hint("FilterMissing"), "Add a filter to the URL, such as ?id=eq.<id>.")
    assert.strictEqual(hint("PutPaged"), "Remove the parameters limit and offset.")
    assert.strictEqual(hint("StoreUnavailable"), "Repeat the request after the seconds in Retry-After.")
    const outOfMemory = RowErrorBody.make(new StoreUnavailable({ reason: "OutOfMemory", retryAfterSeconds: 1 }))
    assert.deepStrictEqual(outOfMemory, {
      status: 503,
      code: "53200",
      message: "out of memory",
      details: "The database has no memory left for the statement.",
      hint: "Request less: fewer rows (limit), fewer embedded rows, an indexed filter, or no count.",
      headers: { "Retry-After": "1" }
    })
  })

  it("distinguishes dates and numbers out of range from invalid ones", () => {
    const codeOf = (problem: "syntax" | "range", type: "numeric" | "date" | "timestamp with time zone") =>
      RowErrorBody.make({ _tag: "TextMalformed", problem, type, column: "c", shown: '"x"' }).code
    assert.strictEqual(codeOf("range", "numeric"), "22003")
    assert.strictEqual(codeOf("syntax", "date"), "22007")
    assert.strictEqual(codeOf("range", "date"), "22008")
    assert.strictEqual(codeOf("syntax", "timestamp with time zone"), "22007")
  })
})
