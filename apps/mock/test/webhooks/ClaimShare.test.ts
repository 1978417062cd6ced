import { assert, describe, it } from "@effect/vitest"
import * as ClaimShare from "../../src/webhooks/ClaimShare.ts"

const limits = { all: 64, company: 16, webhook: 4, hanging: 8 }

const load = (companyId: string, id: string, count: number): ClaimShare.Load => ({ webhook: { companyId, id }, count })

const names = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`)

interface Case {
  readonly due: { readonly [companyId: string]: ReadonlyArray<string> }
  readonly loads?: ReadonlyArray<ClaimShare.Load>
  readonly hanging?: ReadonlyArray<string>
}

const share = ({ due, hanging = [], loads = [] }: Case) => {
  const companies = Object.entries(due).map(([companyId, webhookIds]) => ({ companyId, webhookIds }))
  const isHanging = ({ id }: { readonly id: string }) => hanging.includes(id)
  const { claims, denied } = ClaimShare.make(companies, { loads, isHanging }, limits)
  const counts = claims.map(({ count, webhook }) => [`${webhook.companyId} ${webhook.id}`, count] as const)
  const ofCompany = (companyId: string) =>
    claims.reduce((sum, { count, webhook }) => (webhook.companyId === companyId ? sum + count : sum), 0)
  return { counts: Object.fromEntries(counts), denied: Object.fromEntries(denied), ofCompany }
}

describe("the share of a webhook", () => {
  it("is at most its own limit, less its attempts in flight", () => {
    assert.deepStrictEqual(share({ due: { a: ["w0"] } }).counts, { "a w0": 4 })
    assert.deepStrictEqual(share({ due: { a: ["w0"] }, loads: [load("a", "w0", 3)] }).counts, { "a w0": 1 })
    assert.deepStrictEqual(share({ due: { a: ["w0"] }, loads: [load("a", "w0", 4)] }).counts, {})
  })

  it("is equal for the webhooks of a company", () => {
    const { counts } = share({ due: { a: names(8) } })
    assert.deepStrictEqual(new Set(Object.values(counts)), new Set([2]))
    assert.lengthOf(Object.keys(counts), 8)
  })

  it("names the first webhook that got no attempt, to begin with it the next time", () => {
    const { counts, denied } = share({ due: { a: names(20), b: ["w0"] } })
    assert.lengthOf(Object.keys(counts), 17)
    assert.deepStrictEqual(denied, { a: "w16" })
  })

  it("is one attempt while the webhook hangs", () => {
    const hanging = ["w0"]
    assert.deepStrictEqual(share({ due: { a: ["w0", "w1"] }, hanging }).counts, { "a w0": 1, "a w1": 4 })
    assert.deepStrictEqual(share({ due: { a: ["w0"] }, hanging, loads: [load("a", "w0", 1)] }).counts, {})
  })

  it("leaves half of a company's attempts to webhooks that answer", () => {
    const hanging = names(20)
    const { counts, ofCompany } = share({ due: { a: [...hanging, "good"] }, hanging })
    assert.strictEqual(ofCompany("a"), 9)
    assert.strictEqual(counts["a good"], 1)
    const loads = hanging.slice(0, 8).map((id) => load("a", id, 1))
    assert.deepStrictEqual(share({ due: { a: [...hanging, "good"] }, hanging, loads }).counts, { "a good": 1 })
  })
})

describe("the share of a company", () => {
  it("is at most a quarter of all, however many webhooks are due", () => {
    assert.strictEqual(share({ due: { a: names(100) } }).ofCompany("a"), 16)
    const loads = names(4).map((id) => load("a", id, 4))
    assert.deepStrictEqual(share({ due: { a: names(100) }, loads }).counts, {})
  })

  it("is at most half of what the others leave, so that a later company always has some", () => {
    const companies = Array.from({ length: 12 }, (_, index) => `c${index}`)
    const loads: Array<ClaimShare.Load> = []
    const given = companies.map((companyId) => {
      const { counts, ofCompany } = share({ due: { [companyId]: names(50) }, loads })
      for (const [name, count] of Object.entries(counts)) loads.push(load(companyId, name.split(" ")[1] ?? "", count))
      return ofCompany(companyId)
    })
    assert.deepStrictEqual(given, [16, 16, 16, 8, 4, 2, 1, 1, 0, 0, 0, 0])
  })

  it("is equal when several companies are due at the same time, until half of the rest is less", () => {
    const due = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`c${index}`, names(10)]))
    const { ofCompany } = share({ due })
    const given = Object.keys(due).map(ofCompany)
    assert.deepStrictEqual(given, [...Array.from({ length: 15 }, () => 4), 2])
  })

  it("begins with the company that has the fewest attempts in flight", () => {
    const loads = [load("a", "w9", 2), ...names(15).map((id) => load("z", id, 4)), load("b", "w9", 1)]
    assert.deepStrictEqual(share({ due: { a: ["w0"], b: ["w0"] }, loads }).counts, {})
    assert.deepStrictEqual(share({ due: { a: ["w0"], c: ["w0"] }, loads }).counts, { "c w0": 1 })
  })
})

describe("a full company", () => {
  it("has a quarter of all attempts, or half of what the others leave", () => {
    const isFull = ClaimShare.isFull(
      [...names(4).map((id) => load("a", id, 4)), ...names(8).map((id) => load("b", id, 4)), load("c", "w0", 7)],
      limits
    )
    assert.deepStrictEqual(["a", "c", "d"].map(isFull), [true, false, false])
    assert.isTrue(ClaimShare.isFull([load("a", "w0", 64)], limits)("d"))
  })
})
