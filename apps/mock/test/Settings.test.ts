import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Settings from "../src/Settings.ts"

const one = <N extends Settings.Name>(name: N, text: string) =>
  Either.map(Settings.resolve([name], { [name]: text }, {}), (values) => values[name])

const hexKey = "0123456789abcdef".repeat(4)

const accepted: { readonly [N in Settings.Name]: ReadonlyArray<readonly [text: string, value: Settings.Value<N>]> } = {
  port: [
    ["0", 0],
    ["4010", 4010],
    ["65535", 65_535]
  ],
  host: [
    ["0.0.0.0", "0.0.0.0"],
    ["::1", "::1"],
    ["localhost", "localhost"]
  ],
  allowedHosts: [
    ["mfg.test", ["mfg.test"]],
    ["mfg.test,dev.example", ["mfg.test", "dev.example"]]
  ],
  metricsPort: [["9090", 9090]],
  metricsHost: [["0.0.0.0", "0.0.0.0"]],
  store: [
    ["sqlite::memory:", { _tag: "Sqlite", path: ":memory:" }],
    ["sqlite:a/b.db", { _tag: "Sqlite", path: "a/b.db" }],
    ["./mock.db", { _tag: "Sqlite", path: "./mock.db" }],
    ["/var/lib/mfg/rows", { _tag: "Sqlite", path: "/var/lib/mfg/rows" }],
    ["mock.db", { _tag: "Sqlite", path: "mock.db" }],
    ["mock.sqlite", { _tag: "Sqlite", path: "mock.sqlite" }],
    ["C:\\data\\mock.sqlite3", { _tag: "Sqlite", path: "C:\\data\\mock.sqlite3" }],
    ["postgres://u:p@a/db?max=5", { _tag: "Postgres", url: "postgres://u:p@a/db", connections: 5 }],
    [
      "postgresql://a,[::1]:5433,c:5434/db?sslmode=require&target_session_attrs=primary",
      {
        _tag: "Postgres",
        url: "postgresql://a,[::1]:5433,c:5434/db?sslmode=require",
        connections: 10,
        target: "primary"
      }
    ],
    ["postgres:///db", { _tag: "Postgres", url: "postgres:///db", connections: 10 }]
  ],
  console: [["off", "off"]],
  traffic: [
    ["0", 0],
    ["1000", 1000]
  ],
  faults: [
    ["lost-answers", [{ _tag: "Set", name: "lost-answers" }]],
    [
      "header, faults.json,outage",
      [{ _tag: "Header" }, { _tag: "File", path: "faults.json" }, { _tag: "Set", name: "outage" }]
    ]
  ],
  readStore: [
    ["postgres://u@r1,r2:5433/db?max=6", { url: "postgres://u@r1,r2:5433/db", connections: 6, target: "standby" }],
    ["postgres://r1/db?target_session_attrs=any", { url: "postgres://r1/db", connections: 10, target: "any" }]
  ],
  readWait: [["0ms", 0]],
  readLag: [["10s", 10_000]],
  snapshots: [["backups", "backups"]],
  seed: [
    ["demo", { _tag: "Demo" }],
    ["empty", { _tag: "Empty" }],
    ["./seed.json", { _tag: "File", path: "./seed.json" }]
  ],
  rules: [
    ["contract", "contract"],
    ["public", "public"]
  ],
  aggregates: [["on", "on"]],
  maxRows: [["1", 1]],
  maxBody: [
    ["1kb", 1024],
    ["10MB", 10 * 1024 * 1024],
    ["4096", 4096]
  ],
  bodyMemory: [["64mb", 64 * 1024 * 1024]],
  answerMemory: [["128mb", 128 * 1024 * 1024]],
  maxAnswer: [
    ["1kb", 1024],
    ["32mb", 32 * 1024 * 1024]
  ],
  maxConnections: [["1", 1]],
  maxBatch: [["1", 1]],
  keepDeliveries: [
    ["1m", 60_000],
    ["30d", 2_592_000_000]
  ],
  keepIdempotency: [["24h", 86_400_000]],
  pooling: [["transaction", "transaction"]],
  rowSecurity: [["on", "on"]],
  history: [["on", "on"]],
  keepHistory: [["12h", 43_200_000]],
  readers: [
    ["1", 1],
    ["16", 16]
  ],
  statementTimeout: [
    ["1ms", 1],
    ["5s", 5000],
    ["2m", 120_000],
    ["1h", 3_600_000]
  ],
  maxWorlds: [
    ["0", 0],
    ["100000", 100_000]
  ],
  keepWorlds: [["7d", 604_800_000]],
  durableWorlds: [["on", "on"]],
  maxMemory: [
    ["32mb", 32 * 1024 * 1024],
    ["2gb", 2 * 1024 ** 3]
  ],
  rateLimit: [
    ["60/1m", { requests: 60, windowMillis: 60_000 }],
    ["1/1s", { requests: 1, windowMillis: 1000 }],
    ["1000/24h", { requests: 1000, windowMillis: 86_400_000 }]
  ],
  quota: [
    ["rows=10", { rows: 10 }],
    [
      "rows=1000000,bytes=1gb, webhooks=50,requests=100/1s",
      { rows: 1_000_000, bytes: 1024 ** 3, webhooks: 50, requests: { requests: 100, windowMillis: 1000 } }
    ]
  ],
  advanceTimeout: [["10s", 10_000]],
  clock: [
    ["system", "system"],
    ["virtual", "virtual"]
  ],
  privateNetworks: [
    ["deny", "deny"],
    ["loopback", "loopback"],
    ["allow", "allow"]
  ],
  log: [
    ["off", "off"],
    ["debug", "debug"]
  ],
  apiKey: [["mfg_12345678", "mfg_12345678"]],
  adminKey: [["mfg_administration", "mfg_administration"]],
  compression: [["off", "off"]],
  drain: [
    ["0s", 0],
    ["250ms", 250],
    ["10m", 600_000]
  ],
  facts: [
    ["public-system", { _tag: "PublicSystem" }],
    ["facts.json", { _tag: "File", path: "facts.json" }]
  ],
  secretKey: [
    [hexKey, hexKey],
    ["a long passphrase of words", "a long passphrase of words"]
  ]
}

const refused: { readonly [N in Settings.Name]: ReadonlyArray<string> } = {
  metricsPort: ["-1", "65536", "http"],
  metricsHost: ["", "a b"],
  port: ["", "-1", "65536", "4010.5", "http", " 80"],
  host: ["", "a b", "http://127.0.0.1"],
  allowedHosts: ["", "a b", "mfg.test,", "http://mfg.test", "*"],
  store: [
    "",
    "sqlite:",
    "mock",
    "/",
    "data/",
    ":memory:",
    "mysql://host",
    "mysql://host/mock.db",
    "file:mock.db",
    "postgres://a,,b/db",
    "postgres://a,b:port/db",
    "postgres://a:70000/db",
    "postgres://a/db?max=2",
    "postgres://a,b/db?target_session_attrs=standby",
    "postgres://a,b/db?target_session_attrs=master"
  ],
  readStore: ["", "./mock.db", "postgres://a,,b/db", "postgres://a/db?target_session_attrs=primary"],
  readWait: ["", "50", "11s"],
  readLag: ["0s", "2h"],
  snapshots: [""],
  seed: [""],
  facts: [""],
  rules: ["", "Public", "none"],
  aggregates: ["yes", "ON"],
  maxRows: ["0", "-1", "1000001", "many"],
  maxBody: ["0", "1", "10gb", "257mb", "ten"],
  maxAnswer: ["0", "10", "1023b", "257mb", "large"],
  bodyMemory: ["0", "1023kb", "4097mb", "half"],
  answerMemory: ["0", "1023kb", "4097mb", "half"],
  maxConnections: ["0", "-1", "1000001", "many"],
  maxBatch: ["0", "-1", "1000001", "many"],
  readers: ["", "0", "17", "-1", "1.5", "two"],
  keepDeliveries: ["", "30", "59s", "0d", "3651d", "-1d", "1w", "forever"],
  keepIdempotency: ["", "24", "1s", "3651d"],
  pooling: ["statement"],
  rowSecurity: ["yes"],
  history: ["yes"],
  keepHistory: ["", "24", "1s", "3651d"],
  statementTimeout: ["", "5", "0ms", "0s", "0.5ms", "2h", "-1s", "5 s", "1d"],
  maxMemory: ["0", "31mb", "65gb", "all"],
  maxWorlds: ["", "-1", "many", "100001"],
  keepWorlds: ["", "1d12h", "59s", "3651d"],
  durableWorlds: ["", "true"],
  rateLimit: ["", "60", "0/1m", "60/0s", "60/25h", "60/1d", "-1/1m", "1.5/1m"],
  quota: ["", "rows", "rows=", "rows=0", "rows=-1", "rows=1,rows=2", "users=5", "bytes=10", "requests=5", "rows=1,"],
  compression: ["", "gzip", "ON"],
  console: ["", "yes", "ON"],
  traffic: ["", "-1", "all"],
  faults: ["", "header,,overloaded"],
  drain: ["", "5", "-1s", "11m", "1d"],
  advanceTimeout: ["", "0ms", "2h", "10"],
  clock: ["", "real"],
  privateNetworks: ["", "true", "Allow"],
  log: ["", "verbose"],
  apiKey: ["mfg_1234567", "secret_12345678", "mfg_1234 5678", "mfg_12345678é"],
  adminKey: ["mfg_"],
  secretKey: ["", "short", "19 characters of it", "0".repeat(64), "aaaaaaaaaaaaaaaaaaaaaaaaaaab"]
}

describe("Settings", () => {
  it("accepts valid settings and nothing else", () => {
    for (const name of Settings.names) {
      for (const [text, value] of accepted[name]) assert.deepStrictEqual(one(name, text), Either.right(value), name)
      for (const text of refused[name]) assert.isTrue(Either.isLeft(one(name, text)), `${name} ${text}`)
    }
  })

  it("names the hosts or the state of a server that are not accepted", () => {
    const problemOf = (address: string) => {
      const found = one("store", address)
      return Either.isLeft(found) ? found.left.message : ""
    }
    assert.include(
      problemOf("postgres://u:secret@a,b/db?target_session_attrs=standby"),
      `Invalid value "postgres://u@a,b/db?target_session_attrs=standby" for --store: target_session_attrs is "standby", and has to be one of any, read-write, primary here; expected`
    )
    assert.include(problemOf("postgres://a,b:port/db"), `"a,b:port" is not a list of hosts such as a,b:5433`)
  })

  it("lets a flag win over the variable, and the variable over the default", () => {
    const environment = { MFG_MOCK_MAX_ROWS: "20" }
    const rows = (given: Settings.FlagValues, environment: Settings.Environment) =>
      Either.map(Settings.resolve(["maxRows"], given, environment), ({ maxRows }) => maxRows)
    assert.deepStrictEqual(rows({ maxRows: "10" }, environment), Either.right(10))
    assert.deepStrictEqual(rows({}, environment), Either.right(20))
    assert.deepStrictEqual(rows({}, { MFG_MOCK_MAX_ROWS: "" }), Either.right(1000))
    assert.deepStrictEqual(rows({}, {}), Either.right(1000))
  })

  it("has a default for everything but keys, quotas and the rate limit", () => {
    const { adminKey, apiKey, quota, rateLimit, secretKey, ...rest } = Settings.defaults
    assert.isUndefined(quota)
    assert.isUndefined(rateLimit)
    assert.isUndefined(adminKey)
    assert.isUndefined(secretKey)
    assert.isUndefined(apiKey)
    assert.deepStrictEqual(rest, {
      port: 4010,
      host: "127.0.0.1",
      metricsPort: undefined,
      metricsHost: "127.0.0.1",
      allowedHosts: undefined,
      snapshots: ".mfgdata/snapshots",
      store: { _tag: "Sqlite", path: ".mfgdata/mock.db" },
      readStore: undefined,
      readWait: 50,
      readLag: 10_000,
      seed: { _tag: "Demo" },
      rules: "contract",
      aggregates: "off",
      maxRows: 1000,
      maxBody: 10 * 1024 * 1024,
      bodyMemory: 32 * 1024 * 1024,
      answerMemory: 64 * 1024 * 1024,
      maxAnswer: 32 * 1024 * 1024,
      maxConnections: 5000,
      maxBatch: 10_000,
      readers: 2,
      maxWorlds: 1000,
      keepWorlds: 86_400_000,
      durableWorlds: "off",
      statementTimeout: 5000,
      maxMemory: 256 * 1024 * 1024,
      compression: "on",
      console: "on",
      traffic: 1000,
      faults: undefined,
      drain: 5000,
      keepDeliveries: 30 * 24 * 3_600_000,
      keepIdempotency: 24 * 3_600_000,
      pooling: "session",
      rowSecurity: undefined,
      history: "off",
      keepHistory: 30 * 24 * 3_600_000,
      advanceTimeout: 30_000,
      clock: "system",
      facts: undefined,
      privateNetworks: undefined,
      log: "error"
    })
  })

  it("names the flag or the variable, and the expected value", () => {
    const message = (given: Settings.FlagValues, environment: Settings.Environment) =>
      Either.match(Settings.resolve(Settings.names, given, environment), {
        onLeft: (error) => error.message,
        onRight: () => "valid"
      })
    assert.strictEqual(
      message({ port: "http" }, {}),
      `Invalid value "http" for --port: expected an integer from 0 to 65535.`
    )
    const parts =
      "expected one or more of rows=<number>, bytes=<size>, webhooks=<number> and requests=<number>/<time>, with commas between them."
    assert.strictEqual(
      message({ quota: "rows=1,users=5" }, {}),
      `Invalid value "rows=1,users=5" for --quota: unknown part "users"; ${parts}`
    )
    assert.strictEqual(
      message({ quota: "bytes=0" }, {}),
      `Invalid value "bytes=0" for --quota: "0" of the part "bytes" is not a size from 1kb, such as 1gb; ${parts}`
    )
    assert.strictEqual(
      message({ quota: "rows=1,rows=2" }, {}),
      `Invalid value "rows=1,rows=2" for --quota: the part "rows" is repeated; ${parts}`
    )
    assert.strictEqual(
      message({}, { MFG_MOCK_RULES: "all" }),
      `Invalid value "all" for MFG_MOCK_RULES: expected one of contract, public.`
    )
  })

  it("never repeats a secret", () => {
    const [text = ""] = refused.apiKey
    const resolved = Settings.resolve(["apiKey"], {}, { MFG_MOCK_API_KEY: text })
    assert.isTrue(Either.isLeft(resolved))
    const message = Either.match(resolved, { onLeft: (error) => error.message, onRight: () => "" })
    assert.include(message, "Invalid value for MFG_MOCK_API_KEY: expected mfg_ followed by 8 or more characters")
    assert.notInclude(message, text)
  })
})
