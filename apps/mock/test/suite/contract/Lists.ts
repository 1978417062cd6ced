/** Tests lists and their pages, in the forms of the document. */
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Seeder from "../../../src/seeds/Seeder.ts"
import * as Service from "../Service.ts"
import * as Document from "./Document.ts"
import { timestamps } from "./Values.ts"

const { companyId } = Service.members.operator
const holiday = Document.find("holiday")
const favorite = Document.find("salesOrderFavorite")
const transfer = Document.find("warehouseTransfer")
const line = Document.find("warehouseTransferLine")

const holidays = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `day ${from + index}`, date: "2026-05-01", companyId }))

const named = ({ rows }: Service.Reply): ReadonlyArray<unknown> => rows.map((row) => row["name"])

const numbered = (from: number, count: number) => holidays(from, count).map(({ name }) => name)

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("rows come in the order of creation, whatever their keys are", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      const keys = ["m", "z", "a", "Z", "0", "é", "b"]
      yield* Document.clear(favorite)
      for (const key of keys) yield* done("POST", favorite.path, { body: { salesOrderId: key } })
      const favorites = yield* done("GET", favorite.path)
      assert.deepStrictEqual(
        favorites.rows.map((row) => row["salesOrderId"]),
        keys
      )

      yield* Document.clear(holiday)
      const [body] = holidays(0, 1)
      for (const key of keys) yield* done("PUT", `${holiday.path}?id=eq.${encodeURIComponent(key)}`, { body })
      yield* done("POST", holiday.path, { body: holidays(1, 3) })
      const created = (yield* done("GET", holiday.path)).rows
      assert.deepStrictEqual(
        created.slice(0, keys.length).map((row) => row["id"]),
        keys
      )
      assert.deepStrictEqual(
        created.slice(keys.length).map((row) => row["name"]),
        numbered(1, 3)
      )

      // A change moves no row.
      yield* done("PATCH", `${holiday.path}?id=eq.z`, { body: { name: "changed" } })
      yield* done("PUT", `${holiday.path}?id=eq.m`, { body: { ...body, name: "replaced" } })
      assert.deepStrictEqual(
        (yield* done("GET", holiday.path)).rows.map((row) => row["id"]),
        created.map((row) => row["id"])
      )
    })
  )

  it.effect("seeded rows come first, in the order of the seed", () =>
    Effect.gen(function* () {
      const { done, world } = yield* Service.Service
      yield* Document.clear(holiday)
      const { userId } = Service.members.operator
      const operator = { id: userId, companyIds: [companyId], email: "o@example.com", firstName: "O", lastName: "Desk" }
      const keys = ["seed z", "seed a", "seed m"]
      yield* Seeder.insert(world, "order", {
        companies: [{ id: companyId, name: "Acme" }],
        users: [operator],
        rows: { holiday: holidays(0, 3).map((row, index) => ({ ...row, id: keys[index] ?? "" })) }
      }).pipe(Effect.orDie)
      yield* done("PUT", `${holiday.path}?id=eq.0`, { body: holidays(3, 1)[0] })
      assert.deepStrictEqual(
        (yield* done("GET", holiday.path)).rows.map((row) => row["id"]),
        [...keys, "0"]
      )
    })
  )

  it.effect("rows of bulk writes are returned in the order of creation, those of an upsert as they were sent", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Document.clear(holiday)
      yield* Document.clear(favorite)
      const all = ["m", "z", "a", "0"]
      const [body] = holidays(0, 1)
      const returned = (kind: string) => ({ prefer: `return=representation${kind}` })
      const merge = (path: string, rows: ReadonlyArray<unknown>) =>
        done("POST", path, { body: rows, headers: returned(", resolution=merge-duplicates") })
      const ids = ({ rows }: Service.Reply, key = "id") => rows.map((row) => row[key])
      const favorites = (keys: ReadonlyArray<string>) =>
        Effect.map(
          merge(
            favorite.path,
            keys.map((salesOrderId) => ({ salesOrderId }))
          ),
          (reply) => ids(reply, "salesOrderId")
        )
      assert.deepStrictEqual(yield* favorites(all), all)
      assert.deepStrictEqual(yield* favorites(["b", "z", "m", "Y"]), ["b", "z", "m", "Y"])
      assert.deepStrictEqual(ids(yield* done("GET", favorite.path), "salesOrderId"), [...all, "b", "Y"])

      for (const id of all) yield* done("PUT", `${holiday.path}?id=eq.${id}`, { body })
      const merged = ["0", "z"].map((id) => ({ ...body, id, name: "merged" }))
      assert.deepStrictEqual(ids(yield* merge(holiday.path, merged)), ["0", "z"])
      assert.deepStrictEqual(ids(yield* done("GET", holiday.path)), all)
      const patch = { body: { name: "patched" }, headers: returned("") }
      assert.deepStrictEqual(ids(yield* done("PATCH", `${holiday.path}?id=not.is.null`, patch)), all)
      // An order whose column the change makes equal leaves the key.
      assert.deepStrictEqual(
        ids(yield* done("PATCH", `${holiday.path}?id=not.is.null&order=name.desc`, patch)),
        all.toSorted()
      )
      const removed = yield* done("DELETE", `${holiday.path}?id=not.is.null`, { headers: returned("") })
      assert.deepStrictEqual(ids(removed), all)
    })
  )

  it.effect("rows that are created after the newest were deleted come last", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Document.clear(holiday)
      const put = (id: string) => done("PUT", `${holiday.path}?id=eq.${id}`, { body: holidays(0, 1)[0] })
      for (const id of ["c", "b", "d"]) yield* put(id)
      for (const id of ["d", "b"]) yield* done("DELETE", `${holiday.path}?id=eq.${id}`)
      for (const id of ["a", "d", "b"]) yield* put(id)
      assert.deepStrictEqual(
        (yield* done("GET", holiday.path)).rows.map((row) => row["id"]),
        ["c", "a", "d", "b"]
      )
    })
  )

  it.effect("embedded rows come in the order of creation, also by pages", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Document.clear(line)
      yield* Document.clear(transfer)
      const keys = ["m", "z", "a", "0"]
      for (const id of ["t2", "t1"]) {
        yield* done("PUT", `${transfer.path}?id=eq.${id}`, { body: Document.plain(transfer) })
      }
      for (const key of keys) {
        for (const transferId of ["t1", "t2"]) {
          const body = { ...Document.plain(line), transferId }
          yield* done("PUT", `${line.path}?id=eq.${key}${transferId}`, { body })
        }
      }
      const embedded = (rows: ReadonlyArray<string>) =>
        ["t2", "t1"].map((id) => ({ id, warehouseTransferLine: rows.map((key) => ({ id: `${key}${id}` })) }))
      const list = (page = "") =>
        Effect.map(done("GET", `${transfer.path}?select=id,warehouseTransferLine(id)${page}`), ({ rows }) => rows)
      assert.deepStrictEqual(yield* list(), embedded(keys))
      const page = "&warehouseTransferLine.limit=2&warehouseTransferLine.offset=1"
      assert.deepStrictEqual(yield* list(page), embedded(["z", "a"]))
      yield* Document.clear(line)
      yield* Document.clear(transfer)
    })
  )

  it.effect("pages by offset are stable while rows are created", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Document.clear(holiday)
      yield* done("POST", holiday.path, { body: holidays(0, 25) })
      const pages: Array<unknown> = []
      for (let offset = 0; offset < 30; offset += 5) {
        pages.push(...named(yield* done("GET", `${holiday.path}?limit=5&offset=${offset}`)))
        yield* done("PUT", `${holiday.path}?id=eq.${"0".repeat(offset + 1)}`, { body: holidays(25 + offset, 1)[0] })
      }
      assert.deepStrictEqual(pages.slice(0, 25), numbered(0, 25))
      assert.lengthOf(pages, 30)
    })
  )

  it.effect("honours limit up to 10 000, and offset with it", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Document.clear(holiday)
      yield* done("POST", holiday.path, { body: holidays(0, 2500), headers: { prefer: "return=minimal" } })
      for (const [search, from, count] of [
        ["", 0, 1000],
        ["limit=10000", 0, 2500],
        ["limit=2499", 0, 2499],
        ["limit=1001", 0, 1001],
        ["limit=1", 0, 1],
        ["limit=0", 0, 0],
        ["limit=2000&offset=1000", 1000, 1500],
        ["limit=10000&offset=2500", 2500, 0],
        ["offset=2400", 2400, 100],
        ["limit=10000&offset=99999", 2500, 0]
      ] as const) {
        const reply = yield* done("GET", `${holiday.path}?select=name&${search}`)
        assert.deepStrictEqual(named(reply), numbered(from, count), `?${search}`)
      }
    })
  )

  it.effect("treats limit and order without a value as absent, and refuses a limit that is not a number of rows", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Document.clear(holiday)
      yield* done("POST", holiday.path, { body: holidays(0, 3) })
      for (const search of ["limit=", "order=", "limit=&order=", "order=&limit=&select=id,name"]) {
        const reply = yield* done("GET", `${holiday.path}?${search}`)
        assert.deepStrictEqual(named(reply), numbered(0, 3), `?${search}`)
      }
      assert.deepStrictEqual(named(yield* done("GET", `${holiday.path}?order=&limit=2&offset=1`)), numbered(1, 2))
      for (const search of ["limit=-1", "limit=1.5", "limit=ten", "offset=-1", "offset=x"]) {
        assert.deepStrictEqual((yield* ask("GET", `${holiday.path}?${search}`)).verdict, [400, "PGRST100"], search)
      }
      for (const search of ["order=noSuchField", "order=name.up", "select=noSuchField"]) {
        assert.strictEqual((yield* ask("GET", `${holiday.path}?${search}`)).status, 400, search)
      }
    })
  )

  it.effect("ignores a trailing slash", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      for (const resource of Document.resources) {
        yield* Document.clear(resource)
        const { row } = yield* done("POST", `${resource.path}/`, { body: Document.plain(resource) })
        const address = Document.address(resource, row).replace("?", "/?")
        assert.deepStrictEqual((yield* done("GET", address)).row, row, resource.name)
        assert.deepStrictEqual((yield* done("GET", `${resource.path}/`)).rows, [row], resource.name)
        assert.strictEqual((yield* done("PATCH", address, { body: {} })).status, 200, resource.name)
        assert.strictEqual((yield* done("DELETE", address)).status, 204, resource.name)
      }
      yield* done("POST", "/api/v1/account/getCurrentUser/", { body: {} })
    })
  )

  it.effect("finds rows by the instant of a timestamp, in any form", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      const hooks = Document.find("webhook")
      yield* Document.clear(hooks)
      const bodies = timestamps.map(([lastError]) => ({ ...Document.plain(hooks), lastError }))
      yield* done("POST", hooks.path, { body: bodies })
      for (const [sent, instant] of timestamps) {
        for (const [operator, isFound] of [
          ["eq", (other: string) => other === instant],
          ["lt", (other: string) => other < instant],
          ["gte", (other: string) => other >= instant]
        ] as const) {
          const expected = timestamps.flatMap(([text, other]) => (isFound(other) ? [text] : []))
          for (const form of /^(?!0000)\d/.test(instant) ? [sent, `${instant}Z`] : [sent]) {
            const found = yield* done(
              "GET",
              `${hooks.path}?select=lastError&lastError=${operator}.${encodeURIComponent(form)}`
            )
            assert.sameMembers(
              found.rows.map((row) => row["lastError"]),
              [...expected],
              `lastError=${operator}.${form}`
            )
          }
        }
      }
    })
  )
}
