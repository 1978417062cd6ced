import { assert, describe } from "@effect/vitest"
import * as FaultyService from "../faults/faultyService.ts"

interface Shown {
  readonly sequence: number
  readonly method: string
  readonly target: string
  readonly status: number
}

const methods = (body: ReadonlyArray<Shown>) => body.map(({ method, status }) => `${method} ${status}`)

describe("the traffic of a service", () => {
  FaultyService.serves("has the last requests and responses, the newest first", async ({ admin, create, send }) => {
    await create("a", { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" })
    await send("/rest/holiday?name=eq.a", { headers: { "X-Request-Id": "r1" } })
    const { body } = await admin("GET", "/traffic")
    assert.deepStrictEqual(methods(body), ["GET 200", "POST 201"])
    const [read, created] = body
    assert.deepInclude(read, { target: "/rest/holiday?name=eq.a", resource: "holiday", requestId: "r1", lost: null })
    assert.strictEqual(JSON.parse(read.response.body)[0].name, "a")
    assert.strictEqual(JSON.parse(created.request.body).name, "a")
    assert.match(created.traceparent, /^00-0af7/)
    assert.isAbove(created.millis, 0)
    assert.approximately(Date.parse(created.at), Date.now(), 60_000)
  })

  FaultyService.serves("can be filtered, and read in pages", async ({ admin, create, send }) => {
    await create("a")
    await send("/rest/kanban")
    await send("/rest/holiday?select=nothing")
    await admin("POST", "/faults", { name: "f", match: { resource: "kanban" }, status: 503 })
    await send("/rest/kanban")
    const found = async (search: string) => methods((await admin("GET", `/traffic${search}`)).body)
    assert.deepStrictEqual(await found("?method=POST"), ["POST 201"])
    assert.deepStrictEqual(await found("?resource=kanban"), ["GET 503", "GET 200"])
    assert.deepStrictEqual(await found("?status=4xx"), ["GET 400"])
    assert.deepStrictEqual(await found("?status=503"), ["GET 503"])
    assert.deepStrictEqual(await found("?fault=*"), ["GET 503"])
    assert.deepStrictEqual(await found("?path=/rest/kan"), ["GET 503", "GET 200"])
    assert.deepStrictEqual(await found("?slower=60000"), [])
    assert.deepStrictEqual(await found("?since=2999-01-01T00:00:00Z"), [])
    const [last] = (await admin("GET", "/traffic?limit=1")).body
    assert.deepStrictEqual(await found(`?limit=2&after=${last.sequence}`), ["GET 400", "GET 200"])
    for (const search of ["?status=9", "?resource=holidays", "?limit=0", "?unknown=1"]) {
      assert.strictEqual((await admin("GET", `/traffic${search}`)).status, 400, search)
    }
  })

  FaultyService.serves("hides keys and secrets", async ({ admin, companyId, send }) => {
    const secret = "a-very-secret-value"
    const client = { name: "c", clientId: "c1", clientSecret: secret, redirectUris: [], companyId }
    await send("/rest/oauthClient", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(client)
    })
    await send(`/rest/oauthClient?clientSecret=eq.${secret}`)
    await send(`/rest/oauthClient?or=(clientSecret.eq.${secret},name.eq.c)`)
    await send("/rest/oauthClient", { headers: { Accept: "text/csv" } })
    const { body } = await admin("GET", "/traffic")
    assert.strictEqual(body.length, 4)
    const text = JSON.stringify(body)
    assert.notInclude(text, secret)
    assert.notInclude(text, "mfg_faulty")
    assert.include(text, "name.eq.c")
  })

  FaultyService.serves(
    "keeps a bounded number, and the beginning of large bodies",
    async ({ admin, create, send }) => {
      await create("x".repeat(200_000))
      const [created] = (await admin("GET", "/traffic")).body
      assert.strictEqual(created.request.body.length, 65_536)
      assert.isAbove(created.request.bytes, 200_000)
      for (let index = 0; index < 12; index++) await send("/rest/kanban")
      assert.strictEqual((await admin("GET", "/traffic")).body.length, 5)
    },
    { traffic: 5 }
  )

  FaultyService.serves("names the loss of a response", async ({ admin, create }) => {
    await admin("POST", "/faults", { reset: "after-commit", times: 1 })
    await create("a").catch(() => undefined)
    const [lost] = (await admin("GET", "/traffic")).body
    assert.deepInclude(lost, { status: 201, lost: "reset" })
    assert.match(lost.fault, /^f\d+$/)
  })

  FaultyService.serves(
    "can be turned off",
    async ({ admin, send }) => {
      await send("/rest/kanban")
      assert.strictEqual((await admin("GET", "/traffic")).status, 409)
    },
    { traffic: 0 }
  )

  FaultyService.serves("can be followed, and resumed after an event", async ({ follow, send }) => {
    await send("/rest/kanban")
    const first = follow("/traffic?resource=holiday", {})
    await first.next()
    await send("/rest/kanban")
    await send("/rest/holiday?limit=1")
    await send("/rest/holiday?limit=2")
    const one = await first.next()
    assert.match(one, /^id: 3\ndata: .*limit=1/)
    await first.close()
    const second = follow("/traffic?resource=holiday", { "Last-Event-ID": "3" })
    await second.next()
    assert.match(await second.next(), /^id: 4\ndata: .*limit=2/)
    await second.close()
  })
})
