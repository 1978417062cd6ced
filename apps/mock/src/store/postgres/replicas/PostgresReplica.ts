/**
 * One replica: its connections, and its state, which is polled. It is left out as soon as one of its connections is lost,
 * because a server that has restarted may have replayed less than before, and is used again after the next poll.
 */
import type * as PostgresAddress from "../../../PostgresAddress.ts"
import type { Rows } from "../../../sql/Change.ts"
import type { Statement } from "../../../sql/Statement.ts"
import * as Position from "../../replicas/Position.ts"
import * as PostgresError from "../connection/PostgresError.ts"
import * as PostgresHosts from "../connection/PostgresHosts.ts"
import * as ServerState from "../connection/ServerState.ts"
import type * as PostgresDriver from "../PostgresDriver.ts"
import * as PrimaryPosition from "./PrimaryPosition.ts"

/** The identity of a database: that of its cluster, its own and that of the schema. Replicas share all of them. */
export const identity: Statement = {
  text: `SELECT (SELECT system_identifier::text FROM pg_control_system()),
    (SELECT oid::text FROM pg_database WHERE datname = current_database()), current_schema()::regnamespace::oid::text`,
  parameters: []
}

/** Reports whether a replica is one of another database. A schema that it has not replayed yet is missing. */
const isForeign = ([own]: Rows, [other]: Rows): boolean =>
  own?.[0] !== other?.[0] || own?.[1] !== other?.[1] || (other?.[2] !== null && own?.[2] !== other?.[2])

const look: Statement = {
  text: `SELECT pg_is_in_recovery()::integer, (current_setting('transaction_read_only') = 'on')::integer,
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0',
    ${PrimaryPosition.marked}`,
  parameters: []
}

/**
 * The state of a replica: the position that it has replayed, or the reason for which it is left out. A server in another
 * role, such as the primary among the hosts, is not a replica at the moment.
 */
export type State =
  | { readonly _tag: "Replayed"; readonly position: Position.Position }
  | { readonly _tag: "Foreign" }
  | { readonly _tag: "OtherRole"; readonly reason: string }
  | { readonly _tag: "Away"; readonly reason: string }

export interface PostgresReplica {
  readonly name: string
  readonly driver: PostgresDriver.PostgresDriver
  /** Undefined until it is known. */
  readonly state: () => State | undefined
  /** Polls the server, unless a poll is under way, and returns its state. */
  readonly poll: () => Promise<State>
  /** The number of reads that it serves. */
  running: number
}

export interface Options {
  readonly name: string
  readonly target: PostgresAddress.Target
  /** The identity of the primary. */
  readonly identity: Rows
  /** Opens the connections. */
  readonly open: (onLost: () => void) => PostgresDriver.PostgresDriver
}

/** The time without a response to a poll after which the replica is left out. */
const patienceMillis = 1000

/** The state of a replica that a poll has failed on. */
const stateOf = (error: unknown): State => {
  const code = error instanceof PostgresError.PostgresError ? error.code : undefined
  const text = error instanceof Error ? error.message : String(error)
  if (code === "CONNECT_TARGET") return { _tag: "OtherRole", reason: PostgresHosts.reasonOf(text) }
  return { _tag: "Away", reason: code === "42P01" ? "it has not replayed the tables of the store" : text }
}

export const make = ({ identity: own, name, open, target }: Options): PostgresReplica => {
  let state: State | undefined
  let polling: Promise<State> | undefined
  /** Counts the losses of connections: a poll that began before one has an old result. */
  let losses = 0
  /** Set while the server is known to be a replica of the store: connections to another one are new. */
  let isVerified = false

  const driver = open(() => {
    losses += 1
    isVerified = false
    if (state?._tag === "Replayed") state = { _tag: "Away", reason: "a connection was lost" }
  })

  const found = async (): Promise<State> => {
    if (!isVerified) {
      const before = losses
      if (isForeign(own, await driver.monitor(identity))) return { _tag: "Foreign" }
      isVerified = before === losses
    }
    const [row] = await driver.monitor(look)
    const [isStandby, isReadOnly, bytes, timeline] = row ?? []
    const refusal = ServerState.refusalOf(target, { isStandby: isStandby === 1, isReadOnly: isReadOnly === 1 })
    if (refusal !== undefined) return { _tag: "OtherRole", reason: ServerState.textOf(refusal, target) }
    if (typeof timeline !== "string") return { _tag: "Away", reason: "it has not replayed the tables of the store" }
    return { _tag: "Replayed", position: Position.make(timeline, Number(bytes)) }
  }

  const poll = async (): Promise<State> => {
    const before = losses
    const late = setTimeout(() => {
      state = { _tag: "Away", reason: `it has not responded within ${patienceMillis} ms` }
    }, patienceMillis)
    late.unref()
    let next: State
    try {
      next = await found()
    } catch (error) {
      next = stateOf(error)
    } finally {
      clearTimeout(late)
    }
    if (before !== losses && next._tag === "Replayed") next = { _tag: "Away", reason: "a connection was lost" }
    return (state = next)
  }

  return {
    name,
    driver,
    running: 0,
    state: () => state,
    poll: () => {
      polling ??= poll().finally(() => (polling = undefined))
      return polling
    }
  }
}
