/**
 * Worlds through the front door: the requests of keys, and the administrator's interface.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import * as Settings from "../../src/Settings.ts"
import { layer, World } from "../../src/testing.ts"
import { admin, create, get, insert, issue, listed, names, refuses, rows, send } from "./requests.ts"

const mainKey = Effect.map(World, ({ apiKey }) => Redacted.value(apiKey))

describe("worlds", () => {
  it.effect("answers the requests of a world's key from the world, and all others from main", () =>
    Effect.gen(function* () {
      const main = yield* mainKey
      const { key, ...made } = yield* create({ name: "one" })
      const { companyId, userId } = yield* World
      assert.include(made, { name: "one", idleSeconds: 3600, companyId, userId })
      assert.strictEqual(made.restUrl, "http://mock.test/rest")
      assert.strictEqual(made.baseUrl, "http://mock.test/api/v1")
      const before = yield* names(main)
      assert.deepStrictEqual(yield* names(key), before)
      yield* insert(key, "Mine")
      assert.sameMembers([...(yield* names(key))], ["Mine", ...before])
      assert.deepStrictEqual(yield* names(main), before)
      const { body } = yield* send(key, "/api/v1/account/getCurrentUser", { method: "POST", body: {} })
      assert.notProperty(body, "code")
    }).pipe(Effect.provide(layer()))
  )

  it.effect("forks a world of a world with its rows, and keeps the three apart", () =>
    Effect.gen(function* () {
      const first = yield* create({ name: "first" })
      yield* insert(first.key, "Of the first")
      const second = yield* create({ name: "second", from: "first" })
      yield* insert(second.key, "Of the second")
      assert.include(yield* names(second.key), "Of the first")
      assert.notInclude(yield* names(first.key), "Of the second")
      assert.notInclude(yield* names(yield* mainKey), "Of the first")
      assert.include((yield* admin("GET", "/worlds/second")).body, { from: "first", state: "open" })
    }).pipe(Effect.provide(layer()))
  )

  it.effect("forks the state of this moment, with every change before it and none after it", () =>
    Effect.gen(function* () {
      const main = yield* mainKey
      for (const number of [1, 2, 3]) {
        yield* insert(main, `Change ${number}`)
        const { key } = yield* create({ name: `after-${number}` })
        yield* insert(main, `Later ${number}`)
        assert.deepStrictEqual(
          (yield* names(key)).filter((name) => /^(Change|Later)/.test(String(name))),
          [1, 2, 3]
            .flatMap((n) => (n <= number ? [`Change ${n}`] : []))
            .concat(number > 1 ? ["Later 1"] : [], number > 2 ? ["Later 2"] : [])
        )
      }
    }).pipe(Effect.provide(layer()))
  )

  it.effect("deletes a world, whose key is then not valid", () =>
    Effect.gen(function* () {
      const { key } = yield* create({ name: "one" })
      yield* insert(key, "Mine")
      assert.deepInclude(yield* admin("DELETE", "/worlds/one"), { status: 204, text: "" })
      assert.strictEqual((yield* get(key, "/rest/holiday")).status, 401)
      yield* refuses(admin("GET", "/worlds/one"), 404, "NOT_FOUND", `There is no world "one"`)
      yield* refuses(admin("DELETE", "/worlds/one"), 404, "NOT_FOUND", `There is no world "one"`)
      yield* refuses(admin("GET", "/keys?world=one"), 404, "NOT_FOUND", `There is no world "one"`)
      assert.deepStrictEqual(
        (yield* listed("/worlds")).map(({ name }) => name),
        ["main"]
      )
    }).pipe(Effect.provide(layer()))
  )

  it.effect("resets a world to what it was when it was made, with the same key", () =>
    Effect.gen(function* () {
      const { key } = yield* create({ name: "one" })
      const before = yield* rows(key, "holiday")
      for (const name of ["Mine", "Mine too"]) {
        yield* insert(key, name)
        assert.include((yield* admin("POST", "/worlds/one/reset")).body, { name: "one" })
        assert.deepStrictEqual(yield* rows(key, "holiday"), before)
      }
    }).pipe(Effect.provide(layer()))
  )

  it.effect("resets main to its seed, and keeps its keys", () =>
    Effect.gen(function* () {
      const main = yield* mainKey
      const before = yield* names(main)
      const issued = yield* issue("/keys", { name: "kept" })
      yield* insert(issued.key, "Mine")
      assert.strictEqual((yield* admin("POST", "/worlds/main/reset")).status, 200)
      assert.deepStrictEqual(yield* names(issued.key), before)
      yield* refuses(admin("DELETE", "/worlds/main"), 409, "CONFLICT", "always exists")
    }).pipe(Effect.provide(layer()))
  )

  for (const name of ["one", "main"]) {
    it.effect(`saves and restores snapshots of ${name === "main" ? "main" : "a world"}`, () =>
      Effect.gen(function* () {
        const key = name === "main" ? yield* mainKey : (yield* create({ name })).key
        const path = `/worlds/${name}/snapshots`
        yield* insert(key, "Before")
        const before = yield* rows(key, "holiday")
        assert.include((yield* admin("POST", path, { name: "empty" })).body, { name: "empty" })
        yield* insert(key, "After")
        yield* admin("POST", path, { name: "full" })
        const full = yield* rows(key, "holiday")
        assert.deepStrictEqual(
          (yield* listed(path)).map(({ name }) => name),
          ["empty", "full"]
        )
        for (const [snapshot, state] of [
          ["empty", before],
          ["full", full],
          ["empty", before]
        ] as const) {
          assert.strictEqual((yield* admin("POST", `${path}/${snapshot}/restore`)).status, 200)
          assert.deepStrictEqual(yield* rows(key, "holiday"), state)
        }
        yield* refuses(admin("POST", path, { name: "full" }), 409, "CONFLICT", `a snapshot "full" already`)
        yield* refuses(admin("POST", path, { name: "a/b" }), 400, "BAD_REQUEST", `Invalid name "a/b" of a snapshot`)
        assert.strictEqual((yield* admin("DELETE", `${path}/full`)).status, 204)
        yield* refuses(admin("POST", `${path}/full/restore`), 404, "NOT_FOUND", `has no snapshot "full"`)
        yield* refuses(admin("DELETE", `${path}/full`), 404, "NOT_FOUND", `has no snapshot "full"`)
      }).pipe(Effect.provide(layer()))
    )
  }

  it.effect("begins anew with a seed, by name or as it is in a seed file", () =>
    Effect.gen(function* () {
      const demo = yield* create({ name: "demo", seed: "demo", rules: "public" })
      assert.deepStrictEqual(yield* names(demo.key), yield* names(yield* mainKey))
      assert.include((yield* admin("GET", "/worlds/demo")).body, { seed: "demo", from: null, rules: "public" })
      const empty = yield* create({ name: "empty", seed: "empty" })
      assert.lengthOf(yield* names(empty.key), 0)
      const seed = {
        companies: [{ id: "acme", name: "Acme" }],
        users: [{ id: "ada", companyIds: ["acme"], email: "ada@acme.test", firstName: "Ada", lastName: "L" }],
        rows: { holiday: [{ name: "Ours", date: "2027-02-02", companyId: "acme" }] }
      }
      const inline = yield* create({ name: "inline", seed })
      assert.include(inline, { companyId: "acme", userId: "ada" })
      assert.deepStrictEqual(yield* names(inline.key), ["Ours"])
      yield* refuses(
        admin("POST", "/worlds", { seed: { companies: [] } }),
        400,
        "BAD_REQUEST",
        "the seed of the request cannot be loaded"
      )
      yield* refuses(
        admin("POST", "/worlds", { seed: { ...seed, users: [] } }),
        400,
        "BAD_REQUEST",
        "no company with a user"
      )
    }).pipe(Effect.provide(layer()))
  )

  it.effect("applies other rules to a fork, also after a reset", () =>
    Effect.gen(function* () {
      const { key } = yield* create({ name: "strict", rules: "public" })
      const { companyId } = yield* World
      const transfer = {
        transferId: "T1",
        fromLocationId: "a",
        toLocationId: "b",
        status: "Unknown",
        companyId
      }
      for (const round of [1, 2]) {
        const response = yield* send(key, "/rest/warehouseTransfer", { method: "POST", body: transfer })
        assert.strictEqual(response.status, 400, `${round} ${response.text}`)
        yield* admin("POST", "/worlds/strict/reset")
      }
      const response = yield* send(yield* mainKey, "/rest/warehouseTransfer", { method: "POST", body: transfer })
      assert.strictEqual(response.status, 201)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("exports a world to a file, and imports it with its rows, keys' rights and clock", () =>
    Effect.gen(function* () {
      const { key } = yield* create({ name: "one" })
      yield* insert(key, "Mine")
      yield* admin("POST", "/keys?world=one", { name: "reader", scopes: ["holiday:read"] })
      yield* admin("POST", "/clock/freeze?world=one")
      const clock = (yield* admin("POST", "/clock/set?world=one", { to: "2031-05-06T07:08:09.000Z" })).body
      const { body: file } = yield* exportOf("one")
      const imported = yield* admin("POST", "/worlds?name=two&idleSeconds=60", file)
      assert.strictEqual(imported.status, 201, imported.text)
      assert.include(imported.body, { name: "two", idleSeconds: 60 })
      assert.deepStrictEqual(yield* rows(String(imported.body["key"]), "holiday"), yield* rows(key, "holiday"))
      assert.deepStrictEqual((yield* admin("GET", "/clock?world=two")).body, clock)
      const [reader = {}] = yield* listed("/keys?world=two")
      assert.deepInclude(reader, { name: "reader", scopes: ["holiday:read"] })
      assert.include((yield* admin("GET", "/worlds/two")).body, { seed: "file", from: null })
    }).pipe(Effect.provide(layer()))
  )

  it.effect("imports a file beyond the bound of other administrative bodies, up to that of rows", () =>
    Effect.gen(function* () {
      const { companyId } = yield* World
      const { key } = yield* create({ name: "one" })
      // Random names, which do not compress.
      const holidays = Array.from({ length: 12_000 }, () => ({ name: randomUUID(), date: "2027-01-01", companyId }))
      for (const part of [holidays.slice(0, 6000), holidays.slice(6000)]) {
        assert.strictEqual((yield* send(key, "/rest/holiday", { method: "POST", body: part })).status, 201)
      }
      const { body: file } = yield* exportOf("one")
      assert.isAbove(file.length, 256 * 1024)
      const imported = yield* admin("POST", "/worlds?name=two", file)
      assert.strictEqual(imported.status, 201, imported.text)
      const found = yield* rows(String(imported.body["key"]), "holiday", `?name=eq.${holidays[0]?.name}`)
      assert.lengthOf(found, 1)
      const tooLarge = new Uint8Array(Settings.defaults.maxBody + 1)
      tooLarge.set(file)
      assert.strictEqual((yield* admin("POST", "/worlds", tooLarge)).status, 413)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("refuses other files than those of exports", () =>
    Effect.gen(function* () {
      const refused = (file: Uint8Array, sentence: string) =>
        refuses(admin("POST", "/worlds", file), 400, "BAD_REQUEST", sentence)
      yield* refused(new TextEncoder().encode("SQLite format 3\u0000"), "it is a database")
      yield* refused(gzipSync("nothing"), "The snapshot of the request")
      const header = { format: "mfgdata-snapshot", version: 2, ruleSet: "contract", counts: {} }
      yield* refused(gzipSync(`${JSON.stringify(header)}\n`), "reads snapshots up to version 1")
      yield* refused(gzipSync(`${JSON.stringify({ ...header, version: 1 })}\n`), "no company with a user")
      assert.lengthOf(yield* listed("/worlds"), 1)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("gives each world a clock of its own, which its forks continue", () =>
    Effect.gen(function* () {
      const one = yield* create({ name: "one" })
      yield* admin("POST", "/clock/freeze?world=one")
      yield* admin("POST", "/clock/set?world=one", { to: "2030-01-01T00:00:00.000Z" })
      const two = yield* create({ name: "two", from: "one" })
      yield* admin("POST", "/clock/advance?world=two", { seconds: 60 })
      assert.strictEqual((yield* insert(one.key, "Mine"))["createdAt"], "2030-01-01T00:00:00.000Z")
      assert.strictEqual((yield* insert(two.key, "Mine"))["createdAt"], "2030-01-01T00:01:00.000Z")
      yield* admin("POST", "/worlds/two/reset")
      assert.strictEqual((yield* insert(two.key, "Mine"))["createdAt"], "2030-01-01T00:00:00.000Z")
      yield* refuses(admin("POST", "/clock/freeze"), 409, "CONFLICT", "clock of the machine")
    }).pipe(Effect.provide(layer()))
  )

  it.effect(
    "sends the requests of keys that were made in a world to that world, and those of the parent to the parent",
    () =>
      Effect.gen(function* () {
        const limited = yield* issue("/keys", { name: "limited", scopes: ["holiday:read"] })
        const { key } = yield* create({ name: "one" })
        yield* insert(key, "Mine")
        assert.notInclude(yield* names(limited.key), "Mine")
        // The fork has the same key with the same rights; rolling it gives a key for the fork.
        const rolled = yield* issue(`/keys/${limited.id}/roll?world=one`)
        assert.include(yield* names(rolled.key), "Mine")
        const refused = yield* send(rolled.key, "/rest/holiday", { method: "POST", body: {} })
        assert.strictEqual(refused.status, 403)
        assert.include(yield* names((yield* issue("/keys?world=one", { name: "new" })).key), "Mine")
        yield* admin("DELETE", "/worlds/one")
        assert.strictEqual((yield* get(rolled.key, "/rest/holiday")).status, 401)
        assert.strictEqual((yield* get(limited.key, "/rest/holiday")).status, 200)
      }).pipe(Effect.provide(layer()))
  )

  it.effect("refuses what makes no sense, each with a code and a sentence", () =>
    Effect.gen(function* () {
      yield* create({ name: "one" })
      const make = (request: object) => admin("POST", "/worlds", request)
      yield* refuses(make({ name: "one" }), 409, "CONFLICT", `a world "one" already`)
      yield* refuses(make({ name: "main" }), 409, "CONFLICT", "the world that always exists")
      for (const name of ["", " ", "a b", "-a", "../x", "a@b", "x".repeat(65)]) {
        yield* refuses(make({ name }), 400, "BAD_REQUEST", "of a world: expected 1 to 64 letters")
      }
      yield* refuses(make({ from: "main", seed: "demo" }), 400, "BAD_REQUEST", `either "from" or "seed"`)
      yield* refuses(make({ from: "nowhere" }), 404, "NOT_FOUND", `no world "nowhere"`)
      yield* refuses(make({ idleSeconds: 0 }), 400, "BAD_REQUEST", "does not match")
      yield* refuses(make({ colour: "red" }), 400, "BAD_REQUEST", "does not match")
      yield* refuses(admin("POST", "/worlds/nowhere/reset"), 404, "NOT_FOUND", `no world "nowhere"`)
      yield* refuses(admin("GET", "/worlds/nowhere/export"), 404, "NOT_FOUND", `no world "nowhere"`)
      yield* refuses(admin("GET", "/worlds/nowhere/snapshots"), 404, "NOT_FOUND", `no world "nowhere"`)
      yield* refuses(admin("GET", "/clock?world=nowhere"), 404, "NOT_FOUND", `no world "nowhere"`)
      assert.lengthOf(yield* listed("/worlds"), 2)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("needs the administrator's key, which a world's key is not", () =>
    Effect.gen(function* () {
      const { key } = yield* create({ name: "one" })
      assert.strictEqual((yield* get(key, "/_mock/worlds")).status, 401)
      assert.strictEqual((yield* get(key, "/_mock/keys?world=one")).status, 401)
    }).pipe(Effect.provide(layer()))
  )
})

/** The bytes of an export. */
const exportOf = (name: string) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const { adminKey } = yield* World
    const response = yield* client.get(`http://mock.test/_mock/worlds/${name}/export`, {
      headers: { authorization: `Bearer ${Redacted.value(adminKey)}` }
    })
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers["content-type"], "application/gzip")
    return { body: new Uint8Array(yield* response.arrayBuffer) }
  })
