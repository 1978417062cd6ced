/**
 * Kills the service with `kill -9` at 64 writing connections, after at least 1 000 confirmed writes in each round: no
 * confirmed write is lost. Ten rounds on SQLite; with `--store postgres` five on PostgreSQL, and five with an
 * immediate stop of PostgreSQL.
 */
import * as Effect from "effect/Effect"
import * as Bin from "../src/Bin.ts"
import * as Crash from "../src/Crash.ts"

const isPostgres = process.argv.slice(2).join(" ") === "--store postgres"
const victims = isPostgres ? (["postgres", "server"] as const) : (["sqlite"] as const)

const program = Effect.gen(function* () {
  const bin = yield* Bin.bundle("mock")
  let isWhole = true
  for (const victim of victims) {
    const rounds = yield* Crash.run({ bin, victim, rounds: isPostgres ? 5 : 10, writers: 64, writes: 1000 })
    rounds.forEach(({ answered, integrity, lost }, index) =>
      console.log(`${victim}, round ${index + 1}: ${answered} answered, ${lost.length} lost, integrity ${integrity}`)
    )
    isWhole &&= rounds.every(
      ({ answered, integrity, lost }) => answered >= 1000 && lost.length === 0 && integrity === "ok"
    )
  }
  return isWhole
})

process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
