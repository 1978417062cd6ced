/** Calls the service with openapi-fetch and the types of openapi-typescript. */
import createClient from "openapi-fetch"
import type { components, paths } from "./openapi-typescript.ts"

type Row = components["schemas"]["HolidaySelection"]

const { KEY = "", ORIGIN = "" } = process.env
const client = createClient<paths>({ baseUrl: ORIGIN, headers: { Authorization: `Bearer ${KEY}` } })

/** The one row of a response: the types have every form of a response. */
const one = (data: ReadonlyArray<Row> | Row | string | undefined): Row => {
  if (typeof data !== "object" || Array.isArray(data)) throw new Error(JSON.stringify(data))
  return data as Row
}

// A client of one media type has the types of that one: here, arrays.
const arrays = createClient<paths, "application/vnd.pgrst.array+json">({
  baseUrl: ORIGIN,
  headers: { Authorization: `Bearer ${KEY}`, Accept: "application/vnd.pgrst.array+json" }
})

const listed = await arrays.GET("/rest/holiday", { params: { query: { limit: 2, order: "date.asc" } } })
const range = await arrays.GET("/rest/holiday", { params: { query: { date: ["gte.2026-01-01", "lt.2027-01-01"] } } })
const created = await client.POST("/rest/holiday", {
  body: { name: "Founding day", date: "2026-05-04", companyId: "demo", customFields: { paid: true } }
})
const { customFields, id = "" } = one(created.data)
const query = { id: `eq.${id}` }
const read = await client.GET("/rest/holiday", { params: { query: { ...query, select: "name,year" } } })
const updated = await client.PATCH("/rest/holiday", { params: { query }, body: { name: "Jubilee" } })
const gone = await client.DELETE("/rest/holiday", { params: { query } })
const missed = await client.GET("/rest/holiday", { params: { query } })
const user = await client.POST("/api/v1/account/getCurrentUser", { body: {} })

console.log(
  JSON.stringify({
    listed: listed.data?.map(({ name }) => name),
    ranged: range.data !== undefined && range.data.length > 2,
    created: [created.response.status, customFields?.["paid"]],
    read: one(read.data).name,
    updated: one(updated.data).name,
    deleted: gone.response.status,
    missed: missed.error?.code,
    user: user.data?.email
  })
)

/** Calls that do not compile. */
export const refused = async () => {
  // @ts-expect-error: the date is missing
  await client.POST("/rest/holiday", { body: { name: "a", companyId: "demo" } })
  // @ts-expect-error: the address of rows is /rest
  await client.GET("/holiday", {})
  // @ts-expect-error: a list is an array, which has no name
  return (await arrays.GET("/rest/holiday", {})).data?.name
}
