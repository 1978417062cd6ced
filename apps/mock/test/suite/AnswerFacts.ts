/** Tests facts about responses: statuses, shapes, headers, errors and values. */
import type * as Fact from "@mfgdata/domain/Fact"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Service from "./Service.ts"
import { given, layer as taught, TaughtService } from "./TaughtService.ts"

const seen = 1

const answerFacts: ReadonlyArray<Fact.Fact> = [
  { fact: "status", resource: "*", request: "create", status: 200, seen },
  { fact: "shape", resource: "*", request: "create", shape: "array", seen },
  { fact: "shape", resource: "*", request: "create", prefer: "minimal", shape: "null", seen },
  { fact: "status", resource: "*", request: "delete", status: 200, seen },
  { fact: "shape", resource: "holiday", request: "delete", shape: "object", seen },
  { fact: "shape", resource: "*", request: "retrieve", shape: "array", seen },
  { fact: "status", resource: "*", request: "retrieveMissing", status: 200, seen },
  { fact: "shape", resource: "*", request: "retrieveMissing", shape: "array", seen },
  { fact: "status", resource: "*", request: "update", status: 204, seen },
  { fact: "shape", resource: "*", request: "update", shape: "empty", seen },
  { fact: "header", resource: "*", request: "any", name: "server", value: "teacher/{resource}", seen },
  { fact: "header", resource: "*", request: "create", name: "location", value: null, seen },
  { fact: "header", resource: "*", request: "create", name: "x-created", value: "{key}", seen },
  { fact: "header", resource: "*", request: "error", name: "proxy-status", value: null, seen },
  { fact: "unknownColumns", resource: "holiday", treatment: "ignored", seen },
  { fact: "order", resource: "holiday", order: "name.desc", seen },
  { fact: "timestamp", resource: "*", zone: "+00:00", digits: "trimmed", seen },
  { fact: "number", resource: "holiday", column: "year", form: "text", seen },
  {
    fact: "error",
    resource: "*",
    request: "any",
    code: "23502",
    status: 422,
    body: { error: { type: "missing", text: "{column} of {resource} is missing", hint: "{hint}" } },
    seen
  },
  { fact: "error", resource: "*", request: "list", code: "42703", status: 404, body: "no {column}", seen },
  { fact: "error", resource: "*", request: "deleteMissing", code: "PGRST116", status: 410, body: { gone: true }, seen },
  { fact: "error", resource: "*", request: "any", code: "PGRST301", status: 403, body: { denied: "{code}" }, seen }
]

export const answers = (fresh: Service.Fresh): void => {
  layer(taught(fresh, { facts: given(...answerFacts) }))("facts about answers", (it) => {
    it.effect("statuses, shapes and headers are those of the facts", () =>
      Effect.gen(function* () {
        const { ask, companyId } = yield* TaughtService
        const body = { name: "B", date: "2026-05-01", companyId, year: 2026, unknown: true }
        const created = yield* ask("POST", "/rest/holiday", body)
        assert.strictEqual(created.status, 200)
        const [row] = created.rows
        const id = String(row?.["id"])
        assert.strictEqual(created.headers["server"], "teacher/holiday")
        assert.strictEqual(created.headers["x-created"], id)
        assert.notProperty(created.headers, "location")
        assert.strictEqual(row?.["year"], "2026")
        assert.match(String(row?.["createdAt"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d*[1-9])?\+00:00$/)
        const minimal = yield* ask(
          "POST",
          "/rest/holiday",
          { ...body, name: "C", date: "2026-05-02" },
          "return=minimal"
        )
        assert.strictEqual(minimal.text, "null")
        const listed = yield* ask("GET", "/rest/holiday?select=name")
        assert.deepStrictEqual(listed.rows, [{ name: "C" }, { name: "B" }])
        assert.deepStrictEqual((yield* ask("GET", "/rest/holiday?select=name&order=name")).rows, [
          { name: "B" },
          { name: "C" }
        ])
        assert.lengthOf((yield* ask("GET", `/rest/holiday?id=eq.${id}`)).rows, 1)
        const missing = yield* ask("GET", "/rest/holiday?id=eq.none")
        assert.deepStrictEqual([missing.status, missing.rows], [200, []])
        const updated = yield* ask("PATCH", `/rest/holiday?id=eq.${id}`, { name: "A" })
        assert.deepStrictEqual([updated.status, updated.text, updated.headers["content-type"]], [204, "", undefined])
        const deleted = yield* ask("DELETE", `/rest/holiday?id=eq.${id}`)
        assert.deepStrictEqual([deleted.status, deleted.row["name"]], [200, "A"])
      })
    )

    it.effect("errors have the status and the body of the facts", () =>
      Effect.gen(function* () {
        const { ask, companyId, service } = yield* TaughtService
        const missing = yield* ask("POST", "/rest/holiday", { name: "B", companyId })
        assert.strictEqual(missing.status, 422)
        assert.deepStrictEqual(missing.row, {
          error: { type: "missing", text: "date of holiday is missing", hint: null }
        })
        assert.notProperty(missing.headers, "proxy-status")
        const column = yield* ask("GET", "/rest/paymentTerm?nonsense=eq.1")
        assert.deepStrictEqual(
          [column.status, column.text, column.headers["content-type"]],
          [404, "no nonsense", "text/plain; charset=utf-8"]
        )
        assert.deepStrictEqual((yield* ask("PATCH", "/rest/holiday?nonsense=eq.1", { name: "B" })).verdict, [
          400,
          "42703"
        ])
        assert.strictEqual((yield* ask("DELETE", "/rest/holiday?id=eq.none")).status, 410)
        const denied = yield* service.handle({
          method: "GET",
          target: "/rest/holiday",
          headers: { authorization: "Bearer mfg_unknown_key" },
          body: ""
        })
        assert.deepStrictEqual([denied.status, denied.body], [403, '{"denied":"PGRST301"}'])
      })
    )
  })

  layer(taught(fresh, { facts: given({ fact: "style", style: "postgrest", seen }) }))("a fact about style", (it) => {
    it.effect("/rest answers as /rest/v1 does", () =>
      Effect.gen(function* () {
        const { ask, companyId } = yield* TaughtService
        const body = { name: "B", date: "2026-05-01", companyId }
        const created = yield* ask("POST", "/rest/holiday", body)
        assert.deepStrictEqual([created.status, created.text], [201, ""])
        assert.lengthOf((yield* ask("GET", "/rest/holiday?id=eq.none")).rows, 0)
        assert.lengthOf((yield* ask("POST", "/rest/holiday", body, "return=representation")).rows, 1)
      })
    )
  })
}
