/**
 * Streams a million rows: all arrive in order, and the heap at the end is that at row 10 000.
 */
import * as Effect from "effect/Effect"
import * as LongList from "../src/LongList.ts"

const total = 1_000_000
const allowed = 20

const { grownBy, seen } = await Effect.runPromise(LongList.stream(total, 10_000))
console.log(
  `${seen} rows; the heap grew by ${grownBy.toFixed(1)} MB between row 10 000 and the end (${allowed} allowed)`
)
if (seen !== total || grownBy > allowed) process.exitCode = 1
