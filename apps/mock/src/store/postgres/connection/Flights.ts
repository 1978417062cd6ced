/**
 * The statements that were sent on a connection, in their order, and their deadlines. The server runs the first one, and
 * cancels it on request. A read is given up at its deadline even if the server does not respond.
 */
import * as QueryStopped from "../../QueryStopped.ts"
import type * as PostgresError from "./PostgresError.ts"

/** The limits of a statement. */
export interface Limits {
  /** The time, as of `performance.now()`, at which the statement is canceled. */
  readonly deadline: number
  /** Set when the statement may be given up at its deadline: it writes nothing. */
  readonly isRead?: boolean
  /** The time without a response after which the connection is given up, if it is not the default one. */
  readonly responseMillis?: number
}

/** A statement that was sent. */
export interface Sent {
  readonly limits: Limits
  readonly reject: (error: unknown) => void
  readonly onEnd: () => void
  isStopped: boolean
  /** Set when it was rejected at its deadline, before its response. */
  isGivenUp: boolean
  /** The time of the last request to cancel it. */
  cancelSentAt: number
  phase: "waiting" | "running"
}

export interface Options {
  /** The time that a query may take, for messages. */
  readonly statementMillis: number
  readonly responseMillis: number
  /** Requests the server to cancel its statement; returns false if it cannot. */
  readonly requestCancel: () => boolean
  /** Called when the first statement has no response in time. */
  readonly onSilence: () => void
}

export interface Flights {
  readonly add: (limits: Limits, reject: (error: unknown) => void, onEnd: () => void) => Sent
  /** Removes a statement that has ended; false if it was rejected already. */
  readonly remove: (flight: Sent) => boolean
  /** The statement that the server runs. */
  readonly first: () => Sent | undefined
  /** Cancels a statement when it is the first. */
  readonly stop: (flight: Sent) => void
  readonly failAll: (error: PostgresError.PostgresError) => void
  /** Reports whether the first statement runs for longer than some milliseconds, or one was given up. */
  readonly isStalled: (now: number, millis: number) => boolean
  readonly timeout: (phase: Sent["phase"]) => QueryStopped.QueryStopped
}

/** The time after which a request to cancel is repeated. */
const repeatMillis = 200

/** The precision of deadlines. */
const tickMillis = 20

/** The time that the server has to respond to a request to cancel. It parses a long JSON value without a pause. */
const cancelMillis = 300

export const make = ({ onSilence, requestCancel, responseMillis, statementMillis }: Options): Flights => {
  const sent: Array<Sent> = []
  let firstSince = 0
  let ticking: NodeJS.Timeout | undefined

  const timeout = (phase: Sent["phase"]) =>
    new QueryStopped.QueryStopped({ reason: { _tag: "Timeout", phase, millis: statementMillis } })

  const cancel = (first: Sent) => {
    if (performance.now() - first.cancelSentAt < repeatMillis || !requestCancel()) return
    first.isStopped = true
    first.cancelSentAt = performance.now()
  }

  const cancelIfLate = (first: Sent) => {
    if (first.isStopped || first.limits.deadline <= performance.now()) cancel(first)
  }

  const giveUp = (flight: Sent) => {
    flight.isGivenUp = true
    flight.reject(timeout(flight.phase))
  }

  const rest = () => {
    clearInterval(ticking)
    ticking = undefined
  }

  const tick = () => {
    const [first] = sent
    if (first === undefined) return rest()
    const now = performance.now()
    for (const flight of sent) {
      const { isGivenUp, limits } = flight
      const millis = flight === first ? cancelMillis : 0
      if (!isGivenUp && limits.isRead === true && limits.deadline + millis <= now) giveUp(flight)
    }
    cancelIfLate(first)
    if (now - firstSince > (first.limits.responseMillis ?? responseMillis)) onSilence()
  }

  return {
    add: (limits, reject, onEnd) => {
      const isFirst = sent.length === 0
      const phase = isFirst ? "running" : "waiting"
      if (isFirst) firstSince = performance.now()
      const flight: Sent = { limits, reject, onEnd, isStopped: false, isGivenUp: false, cancelSentAt: -Infinity, phase }
      sent.push(flight)
      ticking ??= setInterval(tick, tickMillis).unref()
      return flight
    },
    remove: (flight) => {
      const index = sent.indexOf(flight)
      if (index === -1) return false
      sent.splice(index, 1)
      const [first] = sent
      if (first !== undefined && index === 0) {
        firstSince = performance.now()
        if (first.limits.deadline > firstSince) first.phase = "running"
        cancelIfLate(first)
      }
      flight.onEnd()
      return !flight.isGivenUp
    },
    first: () => sent[0],
    stop: (flight) => {
      flight.isStopped = true
      if (sent[0] === flight) cancel(flight)
    },
    failAll: (error) => {
      rest()
      for (const { isGivenUp, onEnd, reject } of sent.splice(0)) {
        onEnd()
        if (!isGivenUp) reject(error)
      }
    },
    isStalled: (now, millis) =>
      sent.length > 0 && (now - firstSince > millis || sent.some(({ isGivenUp }) => isGivenUp)),
    timeout
  }
}
