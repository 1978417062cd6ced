import { assert, describe, it } from "@effect/vitest"
import * as SqliteConstraint from "../../../src/store/sqlite/SqliteConstraint.ts"
import { SqliteError } from "../../../src/store/sqlite/SqliteDriver.ts"

const refusal = (code: string, message: string) => SqliteConstraint.fromError(new SqliteError({ code, message }))

describe("SqliteConstraint", () => {
  it("names the columns of a key, without hidden ones", () => {
    assert.deepStrictEqual(
      refusal(
        "SQLITE_CONSTRAINT_PRIMARYKEY",
        "UNIQUE constraint failed: favorite._tenant, favorite._user, favorite.id"
      ),
      { _tag: "Duplicate", resource: "favorite", columns: ["id"], constraint: "favorite_pkey" }
    )
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
