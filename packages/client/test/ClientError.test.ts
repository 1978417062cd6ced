import { assert, describe, it } from "@effect/vitest"
import { OperationRejected, QueryTooCostly, Unreachable } from "@mfgdata/client"
import { Holiday, OauthClient, OauthClientId, WarehouseTransfer, WarehouseTransferId } from "@mfgdata/domain"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { inspect } from "node:util"
import { id, row, values } from "./fixtures/holiday.ts"
import { key, errorBody, type Reply, rows as scripted } from "./fixtures/scripted.ts"

const once = { retry: { times: 0 } }
const html = { "content-type": "text/html" }

type Methods = Effect.Effect.Success<ReturnType<typeof scripted>>["rows"]
type Call = (rows: Methods) => Effect.Effect<unknown, { readonly _tag: string; readonly message: string }>

const calls = {
  list: (rows) => rows.list(Holiday),
  stream: (rows) => rows.page(Holiday),
  count: (rows) => rows.count(Holiday),
  retrieve: (rows) => rows.retrieve(Holiday, id),
  find: (rows) => rows.find(Holiday, id),
  create: (rows) => rows.create(Holiday, values),
  update: (rows) => rows.update(Holiday, id, { tags: null }),
  updateMatching: (rows) => rows.update(Holiday, id, { tags: null }, { ifMatch: '"3"' }),
  upsert: (rows) => rows.upsert(Holiday, { ...values, id }),
  remove: (rows) => rows.remove(Holiday, id),
  removeMatching: (rows) => rows.remove(Holiday, id, { ifMatch: '"3"' })
} as const satisfies { readonly [name: string]: Call }

const errorOf = (call: Call, reply: Reply) =>
  Effect.flatMap(scripted([reply], once), ({ rows }) => Effect.flip(call(rows)))

const everywhere: ReadonlyArray<readonly [reply: Reply, tag: string, message: string]> = [
  [
    { status: 401, body: errorBody("PGRST301", "Invalid API key") },
    "Unauthorized",
    "The service rejected the API key: Invalid API key (PGRST301)"
  ],
  [{ status: 401 }, "Unauthorized", "The service rejected the API key: no reason given"],
  [
    {
      status: 403,
      body: errorBody("42501", "permission denied for table holiday", "The API key lacks the scope holiday:read.")
    },
    "Forbidden",
    "The API key does not allow this request for holiday: The API key lacks the scope holiday:read. (42501)"
  ],
  [
    {
      status: 403,
      body: errorBody("53400", "The company has reached its quota of rows", "9 of 9 rows are used (--quota rows).")
    },
    "Forbidden",
    "The quota of the company does not allow this request for holiday: 9 of 9 rows are used (--quota rows). (53400)"
  ],
  [{ status: 429, headers: { "retry-after": "90" } }, "RateLimited", "Too many requests for holiday: retry in 1m 30s"],
  [
    { status: 500, body: errorBody("XX000", "Internal server error") },
    "ServiceUnavailable",
    "The service failed to process the request for holiday: status 500 (XX000)"
  ],
  [
    { status: 502, body: "<h1>Bad gateway</h1>", headers: html },
    "ServiceUnavailable",
    "The service failed to process the request for holiday: status 502"
  ],
  [
    { status: 503, body: errorBody("PGRST002", "Stopping") },
    "ServiceUnavailable",
    "The service failed to process the request for holiday: status 503 (PGRST002)"
  ],
  ["refused", "Unreachable", "http://service.test cannot be reached: connect ECONNREFUSED 127.0.0.1:4010"],
  [
    "interrupted",
    "Unreachable",
    "http://service.test closed the connection before the end of the response: other side closed"
  ],
  [
    { status: 404, body: "<h1>Not found</h1>", headers: html },
    "ResponseMalformed",
    "Expected a response of the service from http://service.test, got status 404 with text/html: check the address of the service"
  ],
  [
    { status: 302, headers: { location: "/login" } },
    "ResponseMalformed",
    "Expected a response of the service from http://service.test, got status 302 with no content type: check the address of the service"
  ],
  [{ status: 429 }, "RateLimited", "Too many requests for holiday: retry later"],
  [
    { status: 302, body: errorBody("PGRST100", "not an error of this service") },
    "ResponseMalformed",
    "Expected a response of the service from http://service.test, got status 302 with application/json: check the address of the service"
  ],
  [{ status: 418, body: {} }, "ResponseMalformed", ""],
  [{ status: 418, body: "null" }, "ResponseMalformed", ""],
  [{ status: 418, body: '"text"' }, "ResponseMalformed", ""]
]

describe("every method", () => {
  for (const [name, call] of Object.entries<Call>(calls)) {
    it.effect(`${name} fails with the errors of every request`, () =>
      Effect.gen(function* () {
        for (const [reply, tag, message] of everywhere) {
          const error = yield* errorOf(call, reply)
          assert.strictEqual(error._tag, tag)
          if (message !== "") assert.strictEqual(error.message, message)
        }
      })
    )
  }
})

const smaller = "Request less: fewer rows (limit)."
const timeout = errorBody(
  "57014",
  "canceling statement due to statement timeout",
  "The query ran for longer than 5000 ms (--statement-timeout).",
  smaller
)
const memory = errorBody(
  "53200",
  "out of memory",
  "The query needs more than 9 bytes of memory (--max-memory).",
  smaller
)
const answer = errorBody("54000", "The answer is too large", "At most 32 bytes are sent (--max-answer).", smaller)

describe("a request that exceeds a limit of the service", () => {
  for (const [name, call] of Object.entries<Call>(calls)) {
    it.effect(`fails ${name} with the limit, and is not repeated`, () =>
      Effect.gen(function* () {
        for (const [status, body, flag] of [
          [504, timeout, "--statement-timeout"],
          [503, memory, "--max-memory"],
          [500, memory, "--max-memory"],
          [413, answer, "--max-answer"]
        ] as const) {
          const { requests, rows } = yield* scripted([{ status, body, headers: { "retry-after": "1" } }])
          const error = yield* Effect.flip(call(rows))
          assert(error instanceof QueryTooCostly)
          assert.deepInclude(error, {
            resource: "holiday",
            status,
            code: body.code,
            detail: body.details ?? "",
            hint: smaller,
            flag
          })
          assert.strictEqual(
            error.message,
            `The request for holiday exceeds a limit: ${body.details} (${body.code}); ${smaller}`
          )
          assert.lengthOf(requests, 1)
        }
      })
    )
  }

  it.effect("ends createMany, whose batch it does not halve", () =>
    Effect.gen(function* () {
      const { requests, rows } = yield* scripted([{ status: 504, body: timeout }])
      const results = yield* rows.createMany(Holiday, [values, values, values], { batchSize: 2 })
      assert.deepStrictEqual(
        results.map((result) => (Either.isLeft(result) ? result.left._tag : "created")),
        ["QueryTooCostly", "QueryTooCostly", "QueryTooCostly"]
      )
      assert.lengthOf(requests, 1)
    })
  )

  it.effect(
    "is a rejected row where its own values are too large, and names no flag that the service does not name",
    () =>
      Effect.gen(function* () {
        const body = errorBody("54000", "The body is too large", "At most 9 bytes are accepted (--max-body).")
        assert.strictEqual((yield* errorOf(calls.create, { status: 413, body }))._tag, "RowRejected")
        const unnamed = { status: 413, body: errorBody("54000", "The answer is too large") }
        const error = yield* errorOf(calls.list, unnamed)
        assert(error instanceof QueryTooCostly)
        assert.deepInclude(error, { flag: undefined, detail: "The answer is too large" })
      })
  )

  it.effect("is a failed service where a request arrived too slowly, or a code has another status", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* errorOf(calls.create, { status: 408, body: timeout }))._tag, "RowRejected")
      const other = { status: 503, body: errorBody("P0503", "Too many queries of the company wait for the store") }
      assert.strictEqual((yield* errorOf(calls.list, other))._tag, "ServiceUnavailable")
    })
  )
})

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

describe("the message", () => {
  const connection = (cause: unknown) =>
    new Unreachable({ subject: "holiday", origin: "http://service.test", reason: "Connection", written: false, cause })
      .message

  it("of an unreachable service names the innermost cause", () => {
    const refused = new Error("connect ECONNREFUSED")
    const all = new AggregateError([refused, new Error("second")])
    assert.strictEqual(connection(all), "http://service.test cannot be reached: connect ECONNREFUSED")
    assert.strictEqual(
      connection(new AggregateError([refused], "all failed")),
      "http://service.test cannot be reached: all failed"
    )
    assert.strictEqual(connection(new AggregateError([])), "http://service.test cannot be reached: AggregateError")
    assert.strictEqual(connection(new TypeError("")), "http://service.test cannot be reached: TypeError")
    assert.strictEqual(connection("text"), "http://service.test cannot be reached: the connection failed")
  })

  it("of a rejected operation lists all issues with their paths", () => {
    const issues = [
      { path: ["value", 0], message: "expected text" },
      { path: [], message: "too large" }
    ]
    const error = new OperationRejected({
      operation: "account.x",
      status: 400,
      code: "BAD_REQUEST",
      detail: "no",
      issues
    })
    assert.strictEqual(error.message, "account.x was rejected: no; value.0: expected text; too large (BAD_REQUEST)")
  })
})

describe("a response", () => {
  const read = (body: unknown, status = 200) =>
    Effect.flatMap(scripted([{ status, body }], once), ({ rows }) => rows.retrieve(Holiday, id))

  it.effect("can be a row or an array of one, with any status of success", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read(row), yield* read([row], 206))
      const { rows } = yield* scripted([{ status: 200, body: row }], once)
      assert.lengthOf(yield* rows.list(Holiday), 1)
      for (const [status, body] of [
        [200, row],
        [201, [row]],
        [202, row]
      ] as const) {
        const { rows } = yield* scripted([{ status, body }], once)
        assert.strictEqual((yield* rows.create(Holiday, values)).id, id)
        assert.strictEqual((yield* rows.update(Holiday, id, {})).id, id)
        assert.strictEqual((yield* rows.upsert(Holiday, { ...values, id })).id, id)
        yield* rows.remove(Holiday, id)
      }
    })
  )

  it.effect("can hold fields and vocabulary words that this version does not know", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ ...row, colour: "red" }), yield* read(row))
      const transfer = {
        ...Object.fromEntries(Object.keys(WarehouseTransfer.columns).map((name) => [name, null])),
        id: "wt_1",
        transferId: "T1",
        fromLocationId: "a",
        toLocationId: "b",
        companyId: "c",
        createdBy: "u",
        createdAt: "2026-01-01T00:00:00Z",
        status: "Teleported"
      }
      const { rows } = yield* scripted([{ status: 200, body: transfer }], once)
      assert.strictEqual(
        (yield* rows.retrieve(WarehouseTransfer, WarehouseTransferId.make("wt_1"))).status,
        "Teleported"
      )
    })
  )

  it.effect("without a field of every row names the field", () =>
    Effect.gen(function* () {
      const { name: _, ...rest } = row
      const error = yield* Effect.flip(read(rest))
      assert.strictEqual(error._tag, "ResponseMalformed")
      assert.strictEqual(
        error.message,
        'http://service.test returned data that does not match the schema in the row "hol_1": holiday.name: expected a string, got nothing'
      )
    })
  )

  for (const [name, body] of [
    ["with HTML in place of JSON", "<html>Welcome</html>"],
    ["with incomplete JSON", '[{"id":"hol_1","na'],
    ["without a body", ""],
    ["with a JSON string", '"hello"'],
    ["with two rows in place of one", [row, row]]
  ] as const) {
    it.effect(`${name} is malformed`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(read(body))
        assert.strictEqual(error._tag, "ResponseMalformed")
        assert.match(
          error.message,
          /^Expected (?:JSON|one row) from http:\/\/service\.test, got status 200|^http:\/\/service\.test returned data/
        )
        assert.notInclude(error.message, "Welcome")
      })
    )
  }

  it.effect("without a Content-Range is malformed to count, and without an ETag to retrieveVersioned", () =>
    Effect.gen(function* () {
      const { rows } = yield* scripted([{ status: 200, body: row }], once)
      assert.include((yield* Effect.flip(rows.count(Holiday))).message, "Content-Range")
      assert.include((yield* Effect.flip(rows.retrieveVersioned(Holiday, id))).message, "an ETag")
    })
  )
})

const causeOf = (exit: Exit.Exit<unknown, unknown>) => (Exit.isFailure(exit) ? exit.cause : Cause.empty)

describe("the printed form", () => {
  const secret = "s3cret-of-a-client"

  it.effect("of a failure holds neither the API key nor the contents of a row", () =>
    Effect.gen(function* () {
      const replies: ReadonlyArray<Reply> = [
        ...everywhere.map(([reply]) => reply),
        { status: 200, body: { clientSecret: secret } },
        { status: 400, body: errorBody("23502", 'null value in column "name"') }
      ]
      for (const reply of replies) {
        const { rows } = yield* scripted([reply], once)
        const attempts: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          rows.list(OauthClient),
          rows.update(OauthClient, OauthClientId.make("o1"), { clientSecret: secret }),
          rows.retrieve(OauthClient, OauthClientId.make("o1"))
        ]
        for (const effect of attempts) {
          const exit = yield* Effect.exit(effect)
          const cause = Cause.pretty(causeOf(exit))
          const printed = [String(exit), JSON.stringify(exit), inspect(exit, { depth: 20 }), cause].join()
          assert.notInclude(printed, key)
          assert.notInclude(printed, secret)
        }
        assert.notInclude(inspect(rows, { depth: 20, showHidden: true }), key)
      }
    })
  )

  it.effect("of an invalid option names the option without the API key", () =>
    Effect.gen(function* () {
      const keyed = yield* Effect.exit(scripted([], { apiKey: "mfg two words" }))
      assert.include(Cause.pretty(causeOf(keyed)), "apiKey: expected visible ASCII characters without spaces")
      assert.notInclude(inspect(keyed, { depth: 20 }), "two words")
      const placed = yield* Effect.exit(scripted([], { restUrl: "service.test/rest" }))
      assert.include(Cause.pretty(causeOf(placed)), "restUrl: expected an http or https address")
    })
  )
})
