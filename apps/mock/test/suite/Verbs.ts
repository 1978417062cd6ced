/** Tests the five verbs on every resource of the catalogue, after the contract's words. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId, userId } = Service.members.operator

/** The fields that the service sets on a create, besides keys that it generates. */
const filled = (resource: Resource.Any, moment: string): JsonObject =>
  Object.fromEntries(
    Object.entries({
      companyId,
      createdBy: userId,
      createdAt: moment,
      updatedBy: null,
      updatedAt: null,
      ...(resource.rules.owner === "user" ? { userId } : {})
    }).filter(([name]) => Column.byName(resource).get(name)?.write === "never")
  )

/** A change of every writable column to another valid value. */
const changeOf = (resource: Resource.Any, options: Sample.Options): JsonObject => {
  const { [resource.key]: _, ...others } = Sample.body(resource, 2, options)
  return others
}

/** Registers the tests of every resource. */
export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const resource of Catalogue.resources) {
    const path = `/rest/${resource.resource}`
    const columns = Column.fromResource(resource).map(({ name }) => name)
    const decode = Schema.decodeUnknownSync(Resource.rowSchema(resource))

    const ancestors = Sample.ancestors(resource)

    /** A service whose only rows of the resource and its parents are the parents of a row. */
    const ready = Effect.gen(function* () {
      const service = yield* Service.Service
      yield* Sample.clear("operator", [...ancestors, resource])
      yield* TestClock.setTime(Date.parse("2026-02-03T04:05:06.007Z"))
      return { ...service, options: { parents: yield* Sample.plant("operator", ancestors), companyId } }
    })

    describe(`/${resource.resource}`, () => {
      it.effect("POST: 'The created row object, including service-set fields'", () =>
        Effect.gen(function* () {
          const { done, options } = yield* ready
          for (const sparse of [false, true]) {
            const body = Sample.body(resource, sparse ? 4 : 3, { ...options, sparse })
            const created = yield* done("POST", path, { body, headers: { prefer: "return=representation" } })
            assert.strictEqual(created.status, 201)
            assert.strictEqual(created.headers["location"], Sample.address(resource, created.row))
            const { row } = created
            const made = Object.fromEntries(Object.entries(row).filter(([name]) => resource.rules.defaults[name]))
            const nothing = Object.fromEntries(columns.map((name) => [name, null]))
            assert.deepStrictEqual(row, {
              ...nothing,
              ...made,
              ...filled(resource, "2026-02-03T04:05:06.007Z"),
              ...body
            })
            assert.isNotEmpty(row[resource.key])
            // The schema of clients agrees.
            assert.deepStrictEqual(Object.keys(decode(row)).toSorted(), columns.toSorted())
          }
        })
      )

      it.effect("GET ?<key>=eq.<value>: 'One row object', and 404 without one", () =>
        Effect.gen(function* () {
          const { ask, done, options } = yield* ready
          const { row } = yield* done("POST", path, { body: Sample.body(resource, 3, options) })
          const found = yield* ask("GET", Sample.address(resource, row))
          assert.deepStrictEqual([found.status, found.row], [200, row])
          for (const name of columns) {
            const selected = yield* ask("GET", `${Sample.address(resource, row)}&select=${name}`)
            assert.deepStrictEqual(selected.row, { [name]: row[name] })
          }
          assert.deepStrictEqual((yield* ask("GET", `${path}?${resource.key}=eq.none`)).verdict, [404, "PGRST116"])
        })
      )

      it.effect("GET: '200, JSON array of row objects'", () =>
        Effect.gen(function* () {
          const { ask, done, options } = yield* ready
          const empty = yield* ask("GET", path)
          assert.deepStrictEqual([empty.status, empty.rows], [200, []])
          const bodies = [1, 2, 3].map((number) => Sample.body(resource, number, options))
          const { rows } = yield* done("POST", path, { body: bodies })
          const byKey = rows.toSorted((a, b) => (Sample.keyOf(resource, a) < Sample.keyOf(resource, b) ? -1 : 1))
          assert.deepStrictEqual((yield* ask("GET", path)).rows, byKey)
          const page = yield* ask("GET", `${path}?select=${resource.key}&order=${resource.key}.desc&limit=1&offset=1`)
          assert.deepStrictEqual(page.rows, [{ [resource.key]: Sample.keyOf(resource, byKey[1]) }])
        })
      )

      it.effect("PATCH ?<key>=eq.<value>: 'The updated row object'", () =>
        Effect.gen(function* () {
          const { ask, done, options } = yield* ready
          const { row } = yield* done("POST", path, { body: Sample.body(resource, 3, options) })
          const other = yield* done("POST", path, { body: Sample.body(resource, 4, options) })
          yield* TestClock.adjust("1 hour")
          const address = Sample.address(resource, row)
          assert.deepStrictEqual((yield* done("PATCH", address, { body: {} })).row, row)

          const change = changeOf(resource, options)
          const touched = Object.fromEntries(
            Object.entries({ updatedBy: userId, updatedAt: "2026-02-03T05:05:06.007Z" }).filter(
              ([name]) => name in row && Object.keys(change).length > 0
            )
          )
          const changed = yield* done("PATCH", address, { body: change })
          assert.deepStrictEqual([changed.status, changed.row], [200, { ...row, ...change, ...touched }])
          assert.deepStrictEqual((yield* ask("GET", address)).row, changed.row)

          const optional = Object.keys(resource.writes).filter((name) => resource.writes[name] === "optional")
          const cleared = Object.fromEntries(optional.map((name) => [name, null]))
          assert.deepStrictEqual((yield* done("PATCH", address, { body: cleared })).row, {
            ...changed.row,
            ...cleared
          })
          // 'Update and delete affect the row whose key equals the value in the filter.'
          assert.deepStrictEqual((yield* ask("GET", Sample.address(resource, other.row))).row, other.row)
          const missed = yield* ask("PATCH", `${path}?${resource.key}=eq.none`, { body: change })
          assert.deepStrictEqual(missed.verdict, [404, "PGRST116"])
        })
      )

      it.effect("DELETE ?<key>=eq.<value>: '204 No Content, empty body'", () =>
        Effect.gen(function* () {
          const { ask, done, options } = yield* ready
          const { row } = yield* done("POST", path, { body: Sample.body(resource, 3, options) })
          const other = yield* done("POST", path, { body: Sample.body(resource, 4, options) })
          const headers = { prefer: "return=representation" }
          const gone = yield* ask("DELETE", Sample.address(resource, row), { headers })
          assert.deepStrictEqual([gone.status, gone.text, gone.headers["content-type"]], [204, "", undefined])
          assert.deepStrictEqual((yield* ask("GET", path)).rows, [other.row])
          assert.deepStrictEqual((yield* ask("DELETE", Sample.address(resource, row))).verdict, [404, "PGRST116"])
        })
      )

      it.effect("names every missing required field, and every field that a create may not set", () =>
        Effect.gen(function* () {
          const { ask, options } = yield* ready
          const body = Sample.body(resource, 3, options)
          const required = Object.keys(resource.writes).filter((name) => resource.writes[name] === "required")
          const lacking = yield* ask("POST", path, { body: {} })
          assert.deepStrictEqual(lacking.verdict, [400, "23502"])
          assert.strictEqual(lacking.row["details"], `Required and without a value: ${required.join(", ")}.`)
          for (const name of required) {
            for (const given of [undefined, null]) {
              const reply = yield* ask("POST", path, { body: { ...body, [name]: given } })
              assert.deepStrictEqual(reply.verdict, [400, "23502"])
              assert.include(reply.text, `\\"${name}\\"`)
            }
          }
          for (const name of columns.filter((name) => resource.writes[name] === undefined)) {
            const reply = yield* ask("POST", path, { body: { ...body, [name]: "given" } })
            assert.deepStrictEqual(reply.verdict, [400, "428C9"])
            assert.include(reply.text, `\\"${name}\\"`)
          }
          const unknown = yield* ask("POST", path, { body: { ...body, shoeSize: 43 } })
          assert.deepStrictEqual(unknown.verdict, [400, "PGRST204"])
          assert.include(unknown.text, "shoeSize")
        })
      )

      it.effect("names the field whose value has another type, and stores nothing", () =>
        Effect.gen(function* () {
          const { ask, options, world } = yield* ready
          const body = Sample.body(resource, 3, options)
          const before = yield* world.store.checksum
          for (const { name, nullable, type, write } of Column.fromResource(resource)) {
            if (write === "never") continue
            const wrong = type === "number" ? "12" : type === "array" ? { 0: "a" } : type === "object" ? "{}" : 12
            for (const value of [wrong, type === "array" ? "a" : [["a"]], nullable ? { a: 1 } : false]) {
              if ((type === "object" && typeof value === "object") || typeof value === type) continue
              const reply = yield* ask("POST", path, { body: { ...body, [name]: value } })
              assert.deepStrictEqual(reply.verdict, [400, "22P02"], `${name}: ${JSON.stringify(value)}`)
              assert.include(reply.text, `\\"${name}`)
            }
          }
          assert.deepStrictEqual(yield* world.store.checksum, before)
        })
      )
    })
  }
}
