/**
 * Mirrors 100 000 rows, killed five times: from a service on a file, on PostgreSQL, and from PostgREST's shape. Every row
 * is complete and in its place, and no file has ever had a value that the scrub replaces.
 */
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Effect from "effect/Effect"
import * as KilledMirror from "../src/KilledMirror.ts"

const rows = 100_000
const kills = 5

const postgres = Effect.acquireRelease(
  Effect.promise(() => PostgresServer.start("")),
  ({ stop }) => Effect.promise(stop)
)

const round = (name: string, options: Omit<KilledMirror.Options, "rows" | "kills">) =>
  Effect.gen(function* () {
    const outcome = yield* Effect.scoped(KilledMirror.run({ rows, kills, ...options }))
    const { brought, different, killed, leaks, memory, misplaced, seconds } = outcome
    const rate = `${Math.round(rows / seconds)} rows/s, ${Math.round(memory / 1024 ** 2)} MB`
    console.log(`${name}: mirrored ${rows} rows in ${seconds.toFixed(1)} s (${rate}), killed ${killed} times`)
    console.log(
      `${misplaced} misplaced, ${different} different, ${brought} brought by another run, leaks: ${leaks.join() || "none"}`
    )
    return killed === kills && misplaced + different + brought + leaks.length === 0
  })

const program = Effect.gen(function* () {
  const { url } = yield* postgres
  const rounds = [
    yield* round("a file", {}),
    yield* round("PostgreSQL", { source: url }),
    yield* round("PostgREST's shape", { face: "/rest/v1" })
  ]
  return rounds.every((isSound) => isSound)
})

process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
