/** Opens the seeds, worlds and exports of each release with the built service. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import * as Bin from "../../src/Bin.ts"
import * as Program from "../../src/Program.ts"
import * as Release from "../../src/release/Release.ts"

const [mainKey, adminKey] = ["mfg_released_main_key", "mfg_released_administrator"]

/** The key that the seed has. */
const seededKey = "mfg_rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr2oJLXc"

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "released-worlds-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const seed = {
  companies: [{ id: "c1", name: "Company" }],
  users: [{ id: "u1", companyIds: ["c1"], email: "u1@example.com", firstName: "User", lastName: "One" }],
  keys: [{ key: seededKey, name: "seeded", companyId: "c1", userId: "u1", scopes: ["holiday:read"] }],
  attributes: [
    {
      id: "g1",
      companyId: "c1",
      name: "Skills",
      public: true,
      attributes: [{ id: "a1", name: "Welding", type: "boolean", values: [{ userId: "u1", value: true }] }]
    }
  ],
  rows: {
    holiday: [
      { id: "h1", name: "Seeded", date: "2026-05-01", year: 2026, companyId: "c1", customFields: { a: [1, null] } }
    ]
  }
}

/** A service on the store of a folder; `ask` sends a request and returns the JSON of its response. */
const serve = (store: string, seedFile: string) =>
  Effect.gen(function* () {
    const args = [
      "--port",
      "0",
      "--store",
      store,
      "--seed",
      seedFile,
      "--durable-worlds",
      "on",
      "--keep-worlds",
      "3650d"
    ]
    const { end, said } = yield* Program.start([yield* Bin.bundle("mock"), "serve", ...args], /Try:/, {
      env: { MFG_MOCK_API_KEY: mainKey, MFG_MOCK_ADMIN_KEY: adminKey }
    })
    const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
    const send = (key: string, method: string, path: string, body?: object | Uint8Array) =>
      Effect.promise(async () => {
        const isFile = body instanceof Uint8Array
        const response = await fetch(origin + path, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            "content-type": isFile ? "application/gzip" : "application/json"
          },
          ...(body === undefined ? {} : { body: isFile ? Buffer.from(body) : JSON.stringify(body) })
        })
        return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
      })
    const ask = (key: string, method: string, path: string, body?: object | Uint8Array) =>
      Effect.map(send(key, method, path, body), ({ bytes, status }): unknown => {
        assert.isBelow(status, 300, `${method} ${path}: ${bytes.toString()}`)
        return bytes.length === 0 ? undefined : JSON.parse(bytes.toString())
      })
    return { ask, send, stop: end("SIGTERM") }
  })

const field = (json: unknown, name: string): unknown => (json as { readonly [name: string]: unknown })[name]

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** A store with its worlds, as files by their paths, and the key of a world in it. */
interface Stored {
  readonly key: string
  readonly files: { readonly [path: string]: string }
}

const frozenAt = "2031-05-06T07:08:09.000Z"

/** Makes a store with a world that has rows, a snapshot, a frozen clock, faults and a second key; and an export of it. */
const make = Effect.scoped(
  Effect.gen(function* () {
    const folder = yield* scratch
    const seedFile = join(folder, "seed.json")
    writeFileSync(seedFile, JSON.stringify(seed))
    const home = join(folder, "store")
    mkdirSync(home)
    const { ask, send, stop } = yield* serve(`sqlite:${join(home, "mock.db")}`, seedFile)
    const key = String(field(yield* ask(adminKey, "POST", "/_mock/worlds", { name: "one" }), "key"))
    const holiday = (name: string) =>
      ask(key, "POST", "/rest/holiday", { name, date: "2027-01-01", companyId: "c1", tags: ["a"] })
    yield* holiday("Before")
    yield* ask(adminKey, "POST", "/_mock/worlds/one/snapshots", { name: "saved" })
    yield* ask(adminKey, "POST", "/_mock/clock/freeze?world=one", {})
    yield* ask(adminKey, "POST", "/_mock/clock/set?world=one", { to: frozenAt })
    yield* ask(adminKey, "POST", "/_mock/keys?world=one", { name: "reader", scopes: ["holiday:read"] })
    yield* holiday("After")
    const { bytes: exported } = yield* send(adminKey, "GET", "/_mock/worlds/one/export")
    yield* ask(adminKey, "POST", "/_mock/faults?world=one", { match: { resource: "kanban" }, status: 503 })
    assert.strictEqual(yield* stop, 0)
    const files = filesBelow(home).filter((path) => !path.endsWith("-lock"))
    const stored: Stored = {
      key,
      files: Object.fromEntries(
        files.map((path) => [path.slice(home.length + 1), readFileSync(path).toString("base64")])
      )
    }
    return { exported, stored: gzipSync(JSON.stringify(stored), { level: 9 }) }
  })
)

let made: Promise<Effect.Effect.Success<typeof make>> | undefined
const making = () => (made ??= Effect.runPromise(make))

const seeds = await Release.fixture("mock", "seed.json", () => Promise.resolve(JSON.stringify(seed, undefined, 2)))
const worlds = await Release.fixture("mock", "worlds.json.gz", async () => (await making()).stored)
const exports = await Release.fixture("mock", "one.world", async () => (await making()).exported)

const names = (rows: unknown) => (rows as ReadonlyArray<object>).map((row) => field(row, "name"))

describe("the files of mfg-mock's releases", () => {
  it.live.each(worlds.versions)(
    "are opened, a store with its worlds: %s",
    (version) =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const { files, key }: Stored = JSON.parse(gunzipSync(worlds.read(version)).toString())
        for (const [path, content] of Object.entries(files)) {
          mkdirSync(dirname(join(folder, path)), { recursive: true })
          writeFileSync(join(folder, path), Buffer.from(content, "base64"))
        }
        const { ask, send } = yield* serve(`sqlite:${join(folder, "mock.db")}`, "empty")
        const list = Effect.map(ask(key, "GET", "/rest/holiday?order=name"), names)
        assert.deepStrictEqual(yield* list, ["After", "Before", "Seeded"])
        assert.deepStrictEqual(names(yield* ask(seededKey, "GET", "/rest/holiday")), ["Seeded"])
        const clock = yield* ask(adminKey, "GET", "/_mock/clock?world=one")
        assert.deepStrictEqual([field(clock, "frozen"), field(clock, "now")], [true, frozenAt])
        assert.strictEqual((yield* send(key, "GET", "/rest/kanban")).status, 503)
        assert.deepStrictEqual(names(yield* ask(adminKey, "GET", "/_mock/keys?world=one")).slice(0, 1), ["reader"])
        yield* ask(adminKey, "POST", "/_mock/worlds/one/snapshots/saved/restore", {})
        assert.deepStrictEqual(yield* list, ["Before", "Seeded"])
        yield* ask(adminKey, "POST", "/_mock/worlds/one/reset", {})
        assert.deepStrictEqual(yield* list, ["Seeded"])
      }).pipe(Effect.scoped),
    300_000
  )

  it.live.each(exports.versions)(
    "are imported, the export of a world, by a service on the seed: %s",
    (version) =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const seedFile = join(folder, "seed.json")
        writeFileSync(seedFile, seeds.read(version))
        const { ask } = yield* serve("sqlite::memory:", seedFile)
        const [seeded] = (yield* ask(seededKey, "GET", "/rest/holiday")) as ReadonlyArray<object>
        assert.deepInclude(seeded, JSON.parse(seeds.read(version).toString()).rows.holiday[0])
        const imported = yield* ask(adminKey, "POST", "/_mock/worlds?name=two", exports.read(version))
        const rows = yield* ask(String(field(imported, "key")), "GET", "/rest/holiday?order=name")
        assert.deepStrictEqual(names(rows), ["After", "Before", "Seeded"])
        assert.strictEqual(field(yield* ask(adminKey, "GET", "/_mock/clock?world=two"), "now"), frozenAt)
      }).pipe(Effect.scoped),
    300_000
  )
})
