import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type * as Exchange from "../../src/Exchange.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as CommitQueue from "../../src/store/sqlite/CommitQueue.ts"

const key = "mfg_overload_test"
const settings = {
  ...Settings.defaults,
  seed: { _tag: "Empty" } as const,
  store: { _tag: "Sqlite", path: ":memory:" } as const,
  apiKey: key,
  log: "off" as const
}

const create: Exchange.Request = {
  method: "POST",
  target: "/rest/holiday",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json", prefer: "return=minimal" },
  body: JSON.stringify({ name: "Founding day", date: "2027-05-01", companyId: "demo" })
}

describe("an overloaded service", () => {
  it.scoped("handles the requests that it accepts, refuses the rest with 503 and Retry-After, and recovers", () =>
    Effect.gen(function* () {
      const { service } = yield* Instance.make({ settings, write: () => {} })
      const fork = Runtime.runFork(yield* Effect.runtime())
      const excess = 100
      // All requests arrive in one turn of the event loop, in which nothing is committed.
      const fibers = Array.from({ length: CommitQueue.limits.waiting + excess }, () => fork(service.handle(create)))
      const answers = yield* Fiber.join(Fiber.all(fibers))
      const refused = answers.filter(({ status }) => status === 503)
      assert.lengthOf(refused, excess)
      for (const { body, headers } of refused) {
        assert.strictEqual(JSON.parse(String(body)).code, "PGRST003")
        assert.strictEqual(headers["Retry-After"], "1")
      }
      assert.lengthOf(
        answers.filter(({ status }) => status === 201),
        CommitQueue.limits.waiting
      )
      assert.strictEqual((yield* service.handle(create)).status, 201)
      const counted = yield* service.handle({
        ...create,
        method: "HEAD",
        headers: { ...create.headers, prefer: "count=exact" },
        body: ""
      })
      assert.match(counted.headers["Content-Range"] ?? "", new RegExp(`/${CommitQueue.limits.waiting + 1}$`))
    })
  )
})
