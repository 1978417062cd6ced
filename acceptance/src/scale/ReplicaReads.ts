/**
 * Lets clients write rows and read them from replicas whose replay is delayed and paused meanwhile, and measures the
 * processor time of the primary for the same reads with and without replicas.
 */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { readFileSync } from "node:fs"
import * as Requests from "./Requests.ts"

export interface Options {
  readonly bin: string
  readonly clients: number
  /** Reads of own writes by all clients. */
  readonly reads: number
  /** Reads for the comparison of the processor time; 0 for none. */
  readonly measured: number
}

interface Outcome {
  readonly reads: number
  readonly writes: number
  /** Reads without the last write of their client. */
  readonly stale: ReadonlyArray<string>
  /** Responses with another status than 200. */
  readonly failed: number
  /** The part of the reads that replicas have served. */
  readonly replicaShare: number
  /** The processor time of the primary for the measured reads, in seconds; undefined where the system does not show it. */
  readonly seconds: { readonly alone: number; readonly withReplicas: number } | undefined
}

/** Delays and pauses the replay of standbys in turn. */
const disturb = (standbys: ReadonlyArray<string>): Effect.Effect<Fiber.RuntimeFiber<never>> => {
  const [first = "", second = ""] = standbys
  const delay = (millis: number) =>
    Effect.zipRight(
      Schema.run(first, `ALTER SYSTEM SET recovery_min_apply_delay = '${millis}ms'`),
      Schema.run(first, "SELECT pg_reload_conf()")
    )
  return Effect.forkDaemon(
    Effect.forever(
      Effect.gen(function* () {
        yield* delay(20)
        yield* Effect.scoped(Effect.zipRight(Schema.paused(second), Effect.sleep(300)))
        yield* Effect.sleep(300)
        yield* delay(200)
        yield* Effect.sleep(300)
        yield* delay(0)
        yield* Effect.sleep(600)
      })
    )
  )
}

/** The processor time of a server's processes in seconds. */
const processorSeconds = (url: string): Effect.Effect<number | undefined> =>
  Effect.map(Schema.run(url, "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()"), (rows) => {
    try {
      const ticks = rows.map(([pid]) => {
        const stat = readFileSync(`/proc/${Number(pid)}/stat`, "utf8")
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
        return Number(fields[11]) + Number(fields[12])
      })
      return ticks.reduce((sum, count) => sum + count, 0) / 100
    } catch {
      return undefined
    }
  })

/** Reads pages of rows, and returns the processor time of the primary. */
const measure = (origin: string, primary: string, reads: number, clients: number) =>
  Effect.gen(function* () {
    const one = async (count: number) => {
      for (let number = 0; number < count; number += 1) {
        await Requests.send(origin, "GET", "?select=id,name,date,year&order=name.desc&limit=50")
      }
    }
    // The connections are open before the measurement.
    yield* Effect.promise(() => Promise.all(Array.from({ length: clients }, () => one(5))))
    const before = yield* processorSeconds(primary)
    yield* Effect.promise(() => Promise.all(Array.from({ length: clients }, () => one(Math.ceil(reads / clients)))))
    const after = yield* processorSeconds(primary)
    return before === undefined || after === undefined ? undefined : after - before
  })

/** The reads by target, of the metrics of a service. */
const replicaShareOf = async (metrics: string) => {
  const text = await (await fetch(`${metrics}/metrics`)).text()
  const count = (target: string) =>
    Number(new RegExp(`^mfg_mock_replica_reads_total\\{target="${target}"\\} (\\d+)`, "m").exec(text)?.[1])
  return count("replica") / (count("replica") + count("primary"))
}

export const run = ({ bin, clients, measured, reads }: Options) =>
  Effect.gen(function* () {
    const { urls } = yield* Requests.cluster(2)
    const [primary = "", ...standbys] = urls
    const store = ["--store", Requests.addressOf([primary])]
    const replicas = [...store, "--read-store", Requests.addressOf(standbys)]
    const metrics = yield* LocalServer.freePort
    const origins = [
      yield* Requests.serve(bin, [...replicas, "--metrics-port", String(metrics)]),
      yield* Requests.serve(bin, replicas)
    ]
    const [own = "", other = ""] = origins

    const disturbing = yield* disturb(standbys)
    const stale: Array<string> = []
    let [done, writes, failed] = [0, 0, 0]
    const client = async (index: number) => {
      const row = { name: `client ${index}`, date: "2027-05-01", companyId: "demo", year: 0 }
      const created = await Requests.send(own, "POST", "", {}, row)
      const { id }: { readonly id: string } = JSON.parse(created.body)
      const query = `?id=eq.${id}`
      for (let year = 1; done < reads; year += 1) {
        const { position, status } = await Requests.send(own, "PATCH", query, {}, { year })
        if (status !== 200 || position === null) {
          failed += 1
          continue
        }
        writes += 1
        // The instance of the write remembers it, and the other one gets its position.
        for (let attempt = 0; attempt < 10; attempt += 1) {
          const isOwn = attempt % 2 === 0
          const headers: Readonly<Record<string, string>> = isOwn ? {} : { "mfg-position": position }
          const response = await Requests.send(isOwn ? own : other, "GET", query, headers)
          done += 1
          if (response.status !== 200) failed += 1
          else if (JSON.parse(response.body).year !== year) stale.push(`${row.name}: ${response.body}, and not ${year}`)
        }
      }
    }
    yield* Effect.promise(() => Promise.all(Array.from({ length: clients }, (_, index) => client(index))))
    yield* Fiber.interrupt(disturbing)
    yield* Schema.run(standbys[0] ?? "", "ALTER SYSTEM RESET recovery_min_apply_delay")
    yield* Schema.run(standbys[0] ?? "", "SELECT pg_reload_conf()")
    yield* Schema.run(standbys[1] ?? "", "SELECT pg_wal_replay_resume()")
    const replicaShare = yield* Effect.promise(() => replicaShareOf(`http://127.0.0.1:${metrics}`))

    let seconds: Outcome["seconds"]
    if (measured > 0) {
      for (const url of standbys) yield* Schema.replayed(primary, url)
      const alone = yield* measure(yield* Requests.serve(bin, store), primary, measured, clients)
      const withReplicas = yield* measure(own, primary, measured, clients)
      seconds = alone === undefined || withReplicas === undefined ? undefined : { alone, withReplicas }
    }
    return { reads: done, writes, stale, failed, replicaShare, seconds } satisfies Outcome
  }).pipe(Effect.scoped)
