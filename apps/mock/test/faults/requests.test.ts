import * as Effect from "effect/Effect"
import { assert, describe } from "@effect/vitest"
import * as Measurement from "../Measurement.ts"
import * as Wait from "../Wait.ts"
import * as FaultyService from "./faultyService.ts"

/** The error code of a request whose connection breaks. */
const codeOf = async (response: Promise<Response>): Promise<unknown> => {
  try {
    await (await response).text()
    return undefined
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: unknown } }
    return cause?.code
  }
}

describe("faults of requests", () => {
  FaultyService.serves("resets the connection before the commit, without a row", async ({ admin, create, names }) => {
    await admin("POST", "/faults", { match: { method: "POST" }, reset: "before-commit", times: 1 })
    assert.strictEqual(await codeOf(create("a")), "ECONNRESET")
    assert.deepStrictEqual(await names(), [])
    assert.strictEqual((await create("b")).status, 201)
  })

  FaultyService.serves("resets the connection after the commit, with the row", async ({ admin, create, names }) => {
    await admin("POST", "/faults", { match: { method: "POST" }, reset: "after-commit", times: 1 })
    assert.strictEqual(await codeOf(create("a")), "ECONNRESET")
    assert.deepStrictEqual(await names(), ["a"])
  })

  FaultyService.serves(
    "answers the repeat of a lost response from its idempotency record",
    async ({ admin, create, names }) => {
      await admin("POST", "/faults", { match: { method: "POST" }, reset: "after-commit", times: 1 })
      const key = { "Idempotency-Key": "k1" }
      assert.strictEqual(await codeOf(create("a", key)), "ECONNRESET")
      const repeated = await create("a", key)
      assert.strictEqual(repeated.status, 201)
      assert.deepStrictEqual(await names(), ["a"])
    }
  )

  FaultyService.serves(
    "leaves a request without a response, before or after the commit",
    async ({ admin, names, send, companyId }) => {
      const hang = async (name: string, moment: string) => {
        const { body } = await admin("POST", "/faults", { match: { method: "POST" }, hang: moment })
        const hangUp = new AbortController()
        const response = send("/rest/holiday", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ name, date: "2027-05-01", companyId }),
          signal: hangUp.signal
        }).catch((error: Error) => error.name)
        const fired = Effect.promise(async () => (await admin("GET", "/faults")).body[0].fired)
        await Effect.runPromise(Wait.until(fired, (count) => count === 1))
        if (moment === "after-commit")
          await Effect.runPromise(Wait.until(Effect.promise(names), (all) => all.length > 0))
        hangUp.abort()
        assert.strictEqual(await response, "AbortError")
        await admin("DELETE", `/faults/${body.id}`)
      }
      await hang("a", "before-commit")
      assert.deepStrictEqual(await names(), [])
      await hang("b", "after-commit")
      assert.deepStrictEqual(await names(), ["b"])
    }
  )

  FaultyService.serves("responds in place of the service", async ({ admin, create, names, send }) => {
    const { body } = await admin("POST", "/faults", {
      match: { resource: "holiday" },
      status: 429,
      headers: { "Retry-After": "7" }
    })
    const refused = await create("a")
    assert.strictEqual(refused.status, 429)
    assert.strictEqual(refused.headers.get("Retry-After"), "7")
    assert.strictEqual(refused.headers.get("Mfg-Fault"), body.id)
    assert.strictEqual(((await refused.json()) as { readonly code: string }).code, "MF599")
    assert.deepStrictEqual(await names(), [])
    assert.strictEqual((await send("/rest/kanban")).status, 200)
    await admin("DELETE", "/faults")
    await admin("POST", "/faults", {
      status: 502,
      body: "<h1>Bad Gateway</h1>",
      headers: { "Content-Type": "text/html" }
    })
    const page = await send("/rest/holiday")
    assert.deepStrictEqual(
      [page.status, page.headers.get("Content-Type"), await page.text()],
      [502, "text/html", "<h1>Bad Gateway</h1>"]
    )
    await admin("DELETE", "/faults")
    await admin("POST", "/faults", { status: 200, body: { a: [1] } })
    assert.deepStrictEqual(await (await send("/rest/holiday")).json(), { a: [1] })
  })

  FaultyService.serves("responds as without a store, to rows and operations", async ({ admin, send }) => {
    await admin("POST", "/faults", { store: "unavailable" })
    const rows = await send("/rest/holiday")
    assert.deepStrictEqual([rows.status, rows.headers.get("Retry-After")], [503, "1"])
    const operation = await send("/api/v1/account/getCurrentUser", { method: "POST", body: "{}" })
    assert.strictEqual(operation.status, 503)
    assert.strictEqual(((await operation.json()) as { readonly code: string }).code, "SERVICE_UNAVAILABLE")
    assert.strictEqual((await send("/health/ready")).status, 200)
  })

  FaultyService.serves("cuts a body after a part of it", async ({ admin, create, send }) => {
    await create("a")
    await admin("POST", "/faults", { truncate: 0.5, times: 1 })
    const response = await send("/rest/holiday")
    assert.strictEqual(response.status, 200)
    assert.strictEqual(await codeOf(Promise.resolve(response)), "UND_ERR_SOCKET")
    assert.strictEqual((await send("/rest/holiday")).status, 200)
  })

  FaultyService.serves("changes a response in place of that of the service", async ({ admin, send }) => {
    await admin("POST", "/faults", {
      status: 502,
      body: { a: 1 },
      headers: { "X-Gateway": "b" },
      contentType: "text/html",
      malform: true,
      times: 1
    })
    const response = await send("/rest/holiday")
    assert.deepStrictEqual(
      [response.status, response.headers.get("X-Gateway"), response.headers.get("Content-Type"), await response.text()],
      [502, "b", "text/html", '{"a":1"']
    )
    await admin("POST", "/faults", { status: 502, truncate: 0.5, times: 1 })
    assert.strictEqual(await codeOf(send("/rest/holiday")), "UND_ERR_SOCKET")
  })

  FaultyService.serves("breaks the syntax of a body, and its type", async ({ admin, create, send }) => {
    await create("a")
    await admin("POST", "/faults", { malform: true, contentType: "text/html" })
    const response = await send("/rest/holiday")
    assert.strictEqual(response.headers.get("Content-Type"), "text/html")
    const text = await response.text()
    assert.include(text, `"name":"a"`)
    assert.throws(() => JSON.parse(text), SyntaxError)
  })

  FaultyService.serves("delays a request, and paces its response", async ({ admin, create, send }) => {
    await create("a".repeat(2000))
    const timed = async () => {
      const start = performance.now()
      await (await send("/rest/holiday")).text()
      return performance.now() - start
    }
    await admin("POST", "/faults", { latency: { fixed: 300 }, times: 1 })
    assert.isAtLeast(await timed(), 300)
    await admin("POST", "/faults", { bandwidth: { down: 5000 }, times: 1 })
    const millis = await timed()
    assert.isAtLeast(millis, 350)
    await Effect.runPromise(Measurement.isBelow(300, Effect.promise(timed)))
  })

  FaultyService.serves("shifts the date of responses", async ({ admin, send }) => {
    await admin("POST", "/faults", { skew: -3600 })
    const date = Date.parse((await send("/rest/holiday")).headers.get("Date") ?? "")
    assert.approximately(date, Date.now() - 3_600_000, 10_000)
  })

  FaultyService.serves("matches by key, header, path, size and operation", async ({ admin, send }) => {
    const statusOf = async (rule: object, path: string, init?: RequestInit) => {
      const { body } = await admin("POST", "/faults", { ...rule, status: 418 })
      const { status } = await send(path, init)
      await admin("DELETE", `/faults/${body.id}`)
      return status
    }
    assert.strictEqual(await statusOf({ match: { header: { "X-Client": "a" } } }, "/rest/holiday"), 200)
    assert.strictEqual(
      await statusOf({ match: { header: { "X-Client": "*" } } }, "/rest/holiday", { headers: { "x-client": "b" } }),
      418
    )
    assert.strictEqual(await statusOf({ match: { path: "/health/*" } }, "/health/live"), 418)
    assert.strictEqual(await statusOf({ match: { path: "/health/*" } }, "/rest/holiday"), 200)
    assert.strictEqual(await statusOf({ match: { key: "other" } }, "/rest/holiday"), 200)
    const me = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } }
    assert.strictEqual(
      await statusOf({ match: { operation: "getCurrentUser" } }, "/api/v1/account/getCurrentUser", me),
      418
    )
    assert.strictEqual(
      await statusOf({ match: { operation: "account.getCurrentUser" } }, "/api/v1/account/getCurrentUser", me),
      418
    )
    assert.strictEqual(await statusOf({ match: { bodyBytes: 3 } }, "/api/v1/account/getCurrentUser", me), 200)
    assert.strictEqual(await statusOf({ match: { method: "GET" } }, "/api/v1/account/getCurrentUser", me), 200)
  })

  FaultyService.serves("fires on the matches that its schedule selects", async ({ admin, send }) => {
    const statuses = async (rule: object, count: number) => {
      const { body } = await admin("POST", "/faults", { ...rule, status: 500 })
      const all: Array<number> = []
      for (let index = 0; index < count; index++) all.push((await send("/rest/holiday")).status)
      await admin("DELETE", `/faults/${body.id}`)
      return all.map((status) => (status === 500 ? "x" : ".")).join("")
    }
    assert.strictEqual(await statuses({ first: 2 }, 5), "xx...")
    assert.strictEqual(await statuses({ every: 3 }, 7), "..x..x.")
    assert.strictEqual(await statuses({ every: 2, times: 2 }, 8), ".x.x....")
    assert.strictEqual(await statuses({ after: 3 }, 6), "...xxx")
    const seeded = await statuses({ name: "half", probability: 0.5, seed: 7 }, 40)
    assert.strictEqual(await statuses({ name: "half", probability: 0.5, seed: 7 }, 40), seeded)
    assert.notStrictEqual(await statuses({ name: "half", probability: 0.5, seed: 8 }, 40), seeded)
    assert.match(seeded, /x.*\..*x/)
    assert.strictEqual(await statuses({ from: "2999-01-01T00:00:00Z" }, 2), "..")
    assert.strictEqual(await statuses({ from: "2020-01-01T00:00:00Z", until: "2999-01-01T00:00:00Z" }, 2), "xx")
  })

  FaultyService.serves("lists rules with their counts, and disarms one or all", async ({ admin, send }) => {
    const { body: first, status } = await admin("POST", "/faults", { name: "a", status: 500, every: 2 })
    assert.strictEqual(status, 201)
    assert.deepStrictEqual(first, { id: first.id, name: "a", status: 500, every: 2, matched: 0, fired: 0 })
    await admin("POST", "/faults", { match: { method: "PUT" }, status: 500 })
    for (let index = 0; index < 3; index++) await send("/rest/holiday")
    const { body } = await admin("GET", "/faults")
    assert.deepStrictEqual(
      body.map(({ fired, matched }: { readonly fired: number; readonly matched: number }) => [matched, fired]),
      [
        [3, 1],
        [0, 0]
      ]
    )
    assert.strictEqual((await admin("DELETE", `/faults/${first.id}`)).body.matched, 3)
    assert.strictEqual((await admin("DELETE", `/faults/${first.id}`)).status, 404)
    await admin("DELETE", "/faults")
    assert.deepStrictEqual((await admin("GET", "/faults")).body, [])
  })

  FaultyService.serves("arms a ready set at one moment", async ({ admin }) => {
    const { body, status } = await admin("POST", "/faults", { set: "lost-answers" })
    assert.strictEqual(status, 201)
    assert.isAbove(body.length, 1)
    const unknown = await admin("POST", "/faults", { set: "unknown" })
    assert.strictEqual(unknown.status, 404)
    assert.include(unknown.body.message, "lost-answers")
  })

  FaultyService.serves(
    "reads a rule or the name of a set from the header of a request",
    async ({ create, names, send }) => {
      assert.strictEqual(await codeOf(create("a", { "Mfg-Fault": '{"reset":"after-commit"}' })), "ECONNRESET")
      assert.deepStrictEqual(await names(), ["a"])
      assert.strictEqual((await create("b")).status, 201)
      const counted = () => send("/rest/holiday", { headers: { "Mfg-Fault": '{"name":"own","status":500,"first":1}' } })
      const first = await counted()
      assert.deepStrictEqual([first.status, first.headers.get("Mfg-Fault")], [500, "own"])
      assert.strictEqual((await counted()).status, 200)
      assert.strictEqual((await send("/rest/holiday", { headers: { "Mfg-Fault": "hostile-gateway" } })).ok, true)
      for (const text of ["unknown", "{", '{"status":7}']) {
        const refused = await send("/rest/holiday", { headers: { "Mfg-Fault": text } })
        assert.strictEqual(refused.status, 400, text)
        assert.strictEqual(((await refused.json()) as { readonly code: string }).code, "MF400")
      }
    },
    { faults: [{ _tag: "Header" }] }
  )

  FaultyService.serves(
    "names the property of a header with an invalid rule",
    async ({ send }) => {
      const details = async (text: string) => {
        const refused = await send("/rest/holiday", { headers: { "Mfg-Fault": text } })
        assert.strictEqual(refused.status, 400, text)
        return ((await refused.json()) as { readonly details: string }).details
      }
      assert.strictEqual(
        await details('{"status":500,"probability":2}'),
        "Expected a rule as JSON (probability: Expected a number above 0 and up to 1, actual 2)."
      )
      assert.match(
        await details('{"status":500,"headers":{"a b":"c"}}'),
        /\(headers\.a b: is unexpected, expected: the name of a header/
      )
      assert.match(await details('{"contentType":"a\\r\\nb: c"}'), /\(contentType: Expected the value of a header/)
      assert.match(await details("{"), /^Expected a rule as JSON \(.{1,100}\)\.$/)
    },
    { faults: [{ _tag: "Header" }] }
  )

  FaultyService.serves(
    "marks a response without the name of a rule that no header can have",
    async ({ send }) => {
      for (const name of ["a\r\nb", "\u20ac"]) {
        const escaped = JSON.stringify(name).replaceAll("\u20ac", "\\u20ac")
        const { headers, status } = await send("/rest/holiday", {
          headers: { "Mfg-Fault": `{"name":${escaped},"status":500}` }
        })
        assert.deepStrictEqual([status, headers.get("Mfg-Fault")], [500, "header"])
      }
    },
    { faults: [{ _tag: "Header" }] }
  )

  FaultyService.serves("ignores the header of a request without the setting", async ({ send }) => {
    assert.strictEqual((await send("/rest/holiday", { headers: { "Mfg-Fault": '{"status":500}' } })).status, 200)
  })
})

describe("a rule that could never fire", () => {
  const refused: ReadonlyArray<readonly [rule: object, path: ReadonlyArray<string>, message: RegExp]> = [
    [{}, ["effect"], /a rule needs an effect/],
    [{ status: 500, probability: 0 }, ["probability"], /above 0 and up to 1/],
    [{ status: 500, probability: 1.5 }, ["probability"], /above 0 and up to 1/],
    [{ status: 500, times: 0 }, ["times"], /between 1/],
    [{ status: 500, probability: 0.5, every: 2 }, ["every"], /exclude each other/],
    [{ status: 500, first: 2, after: 2 }, ["after"], /can never fire/],
    [{ status: 500, first: 2, every: 3 }, ["every"], /can never fire/],
    [{ status: 500, from: "2027-01-02T00:00:00Z", until: "2027-01-01T00:00:00Z" }, ["until"], /can never fire/],
    [{ status: 500, match: { resource: "holidays" } }, ["match", "resource"], /the name of a resource/],
    [{ status: 500, match: { operation: "you" } }, ["match", "operation"], /the name of an account operation/],
    [
      { status: 500, match: { resource: "holiday", operation: "getCurrentUser" } },
      ["match", "operation"],
      /can never fire/
    ],
    [{ status: 500, match: { method: "FETCH" } }, ["match", "method"], /"GET"/],
    [{ stale: 5, match: { method: "POST" } }, ["stale"], /only GET and HEAD/],
    [{ status: 500, reset: "before-commit" }, ["reset"], /exclude each other/],
    [{ body: "x" }, ["body"], /body needs status/],
    [{ latency: { uniform: [5, 1] } }, ["latency"], /the lower one first/],
    [{ truncate: 1 }, ["truncate"], /less than 1/],
    [{ webhook: "drop", status: 500 }, ["webhook"], /no other effect/],
    [{ webhook: "drop", match: { method: "POST" } }, ["match", "method"], /a resource and a world only/],
    [{ set: "overloaded", status: 500 }, ["set"], /set excludes status/],
    [{ status: 500, statuss: 1 }, ["statuss"], /unexpected/],
    [{ status: 500, match: { path: "rest/holiday" } }, ["match", "path"], /begins with \/ or \*/],
    [{ bandwidth: {} }, ["bandwidth"], /needs down or up/],
    [{ headers: { "a b": "c" } }, ["headers", "a b"], /expected: the name of a header/],
    [{ headers: { Trailer: "X-A" } }, ["headers", "Trailer"], /other than Trailer/],
    [{ headers: { "X-A": "b\r\nX-B: c" } }, ["headers", "X-A"], /the value of a header/],
    [{ headers: { "X-A": "\u20ac" } }, ["headers", "X-A"], /the value of a header/],
    [{ contentType: "text/html\n" }, ["contentType"], /the value of a header/]
  ]
  FaultyService.serves("is refused with the name of the property", async ({ admin }) => {
    for (const [rule, path, message] of refused) {
      const { body, status } = await admin("POST", "/faults", rule)
      assert.strictEqual(status, 400, JSON.stringify(rule))
      const issue = body.data.issues.find((issue: { readonly message: string }) => message.test(issue.message))
      assert.deepStrictEqual(issue?.path, path, JSON.stringify(body))
    }
    const past = await admin("POST", "/faults", { status: 500, until: "2020-01-01T00:00:00Z" })
    assert.strictEqual(past.status, 400)
    assert.match(past.body.message, /can never fire/)
    assert.deepStrictEqual((await admin("GET", "/faults")).body, [])
  })
})
