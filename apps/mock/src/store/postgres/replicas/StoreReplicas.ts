/**
 * Makes the replicas of a store of those that were opened: their reads as effects, and their log.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import type { Rows } from "../../../sql/Change.ts"
import * as Callback from "../../Callback.ts"
import type * as Position from "../../replicas/Position.ts"
import type * as QueryCounts from "../../QueryCounts.ts"
import { QueryStopped } from "../../QueryStopped.ts"
import { type Connections, StoreUnavailable } from "../../Store.ts"
import * as ConnectionClass from "../connection/ConnectionClass.ts"
import { PostgresError } from "../connection/PostgresError.ts"
import * as PostgresFailure from "../PostgresFailure.ts"
import * as PostgresQueries from "../PostgresQueries.ts"
import type * as OpenReplicas from "./OpenReplicas.ts"
import type * as PostgresReplica from "./PostgresReplica.ts"
import * as PostgresReplicas from "./PostgresReplicas.ts"

type Log = PostgresReplicas.Options["onChange"]

/** Logs the replicas that are left out and used again, to the logger of the fiber. */
export const logged: Effect.Effect<Log> = Effect.map(Effect.runtime(), (runtime) => {
  const run = Runtime.runSync(runtime)
  return (replica, reason, isRole) =>
    run(
      (reason === undefined
        ? Effect.logWarning(`The replica ${replica} is used again`)
        : isRole
          ? Effect.logInfo(`The server ${replica} of --read-store serves no reads: ${reason}`)
          : Effect.logError(`The replica ${replica} is left out: ${reason}`)
      ).pipe(Effect.annotateLogs({ replica }))
    )
})

const judge = (error: unknown): Exit.Exit<never, StoreUnavailable> => {
  if (error instanceof QueryStopped) {
    return Exit.fail(new StoreUnavailable({ reason: "Overloaded", retryAfterSeconds: 1, stopped: error.reason }))
  }
  const known = error instanceof PostgresError ? PostgresFailure.toUnavailable(error) : undefined
  return known === undefined ? Exit.die(error) : Exit.fail(known)
}

const judgeQuery = (error: unknown): Exit.Exit<never, StoreUnavailable | QueryStopped> =>
  error instanceof QueryStopped ? Exit.fail(error) : judge(error)

export interface Options {
  /** Makes an effect that reads the position of the primary, and fails while it is lost. */
  readonly position: (read: () => Promise<Position.Position>) => Effect.Effect<Position.Position, StoreUnavailable>
  readonly opened: OpenReplicas.Opened
  readonly options: OpenReplicas.Options
  readonly timeoutMillis: number
  readonly counts: QueryCounts.QueryCounts
  readonly log: Log
}

type Named = readonly [name: string, usage: ConnectionClass.ClassUsage]

/** Adds the connections to all replicas, whose classes have names of their own, to those of the store. */
const withReplicas = (
  { classes, failures }: Connections,
  replicas: ReadonlyArray<PostgresReplica.PostgresReplica>
): Connections => {
  const usages = replicas.map(({ driver }) => driver.usage())
  const sum = (select: (usage: ConnectionClass.Usage) => number) =>
    usages.reduce((total, usage) => total + select(usage), 0)
  const added = (["reads", "queries"] as const).map((name): Named => [
    `replica_${name}`,
    {
      open: sum(({ classes }) => classes[name].open),
      inUse: sum(({ classes }) => classes[name].inUse),
      waiting: sum(({ classes }) => classes[name].waiting)
    }
  ])
  return {
    classes: { ...classes, ...Object.fromEntries(added) },
    failures: failures + sum(({ failures }) => failures)
  }
}

export const make = ({ counts, log, opened, options, position, timeoutMillis }: Options) => {
  const toMember = (replica: PostgresReplica.PostgresReplica): PostgresReplicas.Member => {
    const { driver } = replica
    const queries = PostgresQueries.make({
      driver,
      slots: ConnectionClass.replicaShares(options.connections).queries,
      timeoutMillis,
      counts,
      judge: judgeQuery,
      onSuccess: () => undefined
    })
    return {
      replica,
      read: (statement, companyId) =>
        Callback.make<Rows, StoreUnavailable>((resume) =>
          driver.read(
            statement,
            companyId,
            (rows) => resume(Exit.succeed(rows)),
            (error) => resume(judge(error))
          )
        ),
      query: queries.run
    }
  }
  const { primary, replicas } = opened
  const { close, ...rest } = PostgresReplicas.make({
    members: replicas.map(toMember),
    primary,
    position: position(primary.read),
    lagMillis: options.lagMillis,
    waitMillis: options.waitMillis,
    onChange: log
  })
  return {
    ...rest,
    /** The connections of the store together with those to the replicas. */
    connections: (own: Connections) => withReplicas(own, replicas),
    close: async () => {
      close()
      await Promise.all(replicas.map(({ driver }) => driver.close(0)))
    }
  }
}
