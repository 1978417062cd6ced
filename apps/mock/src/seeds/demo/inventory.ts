/** Inventory of the demo: stock of the plant in the north and of the depot at the harbour. */
import type * as Seed from "../Seed.ts"
import { companyId, userId } from "./company.ts"

const plant = "loc_plant"
const depot = "loc_harbour"

type Line = readonly [item: string, quantity: number, shipped: number, received: number]
interface Transfer {
  readonly number: number
  readonly status: string
  readonly date: string
  readonly expected: string | null
  readonly toDepot: boolean
  readonly notes?: string
  readonly lines: ReadonlyArray<Line>
}

const transfers: ReadonlyArray<Transfer> = [
  {
    number: 1,
    status: "Completed",
    date: "2026-01-12",
    expected: "2026-01-14",
    toDepot: true,
    notes: "Spring stock for the harbour depot",
    lines: [
      ["item_pump_p100", 40, 40, 40],
      ["item_seal_kit", 120, 120, 120],
      ["item_coupling", 60, 60, 60]
    ]
  },
  {
    number: 2,
    status: "Completed",
    date: "2026-02-09",
    expected: "2026-02-11",
    toDepot: true,
    lines: [
      ["item_pump_p200", 24, 24, 24],
      ["item_seal_kit", 48, 48, 46]
    ]
  },
  {
    number: 3,
    status: "Cancelled",
    date: "2026-02-20",
    expected: null,
    toDepot: false,
    notes: "Casting lot recalled before it left",
    lines: [["item_casting_a", 200, 0, 0]]
  },
  {
    number: 4,
    status: "To Receive",
    date: "2026-03-16",
    expected: "2026-03-18",
    toDepot: true,
    lines: [
      ["item_pump_p100", 30, 30, 12],
      ["item_impeller", 90, 90, 0],
      ["item_bearing", 180, 180, 60]
    ]
  },
  {
    number: 5,
    status: "To Ship",
    date: "2026-03-23",
    expected: "2026-03-25",
    toDepot: true,
    lines: [
      ["item_pump_p200", 12, 0, 0],
      ["item_coupling", 24, 0, 0]
    ]
  },
  {
    number: 6,
    status: "To Ship and Receive",
    date: "2026-03-30",
    expected: "2026-04-02",
    toDepot: false,
    lines: [
      ["item_motor_3kw", 8, 3, 0],
      ["item_motor_5kw", 4.5, 1.5, 0]
    ]
  },
  {
    number: 7,
    status: "Draft",
    date: "2026-04-06",
    expected: null,
    toDepot: true,
    notes: "Waiting for the repaired P100 batch",
    lines: [
      ["item_pump_p100", 15, 0, 0],
      ["item_seal_kit", 45, 0, 0],
      ["item_bearing", 60, 0, 0],
      ["item_gasket", 300, 0, 0]
    ]
  },
  {
    number: 8,
    status: "Draft",
    date: "2026-04-13",
    expected: "2026-04-20",
    toDepot: false,
    lines: [
      ["item_casting_a", 80, 0, 0],
      ["item_casting_b", 80, 0, 0]
    ]
  }
]

const transferId = (transfer: Transfer) => `wt_${String(transfer.number).padStart(6, "0")}`
const ends = (transfer: Transfer) => ({
  fromLocationId: transfer.toDepot ? plant : depot,
  toLocationId: transfer.toDepot ? depot : plant
})

type Card = readonly [item: string, system: string, quantity: number, supplier: string | null, factor: number]
const kanbans: ReadonlyArray<Card> = [
  ["item_seal_kit", "Buy", 200, "sup_sealtech", 1],
  ["item_bearing", "Buy", 500, "sup_bearings", 1],
  ["item_gasket", "Buy", 1000, "sup_sealtech", 0.01],
  ["item_coupling", "Buy and Make", 50, "sup_drives", 1],
  ["item_impeller", "Make", 60, null, 1],
  ["item_casting_a", "Buy", 100, "sup_foundry", 1],
  ["item_casting_b", "Buy", 100, "sup_foundry", 1],
  ["item_shaft", "Make", 80, null, 1]
]

export const rows: Seed.Rows = {
  warehouseTransfer: transfers.map((transfer) => ({
    id: transferId(transfer),
    transferId: `WT${String(transfer.number).padStart(6, "0")}`,
    ...ends(transfer),
    status: transfer.status,
    transferDate: transfer.date,
    expectedReceiptDate: transfer.expected,
    notes: transfer.notes ?? null,
    reference: null,
    companyId,
    customFields: transfer.number % 2 === 0 ? { carrier: "Own truck", pallets: transfer.lines.length } : null,
    tags: transfer.status === "Draft" ? ["planned"] : ["released", transfer.toDepot ? "outbound" : "inbound"],
    createdBy: userId,
    createdAt: `${transfer.date}T07:30:00.000Z`
  })),
  warehouseTransferLine: transfers.flatMap((transfer) =>
    transfer.lines.map(([itemId, quantity, shippedQuantity, receivedQuantity], index) => ({
      id: `wtl_${String(transfer.number).padStart(6, "0")}_${index + 1}`,
      transferId: transferId(transfer),
      itemId,
      quantity,
      shippedQuantity,
      receivedQuantity,
      ...ends(transfer),
      fromStorageUnitId: `bin_${transfer.toDepot ? "plant" : "harbour"}_${index + 1}`,
      toStorageUnitId: null,
      unitOfMeasureCode: "EA",
      notes: null,
      companyId,
      customFields: null
    }))
  ),
  kanban: kanbans.map(([itemId, replenishmentSystem, quantity, supplierId, conversionFactor], index) => ({
    id: `kb_${index + 1}`,
    itemId,
    replenishmentSystem,
    quantity,
    locationId: index % 3 === 2 ? depot : plant,
    storageUnitId: `bin_plant_${index + 1}`,
    supplierId,
    purchaseUnitOfMeasureCode: supplierId === null ? null : conversionFactor === 1 ? "EA" : "BOX",
    conversionFactor,
    autoRelease: supplierId !== null,
    autoStartJob: supplierId === null,
    completedBarcodeOverride: null,
    jobId: null
  }))
}
