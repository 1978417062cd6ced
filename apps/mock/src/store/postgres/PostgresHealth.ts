/**
 * Tracks whether the server can be reached. After a lost response it is probed repeatedly, and until a probe succeeds
 * requests fail immediately instead of waiting.
 */

export interface PostgresHealth {
  readonly isLost: () => boolean
  /** The failure of the last probe, while the server is lost. */
  readonly failure: () => unknown
  /** Begins to probe the server. */
  readonly suspect: () => void
  /** Probes the server, and reports whether it answers soon. */
  readonly isReached: () => Promise<boolean>
  readonly close: () => void
}

/** The pause between two probes. */
const pauseMillis = 200

/** The time within which a server that can be reached answers a probe. */
const answerMillis = 1000

export const make = (probe: () => Promise<void>): PostgresHealth => {
  let isLost = false
  let failure: unknown
  let isProbing = false
  let pause: NodeJS.Timeout | undefined

  const look = () => {
    probe().then(
      () => {
        isLost = false
        isProbing = false
      },
      (error: unknown) => {
        if (!isProbing) return
        isLost = true
        failure = error
        pause = setTimeout(look, pauseMillis)
        // The timer does not keep the process alive.
        pause.unref()
      }
    )
  }

  return {
    isLost: () => isLost,
    failure: () => failure,
    suspect: () => {
      if (isProbing) return
      isProbing = true
      look()
    },
    isReached: async () => {
      if (isLost) return false
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), answerMillis)))
      const answer = probe().then(
        () => true,
        () => false
      )
      return Promise.race([answer, late]).finally(() => clearTimeout(timer))
    },
    close: () => {
      isProbing = false
      clearTimeout(pause)
    }
  }
}
