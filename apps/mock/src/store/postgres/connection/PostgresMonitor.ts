/**
 * The connection outside the pool. It receives notifications, and checks that the server can be reached and written to
 * when all other connections are in use. A lost one is opened again.
 */
import type { Rows } from "../../../sql/Change.ts"
import type { Statement } from "../../../sql/Statement.ts"
import * as PostgresServing from "./PostgresServing.ts"
import type { PostgresConnection } from "./PostgresConnection.ts"

export interface Options {
  readonly open: (
    onEnd: () => void,
    onNotification: (channel: string, payload: string) => void
  ) => Promise<PostgresConnection>
  /** The timeout of a statement. */
  readonly millis: number
  /** Set when a pooler gives each transaction another session, so that nothing can be subscribed to. */
  readonly isPooled: boolean
}

export interface PostgresMonitor {
  readonly execute: (statement: Statement) => Promise<Rows>
  /**
   * Subscribes to a channel; `onReady` is called for each new subscription, also after a lost connection, and never
   * where nothing can be subscribed to.
   */
  readonly listen: (channel: string, onPayload: (payload: string) => void, onReady: () => void) => void
  readonly close: () => void
}

interface Subscription {
  readonly channel: string
  readonly onPayload: (payload: string) => void
  readonly onReady: () => void
}

/** The pause before a lost connection is opened again. */
const pauseMillis = 200

export const make = ({ isPooled, millis, open }: Options): PostgresMonitor => {
  let opening: Promise<PostgresConnection> | undefined
  let subscription: Subscription | undefined
  let pause: NodeJS.Timeout | undefined
  let isClosed = false

  const lose = () => {
    opening = undefined
    if (subscription === undefined || isClosed) return
    clearTimeout(pause)
    pause = setTimeout(() => void connect().catch(() => undefined), pauseMillis)
    pause.unref()
  }

  const subscribe = async (connection: PostgresConnection) => {
    if (subscription === undefined) return
    await connection.script(`LISTEN "${subscription.channel}"; ${PostgresServing.share}`, limits())
    subscription.onReady()
  }

  const limits = () => ({ deadline: performance.now() + millis })

  const connect = async (): Promise<PostgresConnection> => {
    opening ??= open(lose, (channel, payload) => {
      if (channel === subscription?.channel) subscription.onPayload(payload)
    }).then(
      (connection) => {
        if (isClosed) connection.close()
        subscribe(connection).catch(() => connection.close())
        return connection
      },
      (error: unknown) => {
        lose()
        throw error
      }
    )
    return opening
  }

  return {
    execute: async (statement) => {
      const connection = await connect()
      return new Promise((resolve, reject) => void connection.send(statement, limits(), resolve, reject))
    },
    listen: (channel, onPayload, onReady) => {
      if (isPooled) return
      subscription = { channel, onPayload, onReady }
      connect()
        .then(subscribe)
        .catch(() => undefined)
    },
    close: () => {
      isClosed = true
      clearTimeout(pause)
      opening?.then((connection) => connection.close()).catch(() => undefined)
    }
  }
}
