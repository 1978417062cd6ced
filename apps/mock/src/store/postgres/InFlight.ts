/**
 * Counts what was begun and is not over, so that an end can wait for it.
 */

export interface InFlight {
  /** Counts something until it is over. */
  readonly track: <A>(body: () => Promise<A>) => Promise<A>
  /** Waits until nothing is under way, for so long. */
  readonly drain: (millis: number) => Promise<void>
}

export const make = (): InFlight => {
  const idle = new Set<() => void>()
  let count = 0
  return {
    track: async (body) => {
      count += 1
      try {
        return await body()
      } finally {
        count -= 1
        if (count === 0) for (const tell of idle) tell()
      }
    },
    drain: (millis) =>
      new Promise((resolve) => {
        if (count === 0 || millis === 0) return resolve()
        const timer = setTimeout(resolve, millis)
        idle.add(() => {
          clearTimeout(timer)
          resolve()
        })
      })
  }
}
