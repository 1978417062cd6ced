/** Purchase orders of the demo: suppliers, deliveries and the history of each order. */
import type * as Seed from "../Seed.ts"
import { companyId, userId } from "./company.ts"

type Delivery = readonly [
  order: string,
  requested: string,
  promised: string | null,
  arrived: string | null,
  cost: number
]
const deliveries: ReadonlyArray<Delivery> = [
  ["po_000401", "2026-01-20", "2026-01-22", "2026-01-22", 145.5],
  ["po_000402", "2026-02-10", "2026-02-12", "2026-02-13", 89.9],
  ["po_000403", "2026-03-02", "2026-03-09", null, 1250],
  ["po_000404", "2026-04-01", null, null, 0],
  ["po_000405", "2026-04-15", "2026-04-17", null, 60.25]
]

const histories: { readonly [order: string]: ReadonlyArray<readonly [status: string, at: string]> } = {
  po_000401: [
    ["Draft", "2026-01-05T09:00:00.000Z"],
    ["To Receive", "2026-01-06T08:20:00.000Z"],
    ["To Invoice", "2026-01-22T15:40:00.000Z"],
    ["Completed", "2026-02-03T11:05:00.000Z"]
  ],
  po_000402: [
    ["Draft", "2026-01-28T10:00:00.000Z"],
    ["To Receive and Invoice", "2026-01-29T16:45:00.000Z"],
    ["Completed", "2026-02-20T09:30:00.000Z"]
  ],
  po_000403: [
    ["Needs Approval", "2026-02-16T13:10:00.000Z"],
    ["To Receive", "2026-02-17T08:00:00.000Z"]
  ],
  po_000404: [["Planned", "2026-03-12T07:55:00.000Z"]]
}

export const rows: Seed.Rows = {
  purchaseOrderDelivery: deliveries.map(([id, requested, promised, arrived, supplierShippingCost], index) => ({
    id,
    locationId: index % 2 === 0 ? "loc_plant" : "loc_harbour",
    shippingMethodId: index === 2 ? "ship_sea" : "ship_road",
    shippingTermId: "shipterm_prepaid",
    receiptRequestedDate: requested,
    receiptPromisedDate: promised,
    deliveryDate: arrived,
    notes: index === 2 ? "Container, call the gate a day ahead" : null,
    trackingNumber: arrived === null ? null : `TRK-26-0${index + 1}417`,
    dropShipment: index === 4,
    customerId: index === 4 ? "cust_shipyard" : null,
    customerLocationId: index === 4 ? "cust_shipyard_dock" : null,
    companyId,
    customFields: null,
    tags: index === 2 ? ["import"] : null,
    supplierShippingCost,
    incoterm: index === 2 ? "CIF" : "DAP",
    incotermLocation: index === 2 ? "Harbour depot" : "Plant gate"
  })),
  purchaseOrderStatusHistory: Object.entries(histories).flatMap(([purchaseOrderId, steps]) =>
    steps.map(([status, createdAt], index) => ({
      id: `posh_${purchaseOrderId}_${index + 1}`,
      purchaseOrderId,
      status,
      companyId,
      createdAt,
      createdBy: userId,
      updatedBy: null
    }))
  )
}
