import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"

describe("AdminApi.toWire", () => {
  it("writes a field of the path into the path, and the others into the body", () => {
    assert.deepStrictEqual(AdminApi.toWire("rollKey", { id: "a/b", overlapSeconds: 60 }), {
      method: "POST",
      target: "/_mock/keys/a%2Fb/roll",
      body: `{"overlapSeconds":60}`
    })
    assert.deepStrictEqual(AdminApi.toWire("freezeClock", {}), {
      method: "POST",
      target: "/_mock/clock/freeze",
      body: "{}"
    })
  })

  it("writes the fields of a GET into the query", () => {
    const since = Timestamp.make("2027-01-31T00:00:00Z")
    assert.deepStrictEqual(AdminApi.toWire("listDeliveries", { table: "holiday", since, limit: 5 }), {
      method: "GET",
      target: "/_mock/deliveries?table=holiday&since=2027-01-31T00%3A00%3A00Z&limit=5",
      body: undefined
    })
    assert.strictEqual(AdminApi.toWire("listKeys", {}).target, "/_mock/keys")
    assert.deepStrictEqual(AdminApi.toWire("revokeKey", { id: "k1" }), {
      method: "DELETE",
      target: "/_mock/keys/k1",
      body: undefined
    })
  })
})

describe("AdminApi.decodeResponse", () => {
  it("keeps fields of a newer service, and refuses another response", () => {
    const decode = AdminApi.decodeResponse("redeliver")
    assert.deepStrictEqual(decode(`{"count":2,"skipped":1}`), Either.right({ count: 2, skipped: 1 }))
    for (const text of [`{"count":"2"}`, "[]", "<html>"]) assert.isTrue(Either.isLeft(decode(text)), text)
  })
})
