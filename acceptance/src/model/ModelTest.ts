/**
 * Runs random calls under a set of faults, and reduces calls that fail to a short script.
 */
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import type * as Scope from "effect/Scope"
import * as ModelCommand from "./ModelCommand.ts"
import * as ModelRun from "./ModelRun.ts"
import type { ModelTarget } from "./ModelTarget.ts"

export interface Options {
  /** A new service for each run. */
  readonly target: (seed: number) => Effect.Effect<ModelTarget, unknown, Scope.Scope>
  readonly runs: number
  /** The calls of a run on average. */
  readonly calls: number
  readonly seed: number
  readonly hasKills?: boolean
}

export interface Result {
  readonly counts: ModelRun.Counts
  /** The number of faults that the calls met. */
  readonly faults: number
  /** The shortest calls with a wrong outcome, and the outcome. */
  readonly failure: string | undefined
}

/** The attempts of a call of the client, and the longest pause between them. */
const attempts = 5
const pauseMillis = 3000

const addCounts = (one: ModelRun.Counts, other: ModelRun.Counts): ModelRun.Counts => ({
  calls: one.calls + other.calls,
  succeeded: one.succeeded + other.succeeded,
  failed: one.failed + other.failed,
  unknown: one.unknown + other.unknown
})

/** Runs the test; the same seed runs the same calls with the same faults. */
export const run = async ({ calls, hasKills = false, runs, seed, target }: Options): Promise<Result> => {
  let faults = 0
  let counts: ModelRun.Counts = { calls: 0, succeeded: 0, failed: 0, unknown: 0 }
  const property = fc.asyncProperty(
    fc.array(ModelCommand.arbitrary(hasKills), { minLength: 1, maxLength: 2 * calls, size: "max" }),
    fc.nat(),
    (commands, faultSeed) =>
      Effect.runPromise(
        Effect.scoped(
          Effect.flatMap(target(faultSeed), (target) =>
            Effect.promise(async () => {
              const model = ModelRun.make({
                ...target,
                // A call of `modify` reads and writes up to ten times, and a stream reads every page.
                longestMillis: 20 * attempts * (target.timeoutMillis + pauseMillis)
              })
              try {
                for (const command of commands) await model.run(command)
              } finally {
                counts = addCounts(counts, model.counts())
                faults += await target.fired()
              }
            })
          )
        )
      )
  )
  const { counterexample, errorInstance, failed } = await fc.check(property, {
    seed,
    numRuns: runs,
    // Each step of the reduction runs the calls again.
    interruptAfterTimeLimit: 600_000,
    markInterruptAsFailure: false
  })
  return {
    counts,
    faults,
    failure: failed
      ? `seed ${seed}, faults ${counterexample?.[1]}:\n${ModelCommand.toScript(counterexample?.[0] ?? [])}\n${String(errorInstance)}`
      : undefined
  }
}

/** The result of two runs. */
export const add = (one: Result, other: Result): Result => ({
  counts: addCounts(one.counts, other.counts),
  faults: one.faults + other.faults,
  failure: one.failure ?? other.failure
})
