/**
 * Follows the history live, as server-sent events: each change in the order of the numbers, none of them twice, and
 * comments while nothing happens.
 */
import * as Effect from "effect/Effect"
import type { BodyStream } from "../Exchange.ts"
import type { Statement } from "../sql/Statement.ts"
import type { Store } from "../store/Store.ts"
import * as Bell from "../world/Bell.ts"
import { type Filter, type HistoryLog, newest } from "./HistoryLog.ts"

/** The number of changes that are read together. */
const page = 100

/** The time in real milliseconds after which a comment is sent, so that neither side takes the other for dead. */
const heartbeatMillis = 15_000

/** The pause between reads of changes that other instances may have committed, in real milliseconds. */
const pollMillis = 300

const settledNumber: Statement = { text: `SELECT last_value FROM "_history_sequence_seq"`, parameters: [] }
const snapshot: Statement = {
  text: `SELECT pg_snapshot_xmin(pg_current_snapshot())::text, pg_snapshot_xmax(pg_current_snapshot())::text`,
  parameters: []
}

/**
 * Returns the number up to which no change can appear any more. On PostgreSQL a transaction takes numbers before it is
 * committed: those up to a number are complete when every transaction of that moment has ended.
 */
const settling = ({ dialect, read }: Pick<Store["Type"], "dialect" | "read">) => {
  if (dialect.name === "sqlite") return () => Promise.resolve(Number.MAX_SAFE_INTEGER)
  const ask = (statement: Statement) => Effect.runPromise(read(statement))
  let settled = 0
  let pending: { readonly last: number; readonly next: bigint } | undefined
  return async () => {
    const [[last = 0] = []] = await ask(settledNumber)
    const [[oldest = "0", next = "0"] = []] = await ask(snapshot)
    pending ??= { last: Number(last), next: BigInt(next ?? 0) }
    if (BigInt(oldest ?? 0) < pending.next) return settled
    settled = pending.last
    pending = { last: Number(last), next: BigInt(next ?? 0) }
    if (BigInt(oldest ?? 0) >= pending.next) settled = pending.last
    return settled
  }
}

/** Follows the changes of a filter after a number, or from now on. */
export const make = (
  store: Pick<Store["Type"], "dialect" | "read">,
  history: NonNullable<Store["Type"]["history"]>,
  log: HistoryLog,
  filter: Filter,
  after: number | undefined
): BodyStream =>
  async function* (signal) {
    const wait = Bell.make(history.subscribe, signal)
    const settled = settling(store)
    const find = (...query: Parameters<HistoryLog["find"]>) => Effect.runPromise(log.find(...query))
    let last = after ?? Math.max(0, ...(await find({}, newest, 1)))
    yield ": the changes of rows as they are committed\n\n"
    let quietSince = performance.now()
    while (!signal.aborted) {
      const end = await settled()
      const sequences = end > last ? await find(filter, { _tag: "After", sequence: last, last: end }, page) : []
      for (const { shown } of await Effect.runPromise(log.load(sequences))) {
        if (signal.aborted) return
        yield `id: ${shown.sequence}\ndata: ${JSON.stringify(shown)}\n\n`
        quietSince = performance.now()
      }
      last = sequences.at(-1) ?? last
      if (sequences.length === page) continue
      const quiet = performance.now() - quietSince
      if (quiet >= heartbeatMillis) {
        yield ": nothing has changed\n\n"
        quietSince = performance.now()
      }
      await wait(store.dialect.name === "sqlite" ? Math.max(1, heartbeatMillis - quiet) : pollMillis)
    }
  }
