/**
 * The decision table of responses by request, shape and preferences.
 *
 * There are two holidays, `a` and `b`, both of 2026. `address` follows the resource's name. The response is one
 * object, an array of a number of rows, a number of CSV lines after the header, nothing, or an error with a code;
 * `at` is its `Location`.
 */
import type { Shape } from "../../../src/rows/request/RowRequest.ts"

export interface Decision {
  readonly method: string
  readonly address: string
  readonly body?: unknown
  readonly shape: Shape
  readonly prefer?: string
  readonly accept?: string
  readonly status: number
  readonly content: "object" | `array of ${number}` | `csv of ${number}` | "nothing" | `error ${string}`
  readonly at?: string
}

const one = "?id=eq.a"
const none = "?id=eq.z"
const both = "?year=eq.2026"
const nobody = "?year=eq.1999"

const row = { name: "New", date: "2026-12-31", companyId: "company-1" }
const change = { name: "Changed" }

const object = "application/vnd.pgrst.object+json"
const array = "application/vnd.pgrst.array+json"
const csv = "text/csv"

const minimal = "return=minimal"
const headers = "return=headers-only"
const representation = "return=representation"
const merge = "resolution=merge-duplicates"
const ignore = "resolution=ignore-duplicates"

const contract: ReadonlyArray<Omit<Decision, "shape">> = [
  { method: "GET", address: "", status: 200, content: "array of 2" },
  { method: "GET", address: one, status: 200, content: "object" },
  { method: "GET", address: `${one}&select=name`, status: 200, content: "object" },
  { method: "GET", address: none, status: 404, content: "error PGRST116" },
  { method: "GET", address: `${one}&limit=1`, status: 200, content: "array of 1" },
  { method: "GET", address: `${none}&limit=1`, status: 200, content: "array of 0" },
  { method: "GET", address: both, status: 200, content: "array of 2" },
  { method: "GET", address: "?limit=1", prefer: "count=exact", status: 206, content: "array of 1" },
  { method: "GET", address: "?limit=1", status: 200, content: "array of 1" },
  { method: "GET", address: "?offset=2", prefer: "count=exact", status: 206, content: "array of 0" },
  { method: "GET", address: "?offset=3", prefer: "count=exact", status: 416, content: "error PGRST103" },
  { method: "GET", address: "?offset=3", status: 200, content: "array of 0" },
  { method: "GET", address: "?limit=-1", status: 400, content: "error PGRST100" },
  { method: "GET", address: one, accept: object, status: 200, content: "object" },
  { method: "GET", address: none, accept: object, status: 406, content: "error PGRST116" },
  { method: "GET", address: "", accept: object, status: 406, content: "error PGRST116" },
  { method: "GET", address: "?limit=1", accept: object, status: 200, content: "object" },
  { method: "GET", address: one, accept: array, status: 200, content: "array of 1" },
  { method: "GET", address: none, accept: array, status: 200, content: "array of 0" },
  { method: "GET", address: one, accept: csv, status: 200, content: "csv of 1" },
  { method: "GET", address: "", accept: csv, status: 200, content: "csv of 2" },
  { method: "GET", address: none, accept: csv, status: 200, content: "nothing" },
  { method: "HEAD", address: "", status: 200, content: "nothing" },
  { method: "HEAD", address: one, status: 200, content: "nothing" },

  { method: "POST", address: "", body: row, status: 201, content: "object", at: "/rest/holiday?id=eq.new" },
  {
    method: "POST",
    address: "",
    body: row,
    prefer: representation,
    status: 201,
    content: "object",
    at: "/rest/holiday?id=eq.new"
  },
  {
    method: "POST",
    address: "",
    body: row,
    prefer: minimal,
    status: 201,
    content: "nothing",
    at: "/rest/holiday?id=eq.new"
  },
  {
    method: "POST",
    address: "",
    body: row,
    prefer: headers,
    status: 201,
    content: "nothing",
    at: "/rest/holiday?id=eq.new"
  },
  {
    method: "POST",
    address: "",
    body: row,
    accept: array,
    status: 201,
    content: "array of 1",
    at: "/rest/holiday?id=eq.new"
  },
  {
    method: "POST",
    address: "",
    body: row,
    accept: object,
    status: 201,
    content: "object",
    at: "/rest/holiday?id=eq.new"
  },
  {
    method: "POST",
    address: "",
    body: row,
    accept: csv,
    status: 201,
    content: "csv of 1",
    at: "/rest/holiday?id=eq.new"
  },
  { method: "POST", address: "", body: [row], status: 201, content: "array of 1", at: "/rest/holiday?id=eq.new" },
  { method: "POST", address: "", body: [row, row], status: 201, content: "array of 2" },
  { method: "POST", address: "", body: [row, row], accept: object, status: 406, content: "error PGRST116" },
  { method: "POST", address: "", body: [], status: 201, content: "array of 0" },
  { method: "POST", address: "", body: "7", status: 400, content: "error PGRST102" },
  { method: "POST", address: "", body: { ...row, id: "z" }, prefer: merge, status: 400, content: "error 428C9" },
  {
    method: "POST",
    address: "",
    body: row,
    prefer: ignore,
    status: 201,
    content: "array of 1",
    at: "/rest/holiday?id=eq.new"
  },

  { method: "PATCH", address: one, body: change, status: 200, content: "object" },
  { method: "PATCH", address: one, body: change, prefer: minimal, status: 204, content: "nothing" },
  { method: "PATCH", address: one, body: change, prefer: headers, status: 204, content: "nothing" },
  { method: "PATCH", address: none, body: change, status: 404, content: "error PGRST116" },
  { method: "PATCH", address: none, body: change, prefer: minimal, status: 404, content: "error PGRST116" },
  { method: "PATCH", address: one, body: {}, status: 200, content: "object" },
  { method: "PATCH", address: one, body: {}, prefer: minimal, status: 204, content: "nothing" },
  { method: "PATCH", address: none, body: {}, status: 404, content: "error PGRST116" },
  { method: "PATCH", address: both, body: change, status: 200, content: "array of 2" },
  { method: "PATCH", address: both, body: {}, status: 200, content: "array of 2" },
  { method: "PATCH", address: nobody, body: change, status: 200, content: "array of 0" },
  { method: "PATCH", address: `${one}&year=eq.2026`, body: change, status: 200, content: "array of 1" },
  { method: "PATCH", address: one, body: change, accept: array, status: 200, content: "array of 1" },
  { method: "PATCH", address: none, body: change, accept: object, status: 406, content: "error PGRST116" },
  { method: "PATCH", address: both, body: change, accept: object, status: 406, content: "error PGRST116" },
  { method: "PATCH", address: "", body: change, status: 400, content: "error 21000" },

  { method: "PUT", address: one, body: row, status: 200, content: "object" },
  { method: "PUT", address: none, body: row, status: 201, content: "object", at: "/rest/holiday?id=eq.z" },
  { method: "PUT", address: one, body: row, prefer: minimal, status: 204, content: "nothing" },
  { method: "PUT", address: both, body: row, status: 405, content: "error PGRST105" },

  { method: "DELETE", address: one, status: 204, content: "nothing" },
  { method: "DELETE", address: one, prefer: representation, status: 204, content: "nothing" },
  { method: "DELETE", address: none, status: 404, content: "error PGRST116" },
  { method: "DELETE", address: both, status: 204, content: "nothing" },
  { method: "DELETE", address: both, prefer: representation, status: 200, content: "array of 2" },
  { method: "DELETE", address: nobody, status: 204, content: "nothing" },
  { method: "DELETE", address: one, prefer: representation, accept: object, status: 200, content: "object" },
  { method: "DELETE", address: "", status: 400, content: "error 21000" },
  {
    method: "DELETE",
    address: both,
    prefer: "handling=strict, max-affected=1",
    status: 400,
    content: "error PGRST124"
  },
  { method: "DELETE", address: both, prefer: "max-affected=1", status: 204, content: "nothing" }
]

const postgrest: ReadonlyArray<Omit<Decision, "shape">> = [
  { method: "GET", address: "", status: 200, content: "array of 2" },
  { method: "GET", address: one, status: 200, content: "array of 1" },
  { method: "GET", address: none, status: 200, content: "array of 0" },
  { method: "GET", address: one, accept: object, status: 200, content: "object" },
  { method: "GET", address: none, accept: object, status: 406, content: "error PGRST116" },
  { method: "GET", address: "?limit=abc", status: 200, content: "array of 2" },
  { method: "GET", address: "?limit=-1", status: 416, content: "error PGRST103" },
  { method: "GET", address: "?limit=0", status: 200, content: "array of 0" },
  { method: "GET", address: "", accept: csv, status: 200, content: "csv of 2" },
  { method: "HEAD", address: one, status: 200, content: "nothing" },

  { method: "POST", address: "", body: row, status: 201, content: "nothing" },
  { method: "POST", address: "", body: row, prefer: minimal, status: 201, content: "nothing" },
  {
    method: "POST",
    address: "",
    body: row,
    prefer: headers,
    status: 201,
    content: "nothing",
    at: "/rest/v1/holiday?id=eq.new"
  },
  { method: "POST", address: "", body: [row, row], prefer: headers, status: 201, content: "nothing" },
  { method: "POST", address: "", body: row, prefer: representation, status: 201, content: "array of 1" },
  { method: "POST", address: "", body: row, prefer: representation, accept: object, status: 201, content: "object" },
  { method: "POST", address: "", body: [row, row], accept: object, status: 406, content: "error PGRST116" },
  { method: "POST", address: "", body: [], status: 201, content: "nothing" },
  { method: "POST", address: "", body: "7", status: 201, content: "nothing" },
  { method: "POST", address: "", body: { ...row, id: "a" }, status: 400, content: "error 428C9" },
  { method: "POST", address: "", body: { ...row, id: "a" }, prefer: merge, status: 200, content: "nothing" },
  { method: "POST", address: "", body: { ...row, id: "z" }, prefer: merge, status: 201, content: "nothing" },
  {
    method: "POST",
    address: "",
    body: { ...row, id: "a" },
    prefer: `${merge}, ${representation}`,
    status: 200,
    content: "array of 1"
  },
  {
    method: "POST",
    address: "",
    body: { ...row, id: "a" },
    prefer: `${ignore}, ${representation}`,
    status: 201,
    content: "array of 0"
  },
  {
    method: "POST",
    address: "",
    body: { ...row, id: "z" },
    prefer: `${ignore}, ${representation}`,
    status: 201,
    content: "array of 1"
  },

  { method: "PATCH", address: one, body: change, status: 204, content: "nothing" },
  { method: "PATCH", address: one, body: change, prefer: representation, status: 200, content: "array of 1" },
  { method: "PATCH", address: none, body: change, status: 204, content: "nothing" },
  { method: "PATCH", address: none, body: change, prefer: representation, status: 200, content: "array of 0" },
  {
    method: "PATCH",
    address: one,
    body: change,
    prefer: representation,
    accept: object,
    status: 200,
    content: "object"
  },
  { method: "PATCH", address: none, body: change, accept: object, status: 406, content: "error PGRST116" },
  { method: "PATCH", address: one, body: {}, status: 204, content: "nothing" },
  { method: "PATCH", address: one, body: {}, prefer: representation, status: 200, content: "array of 0" },
  { method: "PATCH", address: "", body: change, status: 400, content: "error 21000" },

  { method: "PUT", address: one, body: { ...row, id: "a" }, status: 204, content: "nothing" },
  {
    method: "PUT",
    address: one,
    body: { ...row, id: "a" },
    prefer: representation,
    status: 200,
    content: "array of 1"
  },
  {
    method: "PUT",
    address: none,
    body: { ...row, id: "z" },
    prefer: representation,
    status: 201,
    content: "array of 1"
  },
  { method: "PUT", address: one, body: row, status: 400, content: "error PGRST115" },
  { method: "PUT", address: `${one}&limit=1`, body: row, status: 400, content: "error PGRST114" },

  { method: "DELETE", address: one, status: 204, content: "nothing" },
  { method: "DELETE", address: one, prefer: representation, status: 200, content: "array of 1" },
  { method: "DELETE", address: none, status: 204, content: "nothing" },
  { method: "DELETE", address: none, prefer: representation, status: 200, content: "array of 0" },
  { method: "DELETE", address: "", status: 400, content: "error 21000" }
]

export const decisions: ReadonlyArray<Decision> = [
  ...contract.map((decision) => ({ ...decision, shape: "contract" as const })),
  ...postgrest.map((decision) => ({ ...decision, shape: "postgrest" as const }))
]
