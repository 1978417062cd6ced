/** Sales of the demo: fulfillments, payments, shipments and favorites of sales orders. */
import type * as Seed from "../Seed.ts"
import { companyId, userId } from "./company.ts"

type Fulfillment = readonly [line: number, quantity: number, job: string | null]
const fulfilled: ReadonlyArray<Fulfillment> = [
  [1, 10, null],
  [2, 4, "job_000101"],
  [3, 25, null],
  [4, 6, "job_000102"],
  [5, 2.5, null],
  [6, 12, "job_000103"]
]

type Payment = readonly [order: string, customer: string, term: string, complete: boolean]
const payments: ReadonlyArray<Payment> = [
  ["so_000201", "cust_waterboard", "pterm_net_30", true],
  ["so_000202", "cust_brewery", "pterm_net_15", true],
  ["so_000203", "cust_shipyard", "pterm_2_10_net_30", false],
  ["so_000204", "cust_waterboard", "pterm_net_60", false],
  ["so_000205", "cust_dairy", "pterm_due_on_receipt", false]
]

export const rows: Seed.Rows = {
  fulfillment: fulfilled.map(([line, quantity, jobId]) => ({
    id: `ful_${line}`,
    salesOrderLineId: `sol_00020${line}_1`,
    type: jobId === null ? "Inventory" : "Job",
    quantity,
    jobId,
    companyId,
    createdAt: `2026-03-0${line}T10:15:00.000Z`,
    createdBy: userId
  })),
  salesOrderFavorite: ["so_000201", "so_000203", "so_000205"].map((salesOrderId) => ({ salesOrderId, userId })),
  salesOrderPayment: payments.map(([id, customer, paymentTermId, paymentComplete]) => ({
    id,
    invoiceCustomerId: customer,
    invoiceCustomerLocationId: `${customer}_hq`,
    invoiceCustomerContactId: `${customer}_ap`,
    paymentTermId,
    paymentComplete,
    companyId,
    customFields: paymentComplete ? { settledBy: "bank transfer" } : null,
    updatedAt: null
  })),
  shipmentFixedAssetLine: [
    ["shp_000301", "sol_000201_2", true, "TR-0007"],
    ["shp_000301", "sol_000202_2", true, "TR-0011"],
    ["shp_000302", "sol_000203_2", false, null]
  ].map(([shipmentId, salesOrderLineId, shipped, serialNumber], index) => ({
    id: `sfal_${index + 1}`,
    shipmentId: String(shipmentId),
    salesOrderLineId: String(salesOrderLineId),
    shipped: shipped === true,
    serialNumber: serialNumber === null ? null : String(serialNumber),
    companyId,
    createdBy: userId,
    createdAt: `2026-03-1${index}T14:00:00.000Z`
  }))
}
