/**
 * Counts what was begun and is not over, so that an end can wait for it.
 */

export interface UnderWay {
  /** Counts something until it is over. */
  readonly counted: <A>(body: () => Promise<A>) => Promise<A>
  /** Waits until nothing is under way, for so long. */
  readonly settled: (millis: number) => Promise<void>
}

export const make = (): UnderWay => {
  const idle = new Set<() => void>()
  let count = 0
  return {
    counted: async (body) => {
      count += 1
      try {
        return await body()
      } finally {
        count -= 1
        if (count === 0) for (const tell of idle) tell()
      }
    },
    settled: (millis) =>
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
