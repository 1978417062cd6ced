/**
 * Measures the cost of settings on PostgreSQL: the processor time per request of the service and of its sessions on the
 * server with `--pooling transaction` and with `--row-security on`, as a ratio of that without them, and the storage of a
 * row. The services take turns, and the best of several rounds counts.
 *
 *   npm run bench -- postgres [--rounds 3] [--kind one,create]
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import postgres from "postgres"
import * as Load from "./Load.ts"
import * as Subject from "./Subject.ts"
import * as Work from "./Work.ts"

const { values: given } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, kind: { type: "string", default: "one,filtered,create,update" } }
})

const rows = 10_000
const [connections, requests] = [32, 2000]
const kinds = Work.kinds.filter((kind) => given.kind.split(",").includes(kind))
const bin = fileURLToPath(new URL("../../../../apps/mock/dist/mfg-mock.js", import.meta.url))

const settings = {
  plain: [],
  "--pooling transaction": ["--pooling", "transaction"],
  "--row-security on": ["--row-security", "on"],
  both: ["--pooling", "transaction", "--row-security", "on"]
} as const

const { stop, url } = await PostgresServer.start()
const sql = postgres(url, { max: 1, onnotice: () => undefined })

/** Seconds of processor time of the sessions of a database, as Linux shows them. */
const sessionSeconds = async (database: string): Promise<number> => {
  const found = await sql<Array<{ readonly pid: number }>>`SELECT pid FROM pg_stat_activity WHERE datname = ${database}`
  // Nanoseconds of the process, which has one thread.
  const times = found.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]))
  return times.reduce((sum, time) => sum + time, 0) / 1e9
}

/** Microseconds per request. */
interface Cost {
  readonly service: number
  readonly server: number
}

const subjects: Array<Subject.Subject> = []

const open = async (name: string, flags: ReadonlyArray<string>, index: number) => {
  const [role, database] = [`bench_role_${index}`, `bench_${index}`]
  // Policies do not apply to a superuser.
  await sql.unsafe(`CREATE ROLE ${role} LOGIN`)
  await sql.unsafe(`CREATE DATABASE ${database} OWNER ${role} TEMPLATE template0 ENCODING 'UTF8'`)
  const store = Object.assign(new URL(url), { pathname: `/${database}`, username: role }).href
  const all = [bin, "serve", "--port", "0", "--seed", "empty", "--max-rows", "1000000", "--store", store, ...flags]
  const subject = await Subject.start({ name, args: all, env: { MFG_MOCK_API_KEY: Work.key, MFG_MOCK_LOG: "error" } })
  subjects.push(subject)
  await Work.fill(subject, { count: rows })
  // The service responds with an array of rows.
  const ids = (JSON.parse(await Work.rows(subject)) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
  return { name, subject, database, store, work: Work.requests(ids) }
}

try {
  const opened = []
  for (const [index, [name, flags]] of Object.entries(settings).entries()) opened.push(await open(name, flags, index))
  const [plain] = opened
  if (plain !== undefined) {
    const sized = postgres(plain.store, { max: 1 })
    const found = await sized`SELECT pg_relation_size('"inboundInspection"')::integer AS heap,
      pg_indexes_size('"inboundInspection"')::integer AS indexes,
      pg_total_relation_size('"inboundInspection"')::integer AS total`
    for (const [part, bytes] of Object.entries(found[0] ?? {})) {
      console.log(`${part}: ${Math.round(Number(bytes) / rows)} bytes a row`)
    }
    await sized.end()
  }
  console.log(
    "| request | setting | us service | us server | service | server |\n| --- | --- | --- | --- | --- | --- |"
  )
  for (const kind of kinds) {
    const best = new Map<string, Cost>()
    for (let round = -1; round < Number(given.rounds); round += 1) {
      for (const { database, name, subject, work } of opened) {
        const before = { service: await subject.cpu(), server: await sessionSeconds(database) }
        await Load.run(subject, { connections, requests, next: work[kind].real })
        const cost = {
          service: (((await subject.cpu()) - before.service) * 1e6) / requests,
          server: (((await sessionSeconds(database)) - before.server) * 1e6) / requests
        }
        const found = best.get(name) ?? { service: Infinity, server: Infinity }
        // The first round compiles the code and opens the connections.
        if (round >= 0) {
          best.set(name, {
            service: Math.min(found.service, cost.service),
            server: Math.min(found.server, cost.server)
          })
        }
      }
    }
    const base = best.get("plain") ?? { service: Infinity, server: Infinity }
    for (const [name, { server, service }] of best) {
      const ratios = [service / base.service, server / base.server].map((ratio) => `${ratio.toFixed(2)}x`)
      console.log(`| ${[Work.titles[kind], name, service.toFixed(0), server.toFixed(0), ...ratios].join(" | ")} |`)
    }
  }
} finally {
  for (const subject of subjects) await subject.stop()
  await sql.end()
  await stop()
}
