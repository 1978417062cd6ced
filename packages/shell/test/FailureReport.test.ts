import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as FailureReport from "../src/FailureReport.ts"

const front = {
  name: "mfg",
  exitCodeOf: () => 1,
  isRetryable: () => false,
  remedyOf: () => undefined,
  statusOf: () => undefined
}

const shared = { code: null, status: null, fields: [], requestId: null, retryable: false }

describe("the report of a failure", () => {
  it("has the same fields in JSON for a defect", () => {
    const { error, exitCode } = JSON.parse(FailureReport.defect(front, "boom", true))
    assert.strictEqual(exitCode, 1)
    const message = "Unexpected failure, a defect of mfg: boom"
    assert.deepStrictEqual(error, { _tag: "Defect", message, ...shared })
    assert.strictEqual(FailureReport.defect(front, "boom", false), `mfg: ${message}\n`)
  })

  it("has durations in seconds, and no causes", () => {
    const failure = { _tag: "Late", message: "Late", retryAfter: Duration.minutes(2), cause: "row", field: "name" }
    const { error } = JSON.parse(FailureReport.render(front, failure, true))
    const { cause: _, ...facts } = failure
    assert.deepStrictEqual(error, { ...shared, ...facts, fields: ["name"], retryAfter: 120 })
  })
})
