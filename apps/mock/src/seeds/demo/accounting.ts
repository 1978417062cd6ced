/** Accounting of the demo: payment terms, holidays, and a ledger whose journals balance. */
import type * as Seed from "../Seed.ts"
import { companyId, userId } from "./company.ts"

type Term = readonly [id: string, name: string, due: number, discountDays: number, percent: number, method: string]
const terms: ReadonlyArray<Term> = [
  ["pterm_net_15", "Net 15", 15, 0, 0, "Net"],
  ["pterm_net_30", "Net 30", 30, 0, 0, "Net"],
  ["pterm_net_50", "Net 50", 50, 0, 0, "Net"],
  ["pterm_net_60", "Net 60", 60, 0, 0, "Net"],
  ["pterm_net_90", "Net 90", 90, 0, 0, "Net"],
  ["pterm_1_10_net_30", "1% 10 Net 30", 30, 10, 1, "Net"],
  ["pterm_2_10_net_30", "2% 10 Net 30", 30, 10, 2, "Net"],
  ["pterm_due_on_receipt", "Due on Receipt", 0, 0, 0, "Net"],
  ["pterm_net_eom_10", "Net EOM 10", 10, 0, 0, "End of Month"]
]

const holidays: ReadonlyArray<readonly [name: string, date: string]> = [
  ["New Year's Day", "2026-01-01"],
  ["Good Friday", "2026-04-03"],
  ["Easter Monday", "2026-04-06"],
  ["Labour Day", "2026-05-01"],
  ["Plant shutdown, first day", "2026-08-03"],
  ["Plant shutdown, last day", "2026-08-14"],
  ["Christmas Day", "2026-12-25"],
  ["Boxing Day", "2026-12-26"],
  ["New Year's Day 2027", "2027-01-01"],
  ["Good Friday 2027", "2027-03-26"]
]

interface Entry {
  readonly text: string
  readonly type: string | null
  readonly document: string | null
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly quantity: number
}
const entries: ReadonlyArray<Entry> = [
  {
    text: "Castings received",
    type: "Purchase Receipt",
    document: "rcp_000501",
    debit: "acc_inventory",
    credit: "acc_grni",
    amount: 3840,
    quantity: 200
  },
  {
    text: "Castings invoiced",
    type: "Purchase Invoice",
    document: "pinv_000601",
    debit: "acc_grni",
    credit: "acc_payables",
    amount: 3840,
    quantity: 200
  },
  {
    text: "Castings scrapped",
    type: "Scrap",
    document: "nc_1",
    debit: "acc_scrap",
    credit: "acc_inventory",
    amount: 3840,
    quantity: 200
  },
  {
    text: "Credit from the foundry",
    type: "Credit Memo",
    document: "cm_000701",
    debit: "acc_payables",
    credit: "acc_scrap",
    amount: 3840,
    quantity: 200
  },
  {
    text: "Material to job 101",
    type: "Job Consumption",
    document: "job_000101",
    debit: "acc_wip",
    credit: "acc_inventory",
    amount: 1216.42,
    quantity: 96
  },
  {
    text: "Pumps from job 101",
    type: "Job Receipt",
    document: "job_000101",
    debit: "acc_finished_goods",
    credit: "acc_wip",
    amount: 1216.42,
    quantity: 4
  },
  {
    text: "Shipment to the waterboard",
    type: "Sales Shipment",
    document: "shp_000301",
    debit: "acc_cogs",
    credit: "acc_finished_goods",
    amount: 2980.1,
    quantity: 10
  },
  {
    text: "Invoice to the waterboard",
    type: "Invoice",
    document: "sinv_000801",
    debit: "acc_receivables",
    credit: "acc_revenue",
    amount: 5450,
    quantity: 10
  },
  {
    text: "Payment from the waterboard",
    type: "Payment",
    document: "pay_000901",
    debit: "acc_bank",
    credit: "acc_receivables",
    amount: 5450,
    quantity: 1
  },
  {
    text: "Count difference, gaskets",
    type: "Inventory Count",
    document: "cnt_001001",
    debit: "acc_adjustments",
    credit: "acc_inventory",
    amount: 0.07,
    quantity: 7
  },
  {
    text: "Maintenance of the lathe",
    type: "Maintenance Consumption",
    document: "msch_lathe",
    debit: "acc_maintenance",
    credit: "acc_inventory",
    amount: 118.6,
    quantity: 22
  },
  {
    text: "Accrued energy, March",
    type: null,
    document: null,
    debit: "acc_energy",
    credit: "acc_accruals",
    amount: 2410.33,
    quantity: 1
  }
]

export const rows: Seed.Rows = {
  paymentTerm: terms.map(([id, name, daysDue, daysDiscount, discountPercentage, calculationMethod]) => ({
    id,
    name,
    daysDue,
    daysDiscount,
    discountPercentage,
    calculationMethod,
    active: id !== "pterm_net_50",
    companyId,
    customFields: null,
    tags: null
  })),
  holiday: holidays.map(([name, date]) => ({
    id: `hol_${date}`,
    name,
    date,
    year: Number(date.slice(0, 4)),
    companyId,
    customFields: null,
    tags: name.startsWith("Plant") ? ["shutdown"] : ["public"],
    createdBy: userId,
    createdAt: "2026-01-05T08:00:00.000Z",
    updatedBy: null
  })),
  journalLine: entries.flatMap((entry, index) =>
    (
      [
        ["d", entry.debit, entry.amount],
        ["c", entry.credit, -entry.amount]
      ] as const
    ).map(([side, accountId, amount]) => ({
      id: `jl_${String(index + 1).padStart(4, "0")}_${side}`,
      journalId: `jrn_2026_${String((index % 4) + 1).padStart(2, "0")}`,
      description: entry.text,
      amount,
      quantity: entry.quantity,
      documentType: entry.type,
      documentId: entry.document,
      externalDocumentId: null,
      journalLineReference: `je_${index + 1}`,
      documentLineReference: null,
      accrual: entry.type === null,
      companyId,
      customFields: null,
      tags: null,
      accountId,
      intercompanyPartnerId: null,
      createdAt: `2026-03-${String(index + 1).padStart(2, "0")}T17:00:00.125Z`
    }))
  )
}
