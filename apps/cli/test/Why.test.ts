import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach } from "vitest"
import { mfg } from "./Cli.ts"
import { ok, serving } from "./ScriptedService.ts"

const kept = { ...process.env }
afterEach(() => {
  process.env = { ...kept }
})

const at = "2027-05-01T08:00:00.000Z"

/** A delivery to a webhook, and its attempts. */
const causes = (name: string, attempts: number) => [
  {
    type: "delivery",
    at,
    delivery: {
      id: `del_${name}`,
      eventId: `evt_${name}`,
      companyId: "demo",
      webhookId: `hook_${name}`,
      table: "holiday",
      type: "holiday.created",
      key: "h1",
      state: "pending",
      attempts,
      dueAt: at,
      createdAt: at,
      settledAt: null
    }
  },
  ...Array.from({ length: attempts }, (_, index) => ({
    type: "attempt",
    at,
    deliveryId: `del_${name}`,
    webhookId: `hook_${name}`,
    attempt: {
      number: index + 1,
      at,
      durationMillis: 12,
      outcome: "rejected",
      url: "http://receiver.test",
      requestHeaders: {},
      status: 500,
      responseHeaders: {},
      responseBody: "",
      error: null
    }
  }))
]

describe("mfg why", () => {
  it.scopedLive("names the delivery of each attempt", () =>
    Effect.gen(function* () {
      const { requests } = yield* serving([ok([...causes("one", 1), ...causes("two", 2)])])
      process.env["MFG_ADMIN_KEY"] = "administrator"
      const { code, stderr, stdout } = yield* mfg("why", "holiday", "h1", "--world", "other", "--output", "table")
      assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
      assert.deepStrictEqual(stdout.trim().split("\n"), [
        `${at}  delivery  holiday.created to webhook hook_one: pending, 1 attempt (delivery del_one)`,
        `${at}  attempt   1 rejected with 500 (delivery del_one, 12 ms)`,
        `${at}  delivery  holiday.created to webhook hook_two: pending, 2 attempts (delivery del_two)`,
        `${at}  attempt   1 rejected with 500 (delivery del_two, 12 ms)`,
        `${at}  attempt   2 rejected with 500 (delivery del_two, 12 ms)`
      ])
      assert.deepStrictEqual(requests, ["GET /_mock/why/holiday/h1?world=other"])
    })
  )
})
