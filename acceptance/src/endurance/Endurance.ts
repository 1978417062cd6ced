/**
 * Lets months pass for a service, and lets it delete a backlog of expired deliveries, while another company waits for
 * cheap requests.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Neighbour from "../hostile/Neighbour.ts"
import * as SettledDeliveries from "./SettledDeliveries.ts"
import * as Subject from "./Subject.ts"

interface Options {
  /** The bundled service. */
  readonly bin: string
  /** The value of `--store`. */
  readonly store: string
}

export interface MonthsOptions extends Options {
  readonly days: number
  /** The deliveries of a day, and the writes with an `Idempotency-Key`. */
  readonly perDay: number
  /** Called after each day. */
  readonly onDay?: (day: Day) => void
  /** Does what a server does by itself in the course of a day. */
  readonly vacuum?: Effect.Effect<unknown>
}

/** The state of the store after a day. */
interface Day {
  readonly day: number
  readonly deliveries: number
  readonly responses: number
  readonly databaseBytes: number
}

interface Waits {
  readonly count: number
  readonly p99: number
  readonly longest: number
}

export interface Outcome {
  /** The waits of cheap reads. */
  readonly waits: Waits
  /** The waits of small writes, which include those for the disk. */
  readonly writes: Waits
  /** The growth of the resident memory from the first second to its peak. */
  readonly grownBytes: number
  readonly failures: ReadonlyArray<string>
}

export interface Months extends Outcome {
  readonly days: ReadonlyArray<Day>
}

export interface Backlog extends Outcome {
  readonly seconds: number
  /** The waits before the first deletion. */
  readonly quiet: Waits
}

const waitsOf = (millis: ReadonlyArray<number>): Waits => ({
  count: millis.length,
  p99: Neighbour.quantile(millis, 0.99),
  longest: Neighbour.quantile(millis, 1)
})

const expired = (metrics: ReadonlyMap<string, number>, table: string): number =>
  metrics.get(`mfg_mock_expired_rows_total{table="${table}"}`) ?? 0

/** Watches a service while it works, which begins after a quiet second. */
const watch = async <A>(subject: Subject.Subject, isReading: boolean, work: () => Promise<A>) => {
  const reader = Neighbour.start(subject.sender, [Neighbour.read])
  const writer = Neighbour.start(subject.sender, isReading ? [] : [Neighbour.write])
  await Subject.pause(1500)
  const begin = performance.now()
  const first = subject.residentBytes()
  let peak = first
  const sampling = setInterval(() => (peak = Math.max(peak, subject.residentBytes())), 100)
  try {
    const result = await work()
    return {
      result,
      seconds: (performance.now() - begin) / 1000,
      quiet: waitsOf(Neighbour.during(reader.waits, 0, begin)),
      waits: waitsOf(Neighbour.during(reader.waits, begin, Infinity)),
      writes: waitsOf(Neighbour.during(writer.waits, begin, Infinity)),
      grownBytes: peak - first,
      failures: [...reader.failures, ...writer.failures]
    }
  } finally {
    clearInterval(sampling)
    await Promise.all([reader.stop(), writer.stop()])
  }
}

const day = 24 * 3600

/** Lets days pass, each with as many deliveries and stored responses. */
export const months = ({ bin, days, onDay, perDay, store, vacuum = Effect.void }: MonthsOptions) =>
  Effect.gen(function* () {
    yield* Subject.create(bin, store)
    const subject = yield* Subject.open(bin, store)
    const { ask } = subject
    const rows = Array.from({ length: perDay }, (_, index) => ({
      name: `tracked ${index}`,
      date: "2026-05-01",
      companyId: "demo"
    }))
    const pass = async () => {
      const states: Array<Day> = []
      await ask("POST", "/rest/holiday", rows)
      for (let number = 1; number <= days; number += 1) {
        await ask("PATCH", "/rest/holiday?name=like.tracked*", { year: 2000 + number })
        for (let index = 0; index < perDay; index += 1) {
          await ask(
            "PATCH",
            `/rest/holiday?name=eq.tracked%20${index}`,
            { date: "2026-05-01" },
            { "Idempotency-Key": `${number}/${index}` }
          )
        }
        await ask("POST", "/_mock/clock/advance", { seconds: day })
        // The deletion goes on in the background.
        await Subject.pause(50)
        if (number % 5 === 0) await Effect.runPromise(vacuum)
        const metrics = await subject.metrics()
        const state = {
          day: number,
          deliveries: (2 * number + 1) * perDay - expired(metrics, "_delivery"),
          responses: number * perDay - expired(metrics, "_idempotency"),
          databaseBytes: metrics.get("mfg_mock_database_bytes") ?? 0
        }
        states.push(state)
        onDay?.(state)
      }
      return states
    }
    const { result, ...outcome } = yield* Effect.promise(() => watch(subject, true, pass))
    return { ...outcome, days: result } satisfies Months
  })

/** Deletes deliveries that have all expired before the service starts. */
export const backlog = ({
  bin,
  deliveries,
  store
}: Options & { readonly deliveries: number }): Effect.Effect<Backlog, never, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Subject.create(bin, store)
    yield* SettledDeliveries.write(store, deliveries)
    const subject = yield* Subject.open(bin, store)
    const { result: _, ...outcome } = yield* Effect.promise(() =>
      watch(subject, false, async () => {
        await subject.ask("POST", "/_mock/clock/advance", { seconds: 120 })
        while (expired(await subject.metrics(), "_outbox") < deliveries) await Subject.pause(200)
      })
    )
    return outcome
  })

/** The targets of a run. */
export interface Targets {
  readonly p99Millis: number
  readonly grownBytes: number
}

const outcomeMisses = ({ failures, grownBytes, waits }: Outcome, targets: Targets): ReadonlyArray<string> => [
  ...(waits.p99 > targets.p99Millis ? [`a cheap read waits ${waits.p99.toFixed(0)} ms at the 99th percentile`] : []),
  ...(grownBytes > targets.grownBytes ? [`the memory grows by ${Math.round(grownBytes / 1024 ** 2)} MB`] : []),
  ...(failures.length > 0 ? [`${failures.length} requests fail: ${[...new Set(failures)].join("; ")}`] : [])
]

/** The targets that the deletion of a backlog misses, as sentences. */
export const backlogMisses = outcomeMisses

/** The days for which deliveries and responses are kept, with the one that is being deleted. */
const kept = { deliveries: 32, responses: 3 }

/** The targets that months miss. From the day on which deliveries expire, the store must not grow by a tenth. */
export const monthsMisses = (
  months: Months,
  { perDay, ...targets }: Targets & { readonly perDay: number }
): ReadonlyArray<string> => {
  const late = months.days.filter(({ day }) => day > kept.deliveries)
  const half = Math.ceil(late.length / 2)
  const sizeOf = (some: ReadonlyArray<Day>) => Math.max(...some.map(({ databaseBytes }) => databaseBytes))
  const growth = sizeOf(late.slice(half)) / sizeOf(late.slice(0, half))
  const deliveries = Math.max(...months.days.map(({ deliveries }) => deliveries))
  const responses = Math.max(...months.days.map(({ responses }) => responses))
  return [
    ...outcomeMisses(months, targets),
    ...(late.length < 2 ? ["too few days pass for deliveries to expire"] : []),
    ...(growth > 1.1 ? [`the store grows to ${growth.toFixed(2)} times its size`] : []),
    ...(deliveries > (2 * kept.deliveries + 1) * perDay ? [`the store keeps ${deliveries} deliveries`] : []),
    ...(responses > kept.responses * perDay ? [`the store keeps ${responses} responses`] : [])
  ]
}
