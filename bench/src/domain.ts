/**
 * Compares the speed of a compiled decoder with Schema, on rows of about 20 fields in their wire form.
 */
import { Decoder, InboundInspection, NonConformance, Resource } from "@mfgdata/domain"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

const target = 8
const rounds = 150
const rowsPerRound = 1000

const inspection = {
  id: "01k3v9q2m8c4n7x5t1ab",
  inboundInspectionId: "II000042",
  receiptLineId: "01k3v9q2m8c4n7x5t1ac",
  receiptId: "01k3v9q2m8c4n7x5t1ad",
  itemId: "01k3v9q2m8c4n7x5t1ae",
  lotSize: 500,
  samplingStandard: "ANSI_Z1_4",
  samplingPlanType: "AQL",
  sampleSize: 50,
  acceptanceNumber: 3,
  rejectionNumber: 4,
  status: "Passed",
  companyId: "01k3v9q2m8c4n7x5t1af",
  itemReadableId: "HOUSING-12",
  supplierId: "01k3v9q2m8c4n7x5t1ag",
  aql: 2.5,
  inspectionLevel: "II",
  severity: "Normal",
  codeLetter: "H",
  notes: "Two of fifty with scratches on the left side.",
  dispositionedBy: "01k3v9q2m8c4n7x5t1ah",
  dispositionedAt: "2026-03-02T09:30:00Z"
}

const nonConformance = {
  id: "01k3v9q2m8c4n7x5t1ab",
  nonConformanceId: "NC000042",
  name: "Scratched housings",
  source: "External",
  status: "In Progress",
  content: { type: "doc", content: [{ type: "paragraph", text: "Seen at goods in." }] },
  locationId: "01k3v9q2m8c4n7x5t1ac",
  nonConformanceTypeId: "01k3v9q2m8c4n7x5t1ad",
  openDate: "2026-03-02",
  quantity: 2,
  description: "Scratches of 3 cm on the left side.",
  priority: "Medium",
  approvalRequirements: null,
  nonConformanceWorkflowId: null,
  dueDate: "2026-04-01",
  closeDate: null,
  assignee: "01k3v9q2m8c4n7x5t1ah",
  customFields: { shift: "early" },
  tags: ["paint"],
  companyId: "01k3v9q2m8c4n7x5t1af",
  requiredActionIds: []
}

type Decode = (value: unknown) => Either.Either<unknown, unknown>

const microseconds = (decode: Decode, rows: ReadonlyArray<unknown>): number => {
  const start = performance.now()
  for (const row of rows) if (Either.isLeft(decode(row))) throw new Error("a good row was refused")
  return ((performance.now() - start) * 1000) / rows.length
}

/** The best of many short rounds, taken in turns, so that a busy machine slows both alike. */
const ratio = (resource: Resource.Any, row: unknown): number => {
  const rows = Array.from({ length: rowsPerRound }, (): unknown => JSON.parse(JSON.stringify(row)))
  const compiled = Decoder.row(resource)
  const interpreted = Schema.decodeUnknownEither(Resource.rowSchema(resource))
  let fast = Infinity
  let slow = Infinity
  for (let round = 0; round < rounds; round++) {
    fast = Math.min(fast, microseconds(compiled, rows))
    slow = Math.min(slow, microseconds(interpreted, rows))
  }
  const times = slow / fast
  console.log(
    `${resource.resource}, ${Object.keys(resource.columns).length} fields: ` +
      `${fast.toFixed(2)} us a row, Schema ${slow.toFixed(2)} us: ${times.toFixed(1)} times faster`
  )
  return times
}

const times = ratio(InboundInspection, inspection)
// Without a limit: both sides walk a JSON document with the same function, so its size decides.
ratio(NonConformance, nonConformance)

if (times < target) {
  console.error(`The decoder has to be at least ${target} times faster than Schema.`)
  process.exitCode = 1
}
