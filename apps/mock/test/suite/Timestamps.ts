/**
 * Tests timestamps: they are returned as they were sent, and compared and ordered by their instants.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Receiver from "../webhooks/receiver.ts"
import * as Subscriptions from "./Subscriptions.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

const resource = Catalogue.byName.inboundInspection
const at = "/rest/inboundInspection"

/** One instant in many forms. */
const noon = [
  "2026-01-31T12:00:00Z",
  "2026-01-31T12:00:00.0Z",
  "2026-01-31T12:00:00.000Z",
  "2026-01-31T12:00:00.000000Z",
  "2026-01-31T12:00:00.0000000Z",
  "2026-01-31T12:00:00.000000999Z",
  "2026-01-31T12:00:00,000Z",
  "2026-01-31T12:00:00",
  "2026-01-31 12:00:00",
  "2026-01-31 12:00:00+00",
  "2026-01-31t12:00:00z",
  "2026-01-31T12:00Z",
  "2026-01-31T12Z",
  "2026-01-31T12",
  "2026-01-31T14:00:00+02:00",
  "2026-01-31T14:00:00+0200",
  "2026-01-31T14:00:00.000000000+02",
  "2026-01-31T06:30:00-05:30",
  "2026-01-31T11.5-00:30",
  "2026-01-31T12:00.0000000000099+00:00",
  "2026-031T12:00:00Z",
  "2026-W05-6T12:00:00Z",
  "2026-W05-7T00:00:00+12:00",
  "2026-01-31T24:00:00+12:00",
  "2026-02-01T00:00:00.000+12:00"
]

/** Other instants in order, each with its canonical text. */
const others = [
  ["0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00.000+23:59"],
  ["0001-01-01T00:00:00.1234567+02:00", "0001-01-01T21:59:00.123456+23:59"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ["0099-W01-1T00:00:00.000001Z", "0098-12-29T00:00:00.000001Z"],
  ["1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999Z"],
  ["1970-001T00:00:00Z", "1970-01-01T00:00:00.000Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["2017-01-01T01:59:60.5+02:00", "2017-01-01T00:00:00.500Z"],
  ["2026-01-31T11:59:59.9999999Z", "2026-01-31T11:59:59.999999Z"],
  ["2026-01-31T12:00:00.000001Z", "2026-01-31T12:00:00.000001Z"],
  ["2026-01-31T12:00:00.0000019Z", "2026-01-31T12:00:00.000001Z"],
  ["2026-01-31T12:00:00.000002000Z", "2026-01-31T12:00:00.000002Z"],
  ["2026-01-31T24:00:00Z", "2026-02-01T00:00:00.000Z"],
  ["2026-02-01T00:00:00.123456789-00:30", "2026-02-01T00:30:00.123456Z"],
  ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"],
  ["9999-12-31T24:00:00Z", "9999-12-31T00:01:00.000-23:59"],
  ["9999-12-31T23:59:59.9999999-23:59", "9999-12-31T23:59:59.999999-23:59"]
] as const

const texts: ReadonlyArray<string> = [...noon, ...others.map(([text]) => text)]

const body = (number: number, values: JsonObject = {}): JsonObject => ({
  ...Sample.body(resource, 1, { parents: new Map(), companyId, sparse: true }),
  inboundInspectionId: `i${String(number).padStart(4, "0")}`,
  receiptLineId: `r${number}`,
  ...values
})

const sent = (rows: ReadonlyArray<JsonObject>): ReadonlyArray<string> =>
  rows.map(({ dispositionedAt }) => String(dispositionedAt))

const micros = (text: unknown): bigint => Timestamp.toMicros(String(text))

/** Rows with all texts, in their order, numbered in `inboundInspectionId`. */
const planted = Effect.gen(function* () {
  const service = yield* Service.Service
  yield* Sample.clear("operator")
  const rows = texts.map((dispositionedAt, number) => body(number, { dispositionedAt }))
  yield* service.done("POST", at, { body: rows })
  return service
})

const postgrest = (prefer = "return=representation") => ({ prefer, "content-profile": "public" })

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("returns a created, updated, replaced or merged timestamp as it was sent", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      for (const [number, text] of texts.entries()) {
        const quoted = `"dispositionedAt":${JSON.stringify(text)}`
        const created = yield* done("POST", at, { body: body(number, { dispositionedAt: text }) })
        assert.include(created.text, quoted)
        const address = Sample.address(resource, created.row)
        assert.strictEqual((yield* done("GET", address)).text, created.text)
        const selected = yield* done("GET", `${address}&select=dispositionedAt,same:dispositionedAt::text`)
        assert.deepStrictEqual(selected.row, { dispositionedAt: text, same: text })

        assert.notInclude((yield* done("PATCH", address, { body: { dispositionedAt: null } })).text, quoted)
        assert.include((yield* done("PATCH", address, { body: { dispositionedAt: text } })).text, quoted)
        yield* done("PATCH", address, { body: { dispositionedAt: null } })
        assert.include((yield* done("PUT", address, { body: body(number, { dispositionedAt: text }) })).text, quoted)
        assert.include((yield* done("GET", address)).text, quoted)

        yield* done("PATCH", address, { body: { dispositionedAt: null } })
        const headers = postgrest("resolution=merge-duplicates, return=representation")
        const id = String(created.row["id"])
        const merged = yield* done("POST", at, { body: [{ ...body(number), id, dispositionedAt: text }], headers })
        assert.include(merged.text, quoted)
        assert.include((yield* done("GET", address)).text, quoted)
      }
    })
  )

  it.effect("finds rows by the instant, in any form of either text", () =>
    Effect.gen(function* () {
      const { done } = yield* planted
      const filter = (condition: string) => done("GET", `${at}?dispositionedAt=${encodeURIComponent(condition)}`)
      const expect = (condition: string, passes: (instant: bigint) => boolean) =>
        Effect.map(filter(condition), ({ rows }) =>
          assert.deepStrictEqual(
            sent(rows).toSorted(),
            texts.filter((text) => passes(micros(text))).toSorted(),
            condition
          )
        )
      for (const text of texts) {
        const instant = micros(text)
        yield* expect(`eq.${text}`, (other) => other === instant)
        yield* expect(`neq.${text}`, (other) => other !== instant)
        yield* expect(`gt.${text}`, (other) => other > instant)
        yield* expect(`gte.${text}`, (other) => other >= instant)
        yield* expect(`lt.${text}`, (other) => other < instant)
        yield* expect(`not.lte.${text}`, (other) => other > instant)
        yield* expect(`isdistinct.${text}`, (other) => other !== instant)
        yield* expect(`in.("${text}","2017-01-01")`, (other) => [instant, micros("2017-01-01T00Z")].includes(other))
        yield* expect(`eq(any).{"${text}","1970-01-01"}`, (other) => [instant, 0n].includes(other))
      }
    })
  )

  it.effect("orders, updates and deletes rows by the instant", () =>
    Effect.gen(function* () {
      const { done } = yield* planted
      const ordered = texts.toSorted((one, other) => Number(micros(one) - micros(other)))
      for (const [direction, expected] of [
        ["asc", ordered],
        ["desc", ordered.toReversed()]
      ] as const) {
        const { rows } = yield* done("GET", `${at}?select=dispositionedAt&order=dispositionedAt.${direction}`)
        assert.deepStrictEqual(sent(rows).map(micros), expected.map(micros))
        assert.deepStrictEqual(sent(rows).toSorted(), texts.toSorted())
      }
      const { rows } = yield* done("GET", `${at}?order=dispositionedAt,inboundInspectionId.desc&limit=20&offset=9`)
      assert.deepStrictEqual(sent(rows), noon.slice(-20).toReversed())
      const search = `${at}?dispositionedAt=eq.${encodeURIComponent("2026-01-31T13:00:00,0000004+01")}`
      const many = { headers: postgrest() }
      const changed = yield* done("PATCH", search, { body: { notes: "noon" }, ...many })
      assert.deepStrictEqual(sent(changed.rows).toSorted(), noon.toSorted())
      assert.lengthOf((yield* done("DELETE", search, many)).rows, noon.length)
      assert.lengthOf((yield* done("GET", at)).rows, others.length)
    })
  )

  it.effect("pages after a timestamp and a key without missing or repeating a row", () =>
    Effect.gen(function* () {
      const { done } = yield* planted
      const read: Array<JsonObject> = []
      for (;;) {
        const last = read.at(-1)
        const { dispositionedAt: moment, id } = last ?? {}
        const after = `(dispositionedAt.gt."${moment}",and(dispositionedAt.eq."${moment}",id.gt."${id}"))`
        const rest = last === undefined ? "" : `&or=${encodeURIComponent(after)}`
        const { rows } = yield* done("GET", `${at}?order=dispositionedAt,id&limit=7${rest}`)
        if (rows.length === 0) break
        read.push(...rows)
      }
      assert.deepStrictEqual(read, (yield* done("GET", `${at}?order=dispositionedAt,id`)).rows)
      assert.lengthOf(read, texts.length)
    })
  )

  it.effect("keeps the texts of 1 000 rows in one request, and their instants", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      for (const path of [at, `${at}?select=dispositionedAt,inboundInspectionId`]) {
        yield* Sample.clear("operator")
        const given = Array.from({ length: 1000 }, (_, number) => texts[(number * 7) % texts.length] ?? "")
        const rows = given.map((dispositionedAt, number) => body(number, { dispositionedAt }))
        const created = yield* done("POST", path, { body: rows })
        assert.deepStrictEqual(sent(created.rows), given)
        const found = (yield* done("GET", `${at}?order=dispositionedAt,inboundInspectionId&limit=1000`)).rows
        const number = (row: JsonObject): number => Number(String(row["inboundInspectionId"]).slice(1))
        assert.isTrue(found.every((row) => row["dispositionedAt"] === given[number(row)]))
        const order = given
          .map((text, number) => ({ instant: micros(text), number }))
          .toSorted((one, other) =>
            one.instant === other.instant ? one.number - other.number : one.instant < other.instant ? -1 : 1
          )
        assert.deepStrictEqual(
          found.map(number),
          order.map(({ number }) => number)
        )
      }
    })
  )

  it.effect("keeps texts in CSV and PostgREST's shape, and a date there as its first moment", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      const given = [...texts, "2026-01-31"]
      const kept = [...texts, "2026-01-31T00:00:00.000Z"]
      const rows = given.map((dispositionedAt, number) => body(number, { dispositionedAt }))
      const names = Object.keys(rows[0] ?? {})
      const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`
      const csv = [names, ...rows.map((row) => names.map((name) => cell(row[name])))].map((cells) => cells.join())
      const headers = { "content-type": "text/csv", prefer: "return=representation" }
      const created = yield* ask("POST", "/rest/v1/inboundInspection", { body: csv.join("\n"), headers })
      assert.deepStrictEqual(sent(created.rows), kept)
      const listed = yield* ask("GET", `/rest/v1/inboundInspection?select=dispositionedAt&order=inboundInspectionId`, {
        headers: { accept: "text/csv" }
      })
      const plain = listed.text.trim().replaceAll('"', "").split("\n")
      assert.deepStrictEqual(plain, ["dispositionedAt", ...kept])
      yield* Sample.clear("operator")
      const posted = yield* done("POST", at, { body: rows, headers: postgrest() })
      assert.deepStrictEqual(sent(posted.rows), kept)
      const day = yield* ask("POST", at, { body: body(9999, { dispositionedAt: "2026-01-31" }) })
      assert.deepStrictEqual(day.verdict, [400, "22008"])
    })
  )

  it.effect("casts a timestamp to its day in UTC", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted
      const inside = others.filter(([, canonical]) => canonical.endsWith("Z"))
      for (const [text, canonical] of inside) {
        const search = `dispositionedAt=eq.${encodeURIComponent(text)}&limit=1`
        const { rows } = yield* done("GET", `${at}?select=day:dispositionedAt::date&${search}`)
        assert.deepStrictEqual(rows, [{ day: canonical.slice(0, 10) }], text)
        const moment = yield* done("GET", `${at}?select=moment:dispositionedAt::timestamptz&${search}`)
        assert.strictEqual(micros(moment.rows[0]?.["moment"]), micros(text))
      }
      const beyond = yield* ask("GET", `${at}?select=dispositionedAt::date&dispositionedAt=lt.0001-01-01`)
      assert.strictEqual(beyond.status, 400)
      const nothing = yield* done("POST", at, { body: body(9999) })
      const empty = yield* done("GET", `${Sample.address(resource, nothing.row)}&select=dispositionedAt::date`)
      assert.deepStrictEqual(empty.row, { dispositionedAt: null })
    })
  )

  it.effect("refuses another form with 22007, and numbers out of range with 22008", () =>
    Effect.gen(function* () {
      const { ask } = yield* planted
      for (const [text, code] of [
        ["2026-01-31T12:00:60Z", "22008"],
        ["2026-01-31T23:59:60+01:00", "22008"],
        ["2026-01-31T24:00:01Z", "22008"],
        ["2026-01-31T25:00:00Z", "22008"],
        ["2026-366T00:00:00Z", "22008"],
        ["2025-W53-1T00:00:00Z", "22008"],
        ["2026-02-30T00:00:00Z", "22008"],
        ["0000-01-01T00:00:00Z", "22008"],
        ["2026-01-31T00:00:00+24:00", "22008"],
        ["20260131T120000Z", "22007"],
        ["2026-01-31T12:00:00.Z", "22007"],
        ["2026-01-31T12:00:00 Z", "22007"],
        ["10000-01-01T00:00:00Z", "22007"],
        ["yesterday", "22007"],
        ["", "22007"]
      ] as const) {
        for (const headers of [{}, postgrest()]) {
          const reply = yield* ask("POST", at, { body: body(9999, { dispositionedAt: text }), headers })
          assert.deepStrictEqual(reply.verdict, [400, code], text)
          assert.include(reply.text, "dispositionedAt")
        }
        const reply = yield* ask("GET", `${at}?dispositionedAt=eq.${encodeURIComponent(text)}`)
        assert.deepStrictEqual(reply.verdict, [400, code], text)
      }
    })
  )

  it.effect("writes its own timestamps with three digits and Z", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      const action = Catalogue.byName.changeOrderRequiredAction
      const { row } = yield* done("POST", "/rest/changeOrderRequiredAction", {
        body: Sample.body(action, 1, { parents: new Map(), companyId })
      })
      const changed = yield* done("PATCH", Sample.address(action, row), { body: { name: "Night" } })
      for (const text of [row["createdAt"], changed.row["updatedAt"]]) {
        assert.match(String(text), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
      }
    })
  )

  it.scoped("sends timestamps in webhook events as they were sent", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Subscriptions.fresh
      const receiver = yield* Receiver.open()
      yield* Subscriptions.listening(receiver.url, "inboundInspection")
      const [first, second, third] = [
        "2026-031T12,5+02:00",
        "2026-01-31T12:00:00.0000009Z",
        "2026-W05-6 24:00"
      ] as const
      const { row } = yield* done("POST", at, { body: body(1, { dispositionedAt: first }) })
      yield* done("PATCH", Sample.address(resource, row), { body: { dispositionedAt: second } })
      yield* done("POST", at, { body: [body(2, { dispositionedAt: third }), body(3, { dispositionedAt: first })] })
      yield* Subscriptions.idle
      const moments = receiver.arrived.map((one) => {
        const { old = null, record = null } = Subscriptions.parse(one)
        return [record, old].map((value) =>
          value !== null && typeof value === "object" && "dispositionedAt" in value
            ? value["dispositionedAt"]
            : undefined
        )
      })
      assert.sameDeepMembers(moments, [
        [first, undefined],
        [second, first],
        [third, undefined],
        [first, undefined]
      ])
    })
  )
}
