import { assert, describe, it } from "@effect/vitest"
import { errors } from "./fixtures/Compiler.ts"

const head = `
import type { Rows } from "CLIENT/index.ts"
import type { connect } from "CLIENT/promise.ts"
import { Holiday, LocationId, PaymentTerm, Query } from "@mfgdata/domain"
import { WarehouseTransfer as Transfer, type WarehouseTransferId, WarehouseTransferLine as Line } from "@mfgdata/domain"
import type * as Context from "effect/Context"
declare const rows: Context.Tag.Service<Rows>
declare const promised: ReturnType<typeof connect>
declare const id: WarehouseTransferId
const location = LocationId.make("l1")
const lines = Query.embed(Line, { as: "lines", select: ["quantity"] })
`

/** Options that compile, and for each the mistakes that do not. */
const options = {
  select: {
    correct: ["", `select: ["id", "status"]`, `select: ["id", lines]`, `select: ["*", { on: "transferDate" }]`],
    mistakes: [
      `select: ["id", "nope"]`,
      `select: [{ at: "nope" }]`,
      `select: ["id", Query.embed(Holiday)]`,
      `select: [Query.spread(PaymentTerm)]`,
      `select: [Query.embed(Line, { select: ["status"] })]`,
      `select: ["id", Query.embed(Line, { where: Query.or({ statuss: 1 }) })]`,
      `select: ["id", Query.embed(Line, { select: [Query.embed(Holiday)] })]`
    ]
  },
  where: {
    correct: [
      "",
      `where: { fromLocationId: location, status: "Draft" }`,
      `where: Query.or({ status: "Draft" }, Query.not({ transferDate: null }))`
    ],
    mistakes: [
      `where: { statuss: "Draft" }`,
      `where: { status: 1 }`,
      `where: { transferDate: 5 }`,
      `where: { companyId: location }`,
      `where: { transferDate: Query.like("2026%") }`,
      `where: Query.or({ statuss: "Draft" })`,
      `where: Query.not(Query.or({ statuss: "Draft" }))`,
      `where: Query.and({ status: "Draft" }, Query.or(Query.and({ nope: 1 })))`,
      `where: Query.or({ quantity: 1 })`,
      `where: Query.or({ status: 1 })`,
      `where: Query.or({ companyId: location })`,
      `where: Query.at(Query.json("nope", "x"), Query.eq(1))`,
      `where: Query.exists("linez")`,
      `where: Query.or({ status: "Draft" }, Query.not(Query.exists("linez")))`
    ]
  },
  order: {
    correct: ["", `order: ["status"]`, `order: [Query.desc("transferDate"), "id"]`],
    mistakes: [`order: ["nope"]`, `order: [Query.desc("nope")]`, `order: [Query.through("nope", Query.asc("id"))]`]
  }
} as const

type Name = keyof typeof options

/** The methods with the options that they have. */
const methods: ReadonlyArray<readonly [method: string, options: ReadonlyArray<Name>]> = [
  ...["rows.list", "rows.page", "rows.pages", "rows.stream", "promised.list", "promised.page", "promised.stream"].map(
    (method) => [`${method}(Transfer, `, ["select", "where", "order"]] as const
  ),
  ...["rows.count", "promised.count"].map((method) => [`${method}(Transfer, `, ["where"]] as const),
  ...["rows.retrieve", "rows.find", "promised.retrieve", "promised.find"].map(
    (method) => [`${method}(Transfer, id, `, ["select"]] as const
  )
]

/** Every combination of one of each. */
const combinations = (lists: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  lists.reduce<ReadonlyArray<string>>(
    (texts, list) =>
      texts.flatMap((text) => list.map((option) => [text, option].filter((part) => part !== "").join(", "))),
    [""]
  )

const calls = methods.flatMap(([method, names]) => {
  const call = (text: string) => `${method}{ ${text} })`
  const correct = combinations(names.map((name) => options[name].correct))
  const mistaken = names.flatMap((name) =>
    combinations(names.map((other) => (other === name ? options[name].mistakes : options[other].correct)))
  )
  return [
    ...correct.map((text) => ({ text: call(text), compiles: true })),
    ...mistaken.map((text) => ({ text: call(text), compiles: false }))
  ]
})

describe("the compiler", () => {
  it("accepts the queries of every method, and none with a mistake, for all combinations of options", async () => {
    const found = await errors(head + calls.map(({ text }) => text).join("\n"))
    const first = head.split("\n").length
    assert.isAbove(calls.length, 1500)
    assert.deepStrictEqual(
      calls.filter(({ compiles }, index) => compiles === found.has(first + index)).map(({ text }) => text),
      []
    )
    assert.strictEqual(found.size, calls.filter(({ compiles }) => !compiles).length)
  }, 300_000)

  it("rejects a predicate that was made apart from its query, unless it is annotated", async () => {
    const program = `${head}const apart = Query.or({ statuss: "Draft" })
rows.list(Transfer, { where: apart })
const annotated: Query.Where<typeof Transfer> = Query.or({ status: "Draft" })
rows.list(Transfer, { where: annotated })
rows.list(Holiday, { where: annotated })
rows.retrieve(Transfer, id, Query.fromText("select=id"))
Query.embed(Line, Query.fromText("select=id"))`
    const found = await errors(program)
    const first = head.split("\n").length
    assert.deepStrictEqual(
      [...found.keys()].map((line) => line - first),
      [1, 4, 5, 6]
    )
    assert.include(found.get(first + 1), "annotate the predicate with Query.Where<typeof Resource>")
  }, 300_000)
})
