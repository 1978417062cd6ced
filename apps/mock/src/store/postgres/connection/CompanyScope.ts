/**
 * Names the company of a transaction for row-level security, in a setting that ends with the transaction.
 */
import type { Rows } from "../../../sql/Change.ts"
import type { Statement } from "../../../sql/Statement.ts"
import type { Limits } from "./Flights.ts"
import { literal } from "./LiteralStatement.ts"
import type { PostgresConnection } from "./PostgresConnection.ts"

/** The settings with the company, and with `on` for a transaction of the service itself. */
export const settings = { company: "mfgdata.company", service: "mfgdata.service" }

/** The statement that names the company of a transaction; the empty text names the service itself. */
export const name = (companyId: string): string =>
  companyId === "" ? `SET LOCAL ${settings.service} = 'on'` : `SET LOCAL ${settings.company} = ${literal(companyId)}`

/**
 * Sends a statement in a transaction that names its company: three messages, which are sent together. A write has its
 * result when it is committed. Returns the function that cancels the statement.
 */
export const send = (
  connection: PostgresConnection,
  statement: Statement,
  { companyId, isRead = false, ...limits }: Limits & { readonly companyId: string },
  resolve: (rows: Rows) => void,
  reject: (error: unknown) => void,
  onEnd: () => void
): (() => void) => {
  // A canceled BEGIN or COMMIT would run the statement in another state.
  const last = { deadline: Number.POSITIVE_INFINITY }
  let rows: Rows | undefined
  connection.script(`BEGIN; ${name(companyId)}`, last).catch(() => undefined)
  const { cancel } = connection.send(
    statement,
    { ...limits, isRead },
    (found) => {
      rows = found
      if (isRead) resolve(found)
    },
    reject
  )
  connection.script("COMMIT", last).then(
    (command) => {
      onEnd()
      if (rows === undefined || isRead) return
      if (command === "COMMIT") resolve(rows)
      else reject(new Error("the transaction was not committed"))
    },
    (error: unknown) => {
      // The transaction may be open still.
      connection.close()
      onEnd()
      if (rows !== undefined && !isRead) reject(error)
    }
  )
  return cancel
}
