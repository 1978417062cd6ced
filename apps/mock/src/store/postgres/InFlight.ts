/**
 * Counts operations in flight, so that closing can wait for them.
 */

export interface InFlight {
  /** Runs an operation and counts it as in flight until it settles. */
  readonly track: <A>(body: () => Promise<A>) => Promise<A>
  /** Waits until no operation is in flight, or until a timeout. */
  readonly drain: (millis: number) => Promise<void>
}

export const make = (): InFlight => {
  const waiters = new Set<() => void>()
  let count = 0
  return {
    track: async (body) => {
      count += 1
      try {
        return await body()
      } finally {
        count -= 1
        if (count === 0) for (const resolve of waiters) resolve()
      }
    },
    drain: (millis) =>
      new Promise((resolve) => {
        if (count === 0 || millis === 0) return resolve()
        const timer = setTimeout(resolve, millis)
        waiters.add(() => {
          clearTimeout(timer)
          resolve()
        })
      })
  }
}
