import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as RunServer from "@mfgdata/testing-postgres/vitest"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { readFileSync } from "node:fs"
import * as net from "node:net"
import * as Instance from "../../../src/service/Instance.ts"
import * as Settings from "../../../src/Settings.ts"
import * as prometheusText from "../../service/prometheusText.ts"
import { within } from "./within.ts"

const key = "mfg_replicas_test_key"
const adminKey = "mfg_replicas_test_administrator"

/** A primary and two standbys, for all tests. */
let cluster: PostgresServer.PostgresCluster

beforeAll(async () => {
  cluster = await PostgresServer.cluster(2)
}, 120_000)

afterAll(() => cluster.stop(), 120_000)

/** The addresses of a new store and of its replicas. */
const addresses = (replicas: ReadonlyArray<string>, query = "") =>
  Effect.gen(function* () {
    const store = new URL(yield* Schema.fresh(cluster.urls[0] ?? ""))
    const hosts = replicas.map((url) => new URL(url).host).join()
    return { store: store.href, readStore: `postgres://postgres@${hosts}/postgres${store.search}${query}` }
  })

interface Given {
  readonly store: string
  readonly readStore: string
  readonly readWait?: string
  readonly readLag?: string
  readonly log?: string
}

const serve = (given: Given, lines: Array<string> = []) =>
  Effect.gen(function* () {
    const settings = yield* Settings.resolve(
      Settings.names,
      { seed: "empty", ...given },
      {
        MFG_MOCK_API_KEY: key,
        MFG_MOCK_ADMIN_KEY: adminKey
      }
    )
    return yield* Instance.make({ settings, write: (line) => void lines.push(line) })
  })

const send = (
  { service }: Instance.Instance,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown
) =>
  Effect.suspend(() =>
    service.handle({
      method,
      target,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: body === undefined ? "" : JSON.stringify(body)
    })
  )

const create = (instance: Instance.Instance, id: string) =>
  send(instance, "POST", "/rest/holiday", {}, { name: id, date: "2027-05-01", companyId: "demo" })

const read = (instance: Instance.Instance, id: string, headers: Readonly<Record<string, string>> = {}) =>
  send(instance, "GET", `/rest/holiday?name=eq.${id}`, headers)

const isFound = (body: unknown): boolean => String(body) !== "[]"

/** The values of a metric by its first label. */
const values = ({ service }: Instance.Instance, name: string) =>
  Effect.map(
    prometheusText.scrape(service),
    (families) =>
      new Map(families.get(name)?.samples.map(({ labels, value }) => [Object.values(labels)[0] ?? "", value]))
  )

const isUsed = (instance: Instance.Instance, url: string, expected: number) =>
  within(30_000, values(instance, "mfg_mock_replica_in_use"), (all) => all.get(new URL(url).host) === expected)

describe("replicas", () => {
  it.scopedLive(
    "serve reads, of which none misses a write of its key",
    () =>
      Effect.gen(function* () {
        const [, first = "", second = ""] = cluster.urls
        const instance = yield* serve({ ...(yield* addresses([first, second])), readWait: "10s" })
        for (const url of [first, second]) yield* isUsed(instance, url, 1)
        for (let number = 0; number < 50; number += 1) {
          const created = yield* create(instance, `own${number}`)
          assert.strictEqual(created.status, 201, String(created.body))
          assert.match(created.headers["Mfg-Position"] ?? "", /^[\dA-F]{8}-[\dA-F]{16}$/)
          const { id }: { readonly id: string } = JSON.parse(String(created.body))
          assert.strictEqual((yield* send(instance, "GET", `/rest/holiday?id=eq.${id}`)).status, 200)
          const found = yield* read(instance, `own${number}`)
          assert.isTrue(isFound(found.body), String(found.body))
          assert.isAtLeast(
            (found.headers["Mfg-Position"] ?? "").localeCompare(created.headers["Mfg-Position"] ?? "-"),
            0
          )
          // A query that is not certainly small.
          const listed = yield* send(instance, "GET", "/rest/holiday?select=id&order=name.desc&limit=1000")
          assert.lengthOf(JSON.parse(String(listed.body)), number + 1)
        }
        const reads = yield* values(instance, "mfg_mock_replica_reads_total")
        assert.isAtLeast(reads.get("replica") ?? 0, 90)
        const open = yield* values(instance, "mfg_mock_connections_open")
        assert.sameMembers([...open.keys()], ["reads", "writes", "queries", "replica_reads", "replica_queries"])
        assert.isAtLeast(open.get("replica_reads") ?? 0, 1)
        const document = readFileSync(new URL("../../../../../docs/telemetry.md", import.meta.url), "utf8")
        const families = yield* prometheusText.scrape(instance.service)
        for (const [name, { help }] of families) if (name.includes("replica")) assert.include(document, help, name)
      }),
    120_000
  )

  it.scopedLive(
    "that lag are passed over for the positions that they lack, in memory and in the header, and for strong reads",
    () =>
      Effect.gen(function* () {
        const given = yield* addresses(cluster.urls.slice(1))
        const instance = yield* serve({ ...given, readWait: "100ms" })
        const another = yield* serve(given)
        const { keys, world } = instance
        const home = world.home()
        assert(home !== undefined)
        const { key } = yield* keys.create({ ...home, name: "another", scopes: ["*"], expiresAt: null })
        const anotherKey = { authorization: `Bearer ${Redacted.value(key)}` }
        for (const one of [instance, another]) for (const url of cluster.urls.slice(1)) yield* isUsed(one, url, 1)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const [primary = "", ...standbys] = cluster.urls
            // The instances need the positions of their starts.
            for (const standby of standbys) yield* Schema.replayed(primary, standby)
            for (const standby of standbys) yield* Schema.paused(standby)
            const { headers } = yield* create(instance, "late")
            const position = { "mfg-position": headers["Mfg-Position"] ?? "" }

            assert.isTrue(isFound((yield* read(instance, "late")).body))
            assert.isFalse(isFound((yield* read(instance, "late", anotherKey)).body))
            assert.isTrue(isFound((yield* read(instance, "late", { ...anotherKey, ...position })).body))
            assert.isFalse(isFound((yield* read(another, "late")).body))
            assert.isTrue(isFound((yield* read(another, "late", position)).body))
            const strong = yield* read(another, "late", { prefer: "consistency=strong" })
            assert.isTrue(isFound(strong.body))
            assert.strictEqual(strong.headers["Preference-Applied"], "consistency=strong")
            const malformed = yield* read(another, "late", { "mfg-position": "1234" })
            assert.strictEqual(malformed.status, 400)
            assert.include(String(malformed.body), "The header Mfg-Position is not a position")
            const fallbacks = yield* values(instance, "mfg_mock_replica_fallbacks_total")
            assert.isAtLeast(fallbacks.get("position not replayed") ?? 0, 2)
          })
        )
        yield* within(30_000, read(another, "late"), ({ body }) => isFound(body))
      }),
    120_000
  )

  it.scopedLive(
    "that are lost or lag too much are left out, and come back by themselves",
    () =>
      Effect.gen(function* () {
        const [, first = "", second = ""] = cluster.urls
        const lines: Array<string> = []
        const instance = yield* serve({ ...(yield* addresses([first, second])), readLag: "1s" }, lines)
        for (const url of [first, second]) yield* isUsed(instance, url, 1)
        const { host } = new URL(first)
        const isLogged = (text: string) => lines.some((line) => line.includes(text))
        // A replica that has not replayed the new tables yet is left out for a moment.
        lines.length = 0
        cluster.kill(1)
        const statuses = yield* within(
          30_000,
          Effect.all(Array.from({ length: 8 }, () => Effect.map(read(instance, "any"), ({ status }) => status))),
          () => isLogged(`The replica ${host} is left out`)
        )
        assert.deepStrictEqual([...new Set(statuses)], [200])
        yield* isUsed(instance, first, 0)
        yield* Effect.promise(() => cluster.start(1))
        yield* isUsed(instance, first, 1)
        yield* within(
          30_000,
          Effect.sync(() => isLogged(`The replica ${host} is used again`)),
          Boolean
        )

        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Schema.paused(second)
            yield* create(instance, "written")
            yield* isUsed(instance, second, 0)
          })
        )
        yield* isUsed(instance, second, 1)
      }),
    120_000
  )

  it.scopedLive("are all hosts of a cluster, of which the primary serves no reads and has no metrics", () =>
    Effect.gen(function* () {
      const [primary = "", first = ""] = cluster.urls
      const lines: Array<string> = []
      const instance = yield* serve({ ...(yield* addresses([primary, first])), log: "info" }, lines)
      yield* isUsed(instance, first, 1)
      const logged = yield* within(
        30_000,
        Effect.sync(() => lines.filter((line) => line.includes(new URL(primary).host))),
        ({ length }) => length > 0
      )
      assert.lengthOf(logged, 1)
      assert.include(
        logged[0],
        `The server ${new URL(primary).host} of --read-store serves no reads: it is a primary, and target_session_attrs is standby`
      )
      assert.include(logged[0], '"level":"info"')
      assert.deepStrictEqual([...(yield* values(instance, "mfg_mock_replica_in_use")).keys()], [new URL(first).host])
    })
  )

  it.scopedLive(
    "of another database are refused at start, and left out later",
    () =>
      Effect.gen(function* () {
        const [, first = ""] = cluster.urls
        const { readStore, store } = yield* addresses([first], "&target_session_attrs=any")
        yield* Schema.run(cluster.urls[0] ?? "", "CREATE DATABASE another")
        yield* Schema.replayed(cluster.urls[0] ?? "", first)
        const foreign = new URL(readStore)
        foreign.pathname = "/another"
        const refusalOf = (given: Given) =>
          Effect.match(serve(given), { onFailure: (error) => String(error), onSuccess: () => "" })
        assert.include(
          yield* refusalOf({ store, readStore: foreign.href }),
          `The server ${foreign.host} of --read-store is not a replica of the store`
        )
        assert.include(yield* refusalOf({ store: "sqlite::memory:", readStore }), "leave out --read-store")

        const sockets = new Set<net.Socket>()
        let target = foreign
        const way = net.createServer((near) => {
          const far = net.connect(Number(target.port), target.hostname)
          for (const [end, other] of [
            [near, far],
            [far, near]
          ] as const) {
            sockets.add(end.on("error", () => undefined).on("close", () => other.destroy()))
            end.pipe(other)
          }
        })
        const through = new URL(readStore)
        through.port = String(yield* LocalServer.listen(way))
        const lines: Array<string> = []
        const instance = yield* serve({ store, readStore: through.href }, lines)
        yield* isUsed(instance, through.href, 1)
        target = new URL(yield* RunServer.url)
        for (const socket of sockets) socket.destroy()
        yield* isUsed(instance, through.href, 0)
        yield* within(
          30_000,
          Effect.sync(() => lines.join("\n")),
          (log) => log.includes("is left out")
        )
        assert.strictEqual((yield* read(instance, "any")).status, 200)
      }),
    120_000
  )
})
