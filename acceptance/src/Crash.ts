/**
 * Kills the service in the middle of writes, and checks what its store has afterwards.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as PostgresServer from "@mfgdata/testing-postgres"
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Program from "./Program.ts"

const key = "mfg_crash_test_key"
const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }

/** The process that is killed: the service on a file, the service on PostgreSQL, or PostgreSQL under the service. */
export type Victim = "sqlite" | "postgres" | "server"

export interface Options {
  /** The bundled service. */
  readonly bin: string
  readonly victim?: Victim
  readonly rounds: number
  /** Concurrent connections that write. */
  readonly writers: number
  /** Confirmed writes in each round before the kill. */
  readonly writes: number
}

export interface Round {
  readonly answered: number
  /** Ids with a 201 that the next process does not have. */
  readonly lost: ReadonlyArray<string>
  /** The result of SQLite's integrity check for a store in a file; `ok` is a success. */
  readonly integrity: string
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "mfgdata-crash-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const serve = (
  bin: string,
  store: string
): Effect.Effect<Program.Running & { readonly origin: string }, never, Scope.Scope> =>
  Program.start([bin, "serve", "--port", "0", "--seed", "empty", "--store", store], /Try:/, {
    env: { MFG_MOCK_API_KEY: key }
  }).pipe(Effect.map((running) => ({ ...running, origin: /http:\/\/127\.0\.0\.1:\d+/.exec(running.said)?.[0] ?? "" })))

const holiday = (name: string) => JSON.stringify({ name, date: "2026-05-01", companyId: "demo" })

/** Writes until `enough` writes are confirmed; requests that the kill interrupts are not counted. */
const write = async (
  origin: string,
  writers: number,
  enough: number,
  strike: () => Promise<void>
): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  let blow: Promise<void> | undefined
  const blown = { isOver: false }
  const writer = async (name: string) => {
    try {
      for (let count = 0; !blown.isOver; count++) {
        const response = await fetch(`${origin}/rest/holiday`, {
          method: "POST",
          headers,
          body: holiday(`${name}-${count}`)
        })
        // The service under test answers rows; a status of another kind is refused below.
        const row = (await response.json()) as { readonly id: string }
        // A server that was killed reports its loss.
        if (response.status === 503 && ids.length >= enough) return
        if (response.status !== 201) throw new Error(`a write was answered ${response.status}: ${JSON.stringify(row)}`)
        ids.push(row.id)
        if (ids.length === enough) blow = strike().then(() => void (blown.isOver = true))
      }
    } catch (error) {
      if (ids.length < enough) throw error
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, index) => writer(`writer ${index}`)))
  await blow
  return ids
}

const known = async (origin: string): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>()
  for (let last = ""; ;) {
    const response = await fetch(`${origin}/rest/holiday?select=id&order=id.asc&limit=1000&id=gt.${last}`, { headers })
    // As selected.
    const rows = (await response.json()) as ReadonlyArray<{ readonly id: string }>
    const end = rows.at(-1)
    if (end === undefined) return ids
    for (const { id } of rows) ids.add(id)
    last = end.id
  }
}

/** The result of SQLite's integrity check of a file; `ok` is a success. */
export const integrity = (store: string): string => {
  const database = new Database(store)
  try {
    const [row] = database.prepare("PRAGMA integrity_check").raw(true).all()
    return String(row)
  } finally {
    database.close()
  }
}

interface Struck {
  readonly store: string
  /** Kills the process of the round. */
  readonly strike: (kill: Effect.Effect<unknown>) => Promise<void>
  readonly integrity: () => string
}

const subject = (victim: Victim): Effect.Effect<Struck, never, Scope.Scope> =>
  victim === "sqlite"
    ? Effect.map(folder, (path) => {
        const file = join(path, "store.db")
        return {
          store: `sqlite:${file}`,
          strike: (kill) => Effect.runPromise(Effect.asVoid(kill)),
          integrity: () => integrity(file)
        }
      })
    : Effect.acquireRelease(
        // One of its own, which may be stopped.
        Effect.promise(() => PostgresServer.start("", { durable: true })),
        ({ stop }) => Effect.promise(stop)
      ).pipe(
        Effect.map(({ crash, url }) => ({
          store: url,
          strike: (kill) => (victim === "server" ? crash() : Effect.runPromise(Effect.asVoid(kill))),
          integrity: () => "ok"
        }))
      )

/**
 * In each round kills the process under load, starts the service again on the same store, and reads the confirmed
 * rows.
 */
export const run = ({
  bin,
  rounds,
  victim = "sqlite",
  writers,
  writes
}: Options): Effect.Effect<ReadonlyArray<Round>> =>
  Effect.gen(function* () {
    const { integrity, store, strike } = yield* subject(victim)
    const answered = new Set<string>()
    const outcomes: Array<Round> = []
    for (let round = 0; round < rounds; round++) {
      const struck = yield* Effect.scoped(
        Effect.gen(function* () {
          const { end, origin } = yield* serve(bin, store)
          return yield* Effect.promise(() => write(origin, writers, writes, () => strike(end("SIGKILL"))))
        })
      )
      for (const id of struck) answered.add(id)
      const kept = yield* Effect.scoped(
        Effect.gen(function* () {
          const { end, origin } = yield* serve(bin, store)
          const ids = yield* Effect.promise(() => known(origin))
          yield* end("SIGTERM")
          return ids
        })
      )
      outcomes.push({
        answered: struck.length,
        lost: Array.from(answered).filter((id) => !kept.has(id)),
        integrity: integrity()
      })
    }
    return outcomes
  }).pipe(Effect.scoped)
