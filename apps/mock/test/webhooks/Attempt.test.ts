import { assert, describe, it } from "@effect/vitest"
import * as Attempt from "../../src/webhooks/Attempt.ts"

const message = { url: "https://subscriber.example/", headers: {}, body: "{}", table: "holiday" }

/** An attempt after some earlier ones, which the receiver answers with a status. */
const attempt = (status: number, attempts = 0) =>
  Attempt.make(
    { id: 1, companyId: "c", webhookId: "w", key: "k", attempts, eventId: "e", trace: null, ...message },
    message,
    { _tag: "Answered", status, headers: {}, body: "" },
    { startedAt: 0, endedAt: 1000 }
  )

describe("an attempt", () => {
  it.each([
    [199, "rejected", "Retried"],
    [200, "delivered", "Delivered"],
    [299, "delivered", "Delivered"],
    [300, "redirected", "Retried"],
    [399, "redirected", "Retried"],
    [400, "rejected", "Retried"],
    [410, "rejected", "Disabled"],
    [500, "rejected", "Retried"]
  ])("with the status %i is %s, and its delivery %s", (status, outcome, disposition) => {
    const { disposition: next, log } = attempt(status)
    assert.deepStrictEqual([log.outcome, next._tag], [outcome, disposition])
  })

  it("is the last one after seven retries", () => {
    assert.deepStrictEqual(
      [6, 7].map((attempts) => attempt(500, attempts).disposition._tag),
      ["Retried", "Dead"]
    )
  })
})
