/**
 * Sends hostile requests of one company to a service, and measures how long another company waits for its cheap reads
 * and small writes meanwhile, and how much memory the process takes.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout as pause } from "node:timers/promises"
import * as Crash from "../Crash.ts"
import * as Allocator from "../Allocator.ts"
import * as Program from "../Program.ts"
import * as Tree from "../Tree.ts"
import * as Attack from "./Attack.ts"
import { connections } from "./HostileConnections.ts"
import * as HostileData from "./HostileData.ts"
import { deliveries } from "./HostileDeliveries.ts"
import { reads } from "./HostileReads.ts"
import { repeats } from "./HostileRepeats.ts"
import type { HostileRequest } from "./HostileRequest.ts"
import { writes } from "./HostileWrites.ts"
import * as Neighbour from "./Neighbour.ts"
import * as Random from "./Random.ts"
import * as Sender from "./Sender.ts"

/** Every hostile request. */
export const requests: ReadonlyArray<HostileRequest> = [...reads, ...writes, ...deliveries, ...repeats, ...connections]

export interface Options {
  /** The bundled service. */
  readonly bin: string
  /** The value of `--store`. */
  readonly store: string
  readonly connections: number
  /** The number of rounds in which the connections send all requests in a random order, after each one by itself. */
  readonly rounds: number
  readonly size: HostileData.Size
  readonly seed: number
  readonly requests: ReadonlyArray<HostileRequest>
  /** Called after a request was sent by all connections. */
  readonly onResult?: (result: Result) => void
}

/** The responses to one request, and their effects while all connections sent nothing else. */
export interface Result {
  readonly request: HostileRequest
  readonly slowestMillis: number
  /** The number of responses by status and code. */
  readonly answers: ReadonlyMap<string, number>
  /** The longest wait of the other company. */
  readonly waitMillis: number
  readonly residentBytes: number
}

export interface Outcome {
  readonly results: ReadonlyArray<Result>
  /** The responses that are neither a result nor a named refusal. */
  readonly unnamed: ReadonlyArray<string>
  /** The responses that came later than the target. */
  readonly slowestMillis: number
  readonly waits: { readonly count: number; readonly p50: number; readonly p99: number; readonly longest: number }
  /** The waits before the first hostile request. */
  readonly quiet: { readonly p99: number; readonly longest: number }
  readonly peakBytes: number
  /** The failed requests of the other company, and its confirmed rows that are missing. */
  readonly failures: ReadonlyArray<string>
  readonly lost: number
  /** The repeated writes of the company that did not happen once. */
  readonly repeated: ReadonlyArray<string>
  /** The status of `/health/ready` at the end. */
  readonly ready: number
  readonly integrity: string
  /** The longest time in which the event loop of this process was busy, which waits include. */
  readonly ownGapMillis: number
}

const serve = (bin: string, store: string) =>
  Program.start([bin, "serve", "--port", "0", "--seed", "demo", "--aggregates", "on", "--store", store], /Try:/, {
    env: { MFG_MOCK_API_KEY: Attack.key, ...Allocator.variables }
  })

/** Bytes of a line of `/proc/<pid>/status`, such as `VmRSS`. */
const memory = (pid: number, line: string): number => {
  const kilobytes = new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

const live: Sender.Sent = { method: "GET", target: "/health/live", headers: {} }

/** The codes of refusals with a status from 500. */
const named = /^(57014|53200|P0503)$/

/** The code of the refusal of too many writes, which has no details. */
const tooManyWrites = "PGRST003"

const isNamed = ({ code, isExplained, status }: Sender.Answer): boolean =>
  status >= 200 && (status < 500 || code === tooManyWrites || (named.test(code ?? "") && isExplained))

const load = async (
  running: Program.Running & { readonly origin: string },
  options: Options
): Promise<Omit<Outcome, "integrity">> => {
  const { connections, onResult, requests, rounds, seed, size } = options
  const { origin, pid } = running
  const random = Random.make(seed)
  const sender = Sender.open(origin, connections)
  const other = Sender.open(origin, 16)
  const headers = {
    Authorization: `Bearer ${Attack.key}`,
    "Content-Type": "application/json",
    Prefer: "return=representation"
  }
  const post = (target: string, rows: ReadonlyArray<object>) =>
    // The rows that were sent, with their ids.
    sender.read({
      method: "POST",
      target: `${target}?select=id`,
      headers,
      body: Buffer.from(JSON.stringify(rows))
    }) as Promise<ReadonlyArray<{ readonly id: string }>>
  const attack = Attack.make(
    { origin, requests, sender },
    { transfer: await HostileData.create(post, size, random), word: random.word }
  )

  const gaps = monitorEventLoopDelay({ resolution: 5 })
  const neighbour = Neighbour.start(other)
  await pause(1000)
  const quiet = neighbour.waits.map(({ millis }) => millis)
  gaps.enable()

  const start = performance.now()
  const unnamed: Array<string> = []
  let slowestMillis = 0
  const check = ({ name }: HostileRequest, answer: Sender.Answer) => {
    slowestMillis = Math.max(slowestMillis, answer.millis)
    if (!isNamed(answer)) unnamed.push(`${name}: ${answer.status} ${answer.code ?? ""}`)
  }

  const results: Array<Result> = []
  for (const request of requests) {
    if (request.isRepeated === true) await attack.run(1, [request], check)
    const from = performance.now()
    const answers = new Map<string, number>()
    let slowest = 0
    let residentBytes = 0
    const sampling = setInterval(() => (residentBytes = Math.max(residentBytes, memory(pid, "VmRSS"))), 50)
    const queue = Array.from({ length: connections }, () => request)
    await attack.run(connections, queue, (_, answer) => {
      check(request, answer)
      slowest = Math.max(slowest, answer.millis)
      const name = [answer.status, answer.code].filter(Boolean).join(" ") || "closed"
      answers.set(name, (answers.get(name) ?? 0) + 1)
    })
    // A service that is still busy would spoil the figures of the next request.
    while ((await other.send(live)).status !== 200) await pause(100)
    await pause(50)
    clearInterval(sampling)
    const waitMillis = Neighbour.quantile(Neighbour.during(neighbour.waits, from, performance.now()), 1)
    const result = { request, slowestMillis: slowest, answers, waitMillis, residentBytes }
    results.push(result)
    onResult?.(result)
  }
  for (let round = 0; round < rounds; round++) {
    const queue = random.shuffle(requests.flatMap((request) => [request, request]))
    await attack.run(connections, queue, check)
  }

  await neighbour.stop()
  gaps.disable()
  const waits = Neighbour.during(neighbour.waits, start, Infinity)
  const ready = await sender.send({ method: "GET", target: "/health/ready", headers: {} })
  const lost = neighbour.created() - (await Neighbour.count(other))
  const repeated = await attack.repeated()
  sender.close()
  other.close()
  return {
    results,
    unnamed,
    slowestMillis,
    waits: {
      count: waits.length,
      p50: Neighbour.quantile(waits, 0.5),
      p99: Neighbour.quantile(waits, 0.99),
      longest: Neighbour.quantile(waits, 1)
    },
    quiet: { p99: Neighbour.quantile(quiet, 0.99), longest: Neighbour.quantile(quiet, 1) },
    peakBytes: memory(pid, "VmHWM"),
    failures: neighbour.failures,
    lost,
    repeated,
    ready: ready.status,
    ownGapMillis: gaps.max / 1e6
  }
}

/** Runs the requests against a service of its own. */
export const run = (options: Options): Effect.Effect<Outcome, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { bin, store } = options
    const folder = yield* Tree.make({})
    const first = yield* serve(bin, store)
    yield* first.end("SIGTERM")
    const { code, stderr } = yield* Program.node([bin, "seed", "--store", store, HostileData.seedFile(folder)])
    if (code !== 0) return yield* Effect.dieMessage(stderr)
    const running = yield* serve(bin, store)
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(running.said)?.[0] ?? ""
    const outcome = yield* Effect.promise(() => load({ ...running, origin }, options))
    const ended = yield* running.end("SIGTERM")
    const file = /^sqlite:(.+)$/.exec(store)?.[1]
    const integrity = file === undefined ? "ok" : Crash.integrity(file)
    return { ...outcome, integrity: ended === 0 ? integrity : `the service ended with ${ended}` }
  })

/** The targets of a run. */
export interface Targets {
  readonly p99Millis: number
  readonly longestMillis: number
  readonly answerMillis: number
  readonly memoryBytes: number
}

/** The targets that an outcome misses, as sentences. */
export const misses = (outcome: Outcome, targets: Targets): ReadonlyArray<string> => {
  const { failures, integrity, lost, peakBytes, ready, repeated, slowestMillis, unnamed, waits } = outcome
  const complaints: ReadonlyArray<readonly [boolean, string]> = [
    [waits.p99 > targets.p99Millis, `the other company waits ${waits.p99.toFixed(0)} ms at the 99th percentile`],
    [waits.longest > targets.longestMillis, `the other company waits ${waits.longest.toFixed(0)} ms at most`],
    [slowestMillis > targets.answerMillis, `a response takes ${slowestMillis.toFixed(0)} ms`],
    [peakBytes > targets.memoryBytes, `the process takes ${Math.round(peakBytes / 1024 ** 2)} MB`],
    [
      unnamed.length > 0,
      `${unnamed.length} responses are neither a result nor a named refusal: ${[...new Set(unnamed)].join("; ")}`
    ],
    [
      failures.length > 0,
      `${failures.length} requests of the other company fail: ${[...new Set(failures)].join("; ")}`
    ],
    [lost > 0, `${lost} confirmed rows are missing`],
    [repeated.length > 0, `repeated writes: ${repeated.join("; ")}`],
    [ready !== 200, `/health/ready has the status ${ready}`],
    [integrity !== "ok", `the store is not intact: ${integrity}`]
  ]
  return complaints.filter(([isMissed]) => isMissed).map(([, sentence]) => sentence)
}
