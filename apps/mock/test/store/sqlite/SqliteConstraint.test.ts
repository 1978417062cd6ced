import { assert, describe, it } from "@effect/vitest"
import * as SqliteConstraint from "../../../src/store/sqlite/SqliteConstraint.ts"
import { SqliteError } from "../../../src/store/sqlite/SqliteDriver.ts"

const refusal = (code: string, message: string) => SqliteConstraint.fromError(new SqliteError({ code, message }))

describe("SqliteConstraint", () => {
  it.each([
    [
      "SQLITE_CONSTRAINT_UNIQUE",
      "salesOrderFavorite._tenant, salesOrderFavorite._user, salesOrderFavorite.salesOrderId"
    ],
    ["SQLITE_CONSTRAINT_PRIMARYKEY", "_user.id"]
  ])("recognises a duplicate key without its hidden columns: %s on %s", (code, columns) => {
    const [resource = "", column = ""] = columns.split(", ").at(-1)?.split(".") ?? []
    assert.deepStrictEqual(refusal(code, `UNIQUE constraint failed: ${columns}`), {
      _tag: "Duplicate",
      resource,
      columns: [column],
      constraint: `${resource}_pkey`
    })
  })

  it("names the columns of another unique constraint, in their order", () => {
    assert.deepStrictEqual(
      refusal("SQLITE_CONSTRAINT_UNIQUE", "UNIQUE constraint failed: term._tenant, term.name, term.active"),
      { _tag: "Duplicate", resource: "term", columns: ["name", "active"], constraint: "term_name_active_key" }
    )
  })

  it("parses the message that a rule raises", () => {
    assert.deepStrictEqual(
      refusal("SQLITE_CONSTRAINT_TRIGGER", SqliteConstraint.raised("fulfillment", "fulfillment_jobId_check")),
      {
        _tag: "CheckFailed",
        resource: "fulfillment",
        check: "fulfillment_jobId_check"
      }
    )
  })

  it.each([
    ["SQLITE_CONSTRAINT_FOREIGNKEY", "FOREIGN KEY constraint failed"],
    ["SQLITE_CONSTRAINT_NOTNULL", "NOT NULL constraint failed: holiday.name"],
    ["SQLITE_CONSTRAINT_TRIGGER", "raised by somebody else"],
    ["SQLITE_ERROR", "no such table: holiday"]
  ])("treats %s as an error, not as a refusal: %s", (code, message) => assert.isUndefined(refusal(code, message)))
})
