/**
 * The routes of a server written by hand for one resource: it checks the key, parses the one filter that it supports,
 * stores documents, and checks nothing else. Each driver has its own file of statements.
 */
import { randomBytes } from "node:crypto"
import * as Listening from "./Listening.ts"

/** The database of the routes; every result is JSON text. */
export interface Queries {
  readonly one: (id: string, done: (row: string | undefined) => void) => void
  readonly list: (limit: number, done: (rows: string) => void) => void
  readonly filtered: (itemId: string, status: string, limit: number, done: (rows: string) => void) => void
  readonly create: (row: Row, done: (row: string) => void) => void
  readonly update: (id: string, lotSize: number, done: (row: string | undefined) => void) => void
}

export interface Row {
  readonly id: string
  readonly itemId: string
  readonly status: string
  readonly lotSize: number
}

const [, , , key = ""] = process.argv

/** Serves the queries. */
export const listen = (queries: Queries): void =>
  Listening.listen(({ headers, method, url = "" }, response, body) => {
    if (headers.authorization !== `Bearer ${key}`) return Listening.send(response, 401, "{}")
    const search = new URLSearchParams(url.slice(url.indexOf("?") + 1))
    const value = (name: string) => search.get(name)?.slice("eq.".length)
    const id = value("id")
    const orAbsent = (row: string | undefined) => Listening.send(response, row === undefined ? 404 : 200, row ?? "{}")
    const rows = (text: string) => Listening.send(response, 200, text)
    if (method === "POST") {
      const row: Row = { ...JSON.parse(body), id: randomBytes(10).toString("hex") }
      return queries.create(row, (text) => Listening.send(response, 201, text))
    }
    if (method === "PATCH" && id !== undefined) return queries.update(id, JSON.parse(body).lotSize, orAbsent)
    if (id !== undefined) return queries.one(id, orAbsent)
    const limit = Number(search.get("limit"))
    const [itemId, status] = [value("itemId"), value("status")]
    if (itemId === undefined || status === undefined) return queries.list(limit, rows)
    queries.filtered(itemId, status, limit, rows)
  })
