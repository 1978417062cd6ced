import { assert, describe, it } from "@effect/vitest"
import { Holiday } from "@mfgdata/domain"
import * as RowChange from "../src/RowChange.ts"

const base = { id: "h", name: "a", date: "2027-01-01", tags: ["x"], customFields: { n: 1, m: 2 }, updatedBy: "u" }

describe("a change of a row", () => {
  it("is the writable fields that differ, by value", () => {
    const after = { ...base, name: "b", tags: ["x"], customFields: { m: 2, n: 1 }, year: 2027, updatedBy: "v" }
    const changes = RowChange.between(Holiday, base, after)
    assert.deepStrictEqual(changes, [
      { field: "name", before: "a", after: "b" },
      { field: "year", before: null, after: 2027 }
    ])
    assert.deepStrictEqual(RowChange.values(changes), { name: "b", year: 2027 })
  })

  it("merges with a newer version field by field", () => {
    const mine = { ...base, name: "mine", tags: ["x", "y"], date: "2027-02-02" }
    const theirs = { ...base, name: "theirs", date: "2027-02-02", customFields: null }
    assert.deepStrictEqual(RowChange.merge(Holiday, base, mine, theirs), {
      changes: [{ field: "tags", before: ["x"], after: ["x", "y"] }],
      conflicts: [{ field: "name", base: "a", mine: "mine", theirs: "theirs" }]
    })
  })

  it("conflicts with a field that was cleared", () => {
    const { conflicts } = RowChange.merge(Holiday, base, { ...base, tags: ["z"] }, { ...base, tags: null })
    assert.deepStrictEqual(conflicts, [{ field: "tags", base: ["x"], mine: ["z"], theirs: null }])
  })
})
