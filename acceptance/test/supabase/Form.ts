/**
 * The calls of supabase-js, with the results that users expect.
 */
import type { Database } from "@mfgdata/client/supabase"
import type { SupabaseClient } from "@supabase/supabase-js"

export type Client = SupabaseClient<Database>

/** The result of every call. */
interface Result {
  readonly data?: unknown
  readonly error?: unknown
  readonly count?: number | null
  readonly status?: number
}

export interface Form {
  /** The call, abbreviated. */
  readonly call: string
  readonly run: (client: Client) => PromiseLike<unknown>
  /** Part of the result; `code` is that of the error. */
  readonly gives: Result & { readonly code?: string }
  /** `2.0` when the first version 2 has the call too. */
  readonly since?: "2.0" | undefined
}

const term = {
  daysDiscount: 0,
  discountPercentage: 0,
  calculationMethod: "Net",
  companyId: "demo"
}

/** The payment terms that are stored before each call. */
export const terms: ReadonlyArray<Database["public"]["Tables"]["paymentTerm"]["Insert"]> = [
  {
    ...term,
    id: "a",
    name: "Net 30",
    daysDue: 30,
    active: true,
    tags: ["a", "b"],
    customFields: { a: 1, b: { c: "x" } }
  },
  { ...term, id: "b", name: "Net 60", daysDue: 60, active: false, tags: ["z"], customFields: null },
  { ...term, id: "c", name: "at once, (today)", daysDue: 0, active: true, tags: null, customFields: null }
]

/** A payment term that is not stored yet. */
export const another = { ...term, name: "Net 90", daysDue: 90, active: true }

const place = { fromLocationId: "here", toLocationId: "there", companyId: "demo" }
const line = { ...place, shippedQuantity: 0, receivedQuantity: 0, transferId: "t1" }

/** Transfers and their lines, to embed. */
export const transfers = [
  { ...place, id: "t1", transferId: "WT-1", status: "Draft" },
  { ...place, id: "t2", transferId: "WT-2", status: "Completed" }
]
export const lines = [
  { ...line, id: "l1", itemId: "bolt", quantity: 5 },
  { ...line, id: "l2", itemId: "nut", quantity: 1 },
  { ...line, id: "l3", itemId: "pin", quantity: 3 }
]
