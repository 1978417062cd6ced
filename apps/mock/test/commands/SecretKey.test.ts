/** Tests the life of a secret key: the first one, a wrong or missing one, its replacement, and snapshots. */
import { assert, describe, it } from "@effect/vitest"
import * as testing from "@mfgdata/shell/testing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as path from "node:path"
import * as zlib from "node:zlib"
import { front } from "../../src/commands/Program.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as Vault from "../../src/store/Vault.ts"
import * as Postgres from "../postgres/schema.ts"
import { scratch } from "../store/scratch.ts"

const first = "a first passphrase of many words"
const second = "0123456789abcdef".repeat(4)
const [firstId, secondId] = [Vault.make(first).id, Vault.make(second).id]
const plain = "plain-secret-value-of-a-client"
const apiKey = "mfg_secret_key_test"

/** Runs a command with the keys of its environment. */
const run = (keys: { readonly old?: string; readonly new?: string }, ...args: ReadonlyArray<string>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      if (keys.old !== undefined) process.env["MFG_MOCK_SECRET_KEY"] = keys.old
      if (keys.new !== undefined) process.env["MFG_MOCK_NEW_SECRET_KEY"] = keys.new
    }),
    () => testing.run(front, args),
    () =>
      Effect.sync(() => {
        delete process.env["MFG_MOCK_SECRET_KEY"]
        delete process.env["MFG_MOCK_NEW_SECRET_KEY"]
      })
  )

const client = (companyId: string, clientSecret: string) => ({
  name: companyId,
  clientId: companyId,
  redirectUris: [],
  grantTypes: [],
  responseTypes: [],
  tokenEndpointAuthMethod: "none",
  companyId,
  clientSecret
})

const seed = JSON.stringify({
  companies: [
    { id: "acme", name: "Acme" },
    { id: "rival", name: "Rival" }
  ],
  users: ["acme", "rival"].map((id) => ({
    id: `user of ${id}`,
    companyIds: [id],
    email: `${id}@example.com`,
    firstName: "U",
    lastName: "One"
  })),
  rows: { oauthClient: [client("acme", plain), client("rival", "secret-of-the-rival")] }
})

interface Place {
  readonly flags: ReadonlyArray<string>
  readonly address: Settings.StoreAddress
  /** Everything that the store has on the disk, or in its tables. */
  readonly content: Effect.Effect<string>
}

const sqlite = Effect.map(scratch, (folder): Place => {
  const file = path.join(folder, "mock.db")
  return {
    flags: ["--store", `sqlite:${file}`],
    address: { _tag: "Sqlite", path: file },
    content: Effect.sync(() =>
      fs
        .readdirSync(folder)
        .filter((name) => name.startsWith("mock.db"))
        .map((name) => fs.readFileSync(path.join(folder, name), "latin1"))
        .join()
    )
  }
})

/** Opens a store with a key, and works with its service. */
const serving = <A, E>(
  address: Settings.StoreAddress,
  secretKey: string | undefined,
  work: (instance: Instance.Instance) => Effect.Effect<A, E>
) =>
  Effect.scoped(
    Effect.flatMap(
      Instance.make({
        settings: { ...Settings.defaults, store: address, secretKey, apiKey, log: "off" },
        write: () => undefined
      }),
      work
    )
  )

const postgres = Effect.map(Postgres.fresh, (address): Place => ({
  flags: ["--store", address.url],
  address,
  content: Effect.promise(async () => {
    const { run } = await import("@mfgdata/testing-postgres/Schema")
    const tables = ["oauthClient", "_webhookSecret", "_idempotency"]
    const rows = tables.map((table) => run(address.url, `SELECT * FROM "${table}"`))
    return JSON.stringify(await Effect.runPromise(Effect.all(rows)))
  })
}))

const get = (target: string) => (instance: Instance.Instance) =>
  Effect.map(
    Effect.suspend(() =>
      instance.service.handle({ method: "GET", target, headers: { authorization: `Bearer ${apiKey}` }, body: "" })
    ),
    ({ body, status }) => ({ status, text: String(body) })
  )

const stores: ReadonlyArray<readonly [name: string, place: Effect.Effect<Place, never, Scope.Scope>]> = [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
]

/** A store with plain secrets, and its place. */
const filled = (place: Effect.Effect<Place, never, Scope.Scope>) =>
  Effect.gen(function* () {
    const found = yield* place
    const file = path.join(yield* scratch, "seed.json")
    fs.writeFileSync(file, seed)
    const loaded = yield* run({}, "seed", file, ...found.flags)
    assert.strictEqual(loaded.code, 0, loaded.stderr)
    return found
  })

describe.each(stores)("the secret key of a store on %s", (_, place) => {
  it.scoped("encrypts what is stored when it is set for the first time, and says so", () =>
    Effect.gen(function* () {
      const { address, content, flags } = yield* filled(place)
      assert.include(yield* content, plain)
      const { code, stderr } = yield* run({ old: first }, "migrate", ...flags)
      assert.strictEqual(code, 0, stderr)
      assert.match(stderr, new RegExp(`Encrypted 2 secrets of the store .* with the key ${firstId}\\.`))
      assert.notInclude(yield* content, plain)
      const read = yield* serving(address, first, get("/rest/oauthClient"))
      assert.include(read.text, plain)
      assert.notInclude(read.text, "mfgsecret")
      assert.notInclude(yield* content, plain)
    })
  )

  it.scoped("does not start with a wrong or missing key, and names the one to set", () =>
    Effect.gen(function* () {
      const { flags } = yield* filled(place)
      yield* run({ old: first }, "migrate", ...flags)
      const file = path.join(yield* scratch, "seed.json")
      fs.writeFileSync(file, seed)
      for (const args of [
        ["serve", "--port", "0"],
        ["migrate"],
        ["seed", file],
        ["snapshot", "save", `${file}.gz`],
        ["keys", "list"]
      ]) {
        const missing = yield* run({}, ...args, ...flags)
        assert.strictEqual(missing.code, 1, missing.stderr)
        assert.include(
          missing.stderr,
          `are encrypted with the key ${firstId}, and MFG_MOCK_SECRET_KEY is not set: set it to this key`
        )
        const wrong = yield* run({ old: second }, ...args, ...flags)
        assert.strictEqual(wrong.code, 1)
        assert.include(wrong.stderr, `MFG_MOCK_SECRET_KEY is the key ${secondId}: set it to the key ${firstId}`)
        assert.notInclude(wrong.stderr, second)
      }
      const weak = yield* run({ old: "too short" }, "migrate", ...flags)
      assert.include(
        weak.stderr,
        "Invalid value for MFG_MOCK_SECRET_KEY: it has 9 characters; expected 32 random bytes"
      )
      assert.notInclude(weak.stderr, "too short")
    })
  )

  it.scoped("is replaced by migrate --new-secret-key", () =>
    Effect.gen(function* () {
      const { address, content, flags } = yield* filled(place)
      yield* run({ old: first }, "migrate", ...flags)
      const target = "/rest/oauthClient"
      const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": "k" }
      const body = JSON.stringify({ ...client("acme", "a repeated secret"), clientId: "other" })
      const post = ({ events, service }: Instance.Instance) =>
        Effect.gen(function* () {
          const created = yield* service.handle({ method: "POST", target, headers, body })
          return { created: String(created.body), events }
        })
      const { created } = yield* serving(address, first, post)
      const absent = yield* run({ old: first }, "migrate", "--new-secret-key", ...flags)
      assert.strictEqual(absent.code, 2)
      assert.include(absent.stderr, "Invalid value for MFG_MOCK_NEW_SECRET_KEY")
      const { code, stderr } = yield* run({ old: first, new: second }, "migrate", "--new-secret-key", ...flags)
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, `Encrypted 3 secrets`)
      assert.include(stderr, `with the key ${secondId}`)
      assert.notInclude(yield* content, firstId)
      assert.strictEqual((yield* run({ old: first }, "migrate", ...flags)).code, 1)
      assert.include((yield* serving(address, second, get(target))).text, plain)
      assert.strictEqual((yield* serving(address, second, post)).created, created)
    })
  )

  it.scoped("is named by snapshots, which another key does not restore", () =>
    Effect.gen(function* () {
      const { address, flags } = yield* filled(place)
      const folder = yield* scratch
      const [bare, sealed] = [path.join(folder, "bare.ndjson.gz"), path.join(folder, "sealed.ndjson.gz")]
      yield* run({}, "snapshot", "save", bare, ...flags)
      yield* run({ old: first }, "snapshot", "save", sealed, ...flags)
      const [header = "", ...lines] = zlib.gunzipSync(fs.readFileSync(sealed)).toString().split("\n")
      assert.include(header, `"secretKey":"${firstId}"`)
      assert.notInclude(lines.join(), plain)

      const other = yield* place
      const refused = yield* run({ old: second }, "snapshot", "restore", sealed, ...other.flags)
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, `its secrets are encrypted with the key ${firstId}`)
      assert.include(refused.stderr, `this store has the key ${secondId}`)
      const target = yield* place
      assert.include((yield* run({}, "snapshot", "restore", sealed, ...target.flags)).stderr, "this store has no key")
      const restored = yield* run({ old: first }, "snapshot", "restore", sealed, ...target.flags)
      assert.strictEqual(restored.code, 0, restored.stderr)
      assert.include((yield* serving(target.address, first, get("/rest/oauthClient"))).text, plain)

      // Plain secrets are encrypted when they are restored.
      const again = yield* run({ old: first }, "snapshot", "restore", bare, ...flags)
      assert.strictEqual(again.code, 0, again.stderr)
      const stored = yield* serving(address, first, ({ world }) =>
        world.store.read({ text: `SELECT "clientSecret" FROM "oauthClient"`, parameters: [] })
      )
      assert.isTrue(stored.every(([secret]) => String(secret).startsWith(`mfgsecret:${firstId}:`)))
      assert.include((yield* serving(address, first, get("/rest/oauthClient"))).text, plain)
    })
  )

  it.scoped("binds a ciphertext to its company", () =>
    Effect.gen(function* () {
      const { address, flags } = yield* filled(place)
      yield* run({ old: first }, "migrate", ...flags)
      const swapped = yield* serving(address, first, (instance) => {
        const other = (column: string) =>
          `"${column}" = (SELECT "${column}" FROM "oauthClient" WHERE "_tenant" = 'rival')`
        const text = `UPDATE "oauthClient" SET ${other("clientSecret")}, ${other("_doc")} WHERE "_tenant" = 'acme'`
        const statement = { text, parameters: [] }
        return instance.world.store
          .change({ steps: [{ _tag: "Run", statement }], resolve: () => Either.void })
          .pipe(Effect.zipRight(get("/rest/oauthClient?select=clientSecret")(instance)))
      })
      assert.strictEqual(swapped.status, 500)
      assert.notInclude(swapped.text, "secret-of-the-rival")
    })
  )
})
