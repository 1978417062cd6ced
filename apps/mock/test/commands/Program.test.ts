import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Program from "../../src/commands/Program.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mfg-mock-"))
const adminKey = "mfg_administration"

beforeAll(() => {
  process.env["MFG_MOCK_ADMIN_KEY"] = adminKey
})

afterAll(() => {
  delete process.env["MFG_MOCK_ADMIN_KEY"]
  fs.rmSync(folder, { recursive: true })
})

const environment = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeTerminal.layer)

const line = (parts: ReadonlyArray<unknown>): string => `${parts.join(" ")}\n`

/** Runs a command line, handing every line of standard output to `heard`. */
const run = (args: ReadonlyArray<string>, heard: (text: string) => Effect.Effect<unknown> = () => Effect.void) =>
  Effect.gen(function* () {
    const said = { out: "", err: "" }
    const console: Console.Console = {
      ...(yield* Effect.console),
      log: (...parts) =>
        Effect.suspend(() => {
          said.out += line(parts)
          return Effect.asVoid(heard(line(parts)))
        }),
      error: (...parts) =>
        Effect.sync(() => {
          said.err += line(parts)
        })
    }
    const code = yield* Program.run("1.2.3", ["node", "mfg-mock", ...args]).pipe(
      Effect.provide(environment),
      Effect.withConsole(console)
    )
    return { code, ...said }
  })

let stores = 0
/** A place for a store of its own. */
const place = () => path.join(folder, `${++stores}`, "mock.db")
const at = (file: string) => ["--store", `sqlite:${file}`]

/** Serves a store until the scope ends, and answers what the start says. */
const serve = (file: string, ...more: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const started = yield* Deferred.make<string>()
    const args = ["serve", "--port", "0", ...at(file), ...more]
    const fiber = yield* Effect.fork(run(args, (text) => Deferred.succeed(started, text)))
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
  it.live("explains itself", () =>
    Effect.gen(function* () {
      const { code, out } = yield* run(["--help"])
      assert.strictEqual(code, 0)
      for (const command of ["serve", "keys create", "keys list", "keys revoke", "keys roll", "seed", "migrate"]) {
        assert.include(out, command)
      }
      assert.include((yield* run(["--version"])).out, "1.2.3")
      for (const line of ["serve", "keys create", "keys list", "keys revoke", "keys roll", "seed", "migrate"]) {
        assert.include((yield* run([...line.split(" "), "--help"])).out, `For example: mfg-mock ${line}`)
      }
      const { out: help } = yield* run(["serve", "--help"])
      for (const text of ["--port", "MFG_MOCK_PORT", "Default 4010", "--max-rows", "--store", "--private-networks"])
        assert.include(help, text)
      const { code: refused, err } = yield* run(["serve", "--private-networks", "some"])
      assert.notStrictEqual(refused, 0)
      assert.include(err, "--private-networks takes one of deny, loopback, allow")
    })
  )

  it.live("ends with 2 when it is misused, and says how", () =>
    Effect.gen(function* () {
      const wrong = yield* run(["serve", "--port", "http"])
      assert.deepStrictEqual(wrong, {
        code: 2,
        out: "",
        err: `mfg-mock: --port takes a whole number from 0 to 65535, not "http"\n`
      })
      const unknown = yield* run(["serve", "--prt", "1"])
      assert.strictEqual(unknown.code, 2)
      assert.include(unknown.err, "--prt")
      const misused: ReadonlyArray<readonly [line: string, says: string]> = [
        ["sing", "There is no command mfg-mock sing. There is serve, keys, seed, migrate, snapshot, webhooks."],
        ["serv", "There is no command mfg-mock serv. Did you mean serve?"],
        ["keys ls", "There is no command mfg-mock keys ls. Did you mean list?"],
        ["keys create --scope holiday:rea", `Invalid scope "holiday:rea". Did you mean holiday:read?`],
        [
          "keys create --expires tomorrow",
          `--expires takes a timestamp, and "tomorrow" is none. For example: --expires`
        ],
        ["keys roll k --overlap long", `--overlap takes a whole number of seconds from 0, and "long" is none.`],
        ["webhooks roll w --overlap=-1", `--overlap takes a whole number of seconds from 0, and "-1" is none.`],
        ["migrate --rules none", "--rules takes one of contract, public"]
      ]
      for (const [line, says] of misused) {
        const { code, err, out } = yield* run(line.split(" "))
        assert.deepStrictEqual([code, out], [2, ""], line)
        assert.include(err, `mfg-mock: ${says}`)
      }
    })
  )

  it.live("serves until it is stopped, and keeps what it had", () =>
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

  it.live("begins a store empty when it is told to", () =>
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

  it.live("says in one sentence that a port or a store is taken", () =>
    Effect.gen(function* () {
      const file = place()
      const { origin } = yield* serve(file)
      const { port } = new URL(origin)
      const other = place()
      const samePort = yield* run(["serve", "--port", port, ...at(other)])
      assert.deepStrictEqual(samePort, {
        code: 1,
        out: "",
        err: `mfg-mock: port ${port} of 127.0.0.1 is in use: stop what listens there, or choose another with --port\n`
      })
      for (const command of [["serve", "--port", "0"], ["migrate"], ["seed", "seed.json"]]) {
        const { code, err } = yield* run([...command, ...at(file)])
        assert.strictEqual(code, 1)
        assert.include(err, `is in use by process ${process.pid}, which serves port ${port}`)
        assert.lengthOf(err.trim().split("\n"), 1)
      }
      // What failed to start has shown no key yet.
      assert.match((yield* serve(other)).key, /^mfg_/)
    }).pipe(Effect.scoped)
  )

  const lifeOfAKey = (file: string, usable: (key: string) => Effect.Effect<boolean>) =>
    Effect.gen(function* () {
      const created = yield* run(["keys", "create", "--name", "a script", "--scope", "holiday:read", ...at(file)])
      assert.strictEqual(created.code, 0)
      // The key alone, for a script to take.
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
      assert.include(again.err, `there is no key "${rolledId}" in use`)
    })

  it.live("makes, lists, rolls and revokes keys while a service has the store", () =>
    Effect.gen(function* () {
      const file = place()
      const { origin } = yield* serve(file)
      yield* lifeOfAKey(file, (key) => Effect.map(statusOf(`${origin}/rest/holiday`, key), (status) => status === 200))
    }).pipe(Effect.scoped)
  )

  it.live("makes, lists, rolls and revokes keys while no service has the store", () =>
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

  it.live("does not ask a service that has no administrator", () =>
    Effect.gen(function* () {
      const file = place()
      yield* serve(file)
      delete process.env["MFG_MOCK_ADMIN_KEY"]
      const { code, err } = yield* Effect.ensuring(
        run(["keys", "list", ...at(file)]),
        Effect.sync(() => (process.env["MFG_MOCK_ADMIN_KEY"] = adminKey))
      )
      assert.strictEqual(code, 1)
      assert.include(err, "set MFG_MOCK_ADMIN_KEY for it and for this command")
    }).pipe(Effect.scoped)
  )

  it.live("makes no store by looking for one", () =>
    Effect.gen(function* () {
      const file = place()
      const { code, err } = yield* run(["keys", "list", ...at(file)])
      assert.deepStrictEqual([code, err], [1, `mfg-mock: there is no store at ${file} yet: mfg-mock serve makes one\n`])
      assert.isFalse(fs.existsSync(file))
      const memory = yield* run(["keys", "list", "--store", "sqlite::memory:"])
      assert.include(memory.err, "belongs to the process that serves it")
    })
  )

  it.live("saves everything and restores it, with and without a service", () =>
    Effect.gen(function* () {
      const file = place()
      const snapshot = path.join(folder, `${stores}.gz`)
      const { key, stop } = yield* serve(file)
      assert.strictEqual((yield* run(["snapshot", "save", snapshot, ...at(file)])).code, 0)
      yield* stop
      const copy = place()
      const restored = yield* run(["snapshot", "restore", snapshot, ...at(copy)])
      assert.deepStrictEqual([restored.code, restored.err], [0, `Restored from ${snapshot}.\n`])
      const { origin } = yield* serve(copy, "--seed", "empty")
      assert.strictEqual(yield* statusOf(`${origin}/rest/holiday?id=eq.hol_2026-01-01`, key), 200)
      const broken = path.join(folder, "broken.gz")
      fs.writeFileSync(broken, "nothing of the kind")
      const refused = yield* run(["snapshot", "restore", broken, ...at(copy)])
      assert.strictEqual(refused.code, 1)
      assert.include(refused.err, broken)
      assert.strictEqual(yield* statusOf(`${origin}/rest/holiday`, key), 200)
    }).pipe(Effect.scoped)
  )

  it.live("puts other rules in force, or says what stands against them", () =>
    Effect.gen(function* () {
      const file = place()
      const seed = path.join(folder, "seed.json")
      fs.writeFileSync(
        seed,
        JSON.stringify({
          companies: [{ id: "acme", name: "Acme" }],
          users: [{ id: "u1", companyIds: ["acme"], email: "u1@acme.example", firstName: "U", lastName: "One" }],
          rows: {
            warehouseTransfer: [
              { transferId: "T1", fromLocationId: "a", toLocationId: "b", status: "Lost", companyId: "acme" }
            ]
          }
        })
      )
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
})
