/**
 * Opens connections to one of several hosts: the first one in the required state, beginning with the one that the last
 * connection was opened to. The next host is tried when one fails or does not respond soon, so that a host that is away
 * delays nothing.
 */
import * as PostgresAddress from "../../../PostgresAddress.ts"
import type { PostgresConnection } from "./PostgresConnection.ts"
import * as PostgresError from "./PostgresError.ts"

/** The time after which the next host is tried too. */
const patienceMillis = 500

/** The failure of one host. */
interface Failure {
  readonly host: string
  readonly error: unknown
}

/** The code of several failures: their own if it is the same, or that of a server in another state. */
const codeOf = (codes: ReadonlySet<string>): string => {
  const [first = ""] = codes
  return codes.size === 1 ? first : codes.has("CONNECT_TARGET") ? "CONNECT_TARGET" : "CONNECT_HOSTS"
}

/** The reason for which a server in another state was refused, without its address. */
export const reasonOf = (message: string): string => message.replace(/^CONNECT_TARGET: \S+: /, "")

/** Summarizes the failures of all hosts. */
const summarize = (failures: ReadonlyArray<Failure>, target: PostgresAddress.Target): unknown => {
  const [first] = failures
  if (failures.length < 2) return first?.error
  const known = failures.flatMap(({ error, host }) =>
    error instanceof PostgresError.PostgresError ? [{ error, host }] : []
  )
  if (known.length < failures.length) return failures.find(({ error }) => !(error instanceof Error))?.error
  const code = codeOf(new Set(known.map(({ error }) => error.code)))
  const texts = known.map(({ error, host }) => `${host}: ${reasonOf(error.message)}`)
  return PostgresError.ofConnection(
    code,
    `no host can be used (target_session_attrs is ${target}): ${texts.join("; ")}`
  )
}

export interface PostgresHosts {
  /** Opens a connection. `onEnd` is called when that connection ends, and not for the attempts at other hosts. */
  readonly open: (
    connect: (host: PostgresAddress.Host, onEnd: () => void) => Promise<PostgresConnection>,
    onEnd: () => void
  ) => Promise<PostgresConnection>
}

export const make = (hosts: ReadonlyArray<PostgresAddress.Host>, target: PostgresAddress.Target): PostgresHosts => {
  let preferred = 0
  return {
    open: (connect, onEnd) =>
      new Promise((resolve, reject) => {
        const order = hosts.map((_, index) => (preferred + index) % hosts.length)
        const failures: Array<Failure> = []
        let isOpen = false
        let timer: NodeJS.Timeout | undefined
        const next = () => {
          clearTimeout(timer)
          const index = order.shift()
          const host = index === undefined ? undefined : hosts[index]
          if (index === undefined || host === undefined || isOpen) return
          timer = setTimeout(next, patienceMillis)
          let isUsed = false
          connect(host, () => isUsed && onEnd()).then(
            (connection) => {
              if (isOpen) return connection.close()
              isOpen = isUsed = true
              if (!connection.isOpen()) onEnd()
              clearTimeout(timer)
              preferred = index
              resolve(connection)
            },
            (error: unknown) => {
              failures.push({ host: PostgresAddress.nameOf(host), error })
              if (failures.length === hosts.length) {
                clearTimeout(timer)
                reject(summarize(failures, target))
              } else next()
            }
          )
        }
        next()
      })
  }
}
