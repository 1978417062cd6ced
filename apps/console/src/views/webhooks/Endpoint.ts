/**
 * The webhooks of a company as rows, and what the page does with them.
 */
import * as Admin from "../../service/Admin.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import * as Rows from "../../service/Rows.ts"

export interface Endpoint {
  readonly id: string
  readonly name: string
  readonly table: string
  readonly url: string
  readonly active: boolean
  readonly events: ReadonlyArray<string>
  readonly successCount: number
  readonly errorCount: number
}

const fromRow = (row: Rows.Row): Endpoint => ({
  id: String(row["id"]),
  name: String(row["name"]),
  table: String(row["table"]),
  url: String(row["url"]),
  active: row["active"] === true,
  events: [
    ["INSERT", row["onInsert"]],
    ["UPDATE", row["onUpdate"]],
    ["DELETE", row["onDelete"]]
  ].flatMap(([name, isOn]) => (isOn === true ? [String(name)] : [])),
  successCount: Number(row["successCount"]),
  errorCount: Number(row["errorCount"])
})

export const list = async (signal: AbortSignal): Promise<ReadonlyArray<Endpoint>> =>
  (await Rows.list("webhook", "order=name&limit=500", { signal })).rows.map(fromRow)

/** The address at which the service takes deliveries and does nothing with them. */
export const catchUrl = (): string => `${location.origin}/console/catch`

export interface Draft {
  readonly name: string
  readonly table: string
  readonly url: string
  readonly events: ReadonlyArray<string>
}

export const create = async ({ events, name, table, url }: Draft): Promise<void> => {
  const { companyId } = await Admin.perform("readUsage", {})
  await Rows.create("webhook", {
    name,
    table,
    url,
    active: true,
    onInsert: events.includes("INSERT"),
    onUpdate: events.includes("UPDATE"),
    onDelete: events.includes("DELETE"),
    successCount: 0,
    errorCount: 0,
    companyId
  })
}

export const activate = (id: string, active: boolean): Promise<Rows.Row> =>
  Rows.update("webhook", { column: "id", value: id }, { active })

/**
 * Writes the newest row of the table once more as it is: its event is the sample. Returns the key of the row; undefined
 * where the table has no row.
 */
export const sendSample = async (table: string): Promise<string | undefined> => {
  const resource = Catalogue.find(table)
  const column = resource?.columns.find(({ name, write }) => write !== "never" && name !== resource.key)
  if (resource === undefined || column === undefined) return undefined
  const { rows } = await Rows.list(table, `select=${resource.key},${column.name}&order=createdAt.desc&limit=1`)
  const [row] = rows
  if (row === undefined) return undefined
  const key = String(row[resource.key])
  await Rows.update(table, { column: resource.key, value: key }, { [column.name]: row[column.name] })
  return key
}
