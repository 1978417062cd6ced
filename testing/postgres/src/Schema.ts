/**
 * Creates schemas of a server, one for each store that a test opens, dropped with the scope.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import postgres from "postgres"

/** Runs literal SQL on a server. */
export const run = (url: string, text: string): Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>> =>
  Effect.promise(async () => {
    // Nothing is prepared, so that it leaves nothing in the sessions of a pooler.
    const sql = postgres(url, { max: 1, fetch_types: false, prepare: false, onnotice: () => undefined })
    try {
      return await sql.unsafe(text).values()
    } finally {
      await sql.end()
    }
  })

/** Waits until a standby has replayed everything that a primary has written. */
export const replayed = (primary: string, standby: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const [row] = yield* run(primary, "SELECT pg_current_wal_flush_lsn()")
    const isReplayed = run(standby, `SELECT pg_last_wal_replay_lsn() >= '${String(row?.[0])}'`)
    yield* Effect.repeat(Effect.delay(isReplayed, 20), { until: ([row]) => row?.[0] === true }).pipe(
      Effect.timeoutFail({ duration: 60_000, onTimeout: () => new Error(`${standby} does not replay`) }),
      Effect.orDie
    )
  })

/** Pauses the replay of a standby until the scope ends. A request alone lets it replay a record more. */
export const paused = (standby: string): Effect.Effect<void, never, Scope.Scope> => {
  const isPaused = run(standby, "SELECT pg_get_wal_replay_pause_state() = 'paused'")
  return Effect.zipRight(
    Effect.acquireRelease(run(standby, "SELECT pg_wal_replay_pause()"), () =>
      run(standby, "SELECT pg_wal_replay_resume()")
    ),
    Effect.repeat(Effect.delay(isPaused, 20), { until: ([row]) => row?.[0] === true }).pipe(
      Effect.timeoutFail({ duration: 60_000, onTimeout: () => new Error(`${standby} does not pause`) }),
      Effect.orDie
    )
  )
}

/** The address of a store that does not exist yet, as `--store` takes it. */
export const fresh = (server: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const schema = `test_${randomBytes(8).toString("hex")}`
    const url = new URL(server)
    url.searchParams.set("search_path", schema)
    yield* Effect.addFinalizer(() => run(server, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`))
    return url.href
  })

/** The address of a new database, which is dropped with the scope. */
export const database = (server: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const name = `test_${randomBytes(8).toString("hex")}`
    yield* Effect.acquireRelease(run(server, `CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'UTF8'`), () =>
      run(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
    )
    const url = new URL(server)
    url.pathname = `/${name}`
    return url.href
  })
