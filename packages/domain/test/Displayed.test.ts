import { assert, describe, it } from "@effect/vitest"
import { compile } from "./fixtures/compiler.ts"

const program = `
import type { CompanyId } from "SOURCES/Ids.ts"
import type * as Resource from "SOURCES/Resource.ts"
import type { WarehouseTransfer } from "SOURCES/resources/WarehouseTransfer.ts"

declare const row: WarehouseTransfer
declare const rows: ReadonlyArray<Resource.Row<typeof WarehouseTransfer>>

export const one: string = row
export const many: string = rows
export const company: CompanyId = row.fromLocationId
`

describe("the compiler", () => {
  it("shows a row by its name, and an id by its name", () =>
    compile({ write: { "mistakes.ts": program }, compilerOptions: { noEmit: true, rootDir: "/" } }, (output) => {
      assert.include(output, "Type 'WarehouseTransfer' is not assignable to type 'string'.")
      assert.include(output, "Type 'readonly WarehouseTransfer[]' is not assignable to type 'string'.")
      assert.include(output, "Type 'LocationId' is not assignable to type 'CompanyId'.")
      assert.notInclude(output, "more ...")
      assert.strictEqual(output.match(/error TS/g)?.length, 3, output)
    }))
})
