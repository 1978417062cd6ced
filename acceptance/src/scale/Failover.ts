/**
 * Kills the primary of two instances while clients create rows, promotes the synchronous standby, and compares the rows
 * with the responses: each confirmed create is one row.
 */
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as Effect from "effect/Effect"
import * as net from "node:net"
import * as Requests from "./Requests.ts"

export interface Options {
  readonly bin: string
  readonly writers: number
  /** The time for which the clients write before the primary is killed, and after the first write that follows. */
  readonly millis: number
}

interface Outcome {
  readonly confirmed: number
  /** Responses that were not a confirmation, and requests without a response. */
  readonly refused: number
  readonly lost: ReadonlyArray<string>
  readonly doubled: ReadonlyArray<string>
  /** The longest time without a confirmation, in milliseconds. */
  readonly gapMillis: number
}

/** Reports whether a server accepts connections. */
const isListening = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = net.connect(Number(port), hostname)
    socket.on("error", () => resolve(false)).on("connect", () => resolve(true))
    socket.on("connect", () => socket.destroy())
  })

const until = (condition: () => Promise<boolean>) =>
  Effect.promise(async () => {
    while (!(await condition())) await Requests.pause(5)
  })

const synchronize = (primary: string) =>
  Effect.gen(function* () {
    yield* Schema.run(primary, "ALTER SYSTEM SET synchronous_standby_names = 'standby1'")
    yield* Schema.run(primary, "SELECT pg_reload_conf()")
    const isSynchronous = Schema.run(
      primary,
      "SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'"
    )
    yield* Effect.repeat(Effect.delay(isSynchronous, 50), { until: ([row]) => row?.[0] === true })
  })

export const run = ({ bin, millis, writers }: Options) =>
  Effect.gen(function* () {
    const { kill, urls } = yield* Requests.cluster(1)
    const [primary = "", standby = ""] = urls
    const store = ["--store", Requests.addressOf(urls), "--keep-idempotency", "1h"]
    const origins = [yield* Requests.serve(bin, store), yield* Requests.serve(bin, store)]
    yield* synchronize(primary)

    const confirmed: Array<{ readonly name: string; readonly at: number }> = []
    let refused = 0
    const over = new AbortController()
    const write = async (writer: number) => {
      for (let number = 0; !over.signal.aborted; number += 1) {
        const name = `writer ${writer}, row ${number}`
        const row = { name, date: "2027-05-01", companyId: "demo" }
        // A row is repeated on either instance until it is confirmed.
        for (let attempt = 0; ; attempt += 1) {
          const origin = origins[(writer + attempt) % origins.length] ?? ""
          const { status } = await Requests.send(origin, "POST", "", { "idempotency-key": name }, row)
          if (status === 201) {
            confirmed.push({ name, at: performance.now() })
            break
          }
          refused += 1
          await Requests.pause(20)
        }
      }
    }
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
    yield* Effect.promise(() => Requests.pause(millis))
    const killed = performance.now()
    kill(0)
    yield* until(async () => !(await isListening(primary)))
    yield* Schema.run(standby, "SELECT pg_promote()")
    const promoted = performance.now()
    yield* until(() => Promise.resolve((confirmed.at(-1)?.at ?? 0) > promoted))
    yield* Effect.promise(() => Requests.pause(millis))
    over.abort()
    yield* Effect.promise(() => writing)

    const rows = yield* Schema.run(standby, `SELECT "name", count(*)::integer FROM "holiday" GROUP BY 1`)
    const stored = new Map(rows.map(([name, count]) => [String(name), Number(count)]))
    const times = confirmed.map(({ at }) => at).filter((at) => at > killed - millis)
    return {
      confirmed: confirmed.length,
      refused,
      lost: confirmed.filter(({ name }) => !stored.has(name)).map(({ name }) => name),
      doubled: [...stored].filter(([, count]) => count > 1).map(([name]) => name),
      gapMillis: Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))
    } satisfies Outcome
  }).pipe(Effect.scoped)
