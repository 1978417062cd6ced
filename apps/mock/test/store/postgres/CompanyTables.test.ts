/**
 * Compares the tables that docs/scale.md distributes with those of the store, and with its foreign keys.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import * as CompanyTables from "../../../src/store/postgres/schema/CompanyTables.ts"
import * as Secured from "../../postgres/Secured.ts"

const document = readFileSync(new URL("../../../../../docs/scale.md", import.meta.url), "utf8")

/** The names in a row of the table about distribution. */
const named = (kind: string): ReadonlyArray<string> => {
  const [, cell = ""] = new RegExp(`^\\| ${kind} +\\| ([^|]*)\\|`, "m").exec(document) ?? []
  return Array.from(cell.matchAll(/`(\w+)`/g), ([, name = ""]) => name)
}

describe("the tables of companies", () => {
  it("are listed in docs/scale.md with those that are shared", () => {
    const resources = new Set(Catalogue.resources.flatMap(({ resource }) => [resource, `_past_${resource}`]))
    const [ofResources, ofService] = [true, false].map((isResource) =>
      CompanyTables.tables.filter(({ name }) => resources.has(name) === isResource)
    )
    assert.strictEqual(ofResources?.length, resources.size)
    assert.deepStrictEqual([...new Set(ofResources?.map(({ column }) => column))], ["_tenant"])
    assert.deepStrictEqual([...new Set(ofService?.map(({ column }) => column))], ["companyId"])
    assert.sameMembers(
      [...named("distributed by `companyId`")],
      (ofService ?? []).map(({ name }) => name)
    )
    assert.sameMembers([...named("reference")], [...CompanyTables.reference])
    assert.sameMembers([...named("local")], [...CompanyTables.local])
    assert.include(document, `${Catalogue.resources.length} resources`)
  })

  it.scopedLive("have foreign keys to each other and to reference tables, which reference only such tables", () =>
    Effect.gen(function* () {
      const { owner } = yield* Secured.migrated({ rules: "public" })
      const keys = yield* Schema.run(
        owner.url,
        `SELECT t.relname, r.relname FROM pg_constraint AS f JOIN pg_class AS t ON t.oid = f.conrelid
          JOIN pg_class AS r ON r.oid = f.confrelid
          WHERE t.relnamespace = current_schema()::regnamespace AND f.contype = 'f'`
      )
      const reference = new Set<unknown>(CompanyTables.reference)
      const companies = new Set<unknown>(CompanyTables.tables.map(({ name }) => name))
      const flaws = keys.filter(([from, to]) => !reference.has(to) && !(companies.has(from) && companies.has(to)))
      assert.isAbove(keys.length, 5)
      assert.deepStrictEqual(flaws, [])
    })
  )
})
