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

  it.each(["", "x", "surprise"])("finds nothing similar to %j", (given) => {
    assert.isUndefined(Suggestion.find(given, names))
  })
})
