import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as RunServer from "@mfgdata/testing-postgres/vitest"
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import * as net from "node:net"
import * as Instance from "../../../src/service/Instance.ts"
import * as Settings from "../../../src/Settings.ts"
import { within } from "./within.ts"

const key = "mfg_postgres_hosts_key"

const cluster = (standbys: number) =>
  Effect.acquireRelease(
    Effect.promise(() => PostgresServer.cluster(standbys)),
    ({ stop }) => Effect.promise(stop)
  )

/** The address of a store on some servers. */
const addressOf = (urls: ReadonlyArray<string>, query = "") => {
  const hosts = urls.map((url) => new URL(url).host).join()
  const address = Settings.settings.store.parse(`postgres://postgres@${hosts}/postgres?max=4${query}`)
  assert(address?._tag === "Postgres")
  return address
}

const serve = (urls: ReadonlyArray<string>, lines: Array<string> = [], statementTimeout = 5000) =>
  Instance.make({
    settings: {
      ...Settings.defaults,
      store: addressOf(urls),
      seed: { _tag: "Empty" },
      apiKey: key,
      statementTimeout
    },
    write: (line) => void lines.push(line)
  })

const holiday = JSON.stringify({ name: "Founding day", date: "2027-05-01", companyId: "demo" })

const create = ({ service }: Instance.Instance, idempotencyKey?: string) =>
  Effect.suspend(() =>
    service.handle({
      method: "POST",
      target: "/rest/holiday",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        prefer: "return=representation",
        "idempotency-key": idempotencyKey
      },
      body: holiday
    })
  )

const get = ({ service }: Instance.Instance, target: string) =>
  Effect.suspend(() => service.handle({ method: "GET", target, headers: { authorization: `Bearer ${key}` }, body: "" }))

const away = "postgres://127.0.0.1:1"

describe("a store on several hosts", () => {
  for (const state of ["standby", "nonsense"]) {
    it.scopedLive(`uses the state of its address, and not PGTARGETSESSIONATTRS=${state}`, () =>
      Effect.gen(function* () {
        const stores = yield* Effect.forEach(["read-write", "any"], (target) =>
          Effect.map(Effect.flatMap(RunServer.url, Schema.fresh), (text) => {
            const url = new URL(text)
            url.searchParams.set("target_session_attrs", target)
            return url.href
          })
        )
        // Ends before the schemas are dropped.
        yield* Effect.acquireRelease(
          Effect.sync(() => (process.env["PGTARGETSESSIONATTRS"] = state)),
          () => Effect.sync(() => delete process.env["PGTARGETSESSIONATTRS"])
        )
        for (const url of stores) {
          const store = Settings.settings.store.parse(url)
          assert(store !== undefined)
          const opened = yield* Instance.open({ store, rules: "contract" })
          yield* opened.store.ready
        }
        assert.strictEqual(process.env["PGTARGETSESSIONATTRS"], state)
      })
    )
  }

  it.scopedLive(
    "finds the promoted standby without a restart, and answers a repeated write as the first",
    () =>
      Effect.gen(function* () {
        const { kill, urls } = yield* cluster(1)
        const [primary = "", standby = ""] = urls
        const lines: Array<string> = []
        // The first host is a standby, and another one is away.
        const instance = yield* serve([standby, away, primary], lines)
        const done = yield* create(instance, "done")
        assert.strictEqual(done.status, 201)
        yield* Schema.replayed(primary, standby)

        kill(0)
        const refused = yield* within(30_000, create(instance, "refused"), ({ status }) => status !== 201)
        assert.strictEqual(refused.status, 503)
        const unready = yield* within(30_000, get(instance, "/health/ready"), ({ body }) =>
          String(body).includes("NoPrimary")
        )
        assert.strictEqual(unready.status, 503)
        const log = yield* within(
          30_000,
          Effect.sync(() => lines.join("\n")),
          (log) => log.includes(`${new URL(standby).host}: it is a standby`)
        )
        assert.include(log, "127.0.0.1:1: ECONNREFUSED")

        yield* Schema.run(standby, "SELECT pg_promote()")
        yield* within(30_000, create(instance, "refused"), ({ status }) => status === 201)
        const repeated = yield* create(instance, "done")
        assert.strictEqual(repeated.headers["Idempotency-Replayed"], "true")
        assert.strictEqual(String(repeated.body), String(done.body))
        assert.lengthOf(JSON.parse(String((yield* get(instance, "/rest/holiday")).body)), 2)
      }),
    300_000
  )

  it.scopedLive(
    "is refused at start by the state of each host",
    () =>
      Effect.gen(function* () {
        const { urls } = yield* cluster(1)
        const [, standby = ""] = urls
        const refusalOf = (hosts: ReadonlyArray<string>) =>
          Effect.match(serve(hosts), {
            onFailure: (error) => ("message" in error ? error.message : ""),
            onSuccess: () => ""
          })
        const { host } = new URL(standby)
        assert.strictEqual(
          yield* refusalOf([standby]),
          `The store postgres://postgres@${host}/postgres cannot be opened: CONNECT_TARGET: ${host}: it is a standby, and target_session_attrs is read-write`
        )
        assert.strictEqual(
          yield* refusalOf([standby, away]),
          `The store postgres://postgres@${host},127.0.0.1:1/postgres cannot be opened: CONNECT_TARGET: no host can be used (target_session_attrs is read-write): ${host}: it is a standby, and target_session_attrs is read-write; 127.0.0.1:1: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1`
        )
        assert.match(
          yield* refusalOf([away, "postgres://127.0.0.1:2"]),
          /cannot be opened: ECONNREFUSED: no host can be used/
        )
      }),
    300_000
  )

  it.scopedLive(
    "does not confirm a write that no synchronous standby has",
    () =>
      Effect.gen(function* () {
        const { urls } = yield* cluster(0)
        const [primary = ""] = urls
        const instance = yield* serve([primary], [], 1000)
        assert.strictEqual((yield* create(instance)).status, 201)
        yield* Schema.run(primary, "ALTER SYSTEM SET synchronous_standby_names = 'missing'")
        yield* Schema.run(primary, "SELECT pg_reload_conf()")
        const late = yield* within(30_000, create(instance), ({ status }) => status !== 201)
        assert.include([503, 504], late.status)
        yield* Schema.run(primary, "ALTER SYSTEM RESET synchronous_standby_names")
        yield* Schema.run(primary, "SELECT pg_reload_conf()")
      }),
    300_000
  )

  it.scopedLive(
    "tries the next host when one accepts connections without a response",
    () =>
      Effect.gen(function* () {
        const { urls } = yield* cluster(0)
        let connections = 0
        const silent = net.createServer((socket) => {
          connections += 1
          socket.on("error", () => undefined)
        })
        const port = yield* LocalServer.listen(silent)
        const instance = yield* serve([`postgres://127.0.0.1:${port}`, ...urls])
        assert.strictEqual((yield* create(instance)).status, 201)
        assert.isAbove(connections, 0)
      }),
    300_000
  )
})
