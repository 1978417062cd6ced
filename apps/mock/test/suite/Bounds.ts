/** Tests the limits of answers, filters and filtered writes, and that offloaded reads return what inline reads return. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { warehouseTransfer } = Catalogue.byName
const { companyId } = Service.members.operator

const lines = "/rest/warehouseTransferLine"

/** Lines of one transfer. */
const planted = (count: number) =>
  Effect.gen(function* () {
    const service = yield* Service.Service
    // The rows of one request are at most as large as an answer.
    for (const condition of ["lt.60", "gte.60"]) yield* service.done("DELETE", `${lines}?quantity=${condition}`)
    yield* Sample.clear("operator", [warehouseTransfer])
    const transfer = { transferId: "T1", fromLocationId: "a", toLocationId: "b", status: "Draft", companyId }
    const { row } = yield* service.done("POST", "/rest/warehouseTransfer", { body: transfer })
    const rows = Array.from({ length: count }, (_, index) => ({
      transferId: row["id"],
      fromLocationId: "a",
      toLocationId: "b",
      itemId: `item_${String(index).padStart(4, "0")}`,
      quantity: index,
      shippedQuantity: 0,
      receivedQuantity: 0,
      companyId
    }))
    yield* service.done("POST", "/rest/warehouseTransferLine", { body: rows, headers: { prefer: "return=minimal" } })
    return service
  })

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("refuses embeds that multiply the rows, and names the embed at which they pass the limit", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted(1000)
      const names = ["warehouseTransferLine", "warehouseTransfer"]
      const deep = (levels: number, depth = 0): string =>
        depth === levels ? "id" : `id,${names[depth % 2]}(${deep(levels, depth + 1)})`
      const startMillis = performance.now()
      const reply = yield* ask("GET", `/rest/warehouseTransfer?select=${deep(8)}`)
      const millis = performance.now() - startMillis
      assert.deepStrictEqual(reply.verdict, [413, "54000"])
      assert.include(reply.text, "100000 embedded rows")
      const passing = "warehouseTransferLine.warehouseTransfer.warehouseTransferLine"
      assert.include(reply.text, `the embed ${passing} exceeds`)
      assert.include(reply.text, `${passing}.limit=10`)
      assert.isBelow(millis, 5000)
      // A limit of the named embed makes the request small enough.
      const limited = yield* done("GET", `/rest/warehouseTransfer?select=${deep(3)}&${passing}.limit=10`)
      assert.lengthOf(limited.text.match(/"id"/g) ?? [], 1 + 1000 + 1000 + 10_000)
      const written = yield* ask("PATCH", `${lines}?quantity=lt.20&select=${deep(3, 1)}`, {
        body: { notes: "changed" },
        headers: { prefer: "return=representation" }
      })
      assert.deepStrictEqual(written.verdict, [413, "54000"])
      assert.include(written.text, "warehouseTransfer.warehouseTransferLine")
      const unchanged = yield* done("GET", `${lines}?notes=eq.changed`)
      assert.deepStrictEqual(unchanged.rows, [])
    })
  )

  it.effect("shows the cost of refusals whose work has begun", () =>
    Effect.gen(function* () {
      const { ask } = yield* planted(400)
      const transfer = `/rest/warehouseTransfer?select=id,${Array.from({ length: 30 }, (_, index) => `e${index}:warehouseTransferLine(id,warehouseTransfer(warehouseTransferLine(id)))`).join(",")}`
      for (const reply of yield* Effect.all([
        ask("GET", "/rest/holiday?id=eq.none"),
        ask("PATCH", "/rest/holiday?id=eq.none", { body: { name: "a" } }),
        ask("GET", transfer),
        ask("PATCH", `${lines}?quantity=gte.0`, {
          body: { notes: "a" },
          headers: { prefer: "handling=strict,max-affected=1" }
        })
      ])) {
        assert.isAtLeast(reply.status, 400, reply.text)
        assert.match(String(reply.headers["mfg-cost"]), /^(inline|offloaded);(rows=\d+;)?ms=\d+\.\d$/)
      }
      assert.isUndefined((yield* ask("GET", "/rest/holiday?nope=eq.1")).headers["mfg-cost"])
    })
  )

  it.effect("returns the rows of an offloaded list as inline pages return them", () =>
    Effect.gen(function* () {
      const { done } = yield* planted(2000)
      for (const select of ["*", "id,quantity", "id,warehouseTransfer(transferId)"]) {
        for (const order of ["id.desc", "quantity.asc"]) {
          const whole = yield* done("GET", `${lines}?select=${select}&order=${order}`)
          const pages = yield* Effect.forEach([0, 100, 200, 300, 400, 500], (offset) =>
            done("GET", `${lines}?select=${select}&order=${order}&limit=100&offset=${offset}`)
          )
          assert.deepStrictEqual(
            whole.rows.slice(0, 600),
            pages.flatMap(({ rows }) => rows)
          )
          assert.lengthOf(whole.rows, 1000)
        }
      }
      const whole = yield* done("GET", lines)
      assert.match(String(whole.headers["mfg-cost"]), /^offloaded;(rows=\d+;)?ms=\d+\.\d$/)
      const one = yield* done("GET", `${lines}?id=eq.${String(whole.rows[0]?.["id"])}`)
      assert.match(String(one.headers["mfg-cost"]), /^inline;rows=1;ms=\d+\.\d$/)
    })
  )

  it.effect("writes the rows that a filter matches in a large table, and returns them in order", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted(2000)
      const headers = { prefer: "return=representation" }
      const patched = yield* done("PATCH", `${lines}?itemId=like.*7&order=quantity.desc&select=quantity,notes`, {
        body: { notes: "sevens" },
        headers
      })
      assert.deepStrictEqual(
        patched.rows,
        Array.from({ length: 200 }, (_, index) => ({ quantity: 1997 - index * 10, notes: "sevens" }))
      )
      assert.match(String(patched.headers["mfg-cost"]), /^offloaded;/)
      const strict = { prefer: "handling=strict, max-affected=199" }
      const refused = yield* ask("DELETE", `${lines}?notes=eq.sevens`, { headers: strict })
      assert.deepStrictEqual(refused.verdict, [400, "PGRST124"])
      yield* done("DELETE", `${lines}?notes=eq.sevens`)
      assert.lengthOf((yield* done("GET", `${lines}?limit=2000`)).rows, 1800)
    })
  )

  describe("a write that selects a column many times", () => {
    const representation = { headers: { prefer: "return=representation" } }
    const copies = (count: number) => Array.from({ length: count }, (_, index) => `c${index}:notes`).join(",")
    const transfer = (transferId: string, notes: string) => ({
      transferId,
      fromLocationId: "a",
      toLocationId: "b",
      status: "Draft",
      companyId,
      notes
    })
    const transfers = "/rest/warehouseTransfer"
    const upsert = {
      headers: { prefer: "return=representation,resolution=merge-duplicates", "content-profile": "public" }
    }

    it.effect("is refused, and changes nothing, if it returned more than 8 MiB", () =>
      Effect.gen(function* () {
        const { ask, done } = yield* planted(1)
        const rows = Array.from({ length: 100 }, (_, index) => transfer(`R${index}`, "x".repeat(1000)))
        const { row } = yield* done("POST", transfers, { body: transfer("LARGE", "y".repeat(100_000)) })
        const byKey = `${transfers}?id=eq.${String(row["id"])}`
        const before = (yield* done("GET", `${transfers}?order=id`)).text
        const select = `select=${copies(200)}`
        for (const reply of yield* Effect.all([
          ask("POST", `${transfers}?${select}`, { body: rows, ...representation }),
          ask("POST", `${transfers}?${select}`, {
            body: [{ ...transfer("LARGE", "z".repeat(100_000)), id: row["id"] }],
            ...upsert
          }),
          ask("PATCH", `${byKey}&${select}`, { body: { reference: "changed" }, ...representation }),
          ask("PATCH", `${transfers}?notes=not.is.null&${select}`, {
            body: { reference: "changed" },
            ...representation
          }),
          ask("DELETE", `${byKey}&${select}`, representation)
        ])) {
          assert.deepStrictEqual(reply.verdict, [413, "54000"], reply.text.slice(0, 500))
        }
        const { text } = yield* ask("POST", `${transfers}?${select}`, { body: rows, ...representation })
        assert.include(text, "more than 8388608 bytes, a fixed limit")
        assert.include(text, "Select each column once")
        assert.strictEqual((yield* done("GET", `${transfers}?order=id`)).text, before)
      })
    )

    it.effect("returns the values in the order of the rows where it may exceed the limit, and does not", () =>
      Effect.gen(function* () {
        const { done } = yield* planted(1)
        const rows = Array.from({ length: 600 }, (_, index) =>
          transfer(`R${index}`, index === 7 ? "x".repeat(20_000) : `n${index}`)
        )
        const expected = rows.map(({ notes, transferId }) => ({ transferId, c0: notes, c1: notes, text: notes }))
        const select = "select=transferId,c0:notes,c1:notes,text:notes::text"
        const created = yield* done("POST", `${transfers}?${select}`, { body: rows, ...representation })
        assert.deepStrictEqual(created.rows, expected)
        const patched = yield* done("PATCH", `${transfers}?transferId=like.R*&order=transferId.desc&${select}`, {
          body: { reference: "changed" },
          ...representation
        })
        const sorted = expected.toSorted((one, other) => (one.transferId < other.transferId ? 1 : -1))
        assert.deepStrictEqual(patched.rows, sorted)
        const deleted = yield* done(
          "DELETE",
          `${transfers}?transferId=like.R*&order=transferId.desc&${select}`,
          representation
        )
        assert.deepStrictEqual(deleted.rows, sorted)
      })
    )
  })

  describe("counts the parts of a filter as conditions", () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`)
    const cases: ReadonlyArray<readonly [noun: string, filter: (count: number) => string]> = [
      ["words of full-text queries", (count) => `notes=plfts.${words(count).join(" ")}`],
      ["alternatives of patterns", (count) => Array.from({ length: count }, () => "notes=match.^a").join("&")],
      ["elements of compared JSON", (count) => `tags=cs.{${words(count - 1).join(",")}}`],
      ["conditions", (count) => `itemId=like(any).{${words(count).join(",")}}`]
    ]
    for (const [noun, filter] of cases) {
      it.effect(noun, () =>
        Effect.gen(function* () {
          const { ask, done } = yield* planted(1)
          const request = (count: number) =>
            `/rest/warehouseTransfer?notes=is.null&${filter(count)}`.replace("itemId", "reference")
          yield* done("GET", encodeURI(request(199)))
          const reply = yield* ask("GET", encodeURI(request(200)))
          assert.deepStrictEqual(reply.verdict, [400, "PGRST100"])
        })
      )
    }

    it.effect("of all levels of embeds together", () =>
      Effect.gen(function* () {
        const { ask, done } = yield* planted(1)
        const target = (count: number) =>
          `/rest/warehouseTransfer?select=id,warehouseTransferLine(id)&notes=plfts.${words(100).join(" ")}&warehouseTransferLine.notes=plfts.${words(count).join(" ")}`
        yield* done("GET", encodeURI(target(100)))
        const reply = yield* ask("GET", encodeURI(target(101)))
        assert.deepStrictEqual(reply.verdict, [400, "PGRST100"])
        assert.include(reply.text, "201 words of full-text queries")
      })
    )
  })
}

/** Tests with a maximum answer of 64 KiB. */
export const maxAnswer = 65_536

export const smallSuite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("returns an answer of the maximum size, and refuses one byte more", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted(120)
      for (const select of ["*", "id,itemId,quantity,notes", "id,itemId,quantity::text,notes::text"]) {
        yield* done("PATCH", `${lines}?quantity=eq.0`, { body: { notes: "" } })
        const target = `${lines}?select=${select}&limit=100`
        const { text } = yield* done("GET", target)
        const rest = maxAnswer - Buffer.byteLength(text)
        assert.isAbove(rest, 0)
        yield* done("PATCH", `${lines}?quantity=eq.0`, { body: { notes: "x".repeat(rest) } })
        assert.strictEqual(Buffer.byteLength((yield* done("GET", target)).text), maxAnswer)
        yield* done("PATCH", `${lines}?quantity=eq.0`, { body: { notes: "x".repeat(rest + 1) } })
        const reply = yield* ask("GET", target)
        assert.deepStrictEqual(reply.verdict, [413, "54000"])
        assert.include(reply.text, "65536 bytes (--max-answer)")
        yield* done("GET", `${target}&offset=1`)
        yield* done("PATCH", `${lines}?quantity=eq.0`, { body: { notes: null } })
      }
    })
  )

  it.effect("refuses one row that is larger, and names the embed of a larger answer", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted(120)
      yield* done("PATCH", `${lines}?quantity=eq.0`, { body: { notes: "x".repeat(40_000) } })
      const { rows } = yield* done("GET", `${lines}?quantity=eq.0&select=id`)
      const own = `${lines}?id=eq.${String(rows[0]?.["id"])}`
      yield* done("GET", own)
      const twice = yield* ask("GET", `${own}&select=a:notes,b:notes`)
      assert.deepStrictEqual(twice.verdict, [413, "54000"])
      const up = "/rest/warehouseTransfer?select=id,lines:warehouseTransferLine(id,notes)"
      yield* done("GET", `${up}&lines.limit=20`)
      const wide = yield* ask("GET", `/rest/warehouseTransfer?select=id,lines:warehouseTransferLine(a:notes,b:notes)`)
      assert.deepStrictEqual(wide.verdict, [413, "54000"])
      assert.include(wide.text, "lines.limit=10")
    })
  )

  it.effect("refuses groups of all pages that are larger, before it builds them", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* planted(400)
      const by = (columns: string, rest: string) => `${lines}?select=${columns},count()&limit=1${rest}`
      for (const rest of ["", "&order=itemId.desc", "&offset=10"]) {
        const reply = yield* ask("GET", by("itemId", rest), { headers: { prefer: "count=exact" } })
        assert.deepStrictEqual(reply.verdict, [413, "54000"], rest)
        assert.include(reply.text, "too many groups")
        assert.include(reply.text, "65536 bytes (--max-answer)")
        assert.include(reply.text, "Add a filter that matches fewer groups")
      }
      // Each group counts as 200 bytes and a text that has 11 bytes as JSON.
      const most = yield* done("GET", by("itemId", "&quantity=lt.310"), { headers: { prefer: "count=exact" } })
      assert.strictEqual(most.headers["content-range"], "0-0/310")
      assert.deepStrictEqual((yield* ask("GET", by("itemId", "&quantity=lt.311"))).verdict, [413, "54000"])
      // Few groups of many rows are within it, and so are rows without groups.
      assert.deepStrictEqual((yield* done("GET", by("fromLocationId", ""))).rows, [{ fromLocationId: "a", count: 400 }])
      assert.deepStrictEqual((yield* done("GET", `${lines}?select=count()`)).rows, [{ count: 400 }])
      // A few groups with long values are as large as many.
      const note = (quantity: number, notes: string | null) =>
        done("PATCH", `${lines}?quantity=eq.${quantity}`, { body: { notes } })
      yield* note(0, "x".repeat(30_000))
      yield* note(1, "y".repeat(30_000))
      yield* done("GET", by("notes", ""))
      yield* note(2, "z".repeat(30_000))
      assert.deepStrictEqual((yield* ask("GET", by("notes", ""))).verdict, [413, "54000"])
      for (const quantity of [0, 1, 2]) yield* note(quantity, null)
    })
  )
}
