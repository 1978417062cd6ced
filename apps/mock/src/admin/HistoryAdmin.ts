/**
 * Implements the administrator's operations on the history of the rows.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as History from "../history/History.ts"
import type { ChangeMissing, Filter, HistoryOff } from "../history/HistoryLog.ts"
import * as RowCauses from "../history/RowCauses.ts"
import * as RowErrorBody from "../rows/RowErrorBody.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import type { Refused, StoreUnavailable } from "../store/Store.ts"
import * as DeliveryLog from "../webhooks/DeliveryLog.ts"
import type { World } from "../world/World.ts"
import { AdminRefused } from "./AdminRefused.ts"
import * as AdminRequest from "./AdminRequest.ts"

type Failure =
  | HistoryOff
  | ChangeMissing
  | History.RowDiffers
  | History.SecretLost
  | History.TimeOutside
  | StoreUnavailable
  | QueryStopped

const codes = {
  HistoryOff: "CONFLICT",
  ChangeMissing: "NOT_FOUND",
  RowDiffers: "CONFLICT",
  SecretLost: "CONFLICT",
  TimeOutside: "UNPROCESSABLE_CONTENT",
  StoreUnavailable: "SERVICE_UNAVAILABLE",
  QueryStopped: "SERVICE_UNAVAILABLE"
} as const satisfies { readonly [Tag in Failure["_tag"]]: AdminRefused["code"] }

const issuesOf = (error: Failure): Pick<AdminRefused, "issues"> =>
  error._tag === "RowDiffers" && error.fields.length > 0
    ? {
        issues: error.fields.map(({ left, name, now }) => ({
          path: [name],
          message: `the change left ${JSON.stringify(left)}, and now it is ${JSON.stringify(now)}`
        }))
      }
    : {}

const toRefused = (error: Failure | Refused): AdminRefused => {
  if (error._tag !== "Refused") {
    return new AdminRefused({ code: codes[error._tag], message: error.message, ...issuesOf(error) })
  }
  const { details = null, message } = RowErrorBody.make(error.refusal)
  return new AdminRefused({
    code: "CONFLICT",
    message: `the rows cannot be changed back: ${message}${typeof details === "string" ? ` (${details})` : ""}`
  })
}

const eventUnknown = new AdminRefused({
  code: "BAD_REQUEST",
  message: "Last-Event-ID is not the number of a change"
})

type HistoryName = "listHistory" | "explainRow" | "undoChange" | "rewindWorld"

/** The maximum number of changes that explain a row. */
const mostChanges = 1000

export const make = (world: World["Type"]): Pick<AdminApi.Service<AdminRefused>, HistoryName> => {
  const history = History.make(world)
  const deliveries = DeliveryLog.make(world)
  const originOf = (request: string) =>
    Effect.map(FiberRef.get(AdminRequest.current), ({ id }) =>
      History.administrator(request, id === "" ? world.newId() : id)
    )
  const follow = (events: AdminRequest.Events, filter: Filter, after: number | undefined) => {
    const start = AdminRequest.startOf(events, after)
    if (Number.isNaN(start)) return Effect.fail(eventUnknown)
    return history.follow(filter, start).pipe(
      Effect.map((body): ReadonlyArray<AdminApi.HistoryEntry> => {
        events.body = body
        return []
      }),
      Effect.mapError(toRefused)
    )
  }
  return {
    listHistory: ({ after, limit, ...filter }) =>
      Effect.flatMap(FiberRef.get(AdminRequest.current), ({ events }) =>
        events === undefined
          ? history.list(filter, limit, after).pipe(
              Effect.map((entries) => entries.map(({ shown }) => shown)),
              Effect.mapError(toRefused)
            )
          : follow(events, filter, after)
      ),
    explainRow: (row) =>
      history.list(row, mostChanges).pipe(
        Effect.flatMap((entries) => RowCauses.make(entries.toReversed(), deliveries, row)),
        Effect.mapError(toRefused)
      ),
    undoChange: ({ sequence }) =>
      originOf(`POST ${AdminApi.mount}/history/${sequence}/undo`).pipe(
        Effect.flatMap((origin) => history.undo(sequence, origin)),
        Effect.mapError(toRefused)
      ),
    rewindWorld: ({ to, world: name }) =>
      originOf(`POST ${AdminApi.mount}/worlds/${name}/rewind`).pipe(
        Effect.flatMap((origin) => history.rewind(to, origin)),
        Effect.map((changes) => ({ to, changes })),
        Effect.mapError(toRefused)
      )
  }
}
