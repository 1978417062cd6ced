/** Calls the service with the client that @hey-api/openapi-ts generates. */
import {
  accountGetCurrentUser,
  holidayCreate,
  holidayDelete,
  holidayList,
  holidayUpdate,
  type HolidayEvent
} from "./hey-api"
import { client } from "./hey-api/client.gen"

const { KEY = "", ORIGIN = "" } = process.env
client.setConfig({ auth: KEY, baseUrl: ORIGIN })

/** The type of a change decides its fields. */
const nameBefore = (event: HolidayEvent): string => (event.type === "UPDATE" ? event.old.name : event.record.name)

const listed = await holidayList({ query: { limit: 2, order: "date.asc" } })
const range = await holidayList({ query: { date: ["gte.2026-01-01", "lt.2027-01-01"] } })
const created = await holidayCreate({
  body: { name: "Founding day", date: "2026-05-04", companyId: "demo", customFields: { paid: true } }
})
const query = { id: `eq.${created.data?.id}` }
// With a limit, the response is an array also for one row.
const read = await holidayList({ query: { ...query, select: "name,year", limit: 1 } })
const updated = await holidayUpdate({ query, body: { name: "Jubilee" } })
const gone = await holidayDelete({ query })
const missed = await holidayList({ query })
const user = await accountGetCurrentUser({ body: {} })

console.log(
  JSON.stringify({
    listed: listed.data?.map(({ name }) => name),
    ranged: range.data !== undefined && range.data.length > 2,
    created: [created.response?.status, created.data?.customFields?.["paid"]],
    read: read.data?.[0]?.name,
    updated: updated.data?.name,
    deleted: gone.response?.status,
    missed: missed.error?.code,
    user: user.data?.email
  })
)

/** Calls that do not compile. */
const refused = async () => {
  const body = { name: "a", date: "2026-05-04", companyId: "demo" }
  // @ts-expect-error: holidays have no colour
  await holidayCreate({ body: { ...body, colour: "red" } })
  // @ts-expect-error: the date is missing
  await holidayCreate({ body: { name: "a", companyId: "demo" } })
  // @ts-expect-error: the year is a number
  await holidayUpdate({ query, body: { year: "2026" } })
  // @ts-expect-error: a list is an array, which has no name
  return (await holidayList()).data?.name
}

export { nameBefore, refused }
