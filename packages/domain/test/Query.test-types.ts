import { LocationId } from "../src/Ids.ts"
import type { Json } from "../src/Json.ts"
import * as Query from "../src/Query.ts"
import type * as Resource from "../src/Resource.ts"
import { Holiday } from "../src/resources/Holiday.ts"
import { OauthClient } from "../src/resources/OauthClient.ts"
import { OauthCode } from "../src/resources/OauthCode.ts"
import { PaymentTerm } from "../src/resources/PaymentTerm.ts"
import { Webhook } from "../src/resources/Webhook.ts"
import { WebhookTable } from "../src/resources/WebhookTable.ts"
import { WarehouseTransfer } from "../src/resources/WarehouseTransfer.ts"
import { WarehouseTransferLine } from "../src/resources/WarehouseTransferLine.ts"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void

/** The shape of a client's method: rows as selected. */
declare const list: <R extends Resource.Any, const S extends Query.Selection<R> = readonly []>(
  resource: R,
  options?: Query.Options<R, S>
) => Query.SelectedRow<R, S>

const location = LocationId.make("l1")

// rows as selected
const whole = list(WarehouseTransfer)
expect<Equals<typeof whole, WarehouseTransfer>>()
const empty = list(WarehouseTransfer, { select: [], limit: 1 })
expect<Equals<typeof empty, WarehouseTransfer>>()
const star = list(WarehouseTransfer, { select: ["*"] })
expect<Equals<typeof star, WarehouseTransfer>>()
const some = list(WarehouseTransfer, { select: ["id", "status"] })
expect<Equals<typeof some, Pick<WarehouseTransfer, "id" | "status">>>()
const renamed = list(PaymentTerm, {
  select: ["name", { days: "daysDue", color: Query.json("customFields", "color"), text: Query.cast("daysDue", "text") }]
})
expect<
  Equals<typeof renamed, { readonly name: string; readonly days: number; readonly color: Json; readonly text: Json }>
>()
const starAnd = list(Holiday, { select: ["*", { day: "date" }] })
expect<Equals<(typeof starAnd)["day"], Holiday["date"]>>()
expect<Equals<(typeof starAnd)["name"], string>>()

// embeds: many where the other refers to this one, one or none where this one refers
const lines = list(WarehouseTransfer, {
  select: ["id", Query.embed(WarehouseTransferLine, { as: "lines", select: ["quantity"] })]
})
expect<Equals<(typeof lines)["lines"], ReadonlyArray<Pick<WarehouseTransferLine, "quantity">>>>()
const transfer = list(WarehouseTransferLine, { select: [Query.embed(WarehouseTransfer)] })
expect<Equals<(typeof transfer)["warehouseTransfer"], WarehouseTransfer | null>>()
const inner = list(WarehouseTransferLine, {
  select: [Query.embed(WarehouseTransfer, { join: "inner", select: ["id"] })]
})
expect<Equals<(typeof inner)["warehouseTransfer"], Pick<WarehouseTransfer, "id">>>()
const byColumn = list(OauthCode, { select: [Query.embed(OauthClient, { as: "client", select: ["name"] })] })
expect<Equals<(typeof byColumn)["client"], Pick<OauthClient, "name"> | null>>()
const codes = list(OauthClient, { select: [Query.embed(OauthCode, { select: ["scope"] })] })
expect<Equals<(typeof codes)["oauthCode"], ReadonlyArray<Pick<OauthCode, "scope">>>>()
const table = list(Webhook, { select: [Query.embed(WebhookTable, { select: ["module"] })] })
expect<Equals<(typeof table)["webhookTable"], Pick<WebhookTable, "module"> | null>>()
const deep = list(WebhookTable, {
  select: [Query.embed(Webhook, { select: ["url", Query.embed(WebhookTable, { as: "back", select: ["table"] })] })]
})
expect<Equals<(typeof deep)["webhook"][number]["back"], Pick<WebhookTable, "table"> | null>>()
const filtering = list(WarehouseTransfer, { select: ["id", Query.embed(WarehouseTransferLine, { select: [] })] })
expect<Equals<(typeof filtering)["warehouseTransferLine"], ReadonlyArray<{}>>>()
// @ts-expect-error no reference between the two
list(Holiday, { select: ["id", Query.embed(Webhook, { select: ["id"] })] })
// @ts-expect-error no reference between the two, inside an embed
list(WebhookTable, { select: [Query.embed(Webhook, { select: [Query.embed(Holiday)] })] })
// @ts-expect-error no reference between the two
list(Holiday, { select: [Query.spread(Webhook)] })

// spreads: the columns themselves, null where nothing is embedded, arrays where many are
const spread = list(WarehouseTransferLine, {
  select: ["id", Query.spread(WarehouseTransfer, { select: [{ of: "transferId" }] })]
})
expect<Equals<(typeof spread)["of"], string | null>>()
const spreadInner = list(WarehouseTransferLine, {
  select: [Query.spread(WarehouseTransfer, { join: "inner", select: ["transferId"] })]
})
expect<Equals<(typeof spreadInner)["transferId"], string>>()
const spreadMany = list(WarehouseTransfer, { select: [Query.spread(WarehouseTransferLine, { select: ["quantity"] })] })
expect<Equals<(typeof spreadMany)["quantity"], ReadonlyArray<number>>>()

// conditions that fit
Query.make(WarehouseTransfer, {
  select: ["id", "status"],
  where: { status: "Draft", transferDate: Query.gte("2026-01-01") },
  order: [Query.desc("transferDate")],
  limit: 50
})
const where: Query.Where<typeof WarehouseTransfer> = {
  fromLocationId: location,
  toLocationId: Query.in([location]),
  status: Query.not(Query.in(["Draft", "a value of tomorrow"])),
  transferDate: null,
  expectedReceiptDate: Query.allOf(Query.gte("2026-01-01"), Query.lt("2026-02-01")),
  createdAt: Query.lt("2026-01-01T00:00:00Z"),
  notes: Query.search("net weight"),
  reference: Query.any("like", ["A%", "B%"]),
  tags: Query.overlaps(["urgent"]),
  customFields: Query.contains({ color: "red" })
}
list(WarehouseTransfer, { where: Query.and(where, Query.or({ status: "Draft" }, Query.not({ notes: null }))) })
list(PaymentTerm, {
  where: { daysDue: 30, active: true, daysDiscount: Query.isDistinct(5), name: Query.ilike("%net%") }
})
list(PaymentTerm, {
  where: { active: Query.is("unknown"), daysDue: Query.all("gte", [1, 2]), tags: Query.is("not_null") }
})
list(PaymentTerm, { where: Query.at(Query.json("customFields", "limits", 0), Query.gt(5)) })
const withLines = ["id", Query.embed(WarehouseTransferLine, { as: "lines" })] as const
list(WarehouseTransfer, { select: withLines, where: Query.exists("lines") })
list(WarehouseTransfer, {
  select: withLines,
  where: Query.or({ status: "Draft" }, Query.and(Query.not(Query.exists("lines")), { notes: null }))
})
// @ts-expect-error no embed with this name
list(WarehouseTransfer, { select: withLines, where: Query.exists("linez") })
// @ts-expect-error no embed with this name, inside a tree
list(WarehouseTransfer, { select: withLines, where: Query.or({ status: "Draft" }, Query.not(Query.exists("linez"))) })
// @ts-expect-error no embed
list(WarehouseTransfer, { where: Query.exists("lines") })
list(WarehouseTransfer, { order: ["id", Query.asc("status"), Query.desc(Query.text("customFields", "color"))] })
list(WarehouseTransferLine, {
  select: ["id", Query.embed(WarehouseTransfer)],
  order: [Query.through("warehouseTransfer", Query.desc("status"))]
})
// @ts-expect-error no embed with this name
list(WarehouseTransferLine, { order: [Query.through("warehouseTransfer", Query.desc("status"))] })

// unknown columns
// @ts-expect-error no such column
list(WarehouseTransfer, { where: { nope: 1 } })
// @ts-expect-error no such column, inside a tree
list(WarehouseTransfer, { where: Query.or({ status: "Draft" }, { nope: 1 }) })
// @ts-expect-error no such column
list(WarehouseTransfer, { where: Query.at(Query.json("nope", "x"), Query.eq(1)) })
// @ts-expect-error no such column
list(WarehouseTransfer, { select: ["id", "nope"] })
// @ts-expect-error no such column
list(WarehouseTransfer, { select: [{ x: "nope" }] })
// @ts-expect-error no such column
list(WarehouseTransfer, { select: [{ x: Query.json("nope", "x") }] })
// @ts-expect-error no such column
list(WarehouseTransfer, { order: ["nope"] })
// @ts-expect-error no such column
list(WarehouseTransfer, { order: [Query.desc("nope")] })
// @ts-expect-error no such column of the embedded resource
list(WarehouseTransfer, { select: [Query.embed(WarehouseTransferLine, { select: ["status"] })] })
// @ts-expect-error no such column of the embedded resource
list(WarehouseTransfer, { select: [Query.embed(WarehouseTransferLine, { where: { status: "Draft" } })] })
// @ts-expect-error no such option
list(WarehouseTransfer, { wher: {} })
expect<Equals<keyof typeof some, "id" | "status">>()

// wrong types of values
// @ts-expect-error a number is compared with numbers
list(PaymentTerm, { where: { daysDue: "30" } })
// @ts-expect-error a number is compared with numbers
list(PaymentTerm, { where: { daysDue: Query.gt("30") } })
// @ts-expect-error a boolean is not text
list(PaymentTerm, { where: { active: "true" } })
// @ts-expect-error an id is branded
list(WarehouseTransfer, { where: { fromLocationId: "l1" } })
// @ts-expect-error an id of another resource
list(WarehouseTransfer, { where: { companyId: Query.eq(location) } })
// @ts-expect-error a vocabulary is text
list(WarehouseTransfer, { where: { status: Query.neq(1) } })
// @ts-expect-error a required column is never null
list(WarehouseTransfer, { where: { status: null } })
// @ts-expect-error a list holds texts
list(WarehouseTransfer, { where: { tags: Query.contains([1]) } })
// @ts-expect-error a list is not compared with an object
list(WarehouseTransfer, { where: { tags: Query.contains({ a: "b" }) } })
// @ts-expect-error one of several conditions on one column
list(PaymentTerm, { where: { daysDue: Query.allOf(Query.gte(1), Query.lt("5")) } })
// @ts-expect-error a limit is a number
list(PaymentTerm, { limit: "5" })

// operators that do not fit
// @ts-expect-error objects have no order
list(WarehouseTransfer, { where: { customFields: Query.gt(1) } })
// @ts-expect-error objects are not compared by value
list(WarehouseTransfer, { where: { customFields: Query.eq("x") } })
// @ts-expect-error lists have no order
list(WarehouseTransfer, { where: { tags: Query.lt("x") } })
// @ts-expect-error numbers fit no pattern
list(PaymentTerm, { where: { daysDue: Query.like("3%") } })
// @ts-expect-error numbers fit no pattern, nor any of several
list(PaymentTerm, { where: { daysDue: Query.any("like", ["3%"]) } })
// @ts-expect-error dates fit no pattern
list(WarehouseTransfer, { where: { transferDate: Query.like("2026%") } })
// @ts-expect-error texts contain no lists
list(WarehouseTransfer, { where: { notes: Query.contains(["x"]) } })
// @ts-expect-error objects overlap nothing
list(WarehouseTransfer, { where: { customFields: Query.overlaps(["x"]) } })
// @ts-expect-error only booleans are true
list(WarehouseTransfer, { where: { notes: Query.is(true) } })
// @ts-expect-error booleans have no order
list(PaymentTerm, { where: { active: Query.gt(false) } })
// @ts-expect-error a condition stays what it is when negated
list(PaymentTerm, { where: { daysDue: Query.not(Query.like("3%")) } })
// @ts-expect-error neq is asked of one value
Query.any("neq", ["x"])
// @ts-expect-error a tree holds at least one condition
Query.or()

// generic code: what it is given fits, and it knows no column by name
const generic = <R extends Resource.Any, const S extends Query.Selection<R>>(
  resource: R,
  options: Query.Options<R, S>
): ReadonlyArray<Query.Query> => [
  Query.make(resource, options),
  Query.make<Resource.Any>(resource, { where: { any: "x" } })
]
generic(PaymentTerm, { select: ["name"], where: { daysDue: Query.gt(3) } })
// @ts-expect-error no such column
generic(PaymentTerm, { select: ["nope"] })
