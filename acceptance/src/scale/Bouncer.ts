/**
 * Runs several instances of the service through a PgBouncer in transaction mode that has fewer sessions than they have
 * connections, and kills it while they write.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as PgBouncer from "@mfgdata/testing-postgres/PgBouncer"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Program from "../Program.ts"

const administrator = "mfg_bouncer_test_administrator"
const installed = "mfg_bouncer_test_key"

export interface Options {
  /** The bundled service. */
  readonly bin: string
  readonly instances: number
  /** The sessions that the pooler has for all of them. */
  readonly sessions: number
  readonly writers: number
  /** Confirmed writes of all writers before the pooler is killed, and as many after. */
  readonly writes: number
}

export interface Result {
  readonly confirmed: number
  /** Ids with a 201 that the service does not have afterwards. */
  readonly lost: ReadonlyArray<string>
  /** Statuses of responses other than those to writes that the kill has interrupted. */
  readonly unexpected: ReadonlyArray<string>
  /** The sessions of the server that were open together. */
  readonly sessions: number
  /** Sessions that kept something after a transaction: prepared statements, locks, or an open transaction. */
  readonly leftovers: number
  /** The milliseconds after which every instance has refused a key that one of them has revoked. */
  readonly revokedMillis: number
}

const serve = (bin: string, store: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Program.start([bin, "serve", "--port", "0", "--seed", "empty", "--store", store], /Try:/, {
      env: { MFG_MOCK_API_KEY: installed, MFG_MOCK_ADMIN_KEY: administrator, MFG_MOCK_POOLING: "transaction" }
    }),
    ({ said }) => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? ""
  )

const call = async (origin: string, method: string, path: string, key: string, body?: unknown) => {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  // The service answers objects and arrays, or nothing.
  return {
    status: response.status,
    body: text === "" ? undefined : (JSON.parse(text) as { readonly [key: string]: unknown })
  }
}

const pause = (millis: number) => new Promise((done) => setTimeout(done, millis))

/** Creates, reads and changes rows at every instance in turn, until enough writes are confirmed after the kill. */
const write = async (origins: ReadonlyArray<string>, { writers, writes }: Options, kill: () => Promise<void>) => {
  const ids: Array<string> = []
  const unexpected: Array<string> = []
  let killing: Promise<void> | undefined
  let isUp = true
  const strike = async () => {
    isUp = false
    await kill()
    // Requests that were sent before may fail afterwards, until each connection is replaced.
    await pause(3000)
    isUp = true
  }
  const writer = async (name: number) => {
    for (let count = 0; ids.length < 2 * writes; count++) {
      const origin = origins[(name + count) % origins.length] ?? ""
      const wasUp = isUp
      const created = await call(origin, "POST", "/rest/holiday", installed, {
        name: `writer ${name}, ${count}`,
        date: "2026-05-01",
        companyId: "demo"
      })
      const id = created.body?.["id"]
      const isInterrupted = !wasUp || !isUp
      if (created.status === 201 && typeof id === "string") ids.push(id)
      else if (!isInterrupted) unexpected.push(`POST ${created.status} ${JSON.stringify(created.body)}`)
      if (isInterrupted) await pause(50)
      if (created.status !== 201) continue
      const elsewhere = origins[(name + count + 1) % origins.length] ?? ""
      const [read, list, changed] = [
        await call(elsewhere, "GET", `/rest/holiday?id=eq.${String(id)}`, installed),
        await call(elsewhere, "GET", "/rest/holiday?limit=20&order=name.desc&name=like.*1*", installed),
        await call(origin, "PATCH", `/rest/holiday?id=eq.${String(id)}`, installed, { name: `it's \\ changed $1` })
      ]
      for (const { body, status } of [read, list, changed]) {
        if (status !== 200 && isUp && wasUp) unexpected.push(`${status} ${JSON.stringify(body)}`)
      }
      if (killing === undefined && ids.length >= writes) killing = strike()
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, index) => writer(index)))
  await killing
  return { ids, unexpected }
}

/** The ids of all rows. */
const known = async (origin: string): Promise<ReadonlySet<string>> => {
  const response = await fetch(`${origin}/rest/holiday?select=id&limit=10000`, {
    headers: { Authorization: `Bearer ${installed}` }
  })
  // As selected.
  return new Set(((await response.json()) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id))
}

/** Revokes a new key at one instance, and measures the time until all instances refuse it. */
const revocation = async (origins: ReadonlyArray<string>): Promise<number> => {
  const [first = ""] = origins
  const { body } = await call(first, "POST", "/_mock/keys", administrator, { name: "revoked" })
  const [key, id] = [String(body?.["key"]), String(body?.["id"])]
  const statuses = () => Promise.all(origins.map((origin) => call(origin, "GET", "/rest/holiday?limit=1", key)))
  if ((await statuses()).some(({ status }) => status !== 200)) throw new Error("a new key is refused")
  await call(first, "DELETE", `/_mock/keys/${id}`, administrator)
  const begin = performance.now()
  while ((await statuses()).some(({ status }) => status !== 401)) await pause(20)
  return performance.now() - begin
}

/** Runs the instances. */
export const run = (options: Options): Effect.Effect<Result, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { stop, url: server } = yield* Effect.promise(() => PostgresServer.start(""))
    yield* Effect.addFinalizer(() => Effect.promise(stop))
    const { crash, url } = yield* PgBouncer.start(server, { mode: "transaction", sessions: options.sessions })
    const origins: Array<string> = []
    for (let index = 0; index < options.instances; index++) origins.push(yield* serve(options.bin, url))
    let most = 0
    const watch = Effect.map(
      Schema.run(server, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mfg-mock'"),
      ([row]) => void (most = Math.max(most, Number(row?.[0])))
    )
    const watching = yield* Effect.forkScoped(Effect.forever(Effect.zipRight(watch, Effect.sleep("100 millis"))))
    const { ids, unexpected } = yield* Effect.promise(() => write(origins, options, () => Effect.runPromise(crash)))
    yield* Effect.sync(() => watching.unsafeInterruptAsFork(watching.id()))
    const rows = yield* Effect.promise(() => known(origins[0] ?? ""))
    const revokedMillis = yield* Effect.promise(() => revocation(origins))
    // Through the pooler, whose sessions are those of the instances.
    const left = yield* Effect.all(
      Array.from({ length: 2 * options.sessions }, () =>
        Schema.run(
          url,
          `SELECT (SELECT count(*) FROM pg_prepared_statements) + (SELECT count(*) FROM pg_listening_channels())
            + (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')
            + (SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%')`
        )
      ),
      { concurrency: options.sessions }
    )
    return {
      confirmed: ids.length,
      lost: ids.filter((id) => !rows.has(id)),
      unexpected,
      sessions: most,
      leftovers: left.reduce((sum, [row]) => sum + Number(row?.[0]), 0),
      revokedMillis
    }
  })

/** Reports whether a run is as it has to be. */
export const isWhole = ({ leftovers, lost, revokedMillis, unexpected }: Result): boolean =>
  lost.length + unexpected.length + leftovers === 0 && revokedMillis < 5000
