import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Exchange from "../../src/Exchange.ts"
import * as World from "./world.ts"

const { companyId } = World.caller

const json = ({ body }: Exchange.Response) => JSON.parse(String(body))

const term = (name: string, values: object = {}) => ({
  name,
  daysDue: 30,
  daysDiscount: 10,
  discountPercentage: 1.5,
  calculationMethod: "Net",
  active: true,
  companyId,
  ...values
})

const transfer = {
  transferId: "WT-1",
  fromLocationId: "l-1",
  toLocationId: "l-2",
  status: "Draft",
  companyId
}

const line = (transferId: string) => ({
  transferId,
  itemId: "i-1",
  quantity: 1,
  shippedQuantity: 0,
  receivedQuantity: 0,
  fromLocationId: "l-1",
  toLocationId: "l-2",
  companyId
})

/** A world with five payment terms, `t1` to `t5`. */
const terms = Effect.gen(function* () {
  const world = yield* World.make()
  const body = [1, 2, 3, 4, 5].map((number) =>
    term(`Net ${number}0`, { id: `t${number}`, daysDue: number * 10, tags: number % 2 === 0 ? ["even", "a b"] : null })
  )
  const headers = { prefer: "resolution=merge-duplicates" }
  const answer = yield* world.ask("POST", "paymentTerm", { body, headers, shape: "postgrest" })
  assert.strictEqual(answer.status, 201)
  return world
})

const count = (prefer: string) => ({ headers: { prefer } })

describe("lists", () => {
  it.scoped("have pages, orders and counts", () =>
    Effect.gen(function* () {
      const { ask } = yield* terms
      const ids = (target: string) =>
        Effect.map(ask("GET", target), (answer) => json(answer).map(({ id }: { id: string }) => id))
      assert.deepStrictEqual(yield* ids("paymentTerm"), ["t1", "t2", "t3", "t4", "t5"])
      assert.deepStrictEqual(yield* ids("paymentTerm?order=daysDue.desc&limit=2&offset=1"), ["t4", "t3"])
      assert.deepStrictEqual(yield* ids("paymentTerm?order=tags->>0&limit=2"), ["t2", "t4"])
      assert.deepStrictEqual(yield* ids("paymentTerm?or=(daysDue.lt.20,name.like.*50)"), ["t1", "t5"])
      assert.deepStrictEqual(yield* ids("paymentTerm?tags=cs.{even}&id=not.eq.t2"), ["t4"])

      const window = (target: string, asking: World.Asking) =>
        Effect.map(ask("GET", target, asking), ({ headers, status }) => [status, headers["Content-Range"]])
      assert.deepStrictEqual(yield* window("paymentTerm", {}), [200, "0-4/*"])
      assert.deepStrictEqual(yield* window("paymentTerm", count("count=exact")), [200, "0-4/5"])
      assert.deepStrictEqual(yield* window("paymentTerm?limit=2&offset=3", count("count=planned")), [206, "3-4/5"])
      assert.deepStrictEqual(yield* window("paymentTerm?offset=5", count("count=estimated")), [206, "*/5"])
      assert.deepStrictEqual(yield* window("paymentTerm?offset=6", count("count=exact")), [416, "*/5"])
      assert.deepStrictEqual(yield* window("paymentTerm?limit=0", {}), [200, "*/*"])
      assert.deepStrictEqual(yield* window("paymentTerm", { headers: { range: "1-2" } }), [200, "1-2/*"])
    })
  )

  it.scoped("return the selected columns, cast and renamed", () =>
    Effect.gen(function* () {
      const { ask } = yield* terms
      const read = (select: string) => Effect.map(ask("GET", `paymentTerm?id=eq.t2&select=${select}`), json)
      assert.deepStrictEqual(yield* read("name,days:daysDue"), { name: "Net 20", days: 20 })
      assert.deepStrictEqual(yield* read("daysDue::text,discountPercentage::integer,tags->0"), {
        daysDue: "20",
        discountPercentage: 2,
        tags: "even"
      })
      const failed = yield* ask("GET", "paymentTerm?select=name::integer")
      assert.deepStrictEqual([failed.status, json(failed).code], [400, "22P02"])
      const failedOne = yield* ask("GET", "paymentTerm?id=eq.t1&select=name::integer")
      assert.deepStrictEqual([failedOne.status, json(failedOne).details], [400, 'A value of "name" cannot be cast.'])
      const impossible = yield* ask("GET", "paymentTerm?select=active::date")
      assert.deepStrictEqual([impossible.status, json(impossible).code], [400, "42846"])
    })
  )

  it.scoped("leave out nulls on request, and are CSV that can be read back", () =>
    Effect.gen(function* () {
      const { ask } = yield* terms
      const accept = "application/vnd.pgrst.array+json;nulls=stripped"
      const stripped = yield* ask("GET", "paymentTerm?select=id,tags&limit=2", { headers: { accept } })
      assert.deepStrictEqual(json(stripped), [{ id: "t1" }, { id: "t2", tags: ["even", "a b"] }])
      assert.strictEqual(stripped.headers["Content-Type"], `${accept}; charset=utf-8`)

      const csv = yield* ask("GET", "paymentTerm?select=id,active,tags&limit=2", { headers: { accept: "text/csv" } })
      assert.strictEqual(csv.body, 'id,active,tags\nt1,t,\nt2,t,"{even,""a b""}"')
      const again = yield* ask(
        "POST",
        "paymentTerm?columns=name,daysDue,daysDiscount,discountPercentage,calculationMethod,active,companyId,tags",
        {
          body: String((yield* ask("GET", "paymentTerm?id=eq.t2&limit=1", { headers: { accept: "text/csv" } })).body),
          headers: { "content-type": "text/csv" }
        }
      )
      const [row] = json(again)
      assert.deepInclude(row, term("Net 20", { daysDue: 20, tags: ["even", "a b"] }))
    })
  )

  it.scoped("and refusals run without a fiber", () =>
    Effect.gen(function* () {
      const { ask } = yield* terms
      for (const target of [
        "paymentTerm",
        "paymentTerm?id=eq.t1",
        "paymentTerm?id=eq.none",
        "paymentTerm?foo=1",
        "foo"
      ]) {
        assert.isTrue(Exit.isExit(ask("GET", target)), target)
      }
    })
  )
})

describe("writes", () => {
  it.scoped("report the number of rows and the preferences that applied", () =>
    Effect.gen(function* () {
      const { ask } = yield* terms
      const etag = (answer: Exchange.Response) => answer.headers["ETag"]
      const first = etag(yield* ask("GET", "paymentTerm?id=eq.t1"))
      const second = etag(yield* ask("PATCH", "paymentTerm?id=eq.t1", { body: { daysDue: 31 } }))
      assert.notInclude([undefined, first], second)
      assert.strictEqual(etag(yield* ask("PATCH", "paymentTerm?id=eq.t1", { body: {} })), second)
      assert.strictEqual(etag(yield* ask("GET", "paymentTerm?id=eq.t1")), second)
      assert.isUndefined(etag(yield* ask("GET", "paymentTerm")))

      const prefer = "return=representation, count=exact, handling=strict, max-affected=9, missing=default"
      const changed = yield* ask("PATCH", "paymentTerm?daysDue=gt.30", { body: { active: false }, headers: { prefer } })
      assert.strictEqual(
        changed.headers["Preference-Applied"],
        "missing=default, return=representation, count=exact, handling=strict, max-affected=9"
      )
      assert.strictEqual(changed.headers["Content-Range"], "0-2/3")
      const gone = yield* ask("DELETE", "paymentTerm?daysDue=gt.40", { headers: { prefer: "count=exact" } })
      assert.deepStrictEqual([gone.status, gone.headers["Content-Range"]], [204, "*/1"])
    })
  )

  it.scoped("are rolled back for another number of rows than was expected, and on request", () =>
    Effect.gen(function* () {
      const { ask } = yield* terms
      const names = Effect.map(ask("GET", "paymentTerm?select=name"), ({ body }) => body)
      const before = yield* names
      const body = { name: "Changed" }
      const headers = { accept: "application/vnd.pgrst.object+json" }
      assert.strictEqual((yield* ask("PATCH", "paymentTerm?daysDue=gt.10", { body, headers })).status, 406)
      const strict = { prefer: "handling=strict, max-affected=2" }
      assert.strictEqual((yield* ask("DELETE", "paymentTerm?daysDue=gt.10", { headers: strict })).status, 400)
      const dry = { prefer: "tx=rollback, return=representation" }
      const rolledBack = yield* ask("PATCH", "paymentTerm?id=eq.t1", { body, headers: dry })
      assert.deepStrictEqual([rolledBack.status, json(rolledBack).name], [200, "Changed"])
      assert.strictEqual(rolledBack.headers["Preference-Applied"], "return=representation, tx=rollback")
      assert.strictEqual((yield* ask("POST", "paymentTerm", { body: term("New"), headers: dry })).status, 201)
      const failing = yield* ask("PATCH", "paymentTerm?id=eq.t1&select=name::integer", { body })
      assert.deepStrictEqual([failing.status, json(failing).code], [400, "22P02"])
      assert.strictEqual(yield* names, before)
    })
  )

  it.scoped("keep references intact under the public rules", () =>
    Effect.gen(function* () {
      const { ask } = yield* World.make("public")
      const orphan = yield* ask("POST", "warehouseTransferLine", { body: line("nope") })
      assert.deepStrictEqual(
        [orphan.status, json(orphan)],
        [
          409,
          {
            code: "23503",
            details: 'Key (transferId) is not present in table "warehouseTransfer".',
            hint: '"transferId" must name the "id" of a warehouseTransfer.',
            message:
              'insert or update on table "warehouseTransferLine" violates foreign key constraint "warehouseTransferLine_transferId_fkey"'
          }
        ]
      )
      const { id } = json(yield* ask("POST", "warehouseTransfer", { body: transfer }))
      assert.strictEqual((yield* ask("POST", "warehouseTransferLine", { body: [line(id), line(id)] })).status, 201)
      assert.strictEqual((yield* ask("DELETE", `warehouseTransfer?id=eq.${id}`)).status, 204)
      assert.deepStrictEqual(json(yield* ask("GET", "warehouseTransferLine")), [])

      const favorite = { body: { salesOrderId: "so-1" } }
      assert.strictEqual((yield* ask("POST", "salesOrderFavorite", favorite)).status, 201)
      const twice = yield* ask("POST", "salesOrderFavorite", favorite)
      assert.deepStrictEqual([twice.status, json(twice).code], [409, "23505"])
    })
  )

  it.scoped("generate the next free key of a name, also for concurrent requests", () =>
    Effect.gen(function* () {
      const { ask } = yield* World.make()
      const body = { module: "Sales", name: "Sales Order" }
      const make = Effect.map(ask("POST", "webhookTable", { body }), (answer) => json(answer).table)
      assert.strictEqual(yield* make, "salesOrder")
      assert.strictEqual(yield* make, "salesOrder2")
      const several = yield* Effect.all([make, make, make], { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(several), new Set(["salesOrder3", "salesOrder4", "salesOrder5"]))
      const bulk = yield* ask("POST", "webhookTable", { body: [body, { ...body, name: "Job" }, body] })
      assert.deepStrictEqual(
        json(bulk).map(({ table }: { table: string }) => table),
        ["salesOrder6", "job", "salesOrder7"]
      )
      const renamed = yield* ask("PATCH", "webhookTable?table=eq.job", { body: { name: "Work" } })
      assert.deepStrictEqual(json(renamed), { table: "job", module: "Sales", name: "Work" })
      const prefer = "resolution=merge-duplicates"
      const taken = yield* ask("POST", "webhookTable?on_conflict=name", { body, headers: { prefer } })
      assert.strictEqual(taken.status, 400)
    })
  )

  it.scoped("merge or ignore rows that exist", () =>
    Effect.gen(function* () {
      const { ask } = yield* terms
      const upsert = (prefer: string, body: unknown) =>
        ask("POST", "paymentTerm", {
          body,
          headers: { prefer: `${prefer}, return=representation` },
          shape: "postgrest"
        })
      const merged = yield* upsert("resolution=merge-duplicates", [
        term("Merged", { id: "t1" }),
        term("Inserted", { id: "t6" })
      ])
      assert.strictEqual(merged.status, 201)
      assert.deepStrictEqual(
        json(merged).map(({ id, name }: { id: string; name: string }) => [id, name]),
        [
          ["t1", "Merged"],
          ["t6", "Inserted"]
        ]
      )
      const ignored = yield* upsert("resolution=ignore-duplicates", term("Ignored", { id: "t1" }))
      assert.deepStrictEqual([ignored.status, json(ignored)], [201, []])
      assert.strictEqual(json(yield* ask("GET", "paymentTerm?id=eq.t1")).name, "Merged")
      const replaced = yield* ask("PUT", "paymentTerm?id=eq.t2", { body: term("Replaced") })
      assert.deepInclude(json(replaced), { id: "t2", name: "Replaced", tags: null })
    })
  )
})

describe("other companies", () => {
  it.scoped("cannot read or change a company's rows", () =>
    Effect.gen(function* () {
      const { ask } = yield* terms
      const caller = World.stranger
      const foreign = (method: string, target: string, body?: unknown) =>
        Effect.map(ask(method, target, { body, caller }), ({ body, headers, status }) => {
          const { "Mfg-Cost": _, ...others } = headers
          return { status, headers: others, body }
        })
      for (const [method, body] of [
        ["GET", undefined],
        ["PATCH", { name: "Stolen" }],
        ["DELETE", undefined]
      ] as const) {
        assert.deepStrictEqual(
          yield* foreign(method, "paymentTerm?id=eq.t1", body),
          yield* foreign(method, "paymentTerm?id=eq.none", body)
        )
      }
      assert.deepStrictEqual(json(yield* ask("GET", "paymentTerm", { caller })), [])
      const own = yield* ask("PUT", "paymentTerm?id=eq.t1", {
        body: term("Own", { companyId: caller.companyId }),
        caller
      })
      assert.strictEqual(own.status, 201)
      assert.strictEqual(json(yield* ask("GET", "paymentTerm?id=eq.t1")).name, "Net 10")
    })
  )
})

describe("a path that names no resource", () => {
  const table = [
    ["holiday/a", 404, "PGRST125", "The path of a resource is its name, without further segments."],
    ["rpc/f", 404, "PGRST202", "Functions are not supported: read and write resources."],
    ["holidays", 404, "PGRST205", "Perhaps you meant the table 'public.holiday'."],
    ["Kanban", 404, "PGRST205", "Perhaps you meant the table 'public.kanban'."],
    ["zzzzzzzz", 404, "PGRST205", null],
    ["__proto__", 404, "PGRST205", null]
  ] as const
  for (const [name, status, code, hint] of table) {
    it.scoped(`${name || "nothing"} is ${status} ${code}`, () =>
      Effect.gen(function* () {
        const { ask } = yield* World.make()
        const answer = yield* ask("GET", name)
        assert.deepInclude({ ...json(answer), status: answer.status }, { status, code, hint })
      })
    )
  }
})

describe("under the public rules", () => {
  it.scoped("enforces unique columns and checks", () =>
    Effect.gen(function* () {
      const { ask } = yield* World.make("public")
      const holiday = { name: "May Day", date: "2026-05-01", companyId }
      assert.strictEqual((yield* ask("POST", "holiday", { body: holiday })).status, 201)
      const twice = yield* ask("POST", "holiday", { body: holiday })
      assert.deepStrictEqual(
        [twice.status, json(twice).message],
        [409, 'duplicate key value violates unique constraint "holiday_date_key"']
      )
      const prefer = "resolution=merge-duplicates"
      const body = { ...holiday, name: "Labour Day" }
      const merged = yield* ask("POST", "holiday?on_conflict=date", { body, headers: { prefer } })
      assert.deepStrictEqual([merged.status, json(merged).name], [200, "Labour Day"])
      const job = { salesOrderLineId: "l-1", type: "Job", quantity: 1, companyId }
      const unchecked = yield* ask("POST", "fulfillment", { body: job })
      assert.deepStrictEqual([unchecked.status, json(unchecked).code], [400, "23514"])
    })
  )
})
