import { assert, describe, it } from "@effect/vitest"
import { Catalogue, Suggestion } from "@mfgdata/domain"

const names = Catalogue.resources.map(({ resource }) => resource)

describe("Suggestion", () => {
  it.each([
    ["holidy", "holiday"],
    ["HOLIDAY", "holiday"],
    ["warehouse_transfer", "warehouseTransfer"],
    ["warehouseTransferLines", "warehouseTransferLine"],
    ["paymntTerm", "paymentTerm"],
    ["kabnan", "kanban"]
  ])("%s was meant as %s", (given, meant) => {
    assert.strictEqual(Suggestion.find(given, names), meant)
  })

  it("compares no name of more than 100 characters", () => {
    const compared: Array<string> = []
    const others = function* () {
      for (const length of [90, 100]) {
        const other = "a".repeat(length)
        compared.push(other)
        yield other
      }
    }
    assert.strictEqual(Suggestion.find(`b${"a".repeat(99)}`, others()), "a".repeat(100))
    assert.lengthOf(compared, 2)
    assert.isUndefined(Suggestion.find(`b${"a".repeat(100)}`, others()))
    assert.lengthOf(compared, 2)
  })

  it.each(["", "x", "surprise"])("finds nothing similar to %j", (given) => {
    assert.isUndefined(Suggestion.find(given, names))
  })
})
