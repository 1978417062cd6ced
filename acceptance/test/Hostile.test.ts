import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Hostile from "../src/hostile/Hostile.ts"
import * as Tree from "../src/Tree.ts"

/**
 * A tenth of `npm run torture -- hostile`. The targets allow for busy machines, which also collect garbage later; the
 * torture has the real ones.
 */
const load = { connections: 4, rounds: 0, seed: 1, size: { lines: 2000, textBytes: 200 * 1024 } }
const targets = { p99Millis: 2000, longestMillis: 20_000, answerMillis: 30_000, memoryBytes: 640 * 1024 ** 2 }

const bytesOf = ({ headers, target }: (typeof Hostile.requests)[number]): number => {
  const facts = { transfer: "wt_00000000", word: () => "w00000000", turn: 1_000_000 }
  return target(facts).length + JSON.stringify(headers?.(facts) ?? {}).length
}

describe("hostile requests of one company", () => {
  it("have at most 8 KB, with names of their own", () => {
    const names = Hostile.requests.map(({ name }) => name)
    assert.lengthOf(names, new Set(names).size)
    assert.deepStrictEqual(
      Hostile.requests.filter((request) => bytesOf(request) > 8 * 1024).map(({ name }) => name),
      []
    )
  })

  const stores = {
    "a file": Effect.map(Tree.make({}), (folder) => `sqlite:${join(folder, "store.db")}`),
    PostgreSQL: Effect.flatMap(PostgresServer.url, Schema.fresh)
  }

  for (const [name, store] of Object.entries(stores)) {
    it.scoped(
      `are answered by a result or a named refusal while another company is served, on ${name}`,
      () =>
        Effect.gen(function* () {
          const bin = yield* Bin.bundle("mock")
          const outcome = yield* Hostile.run({ ...load, bin, store: yield* store, requests: Hostile.requests })
          assert.deepStrictEqual(Hostile.misses(outcome, targets), [])
          assert.isAbove(outcome.waits.count, 100)
        }),
      500_000
    )
  }
})
