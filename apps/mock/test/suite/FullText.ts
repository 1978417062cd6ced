/** Tests full-text search: words, phrases, and the four notations of a query. */
import { assert, describe, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

const texts = {
  a: "The quick brown fox",
  b: "A brown, quick fox; and a lazy dog",
  c: "Schrauben M8x40 (verzinkt) für Träger",
  d: "don't re-use 3.14",
  e: "",
  f: "line\nbreak_here",
  h: "Running connections were generously agreed",
  i: "It connects the running happiness to a connected general",
  j: "not only happy"
}

const planted = Effect.gen(function* () {
  const service = yield* Service.Service
  yield* Sample.clear("operator")
  const row = {
    fromLocationId: "here",
    toLocationId: "there",
    status: "Draft",
    companyId,
    customFields: { text: "deep fox" }
  }
  const body = [...Object.entries(texts), ["g", null] as const].map(([transferId, notes]) => ({
    ...row,
    transferId,
    notes
  }))
  yield* service.done("POST", "/rest/warehouseTransfer", { body })
  return service
})

const cases: ReadonlyArray<readonly [filter: string, found: string]> = [
  ["plfts.brown fox", "ab"],
  ["plfts.FOX", "ab"],
  ["plfts.fo", ""],
  ["plfts.dog cat", ""],
  ["plfts.", ""],
  ["plfts.für träger", "c"],
  ["plfts.FÜR", ""],
  ["plfts.für Träger", "c"],
  ["plfts.m8x40", "c"],
  ["plfts.verzinkt", "c"],
  ["plfts.here", "f"],
  ["plfts.t", "d"],
  ["phfts.quick brown fox", "a"],
  ["phfts.brown fox", "a"],
  ["phfts.quick fox", "b"],
  ["phfts.3.14", "d"],
  ["phfts.line break here", "f"],
  ["wfts.brown -dog", "a"],
  ['wfts."quick fox" or verzinkt', "bc"],
  ['wfts.-"quick fox" brown', "a"],
  ["wfts.re-use", "d"],
  ['wfts."unclosed fox', ""],
  ["wfts.or", ""],
  ["fts.brown & !dog", "a"],
  ["fts.lazy | verzinkt", "bc"],
  ["fts.(lazy | quick) & fox", "ab"],
  ["fts.bro:*", "ab"],
  ["fts.quick <-> brown", "a"],
  ["fts.quick <2> fox", "a"],
  ["fts.brown <-> (fox | quick)", "ab"],
  ["fts.'quick brown'", "a"],
  ["fts.!brown", "cdefhij"],
  ["fts(simple).fox", "ab"],
  ["fts(english).foxes", "ab"],
  ["fts(english).connect", "hi"],
  ["fts(english).CONNECTING & run", "hi"],
  ["fts(english).happy", "ij"],
  ["fts(english).generous", "h"],
  ["fts(english).generally", "i"],
  ["fts(english).agreeing | lazy", "bh"],
  ["fts(english).the", ""],
  ["fts(english).the | foxes", "ab"],
  ["fts(english).!the & dogs", "b"],
  ["fts(english).run <-> the <-> connection", ""],
  ["fts(english).connects <-> the <-> run", "i"],
  ["fts(english).connects <2> runs", "i"],
  ["fts(english).connects <-> runs", ""],
  ["fts(english).'connect the running'", "i"],
  ["fts(english).m8x40", "c"],
  ["fts(english).träger", "c"],
  ["plfts(english).the quickly foxes", "ab"],
  ["plfts(english).only it", ""],
  ["phfts(english).connected run the happy", ""],
  ["phfts(english).running happy", "i"],
  ["phfts(english).happy to be connected", "i"],
  ["phfts(english).happy connected", ""],
  ["phfts(english).happiness of the connection", "i"],
  ['wfts(english)."lazy dogs" or -fox connection', "bhi"],
  ["not.plfts(english).foxes", "cdefhij"],
  ["not.plfts.brown", "cdefhij"],
  ["not.wfts.-brown", "ab"]
]

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const [filter, expected] of cases) {
    it.effect(`${filter} finds ${expected || "nothing"}`, () =>
      Effect.gen(function* () {
        const { done } = yield* planted
        const at = "/rest/warehouseTransfer?select=transferId&order=transferId"
        const plain = yield* done("GET", `${at}&notes=${encodeURIComponent(filter)}`)
        assert.strictEqual(plain.rows.map(({ transferId }) => transferId).join(""), expected)
        const [, negation = "", operator = "", query = ""] = /^(not\.)?([^.]+)\.(.*)$/s.exec(filter) ?? []
        const inTree = `(notes.${negation}${operator}.${JSON.stringify(query)})`
        const tree = yield* done("GET", `${at}&and=${encodeURIComponent(inTree)}`)
        assert.deepStrictEqual(tree.rows, plain.rows)
      })
    )
  }

  it.effect("searches the value at a path into JSON", () =>
    Effect.gen(function* () {
      const { done } = yield* planted
      const { rows } = yield* done("GET", "/rest/warehouseTransfer?customFields-%3E%3Etext=phfts.deep%20fox")
      assert.lengthOf(rows, Object.keys(texts).length + 1)
    })
  )

  describe("refusals", () => {
    const refusals: ReadonlyArray<readonly [filter: string, status: number, code: string]> = [
      ["notes=fts.two words", 400, "42601"],
      ["notes=fts.(open", 400, "42601"],
      ["notes=fts.a &", 400, "42601"],
      ["notes=fts.| a", 400, "42601"],
      ["notes=fts.a:x", 400, "42601"],
      ["notes=fts.'open", 400, "42601"],
      ["notes=fts(german).a", 400, "42704"],
      ["notes=fts(english).fox:*", 400, "PGRST127"],
      [`notes=plfts(english).${"fox ".repeat(33)}`, 400, "PGRST127"],
      ["notes=fts.a <-> !b", 400, "PGRST127"],
      ["notes=fts.a:A", 400, "PGRST127"],
      [`notes=plfts.${"a".repeat(200)}`, 400, "PGRST127"],
      [`notes=fts.${"(".repeat(100)}a${")".repeat(100)}`, 400, "PGRST127"],
      ["customFields=plfts.a", 400, "PGRST127"],
      ["tags=plfts.a", 404, "42883"],
      ["transferDate=plfts.a", 404, "42883"],
      ["notes=fts().a", 400, "PGRST100"]
    ]
    for (const [filter, status, code] of refusals) {
      it.effect(`${code} for ${filter.slice(0, 40)}`, () =>
        Effect.gen(function* () {
          const { ask } = yield* Service.Service
          const [name = "", ...value] = filter.split("=")
          const reply = yield* ask("GET", `/rest/warehouseTransfer?${name}=${encodeURIComponent(value.join("="))}`)
          assert.deepStrictEqual(reply.verdict, [status, code])
        })
      )
    }
  })
}
