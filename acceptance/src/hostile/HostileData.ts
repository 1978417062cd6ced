/**
 * Fills a store for the hostile run: demo data, 20 000 lines of transfers, a text of 2 MB, a large document, 901
 * webhooks, and a second company.
 */
import * as ApiKey from "@mfgdata/domain/ApiKey"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as WebhookReceivers from "../WebhookReceivers.ts"
import type * as Random from "./Random.ts"

/** The API key of the second company. */
export const neighbourKey: string = ApiKey.fromRandom(new Uint8Array(32).fill(7))

export const neighbour = "neighbour"

/** The number of rows, and of bytes of the long text. */
export interface Size {
  readonly lines: number
  readonly textBytes: number
}

/** The active webhooks of two tables that no other request writes, and the rows of the first. */
export const subscribed = {
  many: { table: "workCenterShift", webhooks: 900, rows: 60 },
  few: { table: "maintenanceScheduleItem", webhooks: 1 }
} as const

/** A row of the table with many webhooks, and one of the table with few. */
export const shift = (index: number): object => ({ workCenterId: `wc_${index}`, shiftId: "shift_hostile" })
export const item = (index: number): object => ({
  maintenanceScheduleId: "ms_hostile",
  itemId: `item_${index}`,
  quantity: 1,
  unitOfMeasureCode: "EA",
  companyId: "demo"
})

/** Webhooks of a table, whose receiver nothing reaches. */
const webhooks = ({ table, webhooks }: { readonly table: string; readonly webhooks: number }) =>
  Array.from({ length: webhooks }, (_, index) => ({
    ...WebhookReceivers.row(table, "http://127.0.0.1:9/"),
    name: `${table} ${index}`
  }))

/** The number of lines of each transfer. */
const perTransfer = 1000

/** Writes a seed file with the second company, and returns its path. */
export const seedFile = (folder: string): string => {
  const path = join(folder, "neighbour.json")
  const seed = {
    companies: [{ id: neighbour, name: "Neighbour" }],
    users: [
      {
        id: "usr_neighbour",
        companyIds: [neighbour],
        email: "ann@neighbour.test",
        firstName: "Ann",
        lastName: "Neighbour"
      }
    ],
    keys: [{ key: neighbourKey, name: "test", companyId: neighbour, userId: "usr_neighbour" }],
    rows: { holiday: [{ id: "hol_neighbour", name: "Founding day", date: "2026-05-01", companyId: neighbour }] }
  }
  writeFileSync(path, JSON.stringify(seed))
  return path
}

/** Half of it the same letter, half of it words. */
const longText = (bytes: number, { word }: Random.Random): string => {
  let words = ""
  while (words.length < bytes / 2) words += ` ${word()}`
  return "a".repeat(bytes / 2) + words
}

/** Creates the rows through the interface, and returns the id of a transfer with 1 000 lines. */
export const create = async (
  post: (path: string, rows: ReadonlyArray<object>) => Promise<ReadonlyArray<{ readonly id: string }>>,
  { lines, textBytes }: Size,
  random: Random.Random
): Promise<string> => {
  const places = { fromLocationId: "loc_a", toLocationId: "loc_b", companyId: "demo" }
  const transfer = (name: string, more: object = {}) => ({
    transferId: name,
    status: "Draft",
    ...places,
    notes: null,
    customFields: null,
    tags: null,
    ...more
  })
  const parents = await post(
    "/rest/warehouseTransfer",
    Array.from({ length: Math.ceil(lines / perTransfer) }, (_, index) => transfer(`HOSTILE-${index}`))
  )
  for (const { id } of parents) {
    await post(
      "/rest/warehouseTransferLine",
      Array.from({ length: Math.min(perTransfer, lines) }, (_, index) => ({
        transferId: id,
        itemId: `item_${index % 50}`,
        quantity: index,
        shippedQuantity: 0,
        receivedQuantity: 0,
        ...places,
        notes: `${random.word()} ${"x".repeat(index % 40)} ${random.word()}`,
        customFields: { k: random.word(), n: index, list: [index, index + 1] }
      }))
    )
  }
  await post("/rest/warehouseTransfer", [
    transfer("HOSTILE-LONG", { notes: longText(textBytes, random) }),
    transfer("HOSTILE-DOCUMENT", {
      customFields: { list: Array.from({ length: textBytes / 50 }, (_, index) => index) },
      tags: Array.from({ length: textBytes / 50 }, (_, index) => `t${index}x`)
    })
  ])
  const { few, many } = subscribed
  await post(
    `/rest/${many.table}`,
    Array.from({ length: many.rows }, (_, index) => shift(index))
  )
  await post("/rest/webhook", [...webhooks(many), ...webhooks(few)])
  return parents[0]?.id ?? ""
}
