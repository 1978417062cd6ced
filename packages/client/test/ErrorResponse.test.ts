import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { errorBody } from "./fixtures/scripted.ts"
import { calls, errorOf } from "./fixtures/calls.ts"

const byMethod: ReadonlyArray<
  readonly [call: keyof typeof calls, status: number, body: unknown, tag: string, message: string]
> = [
  [
    "list",
    400,
    errorBody(
      "42703",
      "column holiday.nope does not exist",
      null,
      'Perhaps you meant to reference the column "holiday.name".'
    ),
    "QueryRejected",
    'The query of holiday was rejected: column holiday.nope does not exist (42703); Perhaps you meant to reference the column "holiday.name".'
  ],
  [
    "list",
    404,
    errorBody("42883", "operator does not exist"),
    "QueryRejected",
    "The query of holiday was rejected: operator does not exist (42883)"
  ],
  [
    "retrieve",
    400,
    errorBody("22P02", "invalid"),
    "QueryRejected",
    "The query of holiday was rejected: invalid (22P02)"
  ],
  ["retrieve", 404, errorBody("PGRST116", "none"), "RowNotFound", 'No holiday has the key "hol_1"'],
  [
    "retrieve",
    404,
    errorBody("PGRST205", "Could not find the table"),
    "QueryRejected",
    "The query of holiday was rejected: Could not find the table (PGRST205)"
  ],
  ["retrieve", 404, { error: "not found" }, "RowNotFound", 'No holiday has the key "hol_1"'],
  ["retrieve", 200, [], "RowNotFound", 'No holiday has the key "hol_1"'],
  ["update", 404, errorBody("PGRST116", "none"), "RowNotFound", 'No holiday has the key "hol_1"'],
  ["update", 200, [], "RowNotFound", 'No holiday has the key "hol_1"'],
  ["remove", 404, errorBody("PGRST116", "none"), "RowNotFound", 'No holiday has the key "hol_1"'],
  [
    "create",
    400,
    errorBody("23502", "null value", "Required and without a value: name, date."),
    "RowRejected",
    "The holiday was rejected: null value (23502); Required and without a value: name, date."
  ],
  [
    "upsert",
    404,
    errorBody("PGRST205", "Could not find the table"),
    "RowRejected",
    "The holiday was rejected: Could not find the table (PGRST205)"
  ],
  [
    "create",
    422,
    errorBody("PGRST100", "another payload"),
    "RowRejected",
    "The holiday was rejected: another payload (PGRST100)"
  ],
  [
    "create",
    409,
    errorBody("23503", "violates foreign key", 'Key (companyId) is not present in table "company".'),
    "ReferenceMissing",
    "holiday.companyId refers to a company that does not exist"
  ],
  [
    "update",
    409,
    errorBody("23503", "violates foreign key", 'Key (companyId) is not present in table "company".'),
    "ReferenceMissing",
    "holiday.companyId refers to a company that does not exist"
  ],
  [
    "update",
    409,
    errorBody("23503", "violates foreign key", 'Key (clientId) is still referenced from table "oauthCode".'),
    "StillReferenced",
    'The holiday "hol_1" is still referenced by oauthCode'
  ],
  [
    "remove",
    409,
    errorBody("23503", "violates foreign key", 'Key (id) is still referenced from table "shift".'),
    "StillReferenced",
    'The holiday "hol_1" is still referenced by shift'
  ],
  [
    "create",
    409,
    errorBody("23505", "duplicate key", "Key (date, companyId) already exists."),
    "Conflict",
    "Another holiday has the same date and companyId"
  ],
  [
    "create",
    409,
    errorBody("40001", "try again"),
    "Conflict",
    "The holiday conflicts with another row: try again (40001)"
  ],
  [
    "updateMatching",
    412,
    errorBody("PGRST412", "changed"),
    "PreconditionFailed",
    'The holiday "hol_1" has changed since version "3": retrieve it again'
  ],
  [
    "removeMatching",
    412,
    errorBody("PGRST412", "changed"),
    "PreconditionFailed",
    'The holiday "hol_1" has changed since version "3": retrieve it again'
  ],
  ["update", 412, errorBody("PGRST412", "changed"), "RowRejected", "The holiday was rejected: changed (PGRST412)"],
  ["remove", 412, errorBody("PGRST412", "changed"), "RowRejected", "The holiday was rejected: changed (PGRST412)"],
  ["removeMatching", 400, errorBody("22P02", "invalid"), "RowRejected", "The holiday was rejected: invalid (22P02)"],
  ["remove", 409, errorBody("40001", "try again"), "RowRejected", "The holiday was rejected: try again (40001)"],
  [
    "create",
    409,
    errorBody("23503", "violates foreign key"),
    "ReferenceMissing",
    "The holiday refers to a row that does not exist"
  ],
  [
    "remove",
    409,
    errorBody("23503", "violates foreign key"),
    "StillReferenced",
    'The holiday "hol_1" is still referenced by another row'
  ]
]

describe("an error response", () => {
  for (const [call, status, body, tag, message] of byMethod) {
    it.effect(`to ${call} with status ${status} is ${tag}: ${message}`, () =>
      Effect.gen(function* () {
        const error = yield* errorOf(calls[call], { status, body })
        assert.deepStrictEqual([error._tag, error.message], [tag, message])
      })
    )
  }

  it.effect("names the invalid fields", () =>
    Effect.gen(function* () {
      const fieldsOf = (body: unknown) =>
        Effect.map(errorOf(calls.create, { status: 400, body }), (error) =>
          "fields" in error ? error.fields : undefined
        )
      const required = errorBody("23502", "null value", "Required and without a value: name, date.")
      assert.deepStrictEqual(yield* fieldsOf(required), ["name", "date"])
      const type = errorBody("22P02", 'invalid value for column "year": expected a number, got "x"')
      assert.deepStrictEqual(yield* fieldsOf(type), ["year"])
      const unknown = errorBody("PGRST204", "Could not find the 'nme' column of 'holiday' in the schema cache")
      assert.deepStrictEqual(yield* fieldsOf(unknown), ["nme"])
      const unsupported = errorBody("22P05", "unsupported", 'The value of the column "name" holds U+0000.')
      assert.deepStrictEqual(yield* fieldsOf(unsupported), ["name"])
      assert.deepStrictEqual(yield* fieldsOf(errorBody("54000", "The body is too large")), [])
    })
  )
})
