/**
 * The connections of an instance, divided into classes, so that nothing small waits for something slow.
 *
 * A small statement is pipelined on a connection of its class with others. All else takes a connection alone. Within a
 * class one group (a company, or a table for small reads) leaves at least one connection to others, and takes at most
 * half of them alone; companies take turns with what waits. Nothing is sent after a statement that the server has not
 * finished within a few milliseconds, if another connection is free. A task waits until its deadline at most. Connections
 * are opened when they are needed; while none of a class can be opened, for example because the server has no more, its
 * tasks use the open ones of all classes.
 */
import * as QueryStopped from "../../QueryStopped.ts"
import * as PostgresError from "./PostgresError.ts"
import * as ConnectionClass from "./ConnectionClass.ts"
import type { PostgresConnection } from "./PostgresConnection.ts"
import * as WaitingTasks from "../../waiting/WaitingTasks.ts"

interface Task extends WaitingTasks.Waiting {
  readonly class: ConnectionClass.Class
  /** Set when the task needs a connection alone. */
  readonly isExclusive: boolean
  /** Starts the task, which calls `release` when it has ended. */
  readonly start: (connection: PostgresConnection, release: () => void) => void
  readonly fail: (error: unknown) => void
}

export interface PostgresPool {
  /** Runs a task now or later; the returned function removes it if it has not started, and reports whether it did. */
  readonly submit: (task: Task) => () => boolean
  readonly usage: () => ConnectionClass.Usage
  /** Waits for the accepted tasks, up to a timeout, and closes every connection. */
  readonly close: (millis: number) => Promise<void>
}

export interface Options {
  /** The maximum number of connections. */
  readonly connections: number
  /** The division of the connections (default: that of a store). */
  readonly shares?: typeof ConnectionClass.shares
  /** The time that a task may wait, for messages. */
  readonly statementMillis: number
  readonly open: (onEnd: () => void) => Promise<PostgresConnection>
  /** Called for each connection that cannot be opened, and for each one that is opened. */
  readonly onFailure: (error: unknown) => void
  readonly onOpen: () => void
}

interface Lane {
  readonly class: ConnectionClass.Class
  connection: PostgresConnection | undefined
  isOpening: boolean
  /** The time at which it may be opened again. */
  retryAt: number
  /** The number of tasks of each group that use it. */
  readonly groups: Map<string, number>
  uses: number
  isExclusive: boolean
}

/** The time after which the server is taken to be busy with a statement. */
const stalledMillis = 20

/** The pause before a connection is opened again that the server has refused, or that has found no server. */
const retryMillis = { refused: 1000, away: 200 }

const tickMillis = 20

/** The number of tasks of a class that fail at their deadlines at a time, so that very many do not delay all others. */
const mostLate = 100

export const make = ({
  connections,
  onFailure,
  onOpen,
  open,
  shares = ConnectionClass.shares,
  statementMillis
}: Options): PostgresPool => {
  const counts = shares(connections)
  const lanesOf = (name: ConnectionClass.Class): ReadonlyArray<Lane> =>
    Array.from({ length: counts[name] }, () => ({
      class: name,
      connection: undefined,
      isOpening: false,
      retryAt: 0,
      groups: new Map(),
      uses: 0,
      isExclusive: false
    }))
  const own = { reads: lanesOf("reads"), writes: lanesOf("writes"), queries: lanesOf("queries") }
  const all = ConnectionClass.all.flatMap((name) => own[name])
  const queues = {
    reads: WaitingTasks.make<Task>(),
    writes: WaitingTasks.make<Task>(),
    queries: WaitingTasks.make<Task>()
  }
  const waiting = (): number => queues.reads.size() + queues.writes.size() + queues.queries.size()
  let running = 0
  let isClosed = false
  let ticking: NodeJS.Timeout | undefined
  let drained = () => {}
  let failures = 0

  /** The number of connections of a class that one group may use. */
  const most = (count: number, { class: name, isExclusive }: Task): number =>
    name === "queries" ? count : Math.max(1, isExclusive ? Math.floor(count / 2) : count - 1)

  const choose = (lanes: ReadonlyArray<Lane>, task: Task, now: number): Lane | undefined => {
    const { group, isExclusive } = task
    let held = 0
    let alone = 0
    for (const lane of lanes) {
      if (lane.isExclusive) alone += 1
      if (lane.groups.has(group) && (lane.isExclusive || !isExclusive)) held += 1
    }
    // One connection remains for small writes.
    if (isExclusive && task.class === "writes" && lanes.length > 1 && alone >= lanes.length - 1) return undefined
    const isFull = held >= most(lanes.length, task)
    let found: Lane | undefined
    for (const lane of lanes) {
      const { connection, uses } = lane
      if (connection === undefined || lane.isExclusive || connection.isStalled(now, stalledMillis)) continue
      if (isExclusive ? uses > 0 : uses >= ConnectionClass.depth[task.class]) continue
      if (isFull && (isExclusive || !lane.groups.has(group))) continue
      if (found === undefined || uses < found.uses) found = lane
    }
    return found
  }

  const isUsable = ({ connection, isOpening }: Lane): boolean => connection !== undefined || isOpening

  const pick = (task: Task, now: number): Lane | undefined => {
    const lanes = own[task.class]
    const found = choose(lanes, task, now)
    if (found === undefined || found.uses > 0) grow(lanes, now)
    return found ?? (lanes.some(isUsable) ? undefined : choose(all, task, now))
  }

  const run = (lane: Lane, task: Task) => {
    const { connection } = lane
    if (connection === undefined) return
    const { group, isExclusive, start } = task
    running += 1
    lane.uses += 1
    lane.isExclusive = isExclusive
    lane.groups.set(group, (lane.groups.get(group) ?? 0) + 1)
    start(connection, () => {
      running -= 1
      lane.uses -= 1
      lane.isExclusive = false
      const left = (lane.groups.get(group) ?? 1) - 1
      if (left === 0) lane.groups.delete(group)
      else lane.groups.set(group, left)
      if (waiting() > 0) drain()
      else if (running === 0) drained()
    })
  }

  /** Starts the next task of a queue; false when none can start. */
  const startOne = (queue: WaitingTasks.WaitingTasks<Task>, now: number): boolean => {
    const next = queue.take((task) => pick(task, now))
    if (next === undefined) return false
    run(next.found, next.task)
    return true
  }

  const drain = () => {
    const now = performance.now()
    for (const name of ConnectionClass.all) while (queues[name].size() > 0 && startOne(queues[name], now)) continue
  }

  const remove = (task: Task): boolean => {
    if (!queues[task.class].remove(task)) return false
    if (waiting() === 0 && running === 0) drained()
    return true
  }

  const failAll = (error: unknown) => {
    for (const name of ConnectionClass.all) {
      for (const task of queues[name].all()) if (remove(task)) task.fail(error)
    }
  }

  const tick = () => {
    if (waiting() === 0) {
      clearInterval(ticking)
      ticking = undefined
      return
    }
    const now = performance.now()
    const reason = { _tag: "Timeout", phase: "waiting", millis: statementMillis } as const
    for (const name of ConnectionClass.all) {
      for (const { fail } of queues[name].expire(now, mostLate)) fail(new QueryStopped.QueryStopped({ reason }))
    }
    if (waiting() === 0 && running === 0) drained()
    drain()
  }

  /** Opens one more connection of a class, if there is one to open. */
  const grow = (lanes: ReadonlyArray<Lane>, now: number) => {
    for (const lane of lanes) {
      if (lane.connection !== undefined || lane.isOpening || lane.retryAt > now) continue
      lane.isOpening = true
      const lose = () => {
        lane.connection = undefined
      }
      open(lose).then(
        (connection) => {
          lane.isOpening = false
          if (isClosed) return connection.close()
          onOpen()
          lane.connection = connection.isOpen() ? connection : undefined
          drain()
        },
        (error: unknown) => {
          lane.isOpening = false
          const isAway = error instanceof PostgresError.PostgresError && error.isConnectionFailure
          lane.retryAt = performance.now() + (isAway ? retryMillis.away : retryMillis.refused)
          failures += 1
          if (!isClosed) onFailure(error)
          // Without any connection there is nothing to wait for.
          if (all.some(isUsable)) drain()
          else failAll(error)
        }
      )
      return
    }
  }

  const usageOf = (name: ConnectionClass.Class): ConnectionClass.ClassUsage => ({
    open: own[name].filter(({ connection }) => connection !== undefined).length,
    inUse: own[name].filter(({ uses }) => uses > 0).length,
    waiting: queues[name].size()
  })

  return {
    submit: (task) => {
      if (isClosed) {
        task.fail(PostgresError.ofConnection("CONNECTION_ENDED", "the store is closed"))
        return () => false
      }
      const now = performance.now()
      const lane = pick(task, now)
      if (lane !== undefined) run(lane, task)
      else {
        queues[task.class].add(task)
        ticking ??= setInterval(tick, tickMillis)
      }
      return () => remove(task)
    },
    usage: () => ({
      classes: { reads: usageOf("reads"), writes: usageOf("writes"), queries: usageOf("queries") },
      failures
    }),
    close: async (millis) => {
      if (running + waiting() > 0 && millis > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, millis)
          drained = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isClosed = true
      clearInterval(ticking)
      for (const { connection } of all) connection?.close()
      failAll(PostgresError.ofConnection("CONNECTION_ENDED", "the store is closed"))
    }
  }
}
