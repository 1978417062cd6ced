/**
 * Pushes a folder with 30 000 new rows, 10 000 changed and 10 000 deleted ones, killed ten times: no change is lost or
 * doubled.
 */
import * as Effect from "effect/Effect"
import * as Cli from "../src/Cli.ts"
import * as KilledPush from "../src/KilledPush.ts"

const rows = 30_000

const program = Effect.gen(function* () {
  const service = yield* Cli.make()
  const { changed, created, diff, doubled, killed, left, seconds } = yield* KilledPush.run(service, { rows, kills: 10 })
  console.log(`pushed ${rows + 2 * Math.floor(rows / 3)} changes in ${seconds.toFixed(1)} s, killed ${killed} times`)
  console.log(`${rows - created} missing, ${doubled} doubled, ${left} left, ${diff === "" ? "no" : "SOME"} difference`)
  return (
    created === rows && doubled === 0 && left === 0 && changed === Math.floor(rows / 3) && diff === "" && killed === 10
  )
})

process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
