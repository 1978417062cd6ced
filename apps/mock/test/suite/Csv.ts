/** Tests rows as comma-separated values, in responses and in requests. */
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

const ready = Effect.gen(function* () {
  const service = yield* Service.Service
  yield* Sample.clear("operator")
  const send = (target: string, body: string, prefer = "return=representation") =>
    service.ask("POST", `/rest/v1/${target}`, { body, headers: { "content-type": "text/csv", prefer } })
  return { ...service, send }
})

const transfer = (transferId: string, more: JsonObject): JsonObject => ({
  transferId,
  fromLocationId: "here",
  toLocationId: "there",
  status: "Draft",
  companyId,
  ...more
})

const accept = { accept: "text/csv" }

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("writes a header and rows in PostgreSQL's text form", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* ready
      yield* done("POST", "/rest/warehouseTransfer", {
        body: [
          transfer("1", { notes: "", reference: null, tags: ["a b", 'q"'], customFields: { a: "b, c" } }),
          transfer("2", { notes: 'say "hi", you', reference: "plain", tags: null, customFields: null })
        ]
      })
      const reply = yield* ask(
        "GET",
        "/rest/warehouseTransfer?select=transferId,notes,reference,tags,customFields&order=transferId",
        { headers: accept }
      )
      assert.strictEqual(reply.headers["content-type"], "text/csv; charset=utf-8")
      assert.strictEqual(
        reply.text,
        [
          "transferId,notes,reference,tags,customFields",
          '1,"",,"{""a b"",""q\\""""}","{""a"":""b, c""}"',
          '2,"say ""hi"", you",plain,,'
        ].join("\n")
      )
      const none = yield* ask("GET", "/rest/warehouseTransfer?transferId=eq.3", { headers: accept })
      assert.deepStrictEqual([none.status, none.text], [200, ""])
    })
  )

  it.effect("reads rows by their header, NULL as null and an empty field as an empty text", () =>
    Effect.gen(function* () {
      const { send } = yield* ready
      const csv = [
        "name,date,year,companyId,tags,customFields",
        `"New Year, early",2026-01-01,2026,${companyId},"{a,b}","{""x"": 1}"`,
        `"",2026-05-01,NULL,${companyId},NULL,NULL`
      ].join("\r\n")
      const reply = yield* send("holiday?select=name,year,tags,customFields", csv)
      assert.deepStrictEqual(
        [reply.status, reply.rows],
        [
          201,
          [
            { name: "New Year, early", year: 2026, tags: ["a", "b"], customFields: { x: 1 } },
            { name: "", year: null, tags: null, customFields: null }
          ]
        ]
      )
    })
  )

  it.effect("reads back the rows that it wrote", () =>
    Effect.gen(function* () {
      const { ask, done, send } = yield* ready
      const columns = "transferId,fromLocationId,toLocationId,status,companyId,transferDate,notes,customFields,tags"
      yield* done("POST", "/rest/warehouseTransfer", {
        body: transfer("1", {
          notes: 'line\nbreak, "quotes" and \\',
          tags: ["a,b", "{c}", ""],
          customFields: { a: [1, "x\ny"] },
          transferDate: "2026-03-04"
        })
      })
      const target = `/rest/warehouseTransfer?select=${columns}`
      const before = (yield* ask("GET", target)).rows
      const { text } = yield* ask("GET", target, { headers: accept })
      yield* Sample.clear("operator")
      // A response writes null as an empty field, a request as NULL; these rows have none.
      const reply = yield* send(`warehouseTransfer?select=${columns}`, text)
      assert.deepStrictEqual([reply.status, reply.rows], [201, before])
    })
  )

  it.effect("refuses invalid CSV, and values of the wrong type", () =>
    Effect.gen(function* () {
      const { send } = yield* ready
      const ragged = yield* send("holiday", "name,date\na,2026-01-01\nb")
      assert.deepStrictEqual(ragged.verdict, [400, "PGRST102"])
      assert.strictEqual(ragged.row["message"], "All lines must have same number of fields")
      assert.deepStrictEqual((yield* send("holiday", 'name,date\n"a,2026-01-01')).verdict, [400, "PGRST102"])
      assert.deepStrictEqual(
        (yield* send("holiday", `name,date,companyId,year\na,2026-01-01,${companyId},x`)).verdict,
        [400, "22P02"]
      )
      assert.deepStrictEqual(
        (yield* send("holiday", `name,date,companyId,colour\na,2026-01-01,${companyId},red`)).verdict,
        [400, "PGRST204"]
      )
      assert.deepStrictEqual((yield* send("holiday", "name,date\na,2026-01-01")).verdict, [400, "23502"])
    })
  )

  it.effect("writes embeds as JSON", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* ready
      yield* done("POST", "/rest/warehouseTransfer", { body: transfer("1", {}) })
      const reply = yield* ask("GET", "/rest/warehouseTransfer?select=transferId,warehouseTransferLine(id)", {
        headers: accept
      })
      assert.strictEqual(reply.text, "transferId,warehouseTransferLine\n1,[]")
    })
  )
}
