import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Cost from "../../../src/rows/cost/Cost.ts"
import { plan } from "../plan/plan.ts"

const small = { rows: 20, bytes: 1000 }
const large = { rows: 20_000, bytes: 1000 }
const wide = { rows: 20_000, bytes: 16_384 }
const huge = { rows: 10, bytes: 2_000_000 }
const unknown = { rows: Infinity, bytes: Infinity }
const sizes = { small, large, wide, huge, unknown }

const read = (target: string) => {
  const planned = Either.getOrThrow(plan("GET", target))
  if (planned._tag !== "Read") throw new Error(`a plan to ${planned._tag}`)
  return planned
}

const costOf = (target: string, size: keyof typeof sizes) => Cost.make(read(target), () => sizes[size])

const long = "x".repeat(500)
const line = "warehouseTransferLine"
const many = Array.from({ length: 200 }, (_, index) => `c${index}:notes`).join(",")

const table: ReadonlyArray<readonly [size: keyof typeof sizes, target: string, expected: "inline" | "offloaded"]> = [
  ["unknown", `${line}?id=eq.a`, "inline"],
  ["huge", `${line}?id=eq.a`, "inline"],
  ["huge", `${line}?id=eq.a&select=${many}`, "offloaded"],
  ["large", `${line}?id=eq.a&select=${many}`, "inline"],
  ["large", `${line}?id=in.(a,b,c)`, "inline"],
  ["wide", `${line}?limit=100`, "inline"],
  ["wide", `${line}?limit=1000`, "offloaded"],
  ["large", `${line}?limit=100&order=id.desc`, "inline"],
  ["large", `${line}?limit=100&id=gt.a&order=id`, "inline"],
  ["large", `${line}?limit=100&id=gt.a`, "offloaded"],
  ["large", `${line}?limit=100&order=quantity`, "offloaded"],
  ["large", `${line}?limit=10&offset=15000`, "offloaded"],
  ["large", `${line}?limit=10&quantity=gt.5`, "offloaded"],
  ["small", `${line}?quantity=gt.5&order=quantity`, "inline"],
  ["huge", `${line}?limit=10`, "offloaded"],
  ["small", `${line}?notes=like.*${long}*`, "offloaded"],
  ["small", `${line}?notes=like.${long}*`, "inline"],
  ["small", `${line}?notes=match.x.{0,20}y`, "offloaded"],
  ["small", `${line}?notes=plfts.word`, "inline"],
  ["large", `${line}?notes=plfts.word&limit=1`, "offloaded"],
  ["large", `${line}?customFields->a=eq.1&limit=1`, "offloaded"],
  ["small", `${line}?select=id,warehouseTransfer(id)`, "inline"],
  ["large", `${line}?select=id,warehouseTransfer(id)&limit=1000`, "offloaded"],
  ["large", `warehouseTransfer?id=eq.a&select=id,${line}(*)`, "offloaded"],
  ["small", `warehouseTransfer?select=id,${line}!inner(id)&${line}.quantity=gt.3`, "inline"],
  ["unknown", `${line}?limit=10`, "inline"],
  ["unknown", `${line}?quantity=gt.1&limit=10`, "offloaded"]
]

describe("Cost.make", () => {
  for (const [size, target, expected] of table) {
    it(`runs ${target.slice(0, 90)} on a ${size} table ${expected}`, () => {
      assert.strictEqual(costOf(target, size).class, expected)
    })
  }

  it("bounds the embedded rows: rows of the key are children of one parent", () => {
    const nested = `warehouseTransfer?select=id,${line}(id,warehouseTransfer(id,${line}(id)))`
    assert.strictEqual(costOf(`warehouseTransfer?select=id,${line}(id)`, "large").embedded, 20_000)
    assert.strictEqual(costOf(nested, "small").embedded, 20 + 20 + 400)
    assert.strictEqual(costOf(nested, "large").embedded, 20_000 + 20_000 + 20_000_000)
  })

  it("counts a column as often as it is selected", () => {
    assert.isAbove(costOf(`${line}?id=eq.a&select=${many}`, "huge").bytes, 200 * 2_000_000)
  })

  it("publishes no size of a table, which companies share", () => {
    assert.isUndefined(costOf(`${line}?quantity=gt.5`, "small").known)
    assert.strictEqual(costOf(`${line}?limit=100`, "small").known, 100)
  })
})

describe("Cost.probe", () => {
  it("counts the rows of an indexed column, up to a number that is inline", () => {
    const probe = (target: string) => Cost.probe(read(target), () => large)
    assert.strictEqual(probe(`${line}?transferId=eq.a&quantity=gt.4&limit=20`)?.most, 1000)
    assert.isUndefined(probe(`${line}?quantity=eq.4`))
    assert.isUndefined(probe(`${line}?transferId=gt.a`))
  })
})
