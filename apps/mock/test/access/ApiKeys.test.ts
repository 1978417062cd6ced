import * as Key from "@mfgdata/domain/ApiKey"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as ApiKeys from "../../src/access/ApiKeys.ts"
import * as KeyCache from "../../src/access/KeyCache.ts"
import * as Seeder from "../../src/seeds/Seeder.ts"
import * as Instance from "../../src/service/Instance.ts"

const begin = Date.parse("2027-01-01T00:00:00Z")

/** A world with a company, a user and the API keys of both. */
const make = Effect.gen(function* () {
  yield* TestClock.setTime(begin)
  const world = yield* Instance.open({ store: { _tag: "Sqlite", path: ":memory:" }, rules: "contract" })
  yield* Seeder.load(world, { _tag: "Empty" })
  return { world, keys: yield* ApiKeys.make(world) }
})

const member = { companyId: CompanyId.make("demo"), userId: UserId.make("operations") }
const wanted: ApiKeys.NewKey = { ...member, name: "a key", scopes: ["holiday:read"], expiresAt: null }

const tag = (keys: ApiKeys.ApiKeys, key: string) =>
  Effect.map(Effect.either(keys.verify(key)), (verified) => (Either.isLeft(verified) ? verified.left._tag : "Known"))

const created = (keys: ApiKeys.ApiKeys, changed: Partial<ApiKeys.NewKey> = {}) =>
  Effect.map(keys.create({ ...wanted, ...changed }), ({ key, record }) => ({ key: Redacted.value(key), ...record }))

describe("ApiKeys", () => {
  it.scoped("makes well-formed keys and verifies them", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      const { id, key, ...record } = yield* created(keys)
      assert.isTrue(Either.isRight(Key.check(key)))
      assert.deepStrictEqual(yield* keys.verify(key), {
        keyId: id,
        keyName: record.name,
        ...member,
        scopes: ["holiday:read"]
      })
      assert.deepStrictEqual(record, {
        ...member,
        name: "a key",
        preview: `${key.slice(0, 8)}...`,
        scopes: ["holiday:read"],
        createdAt: Timestamp.make("2027-01-01T00:00:00.000Z"),
        expiresAt: null,
        lastUsedAt: null,
        revokedAt: null
      })
    })
  )

  it.scoped("answers from memory, in the same tick", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      const { key } = yield* created(keys)
      for (let count = 0; count < 100; count++) assert.isTrue(Exit.isExit(keys.verify(key)))
      assert.strictEqual(keys.lookups(), 1)
    })
  )

  it.scoped("looks up only well-formed keys, each of them once", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      assert.strictEqual(yield* Effect.flip(keys.verify(undefined)).pipe(Effect.map(({ _tag }) => _tag)), "KeyMissing")
      const strange = Key.fromRandom(new Uint8Array(32).fill(7))
      const cut = strange.slice(0, -1)
      const mistyped = strange.slice(0, -1) + (strange.endsWith("0") ? "1" : "0")
      for (const malformed of ["", "mfg_", "secret", cut, mistyped, "x".repeat(10_000)]) {
        assert.strictEqual(yield* tag(keys, malformed), "KeyInvalid")
      }
      assert.strictEqual(keys.lookups(), 0)
      for (let count = 0; count < 10; count++) assert.strictEqual(yield* tag(keys, strange), "KeyInvalid")
      assert.strictEqual(keys.lookups(), 1)
    })
  )

  it.scoped("stores the digest of a key, not the key", () =>
    Effect.gen(function* () {
      const { keys, world } = yield* make
      const { key } = yield* created(keys)
      const rows = yield* world.store.read({ text: `SELECT * FROM "_apiKey"`, parameters: [] })
      const kept = JSON.stringify(rows)
      assert.include(kept, KeyCache.digest(key))
      assert.notInclude(kept, key.slice(8))
    })
  )

  it.scoped("refuses a revoked key immediately", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      const { id, key } = yield* created(keys)
      assert.strictEqual(yield* tag(keys, key), "Known")
      const { revokedAt } = yield* keys.revoke(id)
      assert.strictEqual(revokedAt, "2027-01-01T00:00:00.000Z")
      assert.strictEqual(yield* tag(keys, key), "KeyInvalid")
      assert.deepStrictEqual(yield* Effect.flip(keys.revoke(id)), new ApiKeys.ApiKeyMissing({ id }))
    })
  )

  it.scoped("distinguishes an expired key from an unknown one", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      const { key } = yield* created(keys, { expiresAt: Timestamp.make("2027-01-01T00:01:00Z") })
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* tag(keys, key), "Known")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tag(keys, key), "KeyExpired")
    })
  )

  it.scoped("rolls a key, and accepts the old one during the overlap", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      const old = yield* created(keys)
      const { key, record } = yield* keys.roll(old.id, 60_000)
      const fresh = Redacted.value(key)
      assert.notStrictEqual(fresh, old.key)
      assert.include(record, { name: "a key", expiresAt: null, companyId: member.companyId })
      assert.deepStrictEqual(record.scopes, ["holiday:read"])
      assert.strictEqual(yield* tag(keys, old.key), "Known")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* tag(keys, old.key), "KeyExpired")
      assert.strictEqual(yield* tag(keys, fresh), "Known")
      yield* keys.revoke(old.id)
      assert.strictEqual((yield* Effect.flip(keys.roll(old.id, 0)))._tag, "ApiKeyMissing")
    })
  )

  it.scoped("does not extend a key's expiry when it is rolled", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      const old = yield* created(keys, { expiresAt: Timestamp.make("2027-01-01T00:00:10Z") })
      yield* keys.roll(old.id, 60_000)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* tag(keys, old.key), "KeyExpired")
    })
  )

  it.scoped("creates keys for members of a company only", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      const error = yield* Effect.flip(created(keys, { userId: UserId.make("nobody") }))
      assert.strictEqual(
        error.message,
        `There is no user "nobody" in a company "demo": expected a user of a seeded company`
      )
    })
  )

  it.scoped("lists the newest key first, with the last use of each", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      const { key } = yield* created(keys, { name: "first" })
      yield* created(keys, { name: "second" })
      yield* TestClock.adjust("5 seconds")
      yield* keys.verify(key)
      const listed = yield* keys.list
      assert.deepStrictEqual(
        listed.map(({ lastUsedAt, name }) => [name, lastUsedAt]),
        [
          ["second", null],
          ["first", Timestamp.make("2027-01-01T00:00:05.000Z")]
        ]
      )
    })
  )

  it.scoped("records a key's last use a minute after the first one", () =>
    Effect.gen(function* () {
      const { keys, world } = yield* make
      const { key } = yield* created(keys)
      const statement = { text: `SELECT "lastUsedAt" FROM "_apiKey"`, parameters: [] }
      const lastUse = Effect.suspend(() => world.store.read(statement)).pipe(Effect.map(([row]) => row?.[0]))
      yield* keys.verify(key)
      yield* TestClock.adjust("1 minute")
      assert.isNull(yield* lastUse)
      yield* keys.verify(key)
      // Writes run in order: this one comes after the one that the use started.
      yield* created(keys, { companyId: CompanyId.make("nobody's") }).pipe(Effect.ignore)
      assert.strictEqual(yield* lastUse, (begin + 60_000) * 1000)
    })
  )

  it.scoped("records last uses when it closes", () =>
    Effect.gen(function* () {
      const { world } = yield* make
      yield* Effect.gen(function* () {
        const keys = yield* ApiKeys.make(world)
        yield* keys.verify((yield* created(keys)).key)
      }).pipe(Effect.scoped)
      const rows = yield* world.store.read({ text: `SELECT "lastUsedAt" FROM "_apiKey"`, parameters: [] })
      assert.deepStrictEqual(rows, [[begin * 1000]])
    })
  )

  it.scoped("accepts an installed key of any form", () =>
    Effect.gen(function* () {
      const { keys } = yield* make
      keys.install("mfg_local_development", member)
      assert.deepInclude(yield* keys.verify("mfg_local_development"), { ...member, scopes: ["*"] })
      keys.clearCache()
      assert.strictEqual(yield* tag(keys, "mfg_local_development"), "Known")
      assert.lengthOf(yield* keys.list, 0)
    })
  )
})
