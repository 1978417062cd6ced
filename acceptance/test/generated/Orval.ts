/** Calls the service with the client that orval generates. */
import { accountGetCurrentUser, holidayCreate, holidayDelete, holidayList, holidayUpdate } from "./orval-client"
import type { HolidaySelection } from "./orval-client"

const { KEY = "" } = process.env
const options: RequestInit = { headers: { Authorization: `Bearer ${KEY}` } }
const json: RequestInit = { headers: { ...options.headers, "Content-Type": "application/json" } }

/** The rows of a response: the types have every form of a response. */
const rows = (data: unknown): ReadonlyArray<HolidaySelection> => {
  if (typeof data !== "object" || data === null) throw new Error(JSON.stringify(data))
  return Array.isArray(data) ? data : [data as HolidaySelection]
}

const listed = await holidayList({ limit: 2, order: "date.asc" }, options)
const created = await holidayCreate(
  { name: "Founding day", date: "2026-05-04", companyId: "demo", customFields: { paid: true } },
  {},
  json
)
const [row] = rows(created.data)
const id = `eq.${row?.id}`
const read = await holidayList({ id, select: "name,year" }, options)
const updated = await holidayUpdate({ name: "Jubilee" }, { id }, json)
const gone = await holidayDelete({ id }, options)
const missed = await holidayList({ id }, options)
const user = await accountGetCurrentUser({}, json)

console.log(
  JSON.stringify({
    listed: rows(listed.data).map(({ name }) => name),
    ranged: rows((await holidayList({ date: "gte.2026-01-01" }, options)).data).length > 2,
    created: [created.status, row?.customFields?.["paid"]],
    read: rows(read.data)[0]?.name,
    updated: rows(updated.data)[0]?.name,
    deleted: gone.status,
    missed: missed.status === 404 ? missed.data.code : undefined,
    user: user.status === 200 ? user.data.email : undefined
  })
)
