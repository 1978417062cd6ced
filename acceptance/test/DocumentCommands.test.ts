/**
 * Runs the commands of the documents on history, webhooks, storage and PostgreSQL against the built service, at its
 * address and with the times and ids of the run.
 */
import * as PostgresSchema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as BuiltService from "../src/BuiltService.ts"
import * as Document from "../src/Document.ts"
import type * as Program from "../src/Program.ts"
import * as Shell from "../src/Shell.ts"

const slow = 300_000

/** The administrator's key of the documents. */
const adminKey = "mfg_local_administration"

const missing = Shell.missing("curl")
const lacks = missing.length === 0 ? "" : ` (there is no ${missing.join(", ")} here)`

/** The commands of a document that contain a text, as one block. */
const commands = (path: string, text: string): string => {
  const found = Document.blocks(path, "sh").find((block) => block.includes(text))
  if (found === undefined) throw new Error(`${path} has no command with ${text}`)
  return found
}

const succeeded = ({ code, stderr, stdout }: Program.Ended): string => {
  assert.strictEqual(code, 0, `${stdout}\n${stderr}`)
  return stdout
}

/** The lines of an output: one for each row of a whole list. */
const lines = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

const list = "mfg holiday list --all --fields id"

/** The variables with which `mfg` and `mfg-mock` find a service. */
const variables = ({ key, origin }: BuiltService.BuiltService) => ({
  MFG_REST_URL: `${origin}/rest`,
  MFG_BASE_URL: `${origin}/api/v1`,
  MFG_API_KEY: key,
  MFG_ADMIN_KEY: adminKey,
  MFG_MOCK_ADMIN_KEY: adminKey
})

const moment = /2026-11-20T[\d:.]+Z/g

describe("the commands of docs/history.md", () => {
  it.scopedLive.skipIf(missing.length > 0)(
    `list, rewind and undo changes${lacks}`,
    () =>
      Effect.gen(function* () {
        const shell = yield* Shell.make
        const flags = commands("docs/history.md", "mfg-mock serve").match(/--\S+ \w+/g) ?? []
        const service = yield* BuiltService.serve("sqlite::memory:", {
          adminKey,
          flags: flags.flatMap((flag) => flag.split(" ")),
          seed: "demo"
        })
        const { key, origin } = service
        const env = variables(service)
        const run = (script: string, time: string, more = {}) => {
          const text = script
            .replaceAll("http://127.0.0.1:4010", origin)
            .replaceAll("mfg_local_development", key)
            .replaceAll(moment, time)
          return Effect.map(shell.run(text, { ...env, ...more }), succeeded)
        }
        const count = Effect.map(run(list, ""), (text) => lines(text).length)
        const importAll = (request: string) =>
          Effect.promise(async () => {
            const response = await fetch(`${origin}/rest/holiday`, {
              method: "POST",
              headers: {
                Authorization: `Bearer ${key}`,
                "Content-Type": "application/json",
                "X-Request-Id": request
              },
              body: JSON.stringify(
                [1, 2, 3].map((day) => ({ name: "Imported", date: `2027-05-0${day}`, companyId: "demo" }))
              )
            })
            assert.strictEqual(response.status, 201)
          })
        const before = yield* count
        const time = new Date().toISOString()
        yield* Effect.sleep(10)
        yield* importAll("first")
        assert.strictEqual(yield* count, before + 3)

        const listed = yield* run(commands("docs/history.md", "resource=holiday"), time)
        assert.strictEqual(listed.match(/Imported/g)?.length, 3)
        const followed = commands("docs/history.md", "event-stream").replace(
          "curl -sN",
          "curl -sN --max-time 2 -H 'Last-Event-ID: 0'"
        )
        // It follows the changes until its time is over, which is the exit code 28 of curl.
        assert.include(yield* run(`${followed.trimEnd()} || [ $? = 28 ]`, time), "Imported")
        assert.include(yield* run(commands("docs/history.md", "Accept-Datetime"), time), "warehouseTransferLine")

        const looked = yield* run(commands("docs/history.md", "--since"), time)
        assert.strictEqual(looked.match(/Imported/g)?.length, 3)
        yield* run(commands("docs/history.md", "/rewind"), time)
        assert.strictEqual(yield* count, before)

        yield* importAll("second")
        assert.strictEqual(yield* count, before + 3)
        yield* run(commands("docs/history.md", "/undo"), time, { request: "second" })
        assert.strictEqual(yield* count, before)
      }),
    slow
  )
})

describe("the commands of docs/webhooks.md", () => {
  it.scopedLive.skipIf(missing.length > 0)(
    `return the secret once, show and roll it, and advance the clock${lacks}`,
    () =>
      Effect.gen(function* () {
        const shell = yield* Shell.make
        const store = `sqlite:${join(shell.folder, "mock.db")}`
        const service = yield* BuiltService.serve(store, { adminKey, seed: "demo", flags: ["--clock", "virtual"] })
        const { key, origin } = service
        const env = { ...variables(service), MFG_MOCK_STORE: store, KEY: key }
        const create = Effect.promise(() =>
          fetch(`${origin}/rest/webhook`, {
            method: "POST",
            headers: {
              Authorization: `Bearer ${key}`,
              "Content-Type": "application/json",
              Prefer: "return=representation"
            },
            body: JSON.stringify({
              name: "all",
              table: "holiday",
              url: "https://receiver.example.com",
              companyId: "demo",
              onInsert: true,
              onUpdate: true,
              onDelete: true,
              active: true,
              successCount: 0,
              errorCount: 0
            })
          }).then((response) => response.json() as Promise<{ readonly id: string }>)
        )
        const run = (text: string, id = "") =>
          shell.run(
            commands("docs/webhooks.md", text).replaceAll("<id>", id).replaceAll("http://127.0.0.1:4010", origin),
            env
          )
        const { id } = yield* create
        assert.match(succeeded(yield* run("$KEY", id)), /"secret":\s*"whsec_/)
        assert.include(succeeded(yield* run("$KEY", id)), "MF409")
        const other = yield* create
        const secrets = succeeded(yield* run("webhooks roll", other.id)).match(/whsec_[\w+/=]+/g) ?? []
        assert.lengthOf(new Set(secrets), 2)
        assert.match(succeeded(yield* run("clock/advance")), /^\{"kind":"virtual","now":/)
      }),
    slow
  )
})

describe("the commands of docs/storage.md", () => {
  it.scopedLive.skipIf(missing.length > 0)(
    `save snapshots at regular times, and restore the newest one${lacks}`,
    () =>
      Effect.gen(function* () {
        const shell = yield* Shell.make
        const folder = join(shell.folder, ".mfgdata/snapshots")
        const store = `sqlite:${join(shell.folder, "mock.db")}`
        const service = yield* BuiltService.serve(store, { adminKey, seed: "demo", flags: ["--snapshots", folder] })
        const env = { ...variables(service), MFG_MOCK_STORE: store }
        const saved = commands("docs/storage.md", "snapshot save").replace("5m", "1s").trimEnd()
        // It goes on until it is stopped.
        const script = `(${saved.replace(/ *#.*/, "")}) & save=$!
          until [ "$(ls .mfgdata/snapshots/scheduled-*.db 2>/dev/null | wc -l)" -ge 2 ]; do sleep 0.2; done
          kill $save $(pgrep -P $save 2>/dev/null) 2>/dev/null || true`
        succeeded(yield* shell.run(script, env))
        assert.isAtLeast(readdirSync(folder).length, 2)
        succeeded(yield* shell.run(commands("docs/storage.md", "snapshot restore"), {}))
        const restored = yield* BuiltService.serve(`sqlite:${join(shell.folder, "restored.db")}`)
        const rows = yield* shell.run(list, variables(restored))
        assert.isNotEmpty(lines(succeeded(rows)))
      }),
    slow
  )
})

describe("the commands of docs/postgres.md", () => {
  it.scopedLive.skipIf(missing.length > 0)(
    `migrate, grant, serve, change the rules, and move rows to SQLite${lacks}`,
    () =>
      Effect.gen(function* () {
        const shell = yield* Shell.make
        const server = yield* PostgresServer.url
        const database = yield* PostgresSchema.database(server)
        const role = `app_${new URL(database).pathname.slice(1)}`
        yield* Effect.acquireRelease(PostgresSchema.run(database, `CREATE ROLE ${role} LOGIN PASSWORD 'app'`), () =>
          PostgresSchema.run(database, `DROP OWNED BY ${role}; DROP ROLE ${role}`)
        )
        const app = new URL(database)
        app.username = role
        app.password = "app"
        const [migrate = "", grants = "", serve = ""] = commands("docs/postgres.md", "mfg-mock grants")
          .replaceAll("postgres://mfg@db.example.com/mfgdata", database)
          .replaceAll("postgres://app@db.example.com/mfgdata", app.href)
          .replace("--role app", `--role ${role}`)
          .split("\n")
        succeeded(yield* shell.run(migrate))
        const [print = "", psql] = grants.split(" | ")
        assert.strictEqual(psql, "psql mfgdata")
        yield* PostgresSchema.run(database, succeeded(yield* shell.run(print)))
        const store = /--store (\S+)/.exec(serve)?.[1] ?? ""
        // The role of the service only reads and writes rows.
        const service = yield* BuiltService.serve(store, { seed: "demo" })
        const served = yield* shell.run(list, variables(service))
        assert.isNotEmpty(lines(succeeded(served)))
        const owner = { MFG_MOCK_STORE: database }
        const changed = yield* shell.run(commands("docs/postgres.md", "migrate --rules"), owner)
        succeeded(changed)
        assert.include(changed.stderr, "public")
        succeeded(yield* shell.run(commands("docs/postgres.md", "snapshot restore"), owner))
        const copy = yield* BuiltService.serve(`sqlite:${join(shell.folder, "copy.db")}`, {
          flags: ["--rules", "public"]
        })
        const rows = yield* shell.run(list, variables(copy))
        assert.isNotEmpty(lines(succeeded(rows)))
      }),
    slow
  )
})
