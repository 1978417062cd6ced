/**
 * Ten rounds of `kill -9` at 64 writing connections, at least 1 000 answered writes each: nothing answered is lost.
 */
import * as Effect from "effect/Effect"
import * as Bin from "../src/Bin.ts"
import * as Crash from "../src/Crash.ts"

const program = Effect.gen(function* () {
  const rounds = yield* Crash.run({ bin: yield* Bin.bundle("mock"), rounds: 10, writers: 64, writes: 1000 })
  rounds.forEach(({ answered, integrity, lost }, index) =>
    console.log(`round ${index + 1}: ${answered} answered, ${lost.length} lost, integrity ${integrity}`)
  )
  return rounds.every(({ answered, integrity, lost }) => answered >= 1000 && lost.length === 0 && integrity === "ok")
})

process.exitCode = (await Effect.runPromise(Effect.scoped(program))) ? 0 : 1
