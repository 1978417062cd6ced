/**
 * Makes and reads the fixtures of stores: for each release a folder `stores/<version>` with a SQLite file, the SQL of a
 * PostgreSQL store, snapshots of the rows that both contain in the portable form and that of SQLite, and the digests of
 * the migrations.
 */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import * as zlib from "node:zlib"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as Migration from "../../src/store/migrations/Migration.ts"
import * as Snapshot from "../../src/store/Snapshot.ts"
import * as Postgres from "../postgres/schema.ts"
import { lines } from "../store/rows.ts"
import { scratch } from "../store/scratch.ts"

const folder = path.join(
  fileURLToPath(new URL(".", import.meta.url)).replace(/\.tsbuildinfo.*$/, "test/upgrade/"),
  "stores"
)

/** The version of this package, whose fixture the command makes again. */
export const { version } = createRequire(import.meta.url)("../../package.json") as { readonly version: string }

/** The command that makes the fixture of this version. */
export const command = "npm run fixtures"

export const isWriting = process.env["MFG_FIXTURES"] === "write"

/** The version that no release has: its fixture may be made again. */
const unreleased = "0.0.0"

/** The versions of the changelog, and the current one. Each has a fixture. */
export const versions = (): ReadonlyArray<string> => {
  const changelog = path.join(folder, "../../../CHANGELOG.md")
  const text = fs.existsSync(changelog) ? fs.readFileSync(changelog, "utf8") : ""
  return [...new Set([...Array.from(text.matchAll(/^## (\d\S*)/gm), ([, found = ""]) => found), version])]
}

/** The files of a version's fixture. */
export const files = (version: string) => ({
  database: path.join(folder, version, "store.db.gz"),
  sql: path.join(folder, version, "store.sql.gz"),
  rows: path.join(folder, version, "rows.ndjson.gz"),
  snapshot: path.join(folder, version, "snapshot.db.gz"),
  migrations: path.join(folder, version, "migrations.json")
})

/** The digests of a migration, as they were at a release. Stores may have run it: it never changes. */
export interface Digest {
  readonly name: string
  readonly sqlite: string
  readonly postgres: string
}

const digest = (sql: string): string => createHash("sha256").update(sql).digest("hex")

/** The digests of the migrations of this version. */
export const digests: ReadonlyArray<Digest> = Migration.migrations.map(({ name, number, postgres, sqlite }) => ({
  name: `${String(number).padStart(4, "0")}_${name}`,
  sqlite: digest(sqlite),
  postgres: digest(postgres)
}))

/** The digests of the migrations of a release. */
export const released = (version: string): ReadonlyArray<Digest> =>
  JSON.parse(fs.readFileSync(files(version).migrations, "utf8"))

const text = `Two "2" ü 漢 \\ '`

/** Rows of the service's own tables, with times in microseconds. */
const serviceLines: ReadonlyArray<Snapshot.Line> = [
  { table: "_company", row: { id: "c1", name: text } },
  {
    table: "_user",
    row: {
      id: "u1",
      email: "u1@example.com",
      firstName: "User",
      lastName: text,
      fullName: null,
      about: "",
      avatarUrl: null,
      phone: null,
      flags: "{}",
      active: 1,
      admin: 0,
      developer: null,
      acknowledgedITAR: 0,
      isConsoleOperator: 1,
      createdAt: "2026-01-01T00:00:00.123456+01:00",
      updatedAt: null
    }
  },
  { table: "_companyUser", row: { companyId: "c1", userId: "u1" } },
  {
    table: "_apiKey",
    row: {
      id: "k1",
      companyId: "c1",
      userId: "u1",
      name: text,
      digest: "00ff",
      preview: "mfg_…",
      scopes: `["*"]`,
      createdAt: 1_700_000_000_000_001,
      expiresAt: null,
      lastUsedAt: 1_700_000_000_000_002,
      revokedAt: null
    }
  },
  { table: "_attributeCategory", row: { id: "g1", companyId: "c1", name: "Skills", emoji: "🛠", public: 1, active: 1 } },
  {
    table: "_attribute",
    row: {
      id: "a1",
      categoryId: "g1",
      name: "Weight",
      sortOrder: 0.1,
      type: "numeric",
      listOptions: null,
      canSelfManage: 1,
      active: 1
    }
  },
  {
    table: "_attributeValue",
    row: {
      id: "v1",
      attributeId: "a1",
      userId: "u1",
      valueBoolean: null,
      valueDate: null,
      valueNumeric: 0.300_000_000_000_000_04,
      valueText: null,
      valueUser: null,
      valueFile: null
    }
  },
  {
    table: "_notificationPreference",
    row: { companyId: "c1", userId: "u1", topic: "t", channel: "email", enabled: 0, updatedAt: 1_700_000_000_000_003 }
  },
  {
    table: "_outbox",
    row: {
      sequence: 41,
      change: "e1",
      companyId: "c1",
      table: "holiday",
      key: "h1",
      type: "INSERT",
      record: JSON.stringify({ name: text }),
      old: null,
      at: 1_700_000_000_000_004
    }
  },
  {
    table: "_webhookSecret",
    row: { companyId: "c1", webhookId: "w1", secret: "whsec_a", createdAt: 1, expiresAt: null, shownAt: 2 }
  },
  { table: "_webhookFailure", row: { companyId: "c1", webhookId: "w1", failingSince: 1_700_000_000_000_005 } },
  {
    table: "_webhookCount",
    row: {
      id: 19,
      companyId: "c1",
      webhookId: "w1",
      isSuccess: 1,
      count: 3,
      first: 1_700_000_000_000_005,
      last: 1_700_000_000_000_006,
      moment: "2023-11-14T22:13:20.000Z",
      isFolding: 0
    }
  },
  {
    table: "_delivery",
    row: {
      id: 17,
      sequence: 41,
      companyId: "c1",
      webhookId: "w1",
      key: "h1",
      state: "succeeded",
      attempts: 1,
      dueAt: null,
      leasedBy: null,
      createdAt: 1_700_000_000_000_006,
      settledAt: 1_700_000_000_000_007
    }
  },
  {
    table: "_deliveryAttempt",
    row: {
      id: 23,
      companyId: "c1",
      deliveryId: 17,
      number: 1,
      at: 1_700_000_000_000_008,
      duration: 5,
      outcome: "succeeded",
      url: "https://receiver.example/",
      requestHeaders: "{}",
      status: 200,
      responseHeaders: "{}",
      responseBody: text,
      error: null
    }
  },
  {
    table: "_idempotency",
    row: {
      companyId: "c1",
      userId: "u1",
      key: "once",
      requestHash: "00",
      status: 201,
      headers: "{}",
      body: text,
      createdAt: 1_700_000_000_000_009
    }
  }
]

/** The rows of a fixture, from a fixed seed. */
const content = (): ReadonlyArray<Snapshot.Line> => [...serviceLines, ...lines("c1", 3, 20_260_101)]

/** The store of an address, until the scope ends. */
export const open = (store: Settings.StoreAddress) =>
  Effect.map(Instance.open({ store, rules: "contract" }), ({ store }) => store)

/** The SQL of the rows of a store on PostgreSQL, in the form in which any version can insert them. */
const inserts = (url: string): Effect.Effect<string> =>
  Effect.gen(function* () {
    const tables = yield* Schema.run(
      url,
      `SELECT c.relname, a.attname FROM pg_class AS c
        LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attidentity <> ''
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY c.oid`
    )
    const statements: Array<string> = []
    for (const [name, identity] of tables) {
      const table = `"${name}"`
      const [row] = yield* Schema.run(url, `SELECT json_agg(t)::text FROM ${table} AS t`)
      if (typeof row?.[0] !== "string") continue
      statements.push(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $rows$${row[0]}$rows$);`
      )
      if (identity !== null)
        statements.push(
          `SELECT setval(pg_get_serial_sequence('${table}', '${identity}'), (SELECT max("${identity}") FROM ${table}));`
        )
    }
    return statements.join("\n")
  })

/** Without the time that gzip adds, so that the same content makes the same file. */
const compress = (file: string, data: string | Buffer) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, zlib.gzipSync(data, { level: 9 }))
}

/** Makes the fixture of this version, unless it was released. */
export const write = Effect.scoped(
  Effect.gen(function* () {
    if (version !== unreleased) {
      // Nothing was released as the version before the first.
      fs.rmSync(path.join(folder, unreleased), { recursive: true, force: true })
      if (fs.existsSync(files(version).migrations)) return
    }
    const place = yield* scratch
    const all = content()
    const counts: { [table: string]: number } = {}
    for (const { table } of all) counts[table] = (counts[table] ?? 0) + 1
    const snapshot = path.join(place, "rows.ndjson.gz")
    const texts = all.map((line) => JSON.stringify(line))
    yield* Snapshot.write(snapshot, Snapshot.header("contract", counts), texts)
    const { database, migrations, rows, snapshot: copy, sql } = files(version)
    const file = path.join(place, "store.db")
    yield* Effect.scoped(
      Effect.gen(function* () {
        const store = yield* open({ _tag: "Sqlite", path: file })
        yield* store.restore(snapshot)
        yield* store.save(path.join(place, "snapshot.db"))
      })
    )
    compress(database, fs.readFileSync(file))
    compress(copy, fs.readFileSync(path.join(place, "snapshot.db")))
    const address = yield* Postgres.fresh
    yield* Effect.scoped(Effect.flatMap(open(address), (store) => store.restore(snapshot)))
    const ddl = Migration.migrations.map(({ postgres }) => postgres)
    compress(sql, [...ddl, yield* inserts(address.url)].join("\n"))
    compress(rows, zlib.gunzipSync(fs.readFileSync(snapshot)))
    fs.writeFileSync(migrations, `${JSON.stringify(digests, undefined, 2)}\n`)
  })
)

/** The store of a version on SQLite. */
export const sqlite = (version: string): Effect.Effect<Settings.StoreAddress, never, Scope.Scope> =>
  Effect.map(scratch, (place) => {
    const file = path.join(place, "store.db")
    fs.writeFileSync(file, zlib.gunzipSync(fs.readFileSync(files(version).database)))
    return { _tag: "Sqlite", path: file }
  })

/** The store of a version on PostgreSQL. */
export const postgres = (version: string): Effect.Effect<Settings.StoreAddress, never, Scope.Scope> =>
  Effect.gen(function* () {
    const address = yield* Postgres.fresh
    const schema = new URL(address.url).searchParams.get("search_path") ?? ""
    const sql = zlib.gunzipSync(fs.readFileSync(files(version).sql)).toString()
    yield* Schema.run(address.url, `CREATE SCHEMA "${schema}"; BEGIN; SET CONSTRAINTS ALL DEFERRED; ${sql}; COMMIT`)
    return address
  })

/** The rows of a snapshot, by table. */
export const rowsOf = (file: string) =>
  Effect.gen(function* () {
    const tables = new Map<string, Array<Snapshot.Line>>()
    yield* Snapshot.read(file, {
      header: () => undefined,
      line: (line) => void tables.set(line.table, [...(tables.get(line.table) ?? []), line])
    })
    return tables
  })

/** A service on the store, whose key belongs to the company of the rows. */
export const serve = (store: Settings.StoreAddress, apiKey: string) =>
  Instance.make({
    settings: { ...Settings.defaults, store, seed: { _tag: "Empty" }, apiKey, log: "off" },
    write: () => {}
  })
