/**
 * Lists open transfers and their quantities, as a service on top of the client.
 */
import { type QueryError, Rows } from "@mfgdata/client"
import { Query, WarehouseTransfer, WarehouseTransferLine } from "@mfgdata/domain"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A transfer that is neither completed nor cancelled, and its total quantity. */
export interface OpenTransfer {
  readonly transferId: string
  readonly status: string
  readonly pieces: number
}

export class OpenTransfers extends Context.Tag("@mfgdata/example-open-transfers/OpenTransfers")<
  OpenTransfers,
  {
    /** Returns at most `count` transfers, the latest first. */
    readonly next: (count: number) => Effect.Effect<ReadonlyArray<OpenTransfer>, QueryError>
  }
>() {}

/** A layer over the rows of the service. */
export const layer: Layer.Layer<OpenTransfers, never, Rows> = Layer.effect(
  OpenTransfers,
  Effect.map(Rows, (rows) => ({
    next: (limit) =>
      rows
        .list(WarehouseTransfer, {
          select: ["transferId", "status", Query.embed(WarehouseTransferLine, { as: "lines", select: ["quantity"] })],
          where: { status: Query.not(Query.in(["Completed", "Cancelled"])) },
          order: [Query.desc("transferDate"), "id"],
          limit
        })
        .pipe(
          Effect.map((transfers) =>
            transfers.map(({ lines, status, transferId }) => ({
              transferId,
              status,
              pieces: lines.reduce((sum, { quantity }) => sum + quantity, 0)
            }))
          )
        )
  }))
)
