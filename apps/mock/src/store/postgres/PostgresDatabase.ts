/**
 * Opens a database for the store: connects to it, refuses a pooler that cannot serve it, and migrates it.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as PostgresAddress from "../../PostgresAddress.ts"
import { micros } from "../../sql/ServiceColumn.ts"
import * as Incidents from "../Incidents.ts"
import type { OpenError } from "../OpenError.ts"
import type * as Recorder from "../Recorder.ts"
import * as PoolerFit from "./connection/PoolerFit.ts"
import { PostgresError } from "./connection/PostgresError.ts"
import * as PostgresServing from "./connection/PostgresServing.ts"
import * as PostgresDriver from "./PostgresDriver.ts"
import * as PostgresMeta from "./PostgresMeta.ts"
import * as PostgresRecorder from "./PostgresRecorder.ts"
import * as OpenReplicas from "./replicas/OpenReplicas.ts"
import * as StoreReplicas from "./replicas/StoreReplicas.ts"
import * as PostgresMigrator from "./schema/PostgresMigrator.ts"
import * as RowSecurity from "./schema/RowSecurity.ts"

export interface Options {
  /** The URL `postgres://user:password@host:port,host:port/database`, with options of the driver after a `?`. */
  readonly url: string
  /** The state of the server (default `read-write`). */
  readonly target?: PostgresAddress.Target | undefined
  /** The URL without its password, for messages. */
  readonly name: string
  /** The maximum number of connections of this instance. */
  readonly connections: number
  /** The maximum time from a request of the store to its result, including the wait for a connection. */
  readonly timeoutMillis: number
  /** Set when a pooler may give each transaction another session. */
  readonly isPooled: boolean
  /** The rule set of a new store; an existing one keeps its own. */
  readonly ruleSet: RuleSet
  /** Keeps the history of the rows, or ends it; undefined leaves it as it is. */
  readonly history?: boolean | undefined
  /** The replicas that serve reads of rows. */
  readonly replicas?: OpenReplicas.Options | undefined
  /** Has row-level security on the company, or not; undefined leaves it as it is. */
  readonly rowSecurity?: boolean | undefined
}

/** An open database, and what the store needs to know of it. */
export interface PostgresDatabase {
  readonly driver: PostgresDriver.PostgresDriver
  readonly schema: string
  readonly incidents: Incidents.Incidents
  /** The setting of the history; undefined without one. */
  readonly recorder: Recorder.Options | undefined
  readonly opened: (OpenReplicas.Opened & Pick<StoreReplicas.Options, "log">) | undefined
  /** Removes the mark of this instance as one that serves the database. */
  readonly leave: () => Promise<void>
}

/** The time beyond the statement timeout after which a connection without a response is lost. */
const graceMillis = 2000

/** The advice for a server that has no connection left. */
const connectionAdvice = (error: unknown, connections: number): string | undefined =>
  error instanceof PostgresError && error.isConnectionFailure
    ? undefined
    : `Requests use the open ones. This instance opens up to ${connections + 1} (?max= and one more): see max_connections and the limit of the role`

/** Connects to a database, and migrates it. */
export const open = ({
  connections,
  history,
  isPooled,
  name,
  replicas,
  rowSecurity,
  ruleSet,
  target,
  timeoutMillis,
  url
}: Options): Effect.Effect<PostgresDatabase, OpenError> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const now = () => clock.unsafeCurrentTimeMillis()
    const unreachable = PoolerFit.failureOf(name)
    const incidents = yield* Incidents.logged
    const log = yield* StoreReplicas.logged
    const shared = { isPooled, statementMillis: timeoutMillis, responseMillis: timeoutMillis + graceMillis }
    const driver = PostgresDriver.open({
      url,
      target,
      connections,
      ...shared,
      onFailure: (error) => incidents.failed("connect", error, connectionAdvice(error, connections)),
      onOpen: () => incidents.succeeded("connect")
    })
    const migrate = Effect.tryPromise({
      try: () =>
        PostgresMigrator.migrate(driver, {
          store: name,
          ruleSet,
          rowSecurity,
          recording: history === undefined ? undefined : { isOn: history, micros: micros(now()) }
        }),
      catch: unreachable
    }).pipe(Effect.flatten)
    return yield* PoolerFit.check(driver.poolMode, { isPooled, name, url }).pipe(
      Effect.zipRight(migrate),
      Effect.zipRight(
        Effect.tryPromise({
          try: async () => {
            const isSecured = await RowSecurity.isOn({ execute: driver.readOnce })
            if (isSecured) driver.nameCompanies()
            return {
              schema: await PostgresMeta.schemaName({ execute: driver.readOnce }),
              isRecorded: await PostgresRecorder.isOpen({ execute: driver.readOnce }),
              opened:
                replicas === undefined
                  ? undefined
                  : await OpenReplicas.open(driver, name, replicas, { ...shared, isNamed: isSecured }),
              leave: isPooled ? await PostgresServing.begin(driver.monitor) : () => Promise.resolve()
            }
          },
          catch: unreachable
        })
      ),
      Effect.flatMap(({ isRecorded, leave, opened, schema }) =>
        opened === undefined || Either.isRight(opened)
          ? Effect.succeed({ isRecorded, leave, opened: opened?.right, schema })
          : Effect.fail(opened.left)
      ),
      Effect.map(({ isRecorded, leave, opened, schema }) => ({
        leave,
        driver,
        opened: opened === undefined ? undefined : { ...opened, log },
        incidents,
        schema,
        recorder: isRecorded ? { now } : undefined
      })),
      Effect.onError(() => Effect.promise(() => driver.close(0)))
    )
  })
