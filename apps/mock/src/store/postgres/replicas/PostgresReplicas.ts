/**
 * Selects the replica that serves a read: of those that have replayed its position, the one with the fewest reads. A read
 * waits a moment for one, before its statement is sent, so that no snapshot is held meanwhile. Replicas that are away,
 * that lag, or that follow another primary are left out, and come back by themselves.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Rows } from "../../../sql/Change.ts"
import type { Statement } from "../../../sql/Statement.ts"
import * as Callback from "../../Callback.ts"
import * as Position from "../../replicas/Position.ts"
import type { QueryStopped } from "../../QueryStopped.ts"
import type { Fallback } from "../../replicas/ReplicaCounts.ts"
import type { Consumer } from "../../FairQueue.ts"
import type { Replica, Replicas, StoreUnavailable } from "../../Store.ts"
import type * as PostgresReplica from "./PostgresReplica.ts"
import type { PrimaryPosition } from "./PrimaryPosition.ts"

/** A replica, and its reads as effects. */
export interface Member {
  readonly replica: PostgresReplica.PostgresReplica
  readonly read: (statement: Statement, companyId?: string) => Effect.Effect<Rows, StoreUnavailable>
  readonly query: (statement: Statement, consumer: Consumer) => Effect.Effect<Rows, StoreUnavailable | QueryStopped>
}

export interface Options {
  readonly members: ReadonlyArray<Member>
  readonly primary: PrimaryPosition
  /** The position of the primary, or the error of a store that is lost. */
  readonly position: Effect.Effect<Position.Position, StoreUnavailable>
  /** The lag up to which a replica is used. */
  readonly lagMillis: number
  /** The time that a read waits for a replica. */
  readonly waitMillis: number
  /** Called when a replica is left out, with the reason, or is used again. `isRole` is set for a server in another role. */
  readonly onChange: (name: string, reason: string | undefined, isRole: boolean) => void
}

/** The pause between two polls, and while reads wait. */
const pause = { calm: 250, waiting: 2 }

/** The maximum number of reads that wait. */
const room = 4096

interface Waiter {
  readonly needed: Position.Position
  readonly resume: (member: Member | undefined) => void
}

const seconds = (millis: number): string => `${Math.round(millis / 100) / 10} s`

export const make = ({
  lagMillis,
  members,
  onChange,
  position,
  primary,
  waitMillis
}: Options): Replicas & { readonly close: () => void } => {
  const waiters = new Set<Waiter>()
  const reads = { primary: 0, replica: 0 }
  const fallbacks = { "none in use": 0, "position not replayed": 0, failed: 0 }
  /** The reasons for which replicas are left out, as they were reported. */
  const reported = new Map<string, { readonly reason: string | undefined; readonly isRole: boolean }>()
  const timers = new Map<Member, NodeJS.Timeout>()
  let isClosed = false

  /** The reason for which a replica is left out; undefined for one that is used. */
  const reasonOf = (state: PostgresReplica.State | undefined): string | undefined => {
    if (state === undefined) return "it has not responded yet"
    if (state._tag === "Away" || state._tag === "OtherRole") return state.reason
    if (state._tag === "Foreign") return "it replicates another database than that of the store"
    const timeline = primary.timeline()
    if (timeline !== undefined && Position.timelineOf(state.position) !== timeline) {
      return "it does not follow the primary of the store"
    }
    const lag = primary.lagOf(state.position)
    return lag > lagMillis ? `it lags by more than ${seconds(lagMillis)}` : undefined
  }

  const positionOf = ({ replica }: Member): Position.Position | undefined => {
    const state = replica.state()
    return state?._tag === "Replayed" && reasonOf(state) === undefined ? state.position : undefined
  }

  const find = (needed: Position.Position | undefined): Member | undefined => {
    let found: Member | undefined
    for (const member of members) {
      const replayed = positionOf(member)
      if (replayed === undefined || (needed !== undefined && replayed < needed)) continue
      if (found === undefined || member.replica.running < found.replica.running) found = member
    }
    return found
  }

  /** Reports whether a replica may replay the latest position within the time that reads wait. */
  const isWorthWaiting = (): boolean =>
    members.some((member) => {
      const replayed = positionOf(member)
      return replayed !== undefined && primary.lagOf(replayed) <= waitMillis
    })

  const settle = () => {
    for (const waiter of waiters) {
      const member = find(waiter.needed)
      if (member === undefined) continue
      waiters.delete(waiter)
      waiter.resume(member)
    }
  }

  const report = ({ replica: { name } }: Member, state: PostgresReplica.State) => {
    const reason = reasonOf(state)
    const isRole = state._tag === "OtherRole"
    const before = reported.get(name)
    if (before?.reason === reason) return
    // A new reason of a replica that is left out already is not reported, because reasons alternate.
    const isNew = reason === undefined || before?.reason === undefined || before.isRole
    reported.set(name, { reason, isRole })
    if (isNew) onChange(name, reason, isRole)
  }

  const look = async (member: Member): Promise<void> => {
    const state = await member.replica.poll()
    if (isClosed) return
    report(member, state)
    settle()
    schedule(member, waiters.size > 0 && state._tag === "Replayed" ? pause.waiting : pause.calm)
  }

  const schedule = (member: Member, millis: number) => {
    clearTimeout(timers.get(member))
    if (isClosed) return
    timers.set(member, setTimeout(() => void look(member), millis).unref())
  }

  const watch = setInterval(() => Effect.runCallback(Effect.ignore(position)), pause.calm)
  watch.unref()
  for (const member of members) schedule(member, 0)

  const toReplica = (member: Member): Replica => {
    const running = <E>(effect: Effect.Effect<Rows, E>): Effect.Effect<Rows, E> => {
      const begin = () => void (member.replica.running += 1)
      const end = () => void (member.replica.running -= 1)
      const start = Callback.startOf(effect)
      if (start === undefined) return Effect.ensuring(Effect.zipRight(Effect.sync(begin), effect), Effect.sync(end))
      return Callback.make((done) => {
        begin()
        start((exit) => {
          end()
          done(exit)
        })
      })
    }
    return {
      position: positionOf(member) ?? "",
      read: (statement, companyId) => running(member.read(statement, companyId)),
      query: (statement, consumer) => running(member.query(statement, consumer))
    }
  }

  const primaryFor = (reason: Fallback): undefined => {
    reads.primary += 1
    fallbacks[reason] += 1
  }

  const select = (needed: Position.Position | undefined): Effect.Effect<Replica | undefined> => {
    const member = find(needed)
    if (member !== undefined) {
      reads.replica += 1
      return Exit.succeed(toReplica(member))
    }
    if (needed === undefined || !members.some((member) => positionOf(member) !== undefined)) {
      return Exit.succeed(primaryFor("none in use"))
    }
    if (waitMillis === 0 || waiters.size >= room || !isWorthWaiting()) {
      return Exit.succeed(primaryFor("position not replayed"))
    }
    return Callback.make((done) => {
      const finish = (member: Member | undefined) => {
        clearTimeout(timer)
        waiters.delete(waiter)
        if (member === undefined) return done(Exit.succeed(primaryFor("position not replayed")))
        reads.replica += 1
        done(Exit.succeed(toReplica(member)))
      }
      const waiter: Waiter = { needed, resume: finish }
      const timer = setTimeout(finish, waitMillis, undefined)
      waiters.add(waiter)
      if (waiters.size === 1) for (const member of members) schedule(member, 0)
    })
  }

  return {
    select,
    position,
    skip: () => void (reads.primary += 1),
    failed: () => {
      primaryFor("failed")
      reads.replica -= 1
    },
    counts: () => ({
      replicas: members.flatMap(({ replica }) => {
        const state = replica.state()
        if (state?._tag === "OtherRole") return []
        const lagSeconds = state?._tag === "Replayed" ? primary.lagOf(state.position) / 1000 : undefined
        return [{ name: replica.name, isUsed: reasonOf(state) === undefined, lagSeconds }]
      }),
      reads: { ...reads },
      fallbacks: { ...fallbacks }
    }),
    close: () => {
      isClosed = true
      clearInterval(watch)
      for (const timer of timers.values()) clearTimeout(timer)
      for (const { resume } of waiters) resume(undefined)
    }
  }
}
