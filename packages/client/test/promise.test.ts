import { assert, describe, it } from "@effect/vitest"
import { connect, QueryTooCostly, RowNotFound, Unauthorized } from "@mfgdata/client/promise"
import { Holiday, HolidayId, Query } from "@mfgdata/domain"
import { id, row, values } from "./fixtures/holiday.ts"
import { key, restUrl } from "./fixtures/scripted.ts"

const over = (...responses: ReadonlyArray<readonly [status: number, body: unknown]>) => {
  const requests: Array<string> = []
  const fetch: typeof globalThis.fetch = async (address, init) => {
    const [status, body] = responses[Math.min(requests.length, responses.length - 1)] ?? assert.fail()
    requests.push(`${init?.method ?? "GET"} ${String(address).slice(restUrl.length)}`)
    init?.signal?.throwIfAborted()
    return Response.json(body, { status, headers: { etag: '"7"', "content-range": "0-0/1" } })
  }
  return { requests, rows: connect({ restUrl, apiKey: key, fetch, retry: { times: 0 } }) }
}

describe("the promise client", () => {
  it("returns the results of the methods of Rows", async () => {
    const { requests, rows } = over([200, row])
    assert.strictEqual((await rows.list(Holiday, { limit: 3 }))[0]?.name, "Founding day")
    assert.deepStrictEqual(await rows.list(Holiday, Query.fromText("select=id")), [row])
    assert.strictEqual((await rows.retrieve(Holiday, id)).year, 2027)
    assert.strictEqual((await rows.find(Holiday, id))?.year, 2027)
    assert.strictEqual((await rows.retrieveVersioned(Holiday, id)).etag, '"7"')
    assert.strictEqual(await rows.count(Holiday), 1)
    assert.strictEqual((await rows.create(Holiday, values)).id, id)
    assert.strictEqual((await rows.update(Holiday, id, { year: 2028 })).id, id)
    assert.strictEqual((await rows.modify(Holiday, id, () => ({}))).id, id)
    assert.strictEqual((await rows.upsert(Holiday, { ...values, id })).id, id)
    assert.deepStrictEqual(await rows.createMany(Holiday, [values]), [{ row: await rows.retrieve(Holiday, id) }])
    await rows.remove(Holiday, id, { ifMatch: '"7"' })
    assert.strictEqual(requests.at(-1), "DELETE /holiday?id=eq.hol_1")
  })

  it("iterates over the rows of a stream", async () => {
    const { rows } = over([200, [row, { ...row, id: "hol_2" }]], [200, []])
    const seen: Array<string> = []
    for await (const { id } of rows.stream(Holiday, { pageSize: 2 })) seen.push(id)
    assert.deepStrictEqual(seen, ["hol_1", "hol_2"])
    assert.deepInclude(await over([200, [row]], [200, []]).rows.page(Holiday), { hasMore: false })
  })

  it("rejects with the errors of the client", async () => {
    const failure = (promise: Promise<unknown>) =>
      promise.then(
        () => assert.fail(),
        (error: unknown) => error
      )
    assert.instanceOf(await failure(over([404, []]).rows.retrieve(Holiday, HolidayId.make("x"))), RowNotFound)
    assert.instanceOf(await failure(over([401, null]).rows.list(Holiday)), Unauthorized)
    const timeout = { code: "57014", message: "canceled", details: "after 5000 ms (--statement-timeout)", hint: "less" }
    const costly = await failure(over([504, timeout]).rows.list(Holiday))
    assert.instanceOf(costly, QueryTooCostly)
    assert.deepInclude(costly, { code: "57014", flag: "--statement-timeout", hint: "less" })
    assert.isUndefined(await over([404, []]).rows.find(Holiday, HolidayId.make("x")))
    const [result] = await over([401, null]).rows.createMany(Holiday, [values])
    assert.instanceOf(result?.error, Unauthorized)
  })

  it("rejects with errors whose stacks begin at the line of the caller", async () => {
    const { rows } = over([401, null])
    const stackOf = (call: () => Promise<unknown>) =>
      call().then(
        () => assert.fail(),
        (error: Error) => error.stack ?? ""
      )
    const drain = async () => {
      for await (const _ of rows.stream(Holiday)) assert.fail()
    }
    const line = /^Unauthorized: The service rejected the API key: no reason given\n +at .*promise\.test\.ts:\d+:\d+/
    for (const call of [
      () => rows.list(Holiday),
      () => rows.page(Holiday, Query.fromText("select=id")),
      () => rows.retrieve(Holiday, id),
      () => rows.create(Holiday, values),
      () => rows.remove(Holiday, id),
      drain
    ]) {
      assert.match(await stackOf(call), line)
    }
  })

  it("rejects with the reason of an aborted signal", async () => {
    const reason = new Error("enough")
    const waiting = connect({ restUrl, apiKey: key, fetch: () => new Promise(() => {}) })
    const controller = new AbortController()
    const listed = waiting.list(Holiday, {}, { signal: controller.signal })
    controller.abort(reason)
    assert.strictEqual(
      await listed.then(
        () => assert.fail(),
        (error: unknown) => error
      ),
      reason
    )
  })
})
