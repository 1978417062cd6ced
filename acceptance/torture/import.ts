/**
 * Imports 100 000 rows from a file and exports them again, each command killed twice: no row is lost or duplicated.
 */
import * as Effect from "effect/Effect"
import * as Cli from "../src/Cli.ts"
import * as Transfer from "../src/Transfer.ts"

const rows = 100_000

const program = Effect.gen(function* () {
  const service = yield* Cli.make()
  const outcome = yield* Transfer.run(service, { rows, batch: 500, killedAt: [0.3, 0.7] })
  const { doubled, isWhole, killed, missing, seconds } = outcome
  const rate = (time: number) => `${Math.round(rows / time)} rows/s`
  console.log(
    `imported ${rows} rows in ${seconds.import.toFixed(1)} s (${rate(seconds.import)}), killed ${killed.import} times`
  )
  console.log(
    `exported them in ${seconds.export.toFixed(1)} s (${rate(seconds.export)}), killed ${killed.export} times`
  )
  console.log(`${missing} missing, ${doubled} doubled, the file ${isWhole ? "is" : "is NOT"} as its manifest says`)
  return missing === 0 && doubled === 0 && isWhole && killed.import === 2 && killed.export === 2
})

process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
