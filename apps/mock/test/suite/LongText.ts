/** Tests long texts in columns outside of keys, also in references and in unique columns of the public rules. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator
const { oauthClient, oauthCode } = Catalogue.byName

/** A megabyte without repetition, which a store cannot compress. */
const long = (): string => randomBytes(500_000).toString("hex")

/** The columns that hold text of any length and are not part of a key. */
const columnsOf = (resource: Resource.Any): ReadonlyArray<string> =>
  Column.fromResource(resource).flatMap(({ address, name, type, vocabulary, write }) =>
    type !== "text" ||
    write === "never" ||
    address ||
    vocabulary !== undefined ||
    name === "companyId" ||
    name === resource.key ||
    Catalogue.references.some(({ child, column }) => child === resource && column === name) ||
    resource.rules.checks.some((check) => check._tag === "OneOf" && check.column === name) ||
    (resource === Catalogue.byName.webhookTable && name === "name")
      ? []
      : [name]
  )

/** Tests under every rule set. */
export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("stores a megabyte in every text column outside of keys", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      for (const resource of Catalogue.resources as ReadonlyArray<Resource.Any>) {
        const parents = yield* Sample.plant("operator", Sample.ancestors(resource))
        const texts = Object.fromEntries(columnsOf(resource).map((name) => [name, long()]))
        const body: JsonObject = { ...Sample.body(resource, 1, { companyId, parents }), ...texts }
        const { row } = yield* done("POST", `/rest/${resource.resource}`, { body })
        const found = yield* done("GET", Sample.address(resource, row))
        for (const [name, text] of Object.entries(texts)) {
          assert.isTrue(found.row[name] === text, `${resource.resource}.${name}`)
        }
        yield* Sample.clear("operator", [...Sample.ancestors(resource), resource])
      }
    })
  )

  it.effect("follows a long reference in both directions", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      yield* Sample.clear("operator")
      const clientId = long()
      const client = Sample.body(oauthClient, 1, { companyId, parents: new Map() })
      const code = Sample.body(oauthCode, 1, { companyId, parents: new Map() })
      yield* done("POST", "/rest/oauthClient", { body: { ...client, clientId } })
      yield* done("POST", "/rest/oauthCode", { body: { ...code, clientId } })
      const up = yield* done("GET", "/rest/oauthCode?select=code,oauthClient(name)")
      assert.deepStrictEqual(up.rows, [{ code: "code 1", oauthClient: { name: "name 1" } }])
      const down = yield* done("GET", "/rest/oauthClient?select=name,oauthCode(code)")
      assert.deepStrictEqual(down.rows, [{ name: "name 1", oauthCode: [{ code: "code 1" }] }])
      yield* done("DELETE", "/rest/oauthClient?name=eq.name%201")
    })
  )
}

/** Tests under the public rules, which make columns unique. */
export const publicSuite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  suite(it)

  it.effect("distinguishes two long texts of a unique column, and finds a row by one in an upsert", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      const clientId = long()
      const client = { ...Sample.body(oauthClient, 1, { companyId, parents: new Map() }), clientId }
      yield* done("POST", "/rest/oauthClient", { body: client })
      yield* done("POST", "/rest/oauthClient", { body: { ...client, clientId: `${clientId}b` } })
      const again = yield* ask("POST", "/rest/oauthClient", { body: client })
      assert.deepStrictEqual(again.verdict, [409, "23505"])
      assert.include(again.text, "oauthClient_clientId_key")
      assert.notInclude(again.text, clientId.slice(0, 20))
      const merged = yield* done("POST", "/rest/oauthClient?on_conflict=clientId", {
        body: { ...client, name: "merged" },
        headers: { "content-profile": "public", prefer: "resolution=merge-duplicates, return=representation" }
      })
      assert.strictEqual(merged.status, 200)
      assert.lengthOf((yield* done("GET", "/rest/oauthClient?select=name&name=eq.merged")).rows, 1)
    })
  )
}
