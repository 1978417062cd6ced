/** Tests the points that the document leaves open, which the service accepts and stores as they were sent. */
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Contract from "@mfgdata/testing-contract"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Service from "../Service.ts"
import * as Document from "./Document.ts"

const { companyId, userId } = Service.members.operator

interface Reference {
  readonly child: Document.Resource
  readonly column: string
  readonly parent: Document.Resource
  readonly field: string
}

/** The references among the document's resources. */
const references: ReadonlyArray<Reference> = Contract.contract.flatMap((entry) =>
  Contract.writable(entry).flatMap(({ name, reference }) =>
    reference !== undefined && Document.resources.some((resource) => resource.name === reference.resource)
      ? [
          {
            child: Document.find(entry.resource),
            column: name,
            parent: Document.find(reference.resource),
            field: reference.field
          }
        ]
      : []
  )
)

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The fields that a change sets, omitted from comparisons. */
const unstamped = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== "updatedAt" && name !== "updatedBy"))

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("the document has four references among the resources", () =>
    Effect.sync(() => assert.lengthOf(references, 4))
  )

  for (const resource of Document.resources) {
    const { fields, key, name, path, returned } = resource
    const isKeyGiven = fields.some((field) => field.name === key)
    const plain = Document.plain(resource)

    it.effect(`${name}: no field but the key is unique`, () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        yield* Document.clear(resource)
        const full = Document.body(resource, 0)
        const first = yield* done("POST", path, { body: full })
        if (isKeyGiven) {
          assert.deepStrictEqual((yield* ask("POST", path, { body: full })).verdict, [409, "23505"])
          return
        }
        const second = yield* done("POST", path, { body: full })
        const [third, fourth] = (yield* done("POST", path, { body: [full, full] })).rows
        assert.isDefined(third)
        assert.isDefined(fourth)
        const other = yield* done("POST", path, { body: Document.body(resource, 5) })
        const changed = yield* done("PATCH", Document.address(resource, other.row), {
          body: Document.written(resource, first.row)
        })
        const rows = [first.row, second.row, third, fourth, changed.row]
        assert.strictEqual(new Set(rows.map((row) => row[key])).size, 5, `${name}: five keys`)
        for (const row of rows) {
          for (const field of fields) {
            assert.deepStrictEqual(row[field.name], first.row[field.name], `${name}.${field.name} of a duplicate`)
          }
        }
        assert.strictEqual((yield* done("DELETE", Document.address(resource, second.row))).status, 204)
        assert.lengthOf((yield* done("GET", path)).rows, 4, `${name}: a delete touches one row`)
      })
    )

    it.effect(`${name}: accepts a complete row, and refuses another value of a field that the service sets`, () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        yield* Document.clear(resource)
        for (const number of [0, 3]) {
          const { row } = yield* done("POST", path, { body: Document.body(resource, number) })
          for (const field of returned) {
            const value = row[field]
            if (field === "updatedAt" || field === "updatedBy") assert.isNull(value, `${name}.${field} before a change`)
            else if (field.endsWith("At")) assert.match(String(value), timestamp, `${name}.${field}`)
            else if (field === "companyId") assert.strictEqual(value, companyId, `${name}.${field}`)
            else if (field === "createdBy" || field === "userId") assert.strictEqual(value, userId, `${name}.${field}`)
            else assert.isTrue(typeof value === "string" && value !== "", `${name}.${field}`)
          }
          const address = Document.address(resource, row)
          const upsert = { prefer: "resolution=merge-duplicates", "content-profile": "public" }
          let current = row
          for (const [method, target, headers] of [
            ["PATCH", address, {}],
            ["PUT", address, {}],
            ["POST", path, { ...upsert, prefer: `${upsert.prefer}, return=representation` }],
            ["PATCH", address, {}]
          ] as const) {
            const reply = yield* done(method, target, { headers, body: current })
            const [after] = Array.isArray(JSON.parse(reply.text)) ? reply.rows : [reply.row]
            assert.isDefined(after)
            assert.strictEqual(
              JSON.stringify(unstamped(after)),
              JSON.stringify(unstamped(current)),
              `${method} ${name} of a whole row`
            )
            if (returned.includes("updatedAt")) assert.match(String(after["updatedAt"]), timestamp, `${name}.updatedAt`)
            if (returned.includes("updatedBy")) assert.strictEqual(after["updatedBy"], userId, `${name}.updatedBy`)
            current = after
          }
          for (const field of returned) {
            const value = field.endsWith("At") ? "2020-02-02T02:02:02.000Z" : "elsewhere"
            const isPutKey = field === key
            for (const method of isPutKey ? ["PATCH"] : ["PATCH", "PUT"]) {
              const reply = yield* ask(method, address, { body: { ...current, [field]: value } })
              assert.deepStrictEqual(reply.verdict, [400, "428C9"], `${method} ${name}.${field} = ${value}`)
              assert.include(reply.text, field, `${method} ${name}.${field} is named`)
            }
          }
          assert.deepStrictEqual((yield* done("GET", address)).row, current)
        }
      })
    )

    it.effect(`${name}: accepts a field that the service sets with the value that it would set`, () =>
      Effect.gen(function* () {
        const { done } = yield* Service.Service
        yield* Document.clear(resource)
        const own = Object.fromEntries(
          returned.flatMap((field): ReadonlyArray<[string, string]> => {
            if (field === "companyId") return [[field, companyId]]
            return field === "userId" ? [[field, userId]] : []
          })
        )
        const { row } = yield* done("POST", path, { body: { ...plain, ...own } })
        for (const [field, value] of Object.entries(own)) assert.strictEqual(row[field], value, `${name}.${field}`)
      })
    )

    const company = fields.find((field) => field.name === "companyId")
    if (company === undefined) continue
    it.effect(`${name}: accepts any text as companyId, and keeps the rows with their company`, () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        yield* Document.clear(resource)
        for (const value of ["rival", "elsewhere", companyId, ...(company.required ? [] : [null])]) {
          const { row } = yield* done("POST", path, { body: { ...plain, companyId: value } })
          assert.strictEqual(row["companyId"], value, `POST ${name}.companyId`)
          const address = Document.address(resource, row)
          assert.strictEqual((yield* ask("GET", address, { as: "rival" })).status, 404, `${name} of another company`)
          const changed = yield* done("PATCH", address, { body: { companyId: "rival" } })
          assert.strictEqual(changed.row["companyId"], "rival", `PATCH ${name}.companyId`)
          assert.strictEqual((yield* done("GET", address, { as: "colleague" })).row["companyId"], "rival")
        }
        if (company.required) return
        const { row } = yield* done("POST", path, { body: plain })
        assert.strictEqual(row["companyId"], companyId, `${name}.companyId is filled when it is absent`)
        const cleared = yield* done("PATCH", Document.address(resource, row), { body: { companyId: null } })
        assert.isNull(cleared.row["companyId"], `PATCH ${name}.companyId = null`)
      })
    )
  }

  for (const { child, column, field, parent } of references) {
    it.effect(`${child.name}.${column} may name a missing ${parent.name}`, () =>
      Effect.gen(function* () {
        const { done } = yield* Service.Service
        yield* Document.clear(child)
        yield* Document.clear(parent)
        const embeds = (row: JsonObject) =>
          Effect.map(
            done("GET", `${Document.address(child, row)}&select=${child.key},${parent.name}(${parent.key})`),
            (reply) => reply.row[parent.name]
          )
        const make = (value: string) =>
          Effect.map(
            done("POST", child.path, { body: { ...Document.plain(child), [column]: value } }),
            ({ row }) => row
          )
        const dangling = yield* make("nobody")
        const empty = yield* make("")
        for (const row of [dangling, empty]) assert.isNull(yield* embeds(row), `${child.name}.${column} dangles`)
        const planted = yield* done("POST", parent.path, { body: Document.plain(parent) })
        const kept = yield* done("POST", parent.path, { body: Document.body(parent, 3) })
        const value = String(planted.row[field])
        const children = [yield* make(value), yield* make(value)]
        for (const row of children) {
          assert.deepStrictEqual(
            yield* embeds(row),
            { [parent.key]: planted.row[parent.key] ?? null },
            `${child.name} embeds`
          )
        }
        const listed = (yield* done("GET", child.path)).rows
        const embedding = `${Document.address(parent, planted.row)}&select=${parent.key},${child.name}(${child.key})`
        assert.lengthOf(Object((yield* done("GET", embedding)).row[child.name]), 2, `${parent.name} embeds`)
        const deleted = yield* done("DELETE", Document.address(parent, planted.row))
        assert.deepStrictEqual([deleted.status, deleted.text], [204, ""], `DELETE ${parent.name} that is referred to`)
        assert.deepStrictEqual((yield* done("GET", child.path)).rows, listed, `${child.name} stays`)
        assert.deepStrictEqual((yield* done("GET", parent.path)).rows, [kept.row], `another ${parent.name} stays`)
        for (const row of children)
          assert.isNull(yield* embeds(row), `${child.name}.${column} dangles after the delete`)
      })
    )
  }

  it.effect("embeds the first by key of two clients with one clientId, and deletes one of them", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      const [client, code] = [Document.find("oauthClient"), Document.find("oauthCode")]
      yield* Document.clear(client)
      yield* Document.clear(code)
      const body = { ...Document.plain(client), clientId: "twice" }
      const first = (yield* done("POST", client.path, { body })).row
      const second = (yield* done("POST", client.path, { body })).row
      const [one, other] = String(first["id"]) < String(second["id"]) ? [first, second] : [second, first]
      const { row } = yield* done("POST", code.path, { body: { ...Document.plain(code), clientId: "twice" } })
      const embedding = `${Document.address(code, row)}&select=oauthClient(id)`
      assert.deepStrictEqual((yield* done("GET", embedding)).row, { oauthClient: { id: one["id"] ?? null } })
      yield* done("PATCH", Document.address(client, one), { body: { clientId: "changed" } })
      assert.deepStrictEqual((yield* done("GET", embedding)).row, { oauthClient: { id: other["id"] ?? null } })
      yield* done("DELETE", Document.address(client, other))
      assert.deepStrictEqual((yield* done("GET", embedding)).row, { oauthClient: null })
      assert.lengthOf((yield* done("GET", client.path)).rows, 1)
    })
  )
}
