import { assert, it } from "@effect/vitest"
import { Rows } from "@mfgdata/client"
import { WarehouseTransfer } from "@mfgdata/domain"
import * as Testing from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as OpenTransfers from "../src/OpenTransfers.ts"

const rows = Layer.unwrapEffect(Effect.map(Testing.World, (world) => Rows.layer(world)))
const test = OpenTransfers.layer.pipe(Layer.provideMerge(rows), Layer.provideMerge(Testing.layer()))

it.effect("lists the transfers that are neither completed nor cancelled", () =>
  Effect.gen(function* () {
    const { next } = yield* OpenTransfers.OpenTransfers
    const open = yield* next(100)
    const all = yield* Effect.flatMap(Rows, (rows) =>
      rows.list(WarehouseTransfer, { select: ["transferId", "status"] })
    )
    const isOpen = ({ status }: { readonly status: string }) => status !== "Completed" && status !== "Cancelled"
    assert.sameMembers(
      open.map(({ transferId }) => transferId),
      all.filter(isOpen).map(({ transferId }) => transferId)
    )
    assert.isTrue(open.some(({ pieces }) => pieces > 0))
    assert.deepStrictEqual(yield* next(2), open.slice(0, 2))
  }).pipe(Effect.provide(test))
)
