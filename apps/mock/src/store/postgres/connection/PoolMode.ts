/**
 * Finds out in which mode a connection pooler is: a session belongs to a connection, to a transaction, or to a statement.
 */
import type { Rows } from "../../../sql/Change.ts"
import type { PostgresConnection } from "./PostgresConnection.ts"
import { PostgresError } from "./PostgresError.ts"

/** The mode of the pooler, and `none` without one. */
export type PoolMode = "none" | "session" | "transaction" | "statement"

/** The number of times that two connections are compared: other clients may take the session meanwhile. */
const rounds = 3

/** The time that a statement of the comparison may take. */
const millis = 5000

const limits = () => ({ deadline: performance.now() + millis })

const processOf = (connection: PostgresConnection): Promise<unknown> =>
  new Promise<Rows>(
    (resolve, reject) =>
      void connection.send({ text: "SELECT pg_backend_pid()", parameters: [] }, limits(), resolve, reject)
  ).then(([row]) => row?.[0])

/** Reports whether a transaction of one connection takes the session of another. */
const isShared = async (one: PostgresConnection, other: PostgresConnection): Promise<boolean> => {
  const before = await processOf(one)
  await other.script("BEGIN", limits())
  // With one session a further statement would wait for the transaction.
  const isTaken = (await processOf(other)) === before || (await processOf(one)) !== before
  await other.script("ROLLBACK", limits())
  return isTaken
}

/** The error of a connection that a pooler has closed because of a transaction. */
const isRefusal = (error: unknown): boolean => error instanceof PostgresError && !error.isExhausted

/** Returns the mode of the pooler to which a function opens connections. */
export const find = async (open: () => Promise<PostgresConnection>): Promise<PoolMode> => {
  const one = await open()
  const opened = [one]
  try {
    if (!one.hasPooler) return "none"
    // A pooler whose sessions are all taken by connections opens no other one.
    const other = await open().catch(() => undefined)
    if (other === undefined) return "session"
    opened.push(other)
    for (let round = 0; round < rounds; round++) if (await isShared(one, other)) return "transaction"
    return "session"
  } catch (error) {
    if (isRefusal(error)) return "statement"
    throw error
  } finally {
    for (const connection of opened) connection.close()
  }
}
