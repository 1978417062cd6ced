/**
 * Opens the replicas of a store, and refuses those of another database. One that is away meanwhile is left out.
 */
import * as Either from "effect/Either"
import * as PostgresAddress from "../../../PostgresAddress.ts"
import { ReplicaForeign } from "../../OpenError.ts"
import * as ConnectionClass from "../connection/ConnectionClass.ts"
import * as PostgresDriver from "../PostgresDriver.ts"
import * as PostgresReplica from "./PostgresReplica.ts"
import * as PrimaryPosition from "./PrimaryPosition.ts"

/** The setting of replicas. */
export interface Options {
  /** The address of the replicas, with any number of hosts. */
  readonly url: string
  readonly target: PostgresAddress.Target
  /** The maximum number of connections to each replica. */
  readonly connections: number
  /** The lag up to which a replica is used. */
  readonly lagMillis: number
  /** The time that a read waits for a replica. */
  readonly waitMillis: number
}

export interface Opened {
  readonly replicas: ReadonlyArray<PostgresReplica.PostgresReplica>
  readonly primary: PrimaryPosition.PrimaryPosition
}

/** The time that the start of a service waits for the replicas. */
const patienceMillis = 2000

/** Opens the replicas of the store on a driver; `shared` are the options of its connections. */
export const open = async (
  driver: PostgresDriver.PostgresDriver,
  store: string,
  { connections, target, url }: Options,
  shared: Pick<PostgresDriver.Options, "isNamed" | "isPooled" | "statementMillis" | "responseMillis">
): Promise<Either.Either<Opened, ReplicaForeign>> => {
  const primary = PrimaryPosition.make(driver)
  // Marks the timeline, too.
  await primary.read()
  const identity = await driver.readOnce(PostgresReplica.identity)
  const replicas = PostgresAddress.single(url).map((url) => {
    const [host] = PostgresAddress.hostsOf(url, process.env)
    return PostgresReplica.make({
      name: host === undefined ? url : PostgresAddress.nameOf(host),
      target,
      identity,
      open: (onLost) =>
        PostgresDriver.open({
          ...shared,
          url,
          target,
          connections,
          shares: ConnectionClass.replicaShares,
          onLost
        })
    })
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, patienceMillis)))
  await Promise.race([Promise.all(replicas.map(({ poll }) => poll())), late])
  clearTimeout(timer)
  const foreign = replicas.find(({ state }) => state()?._tag === "Foreign")
  if (foreign === undefined) return Either.right({ replicas, primary })
  await Promise.all(replicas.map((replica) => replica.driver.close(0)))
  return Either.left(new ReplicaForeign({ store, replica: foreign.name }))
}
