import type { Database } from "../src/supabase.ts"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void

type Tables = Database["public"]["Tables"]
type Column<Name extends keyof Tables, C extends keyof Tables[Name]["Row"]> = Tables[Name]["Row"][C]

// The constraint of supabase-js on a schema.
type Generic = {
  Row: Record<string, unknown>
  Insert: Record<string, unknown>
  Update: Record<string, unknown>
  Relationships: Array<{
    foreignKeyName: string
    columns: Array<string>
    isOneToOne?: boolean
    referencedRelation: string
    referencedColumns: Array<string>
  }>
}
expect<Tables extends { [Name in keyof Tables]: Generic } ? true : false>()

expect<Equals<Column<"holiday", "id">, string>>()
expect<Equals<Column<"holiday", "date">, string>>()
expect<Equals<Column<"holiday", "year">, number | null>>()
expect<Equals<Column<"holiday", "tags">, ReadonlyArray<string> | null>>()
expect<"Draft" extends Column<"warehouseTransfer", "status"> ? true : false>()
expect<string extends Column<"warehouseTransfer", "status"> ? true : false>()

const insert: Tables["holiday"]["Insert"] = { name: "New Year", date: "2026-01-01", companyId: "acme" }
const upsert: Tables["holiday"]["Insert"] = { ...insert, id: "a", tags: null }
const update: Tables["holiday"]["Update"] = { year: null }
// @ts-expect-error a required column is missing
const lacking: Tables["holiday"]["Insert"] = { name: "New Year" }
// A row that was read can be written back.
declare const row: Tables["holiday"]["Row"]
const repeated: [Tables["holiday"]["Insert"], Tables["holiday"]["Update"]] = [row, row]
// @ts-expect-error no column has this name
const misspelt: Tables["holiday"]["Update"] = { createBy: "me" }
void [upsert, update, lacking, repeated, misspelt]

type Related<Name extends keyof Tables> = Tables[Name]["Relationships"][number] extends infer R
  ? R extends { columns: [infer C]; referencedRelation: infer Parent; referencedColumns: [infer Field] }
    ? readonly [C, Parent, Field]
    : never
  : never

expect<Equals<Related<"warehouseTransferLine">, readonly ["transferId", "warehouseTransfer", "id"]>>()
expect<Equals<Related<"salesOrderPayment">, readonly ["paymentTermId", "paymentTerm", "id"]>>()
expect<Equals<Related<"webhook">, readonly ["table", "webhookTable", "table"]>>()
expect<Equals<Related<"oauthCode">, readonly ["clientId", "oauthClient", "clientId"]>>()
// Without references to other resources: a referenced field does not refer to itself.
type Alone = { [Name in keyof Tables]: Tables[Name]["Relationships"] extends [] ? Name : never }[keyof Tables]
expect<Equals<Exclude<keyof Tables, Alone>, "warehouseTransferLine" | "salesOrderPayment" | "webhook" | "oauthCode">>()
