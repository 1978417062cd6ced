/**
 * Serves mixed traffic in rounds, and reads the process after each: its memory, open files, resources and listeners
 * must stay as they were after the first rounds.
 */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import * as http from "node:http"
import { join } from "node:path"
import * as Allocator from "../Allocator.ts"
import * as Program from "../Program.ts"
import * as Tree from "../Tree.ts"
import * as WebhookReceivers from "../WebhookReceivers.ts"
import * as Traffic from "./Traffic.ts"

/** The process between two rounds. */
export interface Sample {
  readonly seconds: number
  readonly rss: number
  /** The resident memory without the free pages of the JavaScript heap, of which V8 keeps 30 MB or none. */
  readonly memory: number
  readonly heapUsed: number
  readonly files: number
  /** The resources that keep the event loop alive, by their types: sockets, timers, requests. */
  readonly resources: { readonly [type: string]: number }
  readonly listeners: number
  /** The delays of the event loop during the round, in milliseconds. */
  readonly delays: { readonly p99: number; readonly max: number }
}

interface Outcome {
  readonly samples: ReadonlyArray<Sample>
  readonly requests: number
  readonly streamed: number
  readonly deliveries: number
  readonly failures: ReadonlyArray<string>
}

export interface Options {
  readonly bin: string
  /** The value of `--store`. */
  readonly store: string
  readonly rounds: number
  readonly roundMillis: number
  /** The time after a round in which connections, deliveries and timers end. */
  readonly settleMillis: number
  readonly onSample?: (sample: Sample) => void
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

const receiver = Effect.gen(function* () {
  let count = 0
  const server = http.createServer((request, response) => {
    count += 1
    request.resume().on("end", () => response.writeHead(204, { connection: "close" }).end())
  })
  return { port: yield* LocalServer.listen(server), count: () => count }
})

/** Serves the traffic, and returns the samples. */
export const run = ({ bin, onSample, roundMillis, rounds, settleMillis, store }: Options) =>
  Effect.gen(function* () {
    const { count, port } = yield* receiver
    const file = join(yield* Tree.make({}), "probe.json")
    const probe = join(Program.root, "acceptance/src/soak/probe.mjs")
    const args = ["--expose-gc", "--import", probe, bin, "serve", "--port", "0", "--seed", "empty", "--history", "on"]
    // The history has its full length, and page caches their size, in the first third of the samples.
    const limits = ["--private-networks", "loopback", "--max-memory", "32mb", "--keep-history", "1m"]
    const { pid, said } = yield* Program.start([...args, ...limits, "--store", store], /Try:/, {
      env: {
        MFG_MOCK_API_KEY: Traffic.key,
        MFG_MOCK_ADMIN_KEY: Traffic.adminKey,
        SOAK_PROBE: file,
        ...Allocator.variables
      }
    })
    const traffic = Traffic.make(/http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? "", store.startsWith("sqlite:"))
    const hook = WebhookReceivers.row("holiday", `http://127.0.0.1:${port}/`)

    const read = async (): Promise<Omit<Sample, "seconds">> => {
      rmSync(file, { force: true })
      const files = readdirSync(`/proc/${pid}/fd`).length
      process.kill(pid, "SIGUSR2")
      for (;;) {
        await pause(20)
        try {
          return { ...JSON.parse(readFileSync(file, "utf8")), files }
        } catch {
          // The probe has not written yet.
        }
      }
    }
    /** Reads the process once two readings agree on its handles, after a while in any case. */
    const settled = async () => {
      await pause(settleMillis)
      let sample = await read()
      const { delays } = sample
      for (let tries = 0; tries < 20; tries++) {
        const before = JSON.stringify([sample.files, sample.resources])
        await pause(500)
        sample = await read()
        if (JSON.stringify([sample.files, sample.resources]) === before) break
      }
      return { ...sample, delays }
    }

    const samples: Array<Sample> = []
    yield* Effect.promise(async () => {
      await traffic.send("POST", "/rest/webhook", hook)
      const start = performance.now()
      for (let round = 0; round < rounds; round++) {
        await traffic.run(roundMillis)
        const sample = { ...(await settled()), seconds: (performance.now() - start) / 1000 }
        samples.push(sample)
        onSample?.(sample)
      }
    })
    return {
      samples,
      requests: traffic.requests(),
      streamed: traffic.streamed(),
      deliveries: count(),
      failures: traffic.failures
    } satisfies Outcome
  }).pipe(Effect.scoped)

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

/** The ratio of the memory in the last third of the samples to that in the third before. */
export const growth = (samples: ReadonlyArray<Sample>): number => {
  const third = Math.ceil(samples.length / 3)
  const sizes = samples.map(({ memory }) => memory)
  return median(sizes.slice(-third)) / median(sizes.slice(-2 * third, -third))
}

/**
 * The handles that become more from each third of the samples to the next, by one in each round at least, as sentences.
 * A pool may open connections late, a few and once.
 */
export const leaks = (samples: ReadonlyArray<Sample>): ReadonlyArray<string> => {
  const third = Math.ceil(samples.length / 3)
  const [first, second, last] = [samples.slice(0, -2 * third), samples.slice(-2 * third, -third), samples.slice(-third)]
  const rise = (name: string, of: (sample: Sample) => number): ReadonlyArray<string> => {
    const most = (some: ReadonlyArray<Sample>) => Math.max(...some.map(of))
    const least = (some: ReadonlyArray<Sample>) => Math.min(...some.map(of))
    const isRising = least(second) > most(first) && least(last) > most(second)
    const isSteady = least(last) - most(first) >= third
    return isRising && isSteady ? [`${name}: at most ${most(first)} at first, at least ${least(last)} in the end`] : []
  }
  const types = new Set(samples.flatMap(({ resources }) => Object.keys(resources)))
  return [
    ...rise("open files", ({ files }) => files),
    ...rise("listeners", ({ listeners }) => listeners),
    ...Array.from(types).flatMap((type) => rise(type, ({ resources }) => resources[type] ?? 0))
  ]
}
