import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as SqliteConstraint from "../../../src/store/sqlite/SqliteConstraint.ts"
import * as SqliteMigrator from "../../../src/store/sqlite/SqliteMigrator.ts"
import * as RuleSet from "../../../src/store/RuleSet.ts"
import type * as Snapshot from "../../../src/store/Snapshot.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import * as SqliteSnapshotRows from "../../../src/store/sqlite/SqliteSnapshotRows.ts"
import * as SqliteMeta from "../../../src/store/sqlite/SqliteMeta.ts"
import * as SqliteRuleSet from "../../../src/store/sqlite/SqliteRuleSet.ts"
import { lines } from "../rows.ts"

const setUp = (ruleSet: "contract" | "public" = "contract") => {
  const driver = SqliteDriver.open(":memory:")
  SqliteMigrator.migrate(driver, { store: ":memory:", ruleSet })
  const insert = SqliteSnapshotRows.insert(driver)
  return { driver, insert }
}

const overlay = (driver: SqliteDriver.SqliteDriver) =>
  driver.execute({
    text: `SELECT "name" FROM sqlite_schema WHERE "name" LIKE 'rule\\_%' ESCAPE '\\' ORDER BY 1`,
    parameters: []
  })

const base = new Map(lines("c1", 1, 7).map((line) => [line.table, line]))

/** A row of a resource with the given fields. */
const row = (table: string, fields: Snapshot.Line["row"], company = "c1"): Snapshot.Line => {
  const line = base.get(table)!
  return {
    ...line,
    company,
    row: { ...line.row, ...("companyId" in line.row ? { companyId: company } : {}), ...fields }
  }
}

const refusal = (body: () => void) => {
  try {
    body()
  } catch (error) {
    if (error instanceof SqliteDriver.SqliteError) return SqliteConstraint.fromError(error)
    throw error
  }
  return "kept"
}

const holiday = { id: "h1", name: "New Year", date: "2026-01-01", year: 2026 }
const fulfillment = { id: "f1", type: "Inventory", jobId: null }
const slide = { id: "s1", size: "small", imagePath: "a.png", modelUploadId: null, stepId: "step" }

/** Writes that the public rules refuse, as `check` of the table, and the contract rules accept. */
const refused: ReadonlyArray<readonly [table: string, fields: Snapshot.Line["row"], check: string]> = [
  ["fulfillment", { ...fulfillment, jobId: "j1" }, "jobId_check"],
  ["fulfillment", { ...fulfillment, type: "Job" }, "jobId_check"],
  ["fulfillment", { ...fulfillment, type: "Elsewhere" }, "type_vocabulary"],
  ["assemblyInstructionStepSlide", { ...slide, imagePath: null }, "imagePath_modelUploadId_check"],
  ["assemblyInstructionStepSlide", { ...slide, size: "huge" }, "size_check"],
  ["holiday", { ...holiday, companyId: "c2" }, "own_company"],
  ["holiday", { ...holiday, tags: ["a", 1] }, "tags_elements"],
  ["holiday", { ...holiday, tags: [null] }, "tags_elements"]
]

describe("SqliteRuleSet", () => {
  it("has a rule for every unique constraint, check, vocabulary and reference of the catalogue", () => {
    const expected = Catalogue.resources.flatMap((resource) => [
      ...resource.rules.unique.map(() => "Unique"),
      ...Catalogue.references.filter(({ child }) => child === resource).map(() => "Reference"),
      ...resource.rules.checks.map(() => "Check"),
      ...Column.fromResource(resource).flatMap(({ name, type, vocabulary }) =>
        vocabulary !== undefined || name === "companyId" || type === "array" ? ["Check"] : []
      )
    ])
    assert.sameMembers(
      RuleSet.rules("public").map(({ _tag }) => _tag),
      expected
    )
    assert.deepStrictEqual(RuleSet.rules("contract"), [])
    const names = RuleSet.rules("public").map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
  })

  it.each(refused)("%s %o breaks %s", (table, fields, check) => {
    const kept = setUp()
    assert.strictEqual(
      refusal(() => kept.insert(row(table, fields))),
      "kept"
    )
    assert.deepStrictEqual(
      SqliteRuleSet.violationsOf(kept.driver, "public").map(({ rule }) => rule),
      [`${table}_${check}`]
    )
    const strict = setUp("public")
    assert.deepStrictEqual(
      refusal(() => strict.insert(row(table, fields))),
      { _tag: "CheckFailed", resource: table, check: `${table}_${check}` }
    )
  })

  it("accepts valid rows, and refuses updates that break a rule", () => {
    const { driver, insert } = setUp("public")
    insert(row("fulfillment", fulfillment))
    insert(row("fulfillment", { ...fulfillment, id: "f2", type: "Job", jobId: "j1" }))
    insert(row("assemblyInstructionStepSlide", slide))
    for (const [id, tags] of Object.entries({ h1: null, h2: [], h3: ["a", ""] })) {
      insert(row("holiday", { ...holiday, id, tags, date: `2026-01-0${id[1]}` }))
    }
    const update = (text: string) => refusal(() => void driver.execute({ text, parameters: [] }))
    assert.deepStrictEqual(update(`UPDATE "fulfillment" SET "type" = 'Job' WHERE "id" = 'f1'`), {
      _tag: "CheckFailed",
      resource: "fulfillment",
      check: "fulfillment_jobId_check"
    })
    assert.strictEqual(update(`UPDATE "fulfillment" SET "type" = 'Job', "jobId" = 'j2' WHERE "id" = 'f1'`), "kept")
  })

  it("enforces a unique constraint within each company, and lets null repeat", () => {
    const { driver, insert } = setUp("public")
    insert(row("holiday", holiday))
    insert(row("holiday", holiday, "c2"))
    assert.deepStrictEqual(
      refusal(() => insert(row("holiday", { ...holiday, id: "h2" }))),
      { _tag: "Duplicate", resource: "holiday", columns: ["date"], constraint: "holiday_date_key" }
    )
    assert.deepStrictEqual(SqliteRuleSet.violationsOf(driver, "public"), [])
  })

  it("is installed and removed without a trace", () => {
    const { driver } = setUp()
    assert.deepStrictEqual(overlay(driver), [])
    assert.deepStrictEqual(SqliteRuleSet.apply(driver, "public"), Either.right(undefined))
    const laid = overlay(driver)
    assert.isAbove(laid.length, RuleSet.rules("public").length)
    SqliteRuleSet.apply(driver, "public")
    assert.deepStrictEqual(overlay(driver), laid)
    assert.strictEqual(SqliteMeta.ruleSet(driver), "public")
    SqliteRuleSet.apply(driver, "contract")
    assert.deepStrictEqual(overlay(driver), [])
    assert.strictEqual(SqliteMeta.ruleSet(driver), "contract")
  })

  it("is updated when its own rules have changed", () => {
    const { driver } = setUp("public")
    const laid = overlay(driver)
    driver.script(`DROP INDEX "rule_holiday_date_key"`)
    driver.script(`CREATE UNIQUE INDEX "rule_holiday_date_key" ON "holiday" ("date")`)
    driver.script(`CREATE UNIQUE INDEX "rule_of_old" ON "holiday" ("name")`)
    SqliteRuleSet.apply(driver, "public")
    assert.deepStrictEqual(overlay(driver), laid)
  })

  it("lists the rows that violate it, and is not installed over them", () => {
    const { driver, insert } = setUp()
    for (const id of ["h1", "h2", "h3"]) insert(row("holiday", { ...holiday, id }))
    insert(row("holiday", { ...holiday, id: "h4", date: "2026-12-25" }))
    for (let index = 0; index < 25; index++) {
      insert(row("fulfillment", { ...fulfillment, id: `f${String(index).padStart(2, "0")}`, type: "Job" }))
    }
    const outcome = SqliteDriver.transaction(driver, () => SqliteRuleSet.apply(driver, "public"))
    const [jobs, days, ...rest] = Either.getOrThrow(Either.flip(outcome)).violations
    assert.deepStrictEqual(rest, [])
    assert.deepStrictEqual(days, {
      rule: "holiday_date_key",
      resource: "holiday",
      columns: ["date"],
      count: 3,
      rows: ["h1", "h2", "h3"].map((key) => ({ companyId: "c1", key }))
    })
    assert.deepInclude(jobs, { rule: "fulfillment_jobId_check", count: 25 })
    assert.lengthOf(jobs!.rows, 20)
    assert.deepStrictEqual(overlay(driver), [])
    assert.strictEqual(SqliteMeta.ruleSet(driver), "contract")
    const { message } = Either.getOrThrow(Either.flip(outcome))
    assert.include(message, "holiday (date) breaks holiday_date_key in 3 rows: h1 of c1, h2 of c1, h3 of c1")
    assert.match(message, /fulfillment_jobId_check in 25 rows: f00 of c1, .*f19 of c1, \.\.\.$/m)
  })
})
