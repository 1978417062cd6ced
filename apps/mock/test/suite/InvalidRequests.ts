/**
 * Sends thousands of invalid requests: each is refused with a 4xx status and changes nothing.
 */
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as InvalidQuery from "./InvalidQuery.ts"
import * as InvalidWrite from "./InvalidWrite.ts"
import type { InvalidRequest } from "./HostileValues.ts"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const count = 6000
/** The number of requests between two checks of the tables. */
const round = 100

const shown = ({ body = "", headers, method, target }: InvalidRequest): string =>
  [method, target, JSON.stringify(headers), String(body)].map((text) => text.slice(0, 600)).join("\n")

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect(`refuses ${count} invalid requests with a 4xx status, and changes nothing`, () =>
    Effect.gen(function* () {
      const { ask, world } = yield* Service.Service
      yield* Sample.clear("operator")
      const parents = yield* Sample.plant("operator")
      const before = yield* world.store.checksum
      const requests = fc.sample(fc.oneof(...InvalidWrite.make(parents), ...InvalidQuery.arbitraries), {
        numRuns: count,
        seed: 4
      })
      const codes = new Set<unknown>()
      const statuses = new Map<number, number>()
      for (const [index, broken] of requests.entries()) {
        const { method, target, harmless = false, ...asking } = broken
        const reply = yield* ask(method, target, asking)
        const { status, text } = reply
        const isRefused = status >= 400 && status < 500
        if (!isRefused && !(harmless && status < 400)) assert.fail(`${status} ${text.slice(0, 300)}\n${shown(broken)}`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (isRefused && text !== "") codes.add(reply.row["code"])
        if (index % round === round - 1) assert.deepStrictEqual(yield* world.store.checksum, before, shown(broken))
      }
      // Most were refused as 400, and with many codes.
      assert.isAbove(statuses.get(400) ?? 0, count / 2)
      assert.includeMembers([...statuses.keys()], [400, 401, 404, 405, 406, 415], [...statuses].join(" "))
      assert.isAbove(codes.size, 20, [...codes].join(", "))
    })
  )
}
