/**
 * Whether the server can be reached. When an answer was lost it is asked again and again on the side, and until it
 * answers nobody else needs to wait for it.
 */

export interface PostgresHealth {
  readonly isLost: () => boolean
  /** Looks whether the server is still there. */
  readonly suspect: () => void
  readonly close: () => void
}

/** How long to wait between two attempts to reach it. */
const pauseMillis = 200

export const make = (probe: () => Promise<void>): PostgresHealth => {
  let isLost = false
  let isProbing = false
  let pause: NodeJS.Timeout | undefined

  const look = () => {
    probe().then(
      () => {
        isLost = false
        isProbing = false
      },
      () => {
        if (!isProbing) return
        isLost = true
        pause = setTimeout(look, pauseMillis)
        // A process that has nothing else to do may end.
        pause.unref()
      }
    )
  }

  return {
    isLost: () => isLost,
    suspect: () => {
      if (isProbing) return
      isProbing = true
      look()
    },
    close: () => {
      isProbing = false
      clearTimeout(pause)
    }
  }
}
