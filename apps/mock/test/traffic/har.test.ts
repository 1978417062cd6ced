import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import * as Effect from "effect/Effect"
import { createRequire } from "node:module"
import * as FaultyService from "../faults/faultyService.ts"

const require = createRequire(import.meta.url)

/** Validates a file by the schema of HAR, whose parts refer to each other. */
const isHar = (() => {
  const schemas: { readonly [name: string]: object } = require("har-schema")
  const ajv = new Ajv({ strict: false })
  ajv.addMetaSchema(require("ajv/dist/refs/json-schema-draft-06.json"))
  addFormats.default(ajv)
  ajv.addSchema(Object.values(schemas))
  return (file: unknown) => {
    return ajv.validate("har.json#", file) ? "valid" : ajv.errorsText()
  }
})()

interface HarEntry {
  startedDateTime: string
  readonly request: { readonly method: string; url: string; readonly postData: { text: string } }
  response?: { readonly status: number }
}

interface HarLog {
  version: string
  readonly entries: [HarEntry, HarEntry, HarEntry]
}

describe("a HAR file of the traffic", () => {
  FaultyService.serves("follows the schema, and hides secrets", async ({ admin, create, send }) => {
    await create("é")
    await send("/rest/holiday?name=eq.%C3%A9&select=id")
    await send("/rest/holiday?select=nothing", { headers: { Cookie: "a=b" } })
    await admin("POST", "/faults", { truncate: 0.5, times: 1 })
    await send("/rest/holiday").then((response) => response.text().catch(() => undefined))
    const { body, headers } = await admin("GET", "/traffic.har")
    assert.strictEqual(isHar(body), "valid")
    assert.match(headers.get("Content-Type") ?? "", /^application\/json/)
    assert.deepStrictEqual(
      body.log.entries.map(({ request, response }: HarEntry) => [request.method, response?.status]),
      [
        ["POST", 201],
        ["GET", 200],
        ["GET", 400],
        ["GET", 200]
      ]
    )
    assert.deepStrictEqual(body.log.entries[1].request.queryString, [
      { name: "name", value: "eq.é" },
      { name: "select", value: "id" }
    ])
    assert.strictEqual(body.log.entries[3]._lost, "cut")
    assert.notInclude(JSON.stringify(body), "mfg_faulty")
  })
})

const virtual = { clock: "virtual" } as const

/** Records a few exchanges, and returns their HAR file. */
const recorded = async ({ admin, create, send }: FaultyService.FaultyService) => {
  await admin("POST", "/clock/freeze")
  await create("a")
  await create("b")
  await send("/rest/holiday?order=name.desc")
  const { body } = await admin("GET", "/traffic.har")
  return body
}

describe("a replay", () => {
  it.scopedLive("gets the same responses from the same state and clock, for the ids of its own rows", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([FaultyService.make(virtual), FaultyService.make(virtual)])
      yield* Effect.promise(async () => {
        // The ids of the second service differ from here on.
        await second.create("other")
        await second.send("/rest/holiday?name=eq.other", { method: "DELETE" })
        await first.admin("POST", "/clock/freeze")
        const { id } = JSON.parse(await (await first.create("a")).text())
        await first.send(`/rest/holiday?id=eq.${id}`, {
          method: "PATCH",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ name: "b" })
        })
        await first.send("/rest/holiday?order=name.desc")
        await first.send("/rest/holiday?name=eq.nothing")
        await first.create("c", { Accept: "text/csv", Prefer: "return=representation" })
        await first.send("/rest/holiday?name=eq.c")
        const { body: har } = await first.admin("GET", "/traffic.har")
        const { body } = await second.admin("POST", "/replay", har)
        assert.deepStrictEqual(body, { requests: 6, same: 6, differences: [] })
        assert.deepStrictEqual(await second.names(), ["b", "c"])
      })
    })
  )

  FaultyService.serves(
    "gives a row the time of its recording, and a request no key that had none",
    async ({ admin, create, send }) => {
      await admin("POST", "/clock/freeze")
      await create("a")
      await send("/rest/holiday", { headers: { Authorization: "" } })
      await send("/rest/holiday", { headers: { Authorization: "Bearer mfg_unknown" } })
      const { body: har } = await admin("GET", "/traffic.har")
      await send("/rest/holiday?name=eq.a", { method: "DELETE" })
      const [created, anonymous] = har.log.entries
      // `send` always has the header, here an empty one.
      anonymous.request.headers = []
      const later = new Date(Date.parse(created.startedDateTime) + 7).toISOString()
      created.response.content.text = created.response.content.text.replaceAll(created.startedDateTime, later)
      created.time = 9
      const { body } = await admin("POST", "/replay", har)
      assert.deepStrictEqual(body, { requests: 3, same: 3, differences: [] })
    },
    virtual
  )

  FaultyService.serves(
    "sends nothing to the paths of the service that are not of rows or operations",
    async ({ admin, send }) => {
      const others = ["/health/ready", "/openapi.json", "/docs", "/webhooks/w/secret", "/robots.txt", "//", "//a"]
      for (const path of ["/rest/holiday", ...others]) await send(path)
      const { body: har } = await admin("GET", "/traffic.har")
      assert.isAbove(har.log.entries.length, 1)
      const { body } = await admin("POST", "/replay", har)
      assert.deepStrictEqual(body, { requests: 1, same: 1, differences: [] })
    },
    virtual
  )

  FaultyService.serves(
    "gives a row the time of its recording that only a later response has",
    async ({ admin, create, send }) => {
      await admin("POST", "/clock/freeze")
      await create("a", { Prefer: "return=minimal" })
      await send("/rest/holiday?select=name,createdAt")
      const { body: har } = await admin("GET", "/traffic.har")
      await send("/rest/holiday?name=eq.a", { method: "DELETE" })
      const [created, listed] = har.log.entries
      const later = new Date(Date.parse(created.startedDateTime) + 3).toISOString()
      created.time = 4
      listed.startedDateTime = new Date(Date.parse(created.startedDateTime) + 20).toISOString()
      const [row] = JSON.parse(listed.response.content.text)
      listed.response.content.text = JSON.stringify([{ ...row, createdAt: later }])
      const { body } = await admin("POST", "/replay", har)
      assert.deepStrictEqual(body, { requests: 2, same: 2, differences: [] })
    },
    virtual
  )

  FaultyService.serves(
    "has a valid key for requests whose key was revoked later",
    async ({ admin, companyId, send }) => {
      const { body: issued } = await admin("POST", "/keys", { name: "short", companyId })
      await send("/rest/holiday", { headers: { Authorization: `Bearer ${issued.key}` } })
      await admin("DELETE", `/keys/${issued.id}`)
      const { body: har } = await admin("GET", "/traffic.har")
      assert.isNull(har.log.entries[0]._apiKey)
      const { body } = await admin("POST", "/replay", har)
      assert.deepStrictEqual(body, { requests: 1, same: 1, differences: [] })
    },
    virtual
  )

  FaultyService.serves(
    "names the responses that differ",
    async (service) => {
      const har = await recorded(service)
      await service.create("c")
      const { body } = await service.admin("POST", "/replay", har)
      assert.strictEqual(body.requests, 3)
      const listed = body.differences.find(({ position }: { readonly position: number }) => position === 2)
      assert.deepInclude(listed, { method: "GET", target: "/rest/holiday?order=name.desc" })
      assert.notInclude(listed.expected.body, `"name":"c"`)
      assert.include(listed.got.body, `"name":"c"`)
    },
    virtual
  )

  FaultyService.serves(
    "refuses a file that it cannot replay, and names the place",
    async (service) => {
      const har = await recorded(service)
      const change = (edit: (log: HarLog) => void) => {
        const copy = structuredClone(har)
        edit(copy.log)
        return service.admin("POST", "/replay", copy)
      }
      const refusals = [
        [await change((log) => (log.version = "1.1")), ["log", "version"], /expected 1.2/],
        [
          await change((log) => (log.entries[1].request.url = "https://other.example/users")),
          ["log", "entries", 1, "request", "url"],
          /\/users is not a path of this service/
        ],
        [
          await change((log) => (log.entries[0].request.postData.text = "{")),
          ["log", "entries", 0, "request", "postData"],
          /the body was cut/
        ],
        [await change((log) => delete log.entries[2].response), ["log", "entries", 2, "response"], /missing/],
        [
          await change((log) => (log.entries[0].startedDateTime = "yesterday")),
          ["log", "entries", 0, "startedDateTime"],
          /timestamp/
        ],
        [await service.admin("POST", "/replay", {}), ["log"], /./]
      ] as const
      for (const [{ body, status }, path, message] of refusals) {
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(body.data.issues[0].path, path)
        assert.match(body.data.issues[0].message, message)
      }
      assert.lengthOf(await service.names(), 2)
    },
    virtual
  )
})
