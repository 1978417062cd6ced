/**
 * The same tests in this process and against a running service.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { WebhookId } from "@mfgdata/domain/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as NodeServer from "../../src/http/NodeServer.ts"
import * as Settings from "../../src/Settings.ts"
import * as Testing from "../../src/testing.ts"
import * as WorldServer from "../../src/worlds/WorldServer.ts"
import * as Wait from "../Wait.ts"

const adminKey = "mfg_administrator_of_tests"

const listening = Effect.gen(function* () {
  const { service } = yield* WorldServer.make({
    settings: { ...Settings.defaults, adminKey, log: "off", store: { _tag: "Sqlite", path: ":memory:" } },
    write: () => {}
  })
  const options = { ...NodeServer.limits, allowedHosts: [], bodyMemoryBytes: 32 * 1024 ** 2, compresses: false }
  const { port } = yield* NodeServer.listen(service, { ...options, host: "127.0.0.1", port: 0, bodyBytes: 1024 ** 2 })
  return `http://127.0.0.1:${port}`
}).pipe(Effect.orDie)

const remote = Layer.unwrapScoped(Effect.map(listening, (url) => Testing.remote({ url, adminKey })))

const layers: ReadonlyArray<
  readonly [name: string, layer: Layer.Layer<HttpClient.HttpClient | Testing.World, unknown>]
> = [
  ["in this process", Testing.layer()],
  ["of a running service", remote]
]

/** Creates a row of a resource in the world of the environment. */
const create = (resource: string, row: object) =>
  Effect.gen(function* () {
    const { apiKey, companyId, restUrl } = yield* Testing.World
    const client = yield* HttpClient.HttpClient
    const request = HttpClientRequest.post(`${restUrl}/${resource}`).pipe(
      HttpClientRequest.bearerToken(apiKey),
      HttpClientRequest.bodyUnsafeJson({ ...row, companyId })
    )
    const response = yield* client.execute(request)
    const text = yield* response.text
    assert.strictEqual(response.status, 201, text)
    const created: { readonly [field: string]: unknown } = JSON.parse(text)
    return created
  })

const holiday = (name: string) => create("holiday", { name, date: "2027-01-01" })

const added = (differences: Testing.Differences) => (differences["holiday"]?.added ?? []).map(({ name }) => name)

for (const [name, layer] of layers) {
  describe(`a world ${name}`, () => {
    it.live("shows what has changed, also since a snapshot", () =>
      Effect.gen(function* () {
        const world = yield* Testing.World
        assert.deepStrictEqual(yield* world.diff(), {})
        yield* holiday("First")
        const before = yield* world.snapshot
        yield* holiday("Second")
        assert.sameMembers(added(yield* world.diff()), ["First", "Second"])
        assert.deepStrictEqual(added(yield* world.diff(before)), ["Second"])
        yield* world.restore(before)
        assert.deepStrictEqual(yield* world.diff(before), {})
        yield* world.reset
        assert.deepStrictEqual(yield* world.diff(), {})
      }).pipe(Effect.provide(layer))
    )

    it.live("has faults of its own", () =>
      Effect.gen(function* () {
        const { faults } = yield* Testing.World
        const [fault] = yield* faults.arm({ match: { method: "POST" }, reset: "after-commit", times: 1 })
        assert.strictEqual((yield* Effect.flip(holiday("Lost")))._tag, "RequestError")
        yield* holiday("Second")
        const [listed] = yield* faults.list
        assert.strictEqual(listed?.id, fault?.id)
        assert.deepStrictEqual([listed?.matched, listed?.fired], [2, 1])
        const { diff } = yield* Testing.World
        assert.sameMembers(added(yield* diff()), ["Lost", "Second"])
        yield* faults.clear
        assert.deepStrictEqual(yield* faults.list, [])
        assert.isAbove((yield* faults.arm("overloaded")).length, 1)
      }).pipe(Effect.provide(layer))
    )

    it.live("has independent forks", () =>
      Effect.gen(function* () {
        const world = yield* Testing.World
        yield* holiday("Of both")
        const ofFork = yield* Effect.gen(function* () {
          yield* holiday("Of the fork")
          return added(yield* (yield* Testing.World).diff())
        }).pipe(Effect.provide(world.fork))
        assert.deepStrictEqual(ofFork, ["Of the fork"])
        assert.deepStrictEqual(added(yield* world.diff()), ["Of both"])
      }).pipe(Effect.provide(layer))
    )

    it.live("shows the secret of a webhook, and waits for deliveries", () =>
      Effect.gen(function* () {
        const world = yield* Testing.World
        const flags = { active: true, onInsert: true, onUpdate: false, onDelete: false, successCount: 0, errorCount: 0 }
        // Nobody listens there, so that the first attempt fails soon.
        const hook = yield* create("webhook", { name: "hook", table: "holiday", url: "http://127.0.0.1:9/", ...flags })
        const secret = yield* world.webhookSecret(WebhookId.make(String(hook["id"])))
        assert.match(Redacted.value(secret), /^whsec_/)
        yield* holiday("Told")
        yield* world.delivered
        const client = yield* HttpClient.HttpClient
        const row = client.get(`${world.restUrl}/webhook?id=eq.${String(hook["id"])}`, {
          headers: { authorization: `Bearer ${Redacted.value(world.apiKey)}` }
        })
        // The counts follow the deliveries.
        const found = Effect.flatMap(row, ({ text }) => text)
        yield* Wait.until(found, (text) => JSON.parse(text).errorCount === 1)
      }).pipe(Effect.provide(layer))
    )
  })
}

describe("a remote world", () => {
  it.live("is deleted with its layer", () =>
    Effect.gen(function* () {
      const url = yield* listening
      const worlds = Effect.promise(async () => {
        const response = await fetch(`${url}/_mock/worlds`, { headers: { authorization: `Bearer ${adminKey}` } })
        const list: ReadonlyArray<unknown> = JSON.parse(await response.text())
        return list
      })
      const options = { url, adminKey, world: { name: "one", seed: "empty" } } as const
      yield* Effect.provide(
        Effect.gen(function* () {
          yield* holiday("Mine")
          assert.lengthOf(yield* worlds, 2)
        }),
        Testing.remote(options)
      )
      assert.lengthOf(yield* worlds, 1)
    }).pipe(Effect.scoped)
  )

  it.live("fails with the service's sentence", () =>
    Effect.gen(function* () {
      const url = yield* listening
      const failure = (options: Testing.RemoteOptions) =>
        Effect.map(Effect.flip(Effect.scoped(Layer.build(Testing.remote(options)))), ({ message }) => message)
      assert.include(yield* failure({ url, adminKey: "mfg_wrong_key_entirely" }), "administrator's key is required")
      assert.include(yield* failure({ url, adminKey, world: { from: "nowhere" } }), `There is no world "nowhere"`)
    }).pipe(Effect.scoped)
  )
})
