import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Front from "@mfgdata/shell/Front"
import * as testing from "@mfgdata/shell/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as zlib from "node:zlib"
import { front } from "../../src/commands/Program.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mfg-mock-"))
const adminKey = "mfg_administration"

beforeAll(() => {
  process.env["MFG_MOCK_ADMIN_KEY"] = adminKey
})

afterAll(() => {
  delete process.env["MFG_MOCK_ADMIN_KEY"]
  fs.rmSync(folder, { recursive: true })
})

/** Runs a command line; `onOutput` receives each text of standard output. */
const run = (args: ReadonlyArray<string>, onOutput?: (text: string) => void) =>
  Effect.map(testing.run(front, args, onOutput), ({ code, stderr, stdout }) => ({ code, out: stdout, err: stderr }))

const withoutAdminKey = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => delete process.env["MFG_MOCK_ADMIN_KEY"]),
    () => work,
    () => Effect.sync(() => (process.env["MFG_MOCK_ADMIN_KEY"] = adminKey))
  )

/** A seed file of one company with one user. */
const seedText = (rows: { readonly [resource: string]: ReadonlyArray<object> }) =>
  JSON.stringify({
    companies: [{ id: "acme", name: "Acme" }],
    users: [{ id: "u1", companyIds: ["acme"], email: "u1@acme.example", firstName: "U", lastName: "One" }],
    rows
  })

let stores = 0
/** The path of a new store. */
const place = () => path.join(folder, `${++stores}`, "mock.db")
const at = (file: string) => ["--store", `sqlite:${file}`]

/** Serves a store until the scope closes, and returns the banner. */
const serve = (file: string, ...more: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const started = yield* Deferred.make<string>()
    const args = ["serve", "--port", "0", ...at(file), ...more]
    const fiber = yield* Effect.fork(run(args, (text) => Deferred.unsafeDone(started, Effect.succeed(text))))
    const stop = Fiber.interrupt(fiber)
    yield* Effect.addFinalizer(() => stop)
    const banner = yield* Effect.raceFirst(
      Deferred.await(started),
      Effect.flatMap(Fiber.join(fiber), ({ err }) => Effect.dieMessage(err))
    )
    const [origin = ""] = /http:\/\/[\d.:]+/.exec(banner) ?? []
    const [key = ""] = /mfg_[0-9A-Za-z]{38}/.exec(banner) ?? []
    return { banner, origin, key, stop }
  })

const statusOf = (url: string, key: string) =>
  Effect.promise(async () => (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status)

describe("mfg-mock", () => {
  it.live("shows its help and its version", () =>
    Effect.gen(function* () {
      const { code, out } = yield* run(["--help"])
      assert.strictEqual(code, 0)
      for (const { name } of front.sections.flatMap(({ groups }) => groups)) assert.include(out, `  ${name} `)
      assert.include((yield* run(["--version"])).out, "1.2.3")
      for (const line of ["serve", "keys create", "keys list", "keys revoke", "keys roll", "seed", "migrate"]) {
        assert.include((yield* run([...line.split(" "), "--help"])).out, `\nFor example: mfg-mock ${line}`)
      }
      const help = (yield* run(["serve", "--help"])).out.replaceAll(/\s+/g, " ")
      for (const name of ["--port", "MFG_MOCK_PORT", "default 4010", "--max-rows", "--store", "--private-networks"])
        assert.include(help, name)
      const { code: refused, err } = yield* run(["serve", "--private-networks", "some"])
      assert.strictEqual(refused, 2)
      assert.include(err, 'Invalid value "some" for --private-networks: expected one of deny, loopback, allow.')
    })
  )

  it.live("refuses an invalid command line with code 2", () =>
    Effect.gen(function* () {
      const wrong = yield* run(["serve", "--port", "http"])
      assert.deepStrictEqual(wrong, {
        code: 2,
        out: "",
        err: `mfg-mock: Invalid value "http" for --port: expected an integer from 0 to 65535.\n`
      })
      const misused: ReadonlyArray<readonly [line: string, says: string]> = [
        ["sing", `Unknown command mfg-mock sing. The commands of mfg-mock are ${Front.names(front).join(", ")}.`],
        ["serve --prot 1", "Unknown flag --prot of mfg-mock serve. Did you mean --port?"],
        ["serve --port", "Missing value of --port."],
        ["seed", "Missing argument <file>"],
        ["serv", "Unknown command mfg-mock serv. Did you mean serve?"],
        ["keys ls", "Unknown command mfg-mock keys ls. Did you mean list?"],
        ["keys create --scope holiday:rea", `Invalid scope "holiday:rea". Did you mean holiday:read?`],
        [
          "keys create --expires tomorrow",
          `Invalid value "tomorrow" for --expires: expected a timestamp. For example: --expires`
        ],
        ["keys create --name=", `Invalid value "" for --name: expected the purpose of the key. For example: --name`],
        ["keys roll k --overlap long", `Invalid value "long" for --overlap: expected an integer of at least 0.`],
        ["webhooks roll w --overlap=-1", `Invalid value "-1" for --overlap: expected an integer of at least 0.`],
        ["worlds create --idle 0", `Invalid value "0" for --idle: expected an integer from 1 to 31536000.`],
        ["migrate --rules none", `Invalid value "none" for --rules: expected one of contract, public.`]
      ]
      for (const [line, says] of misused) {
        const { code, err, out } = yield* run(line.split(" "))
        assert.deepStrictEqual([code, out], [2, ""], line)
        assert.include(err, `mfg-mock: ${says}`)
        assert.lengthOf(err.trim().split("\n"), 1)
      }
    })
  )

  it.live("serves until it is stopped, and keeps its rows", () =>
    Effect.gen(function* () {
      const file = place()
      const first = yield* serve(file)
      for (const text of ["/rest", "/api/v1", "demo", "operations", first.key, "curl"])
        assert.include(first.banner, text)
      const url = `${first.origin}/rest/holiday`
      assert.strictEqual(yield* statusOf(url, first.key), 200)
      yield* first.stop
      const refused = yield* Effect.exit(Effect.tryPromise(() => fetch(url)))
      assert.strictEqual(refused._tag, "Failure")
      assert.isFalse(fs.existsSync(`${file}.lock`))

      const second = yield* serve(file)
      assert.strictEqual(second.key, "")
      assert.include(second.banner, "keys create")
      assert.strictEqual(yield* statusOf(`${second.origin}/rest/holiday`, first.key), 200)
    }).pipe(Effect.scoped)
  )

  it.live("does not repeat a key of the environment when it starts", () =>
    Effect.gen(function* () {
      process.env["MFG_MOCK_API_KEY"] = "mfg_from_the_environment"
      yield* Effect.addFinalizer(() => Effect.sync(() => delete process.env["MFG_MOCK_API_KEY"]))
      const { banner, origin } = yield* serve(place())
      assert.notInclude(banner, "mfg_from_the_environment")
      assert.notInclude(banner, adminKey)
      assert.include(banner, 'Authorization: Bearer $MFG_MOCK_API_KEY"')
      assert.strictEqual(yield* statusOf(`${origin}/rest/holiday`, "mfg_from_the_environment"), 200)
    }).pipe(Effect.scoped)
  )

  it.live("shows a key of the documentation, so that the commands to try run as they are", () =>
    Effect.gen(function* () {
      process.env["MFG_MOCK_API_KEY"] = "mfg_local_development"
      yield* Effect.addFinalizer(() => Effect.sync(() => delete process.env["MFG_MOCK_API_KEY"]))
      const { banner } = yield* serve(place())
      assert.include(banner, 'Authorization: Bearer mfg_local_development"')
    }).pipe(Effect.scoped)
  )

  it.live("creates an empty store with --seed empty", () =>
    Effect.gen(function* () {
      const { key, origin } = yield* serve(place(), "--seed", "empty")
      const count = (resource: string) =>
        Effect.promise(async () => {
          const response = await fetch(`${origin}/rest/${resource}`, { headers: { authorization: `Bearer ${key}` } })
          const rows: unknown = await response.json()
          return Array.isArray(rows) ? rows.length : -1
        })
      assert.strictEqual(yield* count("holiday"), 0)
      assert.isAbove(yield* count("webhookTable"), 29)
    }).pipe(Effect.scoped)
  )

  it.live("reports a port or a store that is in use", () =>
    Effect.gen(function* () {
      const file = place()
      const { origin } = yield* serve(file)
      const { port } = new URL(origin)
      const other = place()
      const samePort = yield* run(["serve", "--port", port, ...at(other)])
      assert.deepStrictEqual(samePort, {
        code: 1,
        out: "",
        err: `mfg-mock: Port ${port} of 127.0.0.1 is in use. Stop the other process, or select another port with --port.\n`
      })
      for (const command of [["serve", "--port", "0"], ["migrate"], ["seed", "seed.json"]]) {
        const { code, err } = yield* run([...command, ...at(file)])
        assert.strictEqual(code, 1)
        assert.include(err, `is in use by process ${process.pid}, which serves port ${port}`)
        assert.lengthOf(err.trim().split("\n"), 1)
      }
      // A start that failed has not shown the first key.
      assert.match((yield* serve(other)).key, /^mfg_/)
    }).pipe(Effect.scoped)
  )

  const lifeOfAKey = (file: string, usable: (key: string) => Effect.Effect<boolean>) =>
    Effect.gen(function* () {
      const created = yield* run(["keys", "create", "--name", "a script", "--scope", "holiday:read", ...at(file)])
      assert.strictEqual(created.code, 0)
      // A script reads the key from standard output.
      assert.match(created.out, /^mfg_[0-9A-Za-z]{38}\n$/)
      const key = created.out.trim()
      const [, id = ""] = /The key (\w+)/.exec(created.err) ?? []
      assert.isTrue(yield* usable(key))

      const listed = yield* run(["keys", "list", ...at(file)])
      assert.include(listed.out, id)
      assert.include(listed.out, "a script")
      assert.include(listed.out, "holiday:read")
      assert.notInclude(listed.out, key)

      const rolled = yield* run(["keys", "roll", id, ...at(file)])
      assert.isTrue(yield* usable(rolled.out.trim()))
      assert.isFalse(yield* usable(key))

      const [, rolledId = ""] = /The key (\w+)/.exec(rolled.err) ?? []
      assert.strictEqual((yield* run(["keys", "revoke", rolledId, ...at(file)])).code, 0)
      assert.isFalse(yield* usable(rolled.out.trim()))

      const again = yield* run(["keys", "revoke", rolledId, ...at(file)])
      assert.strictEqual(again.code, 1)
      assert.include(again.err, `There is no active key "${rolledId}"`)
    })

  it.live("creates, lists, rolls and revokes keys while a service uses the store", () =>
    Effect.gen(function* () {
      const file = place()
      const { origin } = yield* serve(file)
      yield* lifeOfAKey(file, (key) => Effect.map(statusOf(`${origin}/rest/holiday`, key), (status) => status === 200))
    }).pipe(Effect.scoped)
  )

  it.live("creates, lists, rolls and revokes keys while no service uses the store", () =>
    Effect.gen(function* () {
      const file = place()
      yield* Effect.scoped(serve(file))
      yield* lifeOfAKey(file, (key) =>
        Effect.scoped(
          Effect.flatMap(serve(file), ({ origin }) =>
            Effect.map(statusOf(`${origin}/rest/holiday`, key), (status) => status === 200)
          )
        )
      )
    })
  )

  it.live("refuses to use a store of a service without an administrator's key", () =>
    Effect.gen(function* () {
      const file = place()
      yield* serve(file)
      const { code, err } = yield* withoutAdminKey(run(["keys", "list", ...at(file)]))
      assert.strictEqual(code, 1)
      assert.include(err, "set MFG_MOCK_ADMIN_KEY for it and for this command")
    }).pipe(Effect.scoped)
  )

  it.live("manages the worlds of a service at an address", () =>
    Effect.gen(function* () {
      const { origin } = yield* serve(place())
      const worlds = (...args: ReadonlyArray<string>) => run(["worlds", ...args, "--url", origin])
      assert.match((yield* worlds("create", "--name", "one")).out, /^mfg_\w+\n$/)
      assert.match((yield* worlds("list")).out, /^one /m)
      const keyless = yield* withoutAdminKey(worlds("list"))
      assert.strictEqual(keyless.code, 2)
      assert.include(keyless.err, "needs the administrator's key of the service")
      assert.include(keyless.err, "MFG_MOCK_ADMIN_KEY=")
      const misplaced = yield* run(["worlds", "list", "--url", "nowhere"])
      assert.strictEqual(misplaced.code, 2)
      assert.include(misplaced.err, 'Invalid value "nowhere" for --url: expected the address of a service.')
    }).pipe(Effect.scoped)
  )

  it.live("does not create a store to list its keys", () =>
    Effect.gen(function* () {
      const file = place()
      const { code, err } = yield* run(["keys", "list", ...at(file)])
      assert.deepStrictEqual([code, err], [1, `mfg-mock: No store at ${file}. mfg-mock serve creates one.\n`])
      assert.isFalse(fs.existsSync(file))
      const memory = yield* run(["keys", "list", "--store", "sqlite::memory:"])
      assert.include(memory.err, "belongs to the process that serves it")
    })
  )

  it.live("saves everything and restores it, with and without a service", () =>
    Effect.gen(function* () {
      const file = place()
      const snapshot = path.join(folder, `${stores}.gz`)
      const { key, stop } = yield* serve(file, "--snapshots", folder)
      assert.strictEqual((yield* run(["snapshot", "save", snapshot, ...at(file)])).code, 0)
      yield* stop
      const copy = place()
      const restored = yield* run(["snapshot", "restore", snapshot, ...at(copy)])
      assert.deepStrictEqual([restored.code, restored.err], [0, `Restored from ${snapshot}.\n`])
      const { origin } = yield* serve(copy, "--seed", "empty", "--snapshots", folder)
      assert.strictEqual(yield* statusOf(`${origin}/rest/holiday?id=eq.hol_2026-01-01`, key), 200)
      const broken = path.join(folder, "broken.gz")
      fs.writeFileSync(broken, "nothing of the kind")
      const refused = yield* run(["snapshot", "restore", broken, ...at(copy)])
      assert.strictEqual(refused.code, 1)
      assert.include(refused.err, broken)
      assert.strictEqual(yield* statusOf(`${origin}/rest/holiday`, key), 200)
    }).pipe(Effect.scoped)
  )

  it.live("changes the rules, or lists the rows that violate them", () =>
    Effect.gen(function* () {
      const file = place()
      const seed = path.join(folder, "seed.json")
      const transfer = { transferId: "T1", fromLocationId: "a", toLocationId: "b", status: "Lost", companyId: "acme" }
      fs.writeFileSync(seed, seedText({ warehouseTransfer: [transfer] }))
      assert.strictEqual((yield* run(["seed", seed, ...at(file)])).code, 0)
      const refused = yield* run(["migrate", "--rules", "public", ...at(file)])
      assert.strictEqual(refused.code, 1)
      assert.include(refused.err, "warehouseTransfer (status)")
      const kept = yield* run(["migrate", ...at(file)])
      assert.deepStrictEqual([kept.code, kept.err], [0, `The store ${file} is up to date, rules contract.\n`])

      const other = place()
      yield* Effect.scoped(serve(other))
      const switched = yield* run(["migrate", "--rules", "public", ...at(other)])
      assert.deepStrictEqual([switched.code, switched.err], [0, `The store ${other} is up to date, rules public.\n`])
    })
  )

  it.scoped("saves snapshots below --snapshots while a service runs, and never in place of another file", () =>
    Effect.gen(function* () {
      const file = place()
      const backups = path.join(path.dirname(file), "backups")
      const save = (name: string) => run(["snapshot", "save", name, ...at(file)])
      const { stop } = yield* serve(file, "--snapshots", backups)
      for (const name of ["a.db", "a.gz"].map((name) => path.join(backups, "daily", name))) {
        assert.strictEqual((yield* save(name)).code, 0)
        // A snapshot may be replaced by another one.
        assert.strictEqual((yield* save(name)).code, 0)
        assert.strictEqual((yield* run(["snapshot", "restore", name, ...at(file)])).code, 0)
      }
      const valuable = path.join(path.dirname(file), "valuable.txt")
      fs.writeFileSync(valuable, "valuable")
      fs.symlinkSync(path.dirname(file), path.join(backups, "out"))
      fs.symlinkSync(valuable, path.join(backups, "link.gz"))
      for (const name of [
        path.join(path.dirname(file), "b.db"),
        path.join(backups, "..", "b.db"),
        path.join(backups, "out", "b.db"),
        path.join(backups, "link.gz"),
        backups,
        file
      ]) {
        for (const verb of ["save", "restore"]) {
          const refused = yield* run(["snapshot", verb, name, ...at(file)])
          assert.strictEqual(refused.code, 1, name)
          assert.include(refused.err, `Snapshots of a running service are files below ${backups} (--snapshots)`)
        }
      }
      const kept = path.join(backups, "notes.txt")
      fs.writeFileSync(kept, "notes")
      assert.include((yield* save(kept)).err, "notes.txt exists and is not a snapshot")
      yield* stop
      for (const name of [valuable, kept, file, path.dirname(file)]) {
        const refused = yield* save(name)
        assert.strictEqual(refused.code, 1, name)
        assert.include(refused.err, "exists and is not a snapshot: expected the name of a new file, or of a snapshot")
      }
      assert.deepStrictEqual(
        [valuable, kept].map((name) => fs.readFileSync(name, "utf8")),
        ["valuable", "notes"]
      )
      // A snapshot that was opened as a store is one.
      const copy = path.join(backups, "daily", "a.db")
      assert.strictEqual((yield* run(["keys", "list", ...at(copy)])).code, 0)
      assert.include((yield* save(copy)).err, "is not a snapshot")
    })
  )

  it.live("lists dangling references and duplicates under other rules, and changes no rows", () =>
    Effect.gen(function* () {
      const file = place()
      const seed = path.join(folder, "violations.json")
      const client = {
        name: "App",
        redirectUris: [],
        grantTypes: [],
        responseTypes: [],
        tokenEndpointAuthMethod: "none"
      }
      const line = { itemId: "i", quantity: 1, shippedQuantity: 0, receivedQuantity: 0, companyId: "acme" }
      const lines = ["l1", "l2"].map((id) => ({
        ...line,
        id,
        transferId: `gone ${id}`,
        fromLocationId: "a",
        toLocationId: "b"
      }))
      const clients = ["c2", "c1"].map((id) => ({ ...client, id, clientId: "twice" }))
      fs.writeFileSync(seed, seedText({ warehouseTransferLine: lines, oauthClient: clients }))
      const seeded = yield* run(["seed", seed, ...at(file)])
      assert.strictEqual(seeded.code, 0, seeded.err)
      const rows = (name: string) =>
        Effect.map(run(["snapshot", "save", path.join(folder, name), ...at(file)]), ({ code, err }) => {
          assert.strictEqual(code, 0, err)
          return zlib.gunzipSync(fs.readFileSync(path.join(folder, name))).toString()
        })
      const before = yield* rows("before.gz")
      const refused = yield* run(["migrate", "--rules", "public", ...at(file)])
      assert.strictEqual(refused.code, 1)
      assert.include(
        refused.err,
        "oauthClient (clientId) breaks oauthClient_clientId_key in 2 rows: c1 of acme, c2 of acme"
      )
      assert.include(
        refused.err,
        "warehouseTransferLine (transferId) breaks warehouseTransferLine_transferId_fkey in 2 rows: l1 of acme, l2 of acme"
      )
      assert.strictEqual(yield* rows("after.gz"), before)
      assert.include(before, `"ruleSet":"contract"`)
    })
  )

  it.live("plants, saves and restores a text of a megabyte", () =>
    Effect.gen(function* () {
      const [file, copy] = [place(), place()]
      const [seed, snapshot] = ["long.json", "long.gz"].map((name) => path.join(folder, name))
      assert(seed !== undefined && snapshot !== undefined)
      const name = randomBytes(500_000).toString("hex")
      fs.writeFileSync(seed, seedText({ holiday: [{ id: "long", name, date: "2027-05-01", companyId: "acme" }] }))
      const steps = [
        ["seed", seed, ...at(file)],
        ["snapshot", "save", snapshot, ...at(file)],
        ["snapshot", "restore", snapshot, ...at(copy)]
      ]
      for (const step of steps) {
        const { code, err } = yield* run(step)
        assert.strictEqual(code, 0, err)
      }
      const created = yield* run(["keys", "create", "--company", "acme", "--user", "u1", ...at(copy)])
      const [key = ""] = /mfg_[0-9A-Za-z]{38}/.exec(created.out) ?? []
      const { origin } = yield* serve(copy)
      const rows = yield* Effect.promise(async () => {
        const response = await fetch(`${origin}/rest/holiday?select=name`, {
          headers: { authorization: `Bearer ${key}` }
        })
        return response.json()
      })
      assert.deepStrictEqual(rows, [{ name }])
    }).pipe(Effect.scoped)
  )
})
