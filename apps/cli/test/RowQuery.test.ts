import { assert, describe, it } from "@effect/vitest"
import { Holiday, Kanban, Query, WarehouseTransfer } from "@mfgdata/domain"
import * as Either from "effect/Either"
import * as RowQuery from "../src/RowQuery.ts"

describe("a condition", () => {
  it.each([
    [WarehouseTransfer, "status=Draft", "status", "eq.Draft"],
    [WarehouseTransfer, "status=eq.Draft", "status", "eq.Draft"],
    [WarehouseTransfer, "status=in.(Draft,Completed)", "status", "in.(Draft,Completed)"],
    [WarehouseTransfer, "status=not.in.(Draft)", "status", "not.in.(Draft)"],
    [WarehouseTransfer, "status=like(any).{D*,C*}", "status", "like(any).{D*,C*}"],
    [WarehouseTransfer, "status=To Ship", "status", "eq.To Ship"],
    [WarehouseTransfer, "status!=Draft", "status", "neq.Draft"],
    [WarehouseTransfer, "notes=null", "notes", "is.null"],
    [WarehouseTransfer, "notes!=null", "notes", "not.is.null"],
    [WarehouseTransfer, "notes=", "notes", "eq."],
    [WarehouseTransfer, "notes=eq.null", "notes", "eq.null"],
    [WarehouseTransfer, "notes=a=b", "notes", "eq.a=b"],
    [WarehouseTransfer, "notes=equal.parts", "notes", "eq.equal.parts"],
    [WarehouseTransfer, "notes~^wt", "notes", "match.^wt"],
    [WarehouseTransfer, "notes~*^wt", "notes", "imatch.^wt"],
    [WarehouseTransfer, "notes!~^wt", "notes", "not.match.^wt"],
    [WarehouseTransfer, "notes~~*bolt*", "notes", "ilike.bolt*"],
    [WarehouseTransfer, "notes~~bolt*", "notes", "like.bolt*"],
    [WarehouseTransfer, "customFields->>shift=early", "customFields->>shift", "eq.early"],
    [WarehouseTransfer, "transferDate>=2026-01-01", "transferDate", "gte.2026-01-01"],
    [Kanban, "quantity>10", "quantity", "gt.10"],
    [Kanban, "quantity<=-2.5", "quantity", "lte.-2.5"],
    [Kanban, "autoRelease=true", "autoRelease", "eq.true"],
    [Holiday, "or=(year.eq.2026,year.is.null)", "or", "(year.eq.2026,year.is.null)"]
  ] as const)("%s: %s", (resource, text, name, value) => {
    const parameter = Either.getOrThrow(RowQuery.parse(resource, text))
    assert.deepStrictEqual(parameter, [name, value])
    assert.isTrue(Either.isRight(Query.parse([parameter])))
  })

  it.each([
    [Kanban, "quantity>ten", 'Invalid value "ten" for quantity: expected a number'],
    [Kanban, "autoRelease=yes", 'Invalid value "yes" for autoRelease: expected true or false'],
    [Holiday, "date=2026-02-30", 'Invalid value "2026-02-30" for date: expected a date'],
    [Holiday, "dte=2026-02-03", "Did you mean date?"],
    [Holiday, "=x", "expected <field><operator><value>"],
    [Holiday, "or=(", 'Invalid condition "or=(": ']
  ] as const)("%s refuses %s", (resource, text, says) => {
    assert.include(Either.getOrThrow(Either.flip(RowQuery.parse(resource, text))).message, says)
  })

  it("orders by fields, in either notation of a direction", () => {
    assert.deepStrictEqual(Either.getOrThrow(RowQuery.order(Holiday, "-date,name.asc.nullsfirst")), [
      "order",
      "date.desc,name.asc.nullsfirst"
    ])
  })
})
