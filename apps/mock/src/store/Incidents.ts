/**
 * Logs the failures of a store by its driver: the first one of an operation and a code, and the end with their number.
 * The lines contain the driver's code and text, which contain no values.
 */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"

/** The operations that fail and recover independently of each other. */
export type Operation = "read" | "query" | "commit" | "connect"

/** The number of failures since the store was opened. */
export interface Count {
  readonly operation: Operation
  readonly code: string
  readonly count: number
}

/** A line of the log. */
export interface Entry {
  readonly isOver: boolean
  readonly message: string
  readonly operation: Operation
  readonly code: string
}

export interface Incidents {
  /** Counts a failure; the first one is logged, with advice if there is any. */
  readonly failed: (operation: Operation, error: unknown, advice?: string) => void
  /** Ends the incidents of an operation whose last failure is a second ago, except those of damage. */
  readonly succeeded: (operation: Operation) => void
  /** Ends the incidents of damage, after a check. */
  readonly repaired: () => void
  readonly counts: () => ReadonlyArray<Count>
}

export interface Options {
  readonly log: (entry: Entry) => void
  /** The clock in milliseconds. */
  readonly now?: () => number
}

interface Incident extends Omit<Count, "count"> {
  readonly begin: number
  last: number
  failures: number
}

const failing: { readonly [O in Operation]: string } = {
  read: "The store cannot read",
  query: "The store cannot run a query",
  commit: "The store cannot commit",
  connect: "A connection to PostgreSQL cannot be opened"
}

const working: { readonly [O in Operation]: string } = {
  read: "The store reads again",
  query: "The store runs queries again",
  commit: "The store commits again",
  connect: "PostgreSQL accepts connections again"
}

/** The time without failures after which a success ends an incident, so that a flickering one adds few lines. */
const quietMillis = 1000

/** Codes of damage, which a success elsewhere in the store does not end. */
const damage = /^(SQLITE_(CORRUPT|NOTADB)|XX00[12])/

/** Reports whether an error of the driver means that the content of the store is damaged. */
export const isDamage = (error: unknown): boolean => damage.test(factsOf(error).code)

/** The code and the text of a driver's error. Errors of other origins may contain values, so only their name is used. */
const factsOf = (error: unknown): { readonly code: string; readonly text: string } => {
  if (!(error instanceof Error)) return { code: "unknown", text: "unknown" }
  if (!("code" in error) || typeof error.code !== "string") return { code: error.name, text: error.name }
  const { code, message } = error
  const [line = ""] = message.split("\n", 1)
  return { code, text: line.startsWith(code) ? line : `${code}: ${line}` }
}

const durationOf = (millis: number): string => `${Math.max(1, Math.round(millis / 1000))} s`

export const make = ({ log, now = () => performance.now() }: Options): Incidents => {
  const open = new Map<string, Incident>()
  const counts = new Map<string, { readonly operation: Operation; readonly code: string; count: number }>()

  const end = (key: string, { begin, code, failures, operation }: Incident) => {
    open.delete(key)
    const times = failures === 1 ? "1 failure" : `${failures} failures`
    const message = `${working[operation]}, after ${times} in ${durationOf(now() - begin)} (${code})`
    log({ isOver: true, message, operation, code })
  }

  return {
    failed: (operation, error, advice = "") => {
      const { code, text } = factsOf(error)
      const key = `${operation} ${code}`
      const counted = counts.get(key)
      if (counted === undefined) counts.set(key, { operation, code, count: 1 })
      else counted.count += 1
      const incident = open.get(key)
      if (incident !== undefined) {
        incident.last = now()
        incident.failures += 1
        return
      }
      open.set(key, { operation, code, begin: now(), last: now(), failures: 1 })
      log({
        isOver: false,
        message: `${failing[operation]}: ${text}${advice === "" ? "" : `. ${advice}`}`,
        operation,
        code
      })
    },
    succeeded: (operation) => {
      if (open.size === 0) return
      const until = now() - quietMillis
      for (const [key, incident] of open) {
        if (incident.operation !== operation || incident.last > until || damage.test(incident.code)) continue
        end(key, incident)
      }
    },
    repaired: () => {
      for (const [key, incident] of open) if (damage.test(incident.code)) end(key, incident)
    },
    counts: () => Array.from(counts.values(), (count) => ({ ...count }))
  }
}

/** Incidents whose lines go to the logger of the fiber. The end of an incident is a warning. */
export const logged: Effect.Effect<Incidents> = Effect.map(Effect.runtime(), (runtime) => {
  const run = Runtime.runSync(runtime)
  return make({
    log: ({ code, isOver, message, operation }) =>
      run(
        (isOver ? Effect.logWarning(message) : Effect.logError(message)).pipe(Effect.annotateLogs({ operation, code }))
      )
  })
})
