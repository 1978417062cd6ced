/**
 * Reads and writes the service's own tables: accounts, keys, idempotency records, webhook secrets, deliveries. Their
 * statements break no constraint, whatever a caller sends.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Rows, Step } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import { type Fragment, render, sql, text } from "../sql/Statement.ts"
import type { Store, StoreUnavailable } from "./Store.ts"

/** Statements of one transaction. */
interface Transaction<A, E> {
  readonly statements: ReadonlyArray<Fragment>
  /** The last query, made from the rows of the statements. */
  readonly followUp?: ((results: ReadonlyArray<Rows>) => Fragment) | undefined
  /** Notifies the subscribers of the store that deliveries may be due. */
  readonly notifies?: boolean
  /** Set when the statements take long together: others work between them. */
  readonly isLong?: boolean
  /** The result, from the rows of each statement; a failure rolls back. */
  readonly resolve: (results: ReadonlyArray<Rows>) => Either.Either<A, E>
}

export interface ServiceTables {
  readonly read: (query: Fragment) => Effect.Effect<Rows, StoreUnavailable>
  /** Runs one statement and returns its rows once it is durable. */
  readonly write: (statement: Fragment) => Effect.Effect<Rows, StoreUnavailable>
  /** Runs statements in one transaction. */
  readonly change: <A, E>(transaction: Transaction<A, E>) => Effect.Effect<A, E | StoreUnavailable>
}

/** Deletes the rows of a table that a query finds by their physical place: no plan of it depends on statistics. */
export const deletion = ({ name }: Dialect, table: Fragment, find: (place: Fragment) => Fragment): Fragment => {
  const place = text(name === "postgres" ? "ctid" : "rowid")
  const found = find(place)
  const places = name === "postgres" ? sql`= ANY (ARRAY(${found}))` : sql`IN (${found})`
  return sql`DELETE FROM ${table} WHERE ${place} ${places} RETURNING 1`
}

/** The service's tables in a store. */
export const make = (store: Pick<Store["Type"], "change" | "dialect" | "read">): ServiceTables => {
  const { dialect } = store
  const run = (statement: Fragment): Step => ({ _tag: "Run", statement: render(statement, dialect) })
  const notify: Step = { _tag: "Publish", statement: { text: "SELECT 1", parameters: [] } }

  const change = <A, E>({ followUp, isLong, notifies = false, resolve, statements }: Transaction<A, E>) =>
    store
      .change({
        steps: notifies ? [...statements.map(run), notify] : statements.map(run),
        isLong,
        followUp: followUp === undefined ? undefined : (results) => render(followUp(results), dialect),
        resolve
      })
      .pipe(Effect.catchTag("Refused", Effect.die))

  return {
    read: (query) => store.read(render(query, dialect), ""),
    write: (statement) => change({ statements: [statement], resolve: ([rows = []]) => Either.right(rows) }),
    change
  }
}
