/**
 * Connects row requests with the history of the rows: a read as of a time needs a history that reaches back to it, and
 * gets the headers of RFC 7089; a change names its request.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Caller } from "../access/Caller.ts"
import type * as Exchange from "../Exchange.ts"
import type { Origin, Rows } from "../sql/Change.ts"
import type { AsOf } from "../sql/Owner.ts"
import * as PastRow from "../sql/PastRow.ts"
import * as ServiceColumn from "../sql/ServiceColumn.ts"
import type * as Selection from "../sql/read/Selection.ts"
import { join, render, sql, type Statement } from "../sql/Statement.ts"
import type { Store, StoreUnavailable } from "../store/Store.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { Read } from "./plan/RowPlan.ts"
import * as Datetime from "./request/Datetime.ts"
import type { RowError } from "./RowError.ts"
import * as Timestamp from "@mfgdata/domain/Timestamp"

const span: Statement = { text: `SELECT "begins" FROM "_historySpan" WHERE "ended" IS NULL`, parameters: [] }

/** The reason for which rows cannot be read as of a time. */
const problem = (micros: number, nowMillis: number, [row]: Rows): RowError | undefined => {
  if (Math.floor(micros / 1_000_000) * 1000 > nowMillis)
    return { _tag: "DatetimeFuture", now: ServiceColumn.timestamp(nowMillis) }
  if (row === undefined) return { _tag: "HistoryMissing", begins: undefined }
  const begins = Number(row[0])
  return micros < begins ? { _tag: "HistoryMissing", begins: Timestamp.fromMicros(BigInt(begins)) } : undefined
}

/** The time as of which a caller reads, or the reason for which it cannot. */
export const asOf = (
  { dialect, history, read }: Pick<Store["Type"], "dialect" | "history" | "read">,
  micros: number,
  nowMillis: number
): Effect.Effect<AsOf, RowError | StoreUnavailable> => {
  if (history === undefined) return Exit.fail({ _tag: "HistoryMissing", begins: undefined })
  return SyncEffect.andThen(read(span), (exit): Effect.Effect<AsOf, RowError | StoreUnavailable> => {
    if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
    const error = problem(micros, nowMillis, exit.value)
    return error === undefined ? Exit.succeed({ micros, dialect }) : Exit.fail(error)
  })
}

/** The resources with sensitive values whose rows a selection shows. */
const shown = (resource: Resource.Any, selection: Selection.Selection): ReadonlyArray<Resource.Any> => {
  const names = Column.sensitiveNames(resource)
  const isShown =
    selection._tag === "Document"
      ? names.length > 0
      : selection.fields.some(({ target }) => names.includes(target.column.name))
  const embedded =
    selection._tag === "Document"
      ? []
      : selection.embeds.flatMap(({ related, selection }) => shown(related.owned.resource, selection))
  return isShown ? [resource, ...embedded] : embedded
}

const warning = `299 - "Secrets that changed or were deleted since then are not kept and read as null"`

/** Adds the headers to a response that shows rows as of a time. */
export const withHeaders = <E>(
  { dialect, read }: Pick<Store["Type"], "dialect" | "read">,
  { owner, resource, selection }: Pick<Read, "owner" | "resource" | "selection">,
  asOf: AsOf,
  response: Effect.Effect<Exchange.Response, E>
): Effect.Effect<Exchange.Response, E | StoreUnavailable> =>
  SyncEffect.andThen(response, (exit): Effect.Effect<Exchange.Response, E | StoreUnavailable> => {
    if (Exit.isFailure(exit)) return exit
    const { body, headers, status } = exit.value
    const dated = (more: Exchange.Headers): Exchange.Response => ({
      status,
      headers: { ...headers, "Memento-Datetime": Datetime.print(asOf.micros), ...more },
      body
    })
    const sensitive = Array.from(new Set(shown(resource, selection)))
    if (sensitive.length === 0) return Exit.succeed(dated({}))
    const hidden = sensitive.map(
      (resource) => sql`SELECT * FROM (${PastRow.isHidden(owner.companyId, resource, asOf)}) AS "one"`
    )
    return SyncEffect.andThen(
      read(render(join(hidden, " UNION ALL "), dialect), owner.companyId),
      Exit.map((rows) => dated(rows.length === 0 ? {} : { Warning: warning }))
    )
  })

/** The origin of a change that a request makes. */
export const originOf = ({ method, requestId, target }: Exchange.Request, caller: Caller): Origin => ({
  requestId: requestId ?? null,
  request: `${method} ${target.split("?", 1)[0]}`,
  apiKey: caller.keyName ?? null,
  userId: caller.userId
})
