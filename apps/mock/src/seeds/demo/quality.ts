/** Quality records of the demo: inbound inspections, non-conformances and quality documents. */
import type * as Seed from "../Seed.ts"
import { companyId, qualityUserId, userId } from "./company.ts"

type Inspection = readonly [
  item: string,
  lot: number,
  sample: number,
  status: string,
  plan: string,
  dispositioned: boolean
]
const inspections: ReadonlyArray<Inspection> = [
  ["item_casting_a", 200, 32, "Failed", "AQL", true],
  ["item_casting_b", 80, 13, "Passed", "AQL", true],
  ["item_bearing", 500, 500, "Passed", "All", true],
  ["item_seal_kit", 200, 1, "Passed", "First", true],
  ["item_motor_3kw", 8, 2, "In Progress", "Percentage", false],
  ["item_shaft", 80, 13, "Pending", "AQL", false]
]

interface Report {
  readonly name: string
  readonly status: string
  readonly priority: string
  readonly source: string
  readonly type: string
  readonly opened: string
  readonly closed: string | null
  readonly quantity: number
}
const reports: ReadonlyArray<Report> = [
  {
    name: "Porosity in casting lot A-17",
    status: "Closed",
    priority: "High",
    source: "External",
    type: "nct_material",
    opened: "2026-02-18",
    closed: "2026-03-06",
    quantity: 200
  },
  {
    name: "Shaft runout above 0.02 mm",
    status: "In Progress",
    priority: "Medium",
    source: "Internal",
    type: "nct_process",
    opened: "2026-03-02",
    closed: null,
    quantity: 14
  },
  {
    name: "Seal kits without gasket",
    status: "Registered",
    priority: "Low",
    source: "External",
    type: "nct_packaging",
    opened: "2026-03-11",
    closed: null,
    quantity: 6
  },
  {
    name: "Leak at test pressure, P200",
    status: "In Progress",
    priority: "Critical",
    source: "Internal",
    type: "nct_assembly",
    opened: "2026-03-20",
    closed: null,
    quantity: 2
  },
  {
    name: "Nameplate with wrong voltage",
    status: "Closed",
    priority: "Medium",
    source: "Internal",
    type: "nct_labelling",
    opened: "2026-01-15",
    closed: "2026-01-16",
    quantity: 30
  },
  {
    name: "Two pumps short at the depot",
    status: "Registered",
    priority: "Low",
    source: "Internal",
    type: "nct_logistics",
    opened: "2026-02-11",
    closed: null,
    quantity: 2
  }
]

interface Step {
  readonly name: string
  readonly type: string
  readonly unit?: string
  readonly range?: readonly [number, number]
  readonly list?: ReadonlyArray<string>
  readonly files?: ReadonlyArray<string>
}
const steps: ReadonlyArray<Step> = [
  { name: "Serial number", type: "Value" },
  { name: "Shaft diameter", type: "Measurement", unit: "MM", range: [19.98, 20.02] },
  { name: "Test pressure", type: "Measurement", unit: "BAR", range: [15.5, 16.5] },
  { name: "Coating intact", type: "Checkbox" },
  { name: "Test started", type: "Timestamp" },
  { name: "Released by", type: "Person" },
  { name: "Result", type: "List", list: ["Pass", "Rework", "Scrap"] },
  { name: "Pressure curve", type: "File", files: ["pdf", "csv"] }
]

export const rows: Seed.Rows = {
  inboundInspection: inspections.map(
    ([itemId, lotSize, sampleSize, status, samplingPlanType, dispositioned], index) => ({
      id: `insp_${index + 1}`,
      inboundInspectionId: `II${String(index + 1).padStart(6, "0")}`,
      receiptLineId: `rcl_00050${index + 1}_1`,
      receiptId: `rcp_00050${index + 1}`,
      itemId,
      itemReadableId: itemId.slice("item_".length).toUpperCase(),
      supplierId: index < 2 ? "sup_foundry" : null,
      lotSize,
      samplingStandard: index === 4 ? "ISO_2859_1" : "ANSI_Z1_4",
      samplingPlanType,
      sampleSize,
      acceptanceNumber: samplingPlanType === "AQL" ? 1 : 0,
      rejectionNumber: samplingPlanType === "AQL" ? 2 : 1,
      aql: samplingPlanType === "AQL" ? 0.65 : null,
      inspectionLevel: samplingPlanType === "AQL" ? "II" : null,
      severity: samplingPlanType === "AQL" ? (index === 5 ? "Tightened" : "Normal") : null,
      codeLetter: samplingPlanType === "AQL" ? "F" : null,
      status,
      notes: status === "Failed" ? "Porosity on 5 of 32, see the non-conformance" : null,
      dispositionedBy: dispositioned ? qualityUserId : null,
      dispositionedAt: dispositioned ? `2026-02-1${index}T13:20:30.250Z` : null,
      companyId
    })
  ),
  nonConformance: reports.map((report, index) => ({
    id: `nc_${index + 1}`,
    nonConformanceId: `NC${String(index + 1).padStart(6, "0")}`,
    name: report.name,
    description: null,
    source: report.source,
    status: report.status,
    priority: report.priority,
    approvalRequirements: report.priority === "Critical" ? "MRB" : null,
    nonConformanceWorkflowId: null,
    content: { type: "doc", content: [{ type: "paragraph", text: report.name }] },
    locationId: index === 5 ? "loc_harbour" : "loc_plant",
    nonConformanceTypeId: report.type,
    openDate: report.opened,
    dueDate: report.closed === null ? "2026-04-30" : null,
    closeDate: report.closed,
    quantity: report.quantity,
    assignee: index % 2 === 0 ? qualityUserId : userId,
    customFields: null,
    tags: report.source === "External" ? ["supplier"] : null,
    companyId,
    requiredActionIds: report.priority === "Critical" ? ["act_containment", "act_root_cause"] : null
  })),
  qualityDocumentStep: steps.map((step, index) => ({
    id: `qds_${index + 1}`,
    qualityDocumentId: "qdoc_final_test",
    name: step.name,
    description: null,
    required: index < 4,
    sortOrder: index + 1,
    type: step.type,
    unitOfMeasureCode: step.unit ?? null,
    minValue: step.range?.[0] ?? null,
    maxValue: step.range?.[1] ?? null,
    listValues: step.list ?? null,
    fileTypes: step.files ?? null,
    companyId,
    createdAt: "2026-01-08T08:00:00.000Z",
    createdBy: qualityUserId
  })),
  changeOrderRequiredAction: [
    "Update drawing",
    "Update bill of materials",
    "Update routing",
    "Inform suppliers",
    "Rework stock",
    "Train operators",
    "Revise inspection plan"
  ].map((name, index) => ({
    id: `cora_${index + 1}`,
    name,
    active: index !== 4,
    customFields: null,
    companyId,
    createdBy: qualityUserId,
    createdAt: "2026-01-08T08:30:00.000Z",
    updatedBy: null,
    updatedAt: null
  }))
}
