/**
 * The service of fake rows: an `HttpClient` that answers the requests of the client from tables in memory.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FakeQuery from "./FakeQuery.ts"
import * as FakeTable from "./FakeTable.ts"
import { FakeUnsupported } from "./FakeUnsupported.ts"
import type * as FakeValue from "./FakeValue.ts"

type Row = FakeValue.Row

/** A request, read as far as all methods do. */
interface Request {
  readonly resource: Resource.Any
  readonly table: FakeTable.FakeTable
  readonly query: Query.Query
  readonly parameters: URLSearchParams
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: string | undefined
  readonly now: number
}

const json = (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): Response =>
  Response.json(body, { status, headers })

const refuse = (status: number, code: string, message: string, details: string | null = null): Response =>
  json(status, { code, message, details, hint: null })

const refusal = (resource: Resource.Any, written: Exclude<FakeTable.Written, { _tag: "Written" }>): Response =>
  written._tag === "Taken"
    ? refuse(409, "23505", "duplicate key", `Key (${resource.key})=(${written.key}) already exists.`)
    : refuse(400, "22P02", written.error.message)

/** The JSON of a body: the client sent it. */
const parse = (body: string | undefined): Row | ReadonlyArray<Row> => JSON.parse(body ?? "{}")

/** Writes all rows, or none of them. */
const post = ({ body, now, parameters, resource, table }: Request): Response => {
  const given = parse(body)
  const write = parameters.has("on_conflict") ? table.upsert : table.create
  const written: Array<Extract<FakeTable.Written, { _tag: "Written" }>> = []
  for (const values of Array.isArray(given) ? given : [given]) {
    const result = write(values, now)
    if (result._tag !== "Written") {
      written.toReversed().forEach(({ undo }) => undo())
      return refusal(resource, result)
    }
    written.push(result)
  }
  const rows = written.map(({ row }) => row)
  return json(201, Array.isArray(given) ? rows : rows[0])
}

const get = ({ headers, query, resource, table }: Request, tables: FakeQuery.Tables): Response => {
  const { matched, rows } = FakeQuery.run(tables, resource, query)
  const [only] = matched
  const first = query.offset ?? 0
  const range = rows.length === 0 ? "*" : `${first}-${first + rows.length - 1}`
  const total = /count=exact/.test(headers["prefer"] ?? "") ? matched.length : "*"
  const etag = only !== undefined && matched.length === 1 ? table.version(String(only[resource.key])) : undefined
  return json(200, rows, { "content-range": `${range}/${total}`, ...(etag !== undefined && { etag: `"${etag}"` }) })
}

/** Changes or removes the row that a request names by its key. */
const change = (request: Request, tables: FakeQuery.Tables, isRemoval: boolean): Response => {
  const { body, headers, now, query, resource, table } = request
  const [row] = FakeQuery.run(tables, resource, query).matched
  if (row === undefined) return json(404, [])
  const key = String(row[resource.key])
  const expected = headers["if-match"]
  if (expected !== undefined && expected !== `"${table.version(key)}"`) {
    return refuse(412, "MF412", "The row is not in the state that the request expects")
  }
  if (isRemoval) {
    table.remove(key)
    return new Response(null, { status: 204 })
  }
  const changed = table.update(key, parse(body) as Row, now)
  return changed._tag === "Written" ? json(200, changed.row) : refusal(resource, changed)
}

const respond = (method: string, request: Request, tables: FakeQuery.Tables): Response => {
  switch (method) {
    case "POST":
      return post(request)
    case "PATCH":
      return change(request, tables, false)
    case "DELETE":
      return change(request, tables, true)
    default:
      return get(request, tables)
  }
}

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): string | undefined =>
  body._tag === "Raw" && typeof body.body === "string" ? body.body : undefined

/** The tables of a fake, and the client that reads and writes them. */
export const make = () => {
  const tables = new Map<Resource.Any, FakeTable.FakeTable>()
  const tableOf = (resource: Resource.Any): FakeTable.FakeTable => {
    const known = tables.get(resource)
    if (known !== undefined) return known
    const table = FakeTable.make(resource)
    tables.set(resource, table)
    return table
  }
  const rowsOf: FakeQuery.Tables = (resource) => tableOf(resource).rows()

  const handle = (request: HttpClientRequest.HttpClientRequest, url: URL, now: number): Response => {
    const resource = Catalogue.fromPath(url.pathname)
    const query = Query.parse(url.searchParams)
    if (resource === undefined) return refuse(404, "PGRST205", `No resource ${url.pathname}`)
    if (Either.isLeft(query)) return refuse(400, query.left.code, query.left.message)
    const { headers, method } = request
    const read = { resource, table: tableOf(resource), query: query.right, parameters: url.searchParams }
    try {
      return respond(method, { ...read, headers, body: bodyOf(request), now }, rowsOf)
    } catch (error) {
      if (error instanceof FakeUnsupported) return refuse(400, "PGRST127", error.message)
      throw error
    }
  }

  const client = HttpClient.make((request, url) =>
    Effect.map(Clock.currentTimeMillis, (now) => HttpClientResponse.fromWeb(request, handle(request, url, now)))
  )
  return { client, tableOf }
}
