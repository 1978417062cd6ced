/**
 * Measures the cost of the row interface: processor time of the server per request, and requests per second, against
 * raw `node:http` sending the same bytes and against a server written by hand on the same driver, in one run.
 *
 *   npm run bench -- rows [--quick] [--store sqlite|postgres] [--kind one,create] [--pages]
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import { writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import postgres from "postgres"
import * as Load from "./Load.ts"
import * as Pages from "./Pages.ts"
import * as Scratch from "./Scratch.ts"
import * as Subject from "./Subject.ts"
import * as Work from "./Work.ts"

const { values: given } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    store: { type: "string" },
    kind: { type: "string" },
    pages: { type: "boolean", default: false }
  }
})

/** The size of a run. */
const extent = given.quick
  ? { rows: 10_000, requests: 4000, rounds: 3, connections: [32], pagedRows: 100_000 }
  : { rows: 100_000, requests: 20_000, rounds: 3, connections: [1, 32, 256], pagedRows: 1_000_000 }

const warmingRequests = 20_000

const kinds = Work.kinds.filter((kind) => given.kind === undefined || given.kind.split(",").includes(kind))

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const bin = here("../../../../apps/mock/dist/mfg-mock.js")

interface Target {
  readonly store: Store
  readonly kind: Work.Kind
  readonly against: "raw" | "hand"
  readonly most: number
}

type Store = "sqlite" | "postgres"

/** The targets with 32 connections, as ratios of processor time per request. */
const targets: ReadonlyArray<Target> = [
  { store: "sqlite", kind: "one", against: "raw", most: 2 },
  { store: "sqlite", kind: "list", against: "raw", most: 4.2 },
  { store: "sqlite", kind: "filtered", against: "raw", most: 5 },
  { store: "sqlite", kind: "create", against: "raw", most: 4.5 },
  { store: "sqlite", kind: "update", against: "raw", most: 3.5 },
  { store: "postgres", kind: "one", against: "hand", most: 1.7 },
  { store: "postgres", kind: "create", against: "hand", most: 1.5 },
  { store: "postgres", kind: "update", against: "hand", most: 1.7 },
  { store: "postgres", kind: "mixed", against: "hand", most: 1.6 }
]
const judgedConnections = 32
const mostPageRatio = 1.5
/** Commits leave the event loop, so that a read waits at most half as long. */
const mostReadRatio = 0.5

interface Figures {
  /** Microseconds of processor time per request. */
  readonly cpu: number
  readonly perSecond: number
  readonly p99: number
}

const better = (one: Figures, other: Figures): Figures => ({
  cpu: Math.min(one.cpu, other.cpu),
  perSecond: Math.max(one.perSecond, other.perSecond),
  p99: Math.min(one.p99, other.p99)
})

const nothing: Figures = { cpu: Infinity, perSecond: 0, p99: Infinity }

const once = async (subject: Subject.Subject, load: Load.Load): Promise<Figures> => {
  const before = await subject.cpu()
  const { p99, perSecond } = await Load.run(subject, load)
  return { cpu: (((await subject.cpu()) - before) * 1e6) / load.requests, perSecond, p99 }
}

/** The part of a round's requests, for kinds that cost much more than others. */
const shares: { readonly [K in Work.Kind]?: number } = { list: 0.2, filtered: 0.2, mixed: 0.5 }

interface Trio {
  readonly ours: Subject.Subject
  readonly raw: Subject.Subject
  readonly hand: Subject.Subject
}

/** The best of several rounds in which the three servers take turns, so that a busy machine slows them alike. */
const compare = async (trio: Trio, kind: Work.Kind, { floor, real }: Work.Requests[Work.Kind], connections: number) => {
  const requests = Math.ceil(extent.requests * (shares[kind] ?? 1))
  const sides = [
    ["raw", trio.raw, floor],
    ["hand", trio.hand, real],
    ["ours", trio.ours, real]
  ] as const
  const figures = { raw: nothing, hand: nothing, ours: nothing }
  // The service has the most code to compile.
  const warming = Math.ceil(warmingRequests * (shares[kind] ?? 1))
  for (const [, subject, next] of sides) await Load.run(subject, { connections, next, requests: warming })
  for (let round = 0; round < extent.rounds; round++) {
    for (const [side, subject, next] of sides) {
      figures[side] = better(figures[side], await once(subject, { connections, next, requests }))
    }
  }
  return figures
}

const times = (ratio: number): string => `${ratio.toFixed(2)}x`
const columns = [
  "store",
  "request",
  "connections",
  "us CPU",
  "of raw",
  "of hand",
  "per s",
  "of raw",
  "of hand",
  "p99 ms"
]
const tableLine = (cells: ReadonlyArray<string>) => console.log(`| ${cells.join(" | ")} |`)

const failures: Array<string> = []

const judge = (what: string, ratio: number, most: number) => {
  const verdict = `${what}: ${times(ratio)}, at most ${times(most)}`
  if (ratio > most) failures.push(verdict)
}

const table = async (store: Store, trio: Trio, requests: Work.Requests) => {
  for (const kind of kinds) {
    for (const connections of extent.connections) {
      const { hand, ours, raw } = await compare(trio, kind, requests[kind], connections)
      tableLine([
        store,
        Work.titles[kind],
        String(connections),
        ours.cpu.toFixed(1),
        times(ours.cpu / raw.cpu),
        times(ours.cpu / hand.cpu),
        ours.perSecond.toFixed(0),
        times(ours.perSecond / raw.perSecond),
        times(ours.perSecond / hand.perSecond),
        ours.p99.toFixed(1)
      ])
      if (connections !== judgedConnections) continue
      for (const { against, most, ...target } of targets) {
        if (target.store !== store || target.kind !== kind) continue
        const what = `${Work.titles[kind]} on ${store}, processor time against ${against === "raw" ? "raw node:http" : "a server by hand"}`
        judge(what, ours.cpu / (against === "raw" ? raw : hand).cpu, most)
      }
    }
  }
}

/** The 99th percentile of reads on one connection while the judged number of connections creates rows. */
const readsDuringCreates = async (subject: Subject.Subject, requests: Work.Requests): Promise<number> => {
  let best = Infinity
  for (let round = 0; round < extent.rounds; round++) {
    const creates = Load.run(subject, {
      connections: judgedConnections,
      next: requests.create.real,
      requests: extent.requests
    })
    // Far fewer reads than creates, so that the creates outlast them.
    const reads = Load.run(subject, { connections: 1, next: requests.one.real, requests: extent.requests / 40 })
    const [{ p99 }] = await Promise.all([reads, creates])
    best = Math.min(best, p99)
  }
  return best
}

/** The server by hand commits on its event loop, where reads wait for the disk. */
const duringCreates = async (store: Store, { hand, ours }: Trio, requests: Work.Requests) => {
  const [slow, fast] = [await readsDuringCreates(hand, requests), await readsDuringCreates(ours, requests)]
  console.log(
    `\nOn ${store}, the 99th percentile of reads during creates is ${times(fast / slow)} that of the server by hand ` +
      `(${fast.toFixed(1)} and ${slow.toFixed(1)} ms).\n`
  )
  judge(`reads during creates on ${store}, 99th percentile against a server by hand`, fast / slow, mostReadRatio)
}

const pages = async (store: Store, ours: Subject.Subject) => {
  const { first, keyset, offset, page } = await Pages.measure(ours, extent.pagedRows, extent.requests / 10)
  console.log(
    `\nOn ${store}, page ${page} of 100 among ${extent.pagedRows} rows costs by keyset ${times(keyset / first)} what the ` +
      `first page costs (${keyset.toFixed(0)} and ${first.toFixed(0)} us), by offset ${times(offset / first)} (${offset.toFixed(0)} us).\n`
  )
  judge(`page ${page} by keyset on ${store}`, keyset / first, mostPageRatio)
}

/** The databases of the two servers that have one. */
interface Databases {
  readonly ours: string
  readonly hand: string
  readonly end: () => Promise<void>
}

const open: { readonly [S in Store]: (folder: string) => Promise<Databases> } = {
  sqlite: async (folder) => ({
    ours: `sqlite:${join(folder, "ours.db")}`,
    hand: join(folder, "hand.db"),
    end: async () => {}
  }),
  postgres: async () => {
    const { stop, url } = await PostgresServer.start()
    const sql = postgres(url, { max: 1 })
    const names = ["ours", "hand"].map((name) => `bench_${name}_${process.pid}`)
    for (const name of names) await sql.unsafe(`CREATE DATABASE ${name}`)
    const [ours = "", hand = ""] = names.map((name) => Object.assign(new URL(url), { pathname: `/${name}` }).href)
    const end = async () => {
      for (const name of names) await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)
      await sql.end()
      await stop()
    }
    return { ours, hand, end }
  }
}

const handwritten: { readonly [S in Store]: string } = {
  sqlite: "servers/HandwrittenSqlite.js",
  postgres: "servers/HandwrittenPostgres.js"
}

const folder = Scratch.make()

const measure = async (store: Store) => {
  const databases = await open[store](folder)
  const subjects: Array<Subject.Subject> = []
  const start = async (name: string, args: ReadonlyArray<string>, env = {}) => {
    const subject = await Subject.start({ name, args, env })
    subjects.push(subject)
    return subject
  }
  try {
    const flags = ["--port", "0", "--seed", "empty", "--max-rows", "1000000", "--store", databases.ours]
    const ours = await start("mfg-mock", [bin, "serve", ...flags], { MFG_MOCK_API_KEY: Work.key })
    await Work.fill(ours, { count: extent.rows })
    const seed = join(folder, "rows.json")
    const rows = await Work.rows(ours)
    writeFileSync(seed, rows)
    // The service under test answers an array of rows.
    const ids = (JSON.parse(rows) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
    const hand = await start("by hand", [here(handwritten[store]), databases.hand, Work.key, seed])
    const raw = await start("raw", [here("servers/Raw.js")])
    await Work.teach(raw, ours, ids)
    await table(store, { ours, raw, hand }, Work.requests(ids))
    if (store === "sqlite" && kinds.includes("create")) {
      await duringCreates(store, { ours, raw, hand }, Work.requests(ids))
    }
    if (given.pages || !given.quick) await pages(store, ours)
  } finally {
    for (const subject of subjects) await subject.stop()
    await databases.end()
  }
}

console.log(
  `Node ${process.versions.node}, ${cpus().length} cores, ${extent.rows} rows, best of ${extent.rounds} rounds.\n`
)
tableLine(columns)
tableLine(columns.map(() => "---"))
for (const store of ["sqlite", "postgres"] as const) {
  if (given.store === undefined || given.store === store) await measure(store)
}
for (const failure of failures) console.error(`Missed: ${failure}.`)
if (failures.length > 0) process.exitCode = 1
