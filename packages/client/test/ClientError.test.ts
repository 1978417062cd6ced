import { assert, describe, it } from "@effect/vitest"
import { OperationRejected, Unreachable } from "@mfgdata/client"
import { OauthClient, OauthClientId } from "@mfgdata/domain"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { inspect } from "node:util"
import { key, errorBody, type Reply, rows as scripted } from "./fixtures/scripted.ts"
import { once, type Call, calls, errorOf } from "./fixtures/calls.ts"

const html = { "content-type": "text/html" }

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
