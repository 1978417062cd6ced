/**
 * Upgrades two instances behind a balancer one after the other while clients write and read through it: the next version
 * migrates the store online, and then replaces each instance. Each row is compared with the response to its create.
 */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Program from "../Program.ts"
import type * as Balancer from "./Balancer.ts"
import * as Requests from "./Requests.ts"

export interface Options {
  readonly bin: string
  readonly balancer: Balancer.Balancer
  readonly writers: number
  readonly readers: number
  /** The instances are replaced in turn until this time is over, each of them at least once. */
  readonly millis: number
}

interface Outcome {
  readonly confirmed: number
  readonly reads: number
  /** The number of instances that were replaced. */
  readonly replaced: number
  /** The responses other than those of a success, and requests without a response. */
  readonly failed: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
  readonly doubled: ReadonlyArray<string>
  /** The exit codes of instances that did not end normally. */
  readonly crashed: ReadonlyArray<string>
  /** The valid indexes of the migration, and its columns. */
  readonly migrated: number
}

const drain = "3s"

/** The next version of a bundled service: it has one more migration, which the version before serves. */
const nextVersion = (bin: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const source = readFileSync(bin, "utf8")
    // The end of the list of migrations.
    const [found, number] = /\{\s*number:\s*(\d+),[^{}]*serves:[\s\d]+\}\s*(?=\])/.exec(source) ?? []
    if (found === undefined) return yield* Effect.dieMessage("The bundle has no list of migrations to add to.")
    const migration = `{ number: ${Number(number) + 1}, name: "next", sqlite: "", serves: ${number},
      postgres: 'ALTER TABLE "holiday" ADD COLUMN "_next" bigint NOT NULL DEFAULT 0',
      indexes: [{ name: "holiday_next", on: '"holiday" ("_tenant", "date", "name")' }] }`
    const file = bin.replace(/\.js$/, "-next.js")
    yield* Effect.acquireRelease(
      Effect.sync(() => writeFileSync(file, source.replace(found, `${found}, ${migration}`))),
      () => Effect.sync(() => rmSync(file, { force: true }))
    )
    return file
  })

/** Sends a request at a time, and collects what fails. */
const clients = (origin: string, { readers, writers }: Options) => {
  const confirmed: Array<string> = []
  const failed: Array<string> = []
  let reads = 0
  const over = new AbortController()
  const send = async (method: string, query: string, body?: unknown) => {
    const response = await Requests.send(origin, method, query, {}, body)
    const isDone = response.status === (method === "POST" ? 201 : 200)
    if (!isDone) failed.push(`${method} ${query}: ${response.status} ${response.body}`)
    if (method === "GET") reads += 1
    return isDone ? response : undefined
  }
  const write = async (writer: number) => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const name = `writer ${writer}, row ${number}`
      // Without an idempotency key: a request that a balancer sends twice is two rows.
      const created = await send("POST", "", { name, date: "2027-05-01", companyId: "demo", year: 0 })
      if (created === undefined) continue
      confirmed.push(name)
      const { id }: { readonly id: string } = JSON.parse(created.body)
      await send("PATCH", `?id=eq.${id}`, { year: 1 })
      const read = await send("GET", `?id=eq.${id}`)
      if (read !== undefined && JSON.parse(read.body).year !== 1) failed.push(`${name}: ${read.body}`)
    }
  }
  const read = async () => {
    while (!over.signal.aborted) await send("GET", "?select=id,name,date,year&order=date.desc,name.desc&limit=20")
  }
  const running = Promise.all([
    ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ...Array.from({ length: readers }, read)
  ])
  return {
    /** Waits for the number of further writes, so that each step meets requests in progress. */
    written: (count: number) =>
      Effect.promise(async () => {
        const goal = confirmed.length + count
        while (confirmed.length < goal && failed.length < 1000) await Requests.pause(10)
      }),
    finish: Effect.promise(async () => {
      over.abort()
      await running
      return { confirmed, failed, reads }
    })
  }
}

export const run = (options: Options) =>
  Effect.gen(function* () {
    const { balancer, bin, millis } = options
    const { urls } = yield* Requests.cluster(0)
    const [server = ""] = urls
    const store = ["--store", Requests.addressOf(urls)]
    const next = yield* nextVersion(bin)
    const ports = [yield* LocalServer.freePort, yield* LocalServer.freePort]
    const start = (bin: string, port: number) => Requests.start(bin, [...store, "--drain", drain], port)
    const instances: Array<Program.Running> = []
    for (const port of ports) instances.push(yield* start(bin, port))

    const begin = performance.now()
    const { origin, usesAll } = yield* balancer(ports)
    yield* usesAll
    const { finish, written } = clients(origin, options)
    yield* written(100)
    const { code, stderr } = yield* Program.node([next, "migrate", ...store])
    if (code !== 0) yield* Effect.dieMessage(stderr)
    yield* written(100)

    const crashed: Array<string> = []
    let replaced = 0
    while (replaced < ports.length || performance.now() - begin < millis) {
      const index = replaced % ports.length
      const port = ports[index] ?? 0
      const exit = yield* instances[index]?.end("SIGTERM") ?? Effect.succeed(null)
      if (exit !== 0) crashed.push(`instance ${index + 1} ended with ${exit}`)
      instances[index] = yield* start(next, port)
      yield* usesAll
      yield* written(50)
      replaced += 1
    }
    const { confirmed, failed, reads } = yield* finish

    const rows = yield* Schema.run(server, `SELECT "name", count(*)::integer FROM "holiday" GROUP BY 1`)
    const stored = new Map(rows.map(([name, count]) => [String(name), Number(count)]))
    const [migrated] = yield* Schema.run(
      server,
      `SELECT (SELECT count(*) FROM pg_attribute WHERE attrelid = '"holiday"'::regclass AND attname = '_next')
        + (SELECT count(*) FROM pg_index WHERE indexrelid = '"holiday_next"'::regclass AND indisvalid)`
    )
    return {
      confirmed: confirmed.length,
      reads,
      replaced,
      failed,
      lost: confirmed.filter((name) => !stored.has(name)),
      doubled: [...stored].filter(([, count]) => count > 1).map(([name]) => name),
      crashed,
      migrated: Number(migrated?.[0])
    } satisfies Outcome
  }).pipe(Effect.scoped)

/** Lists what a run must not have. */
export const problems = ({ crashed, doubled, failed, lost, migrated }: Outcome): ReadonlyArray<string> => [
  ...failed,
  ...crashed,
  ...lost.map((name) => `${name} is lost`),
  ...doubled.map((name) => `${name} is stored twice`),
  ...(migrated === 2 ? [] : ["The migration is not complete"])
]
