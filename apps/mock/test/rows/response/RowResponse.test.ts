import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { plan } from "../plan/plan.ts"
import * as RowResponse from "../../../src/rows/response/RowResponse.ts"

const planOf = (target: string, accept: string) => Either.getOrThrow(plan("GET", target, { headers: { accept } }))

/** The completed body of a page, and the number of turns of the event loop meanwhile. */
const complete = async (rows: ReadonlyArray<object>, accept: string) => {
  const target = planOf("holiday", accept)
  const page = { _tag: "Page", rows: JSON.stringify(rows), count: rows.length, total: undefined, offset: 0 } as const
  let turns = 0
  const counting = setInterval(() => turns++)
  const completed = RowResponse.complete(target, RowResponse.make(target, page))
  const { body } = await Effect.runPromise(completed)
  clearInterval(counting)
  return { body, isImmediate: Exit.isExit(completed), turns }
}

const forms = {
  "text/csv": { of: (rows: number) => `id,name,notes${`\n1,"a, ""b""",`.repeat(rows)}` },
  "application/vnd.pgrst.array+json;nulls=stripped": {
    of: (rows: number) => JSON.stringify(Array.from({ length: rows }, () => ({ id: 1, name: 'a, "b"' })))
  }
}

const row = { id: 1, name: 'a, "b"', notes: null }
const many = Array.from({ length: 60_000 }, () => row)

describe("RowResponse", () => {
  for (const [accept, { of }] of Object.entries(forms)) {
    it(`prints a page as ${accept} immediately`, async () => {
      assert.deepStrictEqual(await complete([row, row], accept), { body: of(2), isImmediate: true, turns: 0 })
    })

    it(`prints a large page as ${accept} in slices`, async () => {
      const { body, isImmediate, turns } = await complete(many, accept)
      assert.isTrue(body === of(60_000))
      assert.isFalse(isImmediate)
      assert.isAbove(turns, 2)
    })
  }

  it("leaves JSON as the store prints it", async () => {
    const { body, isImmediate } = await complete(many, "application/json")
    assert.isTrue(body === JSON.stringify(many))
    assert.isTrue(isImmediate)
  })
})
