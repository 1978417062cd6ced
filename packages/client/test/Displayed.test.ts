import { assert, describe, it } from "@effect/vitest"
import { errors, hovers } from "./fixtures/Compiler.ts"

const head = `
import type { Rows } from "CLIENT/index.ts"
import type { connect } from "CLIENT/promise.ts"
import { CalendarDate, type ItemId, Holiday, type LocationId, PaymentTerm, Query } from "@mfgdata/domain"
import { WarehouseTransfer, type WarehouseTransferId, WarehouseTransferLine } from "@mfgdata/domain"
import type * as Context from "effect/Context"
declare const rows: Context.Tag.Service<Rows>
declare const promised: ReturnType<typeof connect>
declare const location: LocationId
declare const id: WarehouseTransferId
declare const line: WarehouseTransferLine
const date = CalendarDate.make("2026-01-31")
`

/** Mistakes with the message of the compiler, whose further lines are left out. */
const mistakes: ReadonlyArray<readonly [call: string, message: string]> = [
  [
    `rows.list(WarehouseTransfer, { where: Query.or({ statuss: "Draft" }) })`,
    "Object literal may only specify known properties, and 'statuss' does not exist in type 'Where<typeof WarehouseTransfer, never>'."
  ],
  [
    `rows.list(WarehouseTransfer, { where: { companyId: location } })`,
    "Type 'LocationId' is not assignable to type 'TextOrCondition<CompanyId> | undefined'."
  ],
  [
    `rows.list(WarehouseTransfer, { where: { companyId: "x" } })`,
    "Type 'string' is not assignable to type 'TextOrCondition<CompanyId> | undefined'."
  ],
  [
    `rows.list(PaymentTerm, { where: { daysDue: "3" } })`,
    "Type 'string' is not assignable to type 'NumberOrCondition | undefined'."
  ],
  [
    `rows.list(PaymentTerm, { where: { active: "yes" } })`,
    "Type 'string' is not assignable to type 'BooleanOrCondition | undefined'."
  ],
  [
    `rows.list(WarehouseTransfer, { where: { transferDate: 3 } })`,
    "Type 'number' is not assignable to type 'DateOrCondition | null | undefined'."
  ],
  [
    `rows.list(PaymentTerm, { where: { tags: "a" } })`,
    "Type 'string' is not assignable to type 'ArrayCondition | null | undefined'."
  ],
  [
    `rows.retrieve(WarehouseTransfer, location)`,
    "Argument of type 'LocationId' is not assignable to parameter of type 'WarehouseTransferId'."
  ],
  [
    `rows.createMany(Holiday, [{ name: "x", date }])`,
    "Property 'companyId' is missing in type '{ name: string; date: CalendarDate.CalendarDate; }' but required in type '{ readonly name: string; readonly date: CalendarDate; readonly companyId: CompanyId; readonly year?: number | null; readonly customFields?: JsonObject | null; readonly tags?: readonly string[] | null; }'."
  ]
]

/** Places of the head's continuation with the text that an editor shows. */
const shown: ReadonlyArray<readonly [place: string, text: string]> = [
  ["rows.list", "Returns the rows that match a query"],
  ["rows.list", "=> Effect<readonly WarehouseTransfer[], QueryError, never>"],
  ["rows.page", "Returns one page of rows, and the cursor of the next page."],
  ["rows.pages", "Streams the pages of a query."],
  ["rows.stream", "Streams the rows that match a query"],
  ["rows.count", "Counts the rows that match a query."],
  ["rows.retrieve", "key: WarehouseTransferId"],
  ["rows.find", "Returns the row with a key, or `None`."],
  ["rows.update", "Changes some fields of a row"],
  ["rows.remove", "Removes the row with a key."],
  ["rows.createMany", "Creates rows in batches"],
  ["promised.list", "Returns the rows that match a query"],
  ["promised.page", "=> Promise<Page<WarehouseTransfer>>"],
  ["promised.find", "Returns the row with a key, or `undefined`."],
  ["line.itemId", "itemId: ItemId"],
  ["line.companyId", "companyId: CompanyId"],
  ["const dates", 'const dates: Pick<Holiday, "date">'],
  ["of.date", "date: CalendarDate"]
]

const program = `${head}
rows.list(WarehouseTransfer)
rows.page(WarehouseTransfer)
rows.pages(WarehouseTransfer)
rows.stream(WarehouseTransfer)
rows.count(WarehouseTransfer)
rows.retrieve(WarehouseTransfer, id)
rows.find(WarehouseTransfer, id)
rows.update(WarehouseTransfer, id, {}, { ifMatch: "" })
rows.remove(WarehouseTransfer, id)
rows.createMany(Holiday, [])
promised.list(WarehouseTransfer)
promised.page(WarehouseTransfer)
promised.find(WarehouseTransfer, id)
line.itemId
line.companyId
const [dates] = await promised.list(Holiday, { select: ["date"] })
const of = dates
of.date
`

describe("the compiler", () => {
  it("explains a mistake in a line that names no internal type", async () => {
    const found = await errors(head + mistakes.map(([call]) => call).join("\n"))
    const first = head.split("\n").length
    assert.deepStrictEqual(
      mistakes.map((_, index) => found.get(first + index)?.split("\n")[0]),
      mistakes.map(([, message]) => message)
    )
    const related = await errors(`${head}rows.list(Holiday, { select: ["id", Query.embed(PaymentTerm)] })`)
    assert.include([...related.values()][0], '"holiday has no reference to paymentTerm, nor paymentTerm to holiday"')
  }, 300_000)

  it("shows the documentation of every method, and ids by their names", async () => {
    const texts = await hovers(
      program,
      shown.map(([place]) => (place === "const dates" ? "const [dates" : place))
    )
    shown.forEach(([place, text], index) => assert.include(texts[index], text, place))
  }, 300_000)
})
