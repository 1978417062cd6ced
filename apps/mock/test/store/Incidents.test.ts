import { assert, describe, it } from "@effect/vitest"
import * as Incidents from "../../src/store/Incidents.ts"
import * as PostgresError from "../../src/store/postgres/connection/PostgresError.ts"
import { SqliteError } from "../../src/store/sqlite/SqliteDriver.ts"

const full = new SqliteError({ code: "SQLITE_FULL", message: "database or disk is full" })
const corrupt = new SqliteError({ code: "SQLITE_CORRUPT", message: "database disk image is malformed" })

const setUp = () => {
  const entries: Array<Incidents.Entry> = []
  const clock = { millis: 0 }
  const incidents = Incidents.make({ log: (entry) => void entries.push(entry), now: () => clock.millis })
  return { incidents, clock, messages: () => entries.map(({ message }) => message) }
}

describe("Incidents", () => {
  it("logs the first failure of an operation and a code, and the end with the number of failures", () => {
    const { clock, incidents, messages } = setUp()
    for (let count = 0; count < 17; count++) {
      clock.millis += 200
      incidents.failed("commit", full)
    }
    incidents.failed("read", full)
    assert.deepStrictEqual(messages(), [
      "The store cannot commit: SQLITE_FULL: database or disk is full",
      "The store cannot read: SQLITE_FULL: database or disk is full"
    ])
    incidents.succeeded("commit")
    assert.lengthOf(messages(), 2, "a success right after a failure is no recovery")
    clock.millis += 1000
    incidents.succeeded("query")
    incidents.succeeded("commit")
    incidents.succeeded("commit")
    assert.deepStrictEqual(messages().slice(2), ["The store commits again, after 17 failures in 4 s (SQLITE_FULL)"])
    assert.deepStrictEqual(incidents.counts(), [
      { operation: "commit", code: "SQLITE_FULL", count: 17 },
      { operation: "read", code: "SQLITE_FULL", count: 1 }
    ])
    incidents.failed("commit", full)
    assert.lengthOf(messages(), 4)
  })

  it("does not take a success elsewhere for the end of damage", () => {
    const { clock, incidents, messages } = setUp()
    incidents.failed("read", corrupt)
    clock.millis += 60_000
    incidents.succeeded("read")
    assert.lengthOf(messages(), 1)
    incidents.repaired()
    assert.deepStrictEqual(messages().slice(1), ["The store reads again, after 1 failure in 60 s (SQLITE_CORRUPT)"])
  })

  it("logs the code and the message of an error of PostgreSQL, and neither its detail nor its context", () => {
    const { incidents, messages } = setUp()
    const error = Object.assign(new Error(`could not extend file "base/5/16384": No space left on device`), {
      code: "53100",
      severity: "ERROR",
      detail: "Failing row contains (secret value).",
      where: "COPY holiday, line 1: secret value",
      hint: "Check free disk space."
    })
    incidents.failed("commit", PostgresError.fromUnknown(error), "Free space.")
    assert.deepStrictEqual(messages(), [
      `The store cannot commit: 53100: could not extend file "base/5/16384": No space left on device. Free space.`
    ])
  })

  it("logs only the name of an error without a code, and only the first line of a message", () => {
    const { incidents, messages } = setUp()
    incidents.failed("read", new TypeError("secret value is not iterable"))
    incidents.failed("read", Object.assign(new Error("EIO: i/o error, fdatasync\nsecret value"), { code: "EIO" }))
    assert.deepStrictEqual(messages(), [
      "The store cannot read: TypeError",
      "The store cannot read: EIO: i/o error, fdatasync"
    ])
  })
})
