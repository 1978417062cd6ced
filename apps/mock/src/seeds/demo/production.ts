/** Production of the demo: shifts, assembly instructions, records and maintenance. */
import type * as Seed from "../Seed.ts"
import { companyId, qualityUserId, userId } from "./company.ts"

const made = { companyId, createdBy: userId, createdAt: "2026-01-07T06:45:00.000Z" }

type Result = readonly [
  operation: number,
  kind: "text" | "number" | "boolean" | "user",
  value: string | number | boolean
]
const results: ReadonlyArray<Result> = [
  [1, "text", "P100-26-0417"],
  [1, "number", 20.004],
  [1, "number", 16.1],
  [1, "boolean", true],
  [1, "user", qualityUserId],
  [2, "text", "P200-26-0102"],
  [2, "number", 19.991],
  [2, "boolean", false]
]

export const rows: Seed.Rows = {
  assemblyPlanJob: (
    [
      ["Success", "convert", null],
      ["Success", "plan", null],
      ["Processing", "plan", null],
      ["Failed", "convert", "The model has no closed solid"]
    ] as const
  ).map(([status, kind, error], index) => ({
    id: `apj_${index + 1}`,
    modelUploadId: `model_p${index + 1}00`,
    kind,
    status,
    planPath: status === "Success" && kind === "plan" ? `plans/p${index + 1}00.json` : null,
    stats: status === "Success" ? { parts: 14 + index, seconds: 3.25 } : null,
    error,
    ...made
  })),
  workCenterShift: ["wc_machining", "wc_assembly", "wc_test"].flatMap((workCenterId) =>
    ["shift_early", "shift_late"].map((shiftId) => ({
      id: `wcsh_${workCenterId}_${shiftId}`,
      workCenterId,
      shiftId,
      ...made,
      updatedBy: null,
      updatedAt: null
    }))
  ),
  assemblyInstructionStepTool: (
    [
      ["step_p100_1", "tool_hex_6", 1],
      ["step_p100_1", "tool_press", 1],
      ["step_p100_2", "tool_torque_wrench", 1],
      ["step_p100_3", "tool_hex_6", 1],
      ["step_p200_1", "tool_press", 1],
      ["step_p200_2", "tool_gauge", 2]
    ] as const
  ).map(([stepId, itemId, quantity], index) => ({
    id: `aist_${index + 1}`,
    stepId,
    itemId,
    quantity,
    sortOrder: index + 1,
    ...made
  })),
  assemblyInstructionStepSlide: (
    [
      ["step_p100_1", "slides/p100/1.png", null, "Press the bearing flush", "large"],
      ["step_p100_2", "slides/p100/2.png", null, "Tighten crosswise to 24 Nm", "medium"],
      ["step_p100_3", null, "model_p100", "Turn the model to see the key", "large"],
      ["step_p200_1", "slides/p200/1.png", null, null, "small"],
      ["step_p200_2", null, "model_p200", "Check the gap at four places", "medium"]
    ] as const
  ).map(([stepId, imagePath, modelUploadId, caption, size], index) => ({
    id: `aiss_${index + 1}`,
    stepId,
    imagePath,
    modelUploadId,
    caption,
    sortOrder: index + 1,
    size,
    annotations: caption === null ? {} : { arrows: [{ x: 0.25, y: 0.5 }] },
    ...made
  })),
  trackedActivityOutput: [1, 2, 3, 4].map((n) => ({
    trackedActivityId: `tact_${n}`,
    trackedEntityId: `tent_${n}`,
    quantity: n === 4 ? 0.5 : n,
    companyId,
    createdAt: `2026-03-0${n}T11:00:00.000Z`,
    createdBy: userId,
    updatedBy: null
  })),
  maintenanceScheduleItem: (
    [
      ["msch_lathe", "item_coolant", 20, "L"],
      ["msch_lathe", "item_filter", 2, "EA"],
      ["msch_press", "item_hydraulic_oil", 40, "L"],
      ["msch_test_bench", "item_seal_kit", 1, "EA"],
      ["msch_test_bench", "item_hose", 3.5, "M"]
    ] as const
  ).map(([maintenanceScheduleId, itemId, quantity, unitOfMeasureCode], index) => ({
    id: `msi_${index + 1}`,
    maintenanceScheduleId,
    itemId,
    quantity,
    unitOfMeasureCode,
    ...made
  })),
  jobOperationStepRecord: results.map(([operation, kind, value], index) => ({
    id: `josr_${index + 1}`,
    jobOperationStepId: `jos_${operation}_${index + 1}`,
    value: kind === "text" ? String(value) : null,
    numericValue: kind === "number" ? Number(value) : null,
    booleanValue: kind === "boolean" ? value === true : null,
    userValue: kind === "user" ? String(value) : null,
    companyId,
    index: 0,
    createdAt: `2026-03-24T09:1${index}:00Z`,
    createdBy: userId
  }))
}
