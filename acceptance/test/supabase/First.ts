/** Reads and writes with supabase-js 1.x, whose writes return their rows by default. */
import type { SupabaseClient } from "supabase-js-1"
import { another, type Form } from "./Form.ts"

export interface FirstForm extends Omit<Form, "run" | "since"> {
  readonly run: (client: SupabaseClient) => PromiseLike<unknown>
}

const ids = (...ids: ReadonlyArray<string>) => ({ status: 200, data: ids.map((id) => ({ id })) })

export const forms: ReadonlyArray<FirstForm> = [
  {
    call: ".select()",
    run: (client) => client.from("paymentTerm").select("id, days:daysDue").eq("id", "a"),
    gives: { status: 200, data: [{ id: "a", days: 30 }] }
  },
  {
    call: ".single()",
    run: (client) => client.from("paymentTerm").select("id").eq("id", "a").single(),
    gives: { status: 200, data: { id: "a" } }
  },
  {
    call: ".single() without a row",
    run: (client) => client.from("paymentTerm").select("id").eq("id", "nobody").single(),
    gives: { status: 406, data: null, code: "PGRST116" }
  },
  {
    // 1.x expects the error message of PostgREST 9; with later versions it reports an error, as here.
    call: ".maybeSingle() without a row",
    run: (client) => client.from("paymentTerm").select("id").eq("id", "nobody").maybeSingle(),
    gives: { status: 406, data: null, code: "PGRST116" }
  },
  {
    call: ".select(…, { count: 'exact' }).range()",
    run: (client) => client.from("paymentTerm").select("id", { count: "exact" }).order("id").range(1, 1),
    gives: { status: 206, count: 3, data: [{ id: "b" }] }
  },
  {
    call: ".select(…, { count: 'exact', head: true })",
    run: (client) => client.from("paymentTerm").select("*", { count: "exact", head: true }),
    gives: { status: 200, count: 3, data: null }
  },
  {
    call: ".or().order()",
    run: (client) => client.from("paymentTerm").select("id").or("daysDue.eq.60,active.is.true").order("daysDue"),
    gives: ids("c", "a", "b")
  },
  {
    call: ".in().contains()",
    run: (client) => client.from("paymentTerm").select("id").in("id", ["a", "b"]).contains("tags", ["z"]),
    gives: ids("b")
  },
  {
    call: ".ilike().not()",
    run: (client) => client.from("paymentTerm").select("id").ilike("name", "NET%").not("active", "is", false),
    gives: ids("a")
  },
  {
    call: ".select() with an embed",
    run: (client) =>
      client
        .from("warehouseTransfer")
        .select("transferId, warehouseTransferLine(itemId)")
        .eq("id", "t1")
        .order("quantity", { foreignTable: "warehouseTransferLine" })
        .limit(1, { foreignTable: "warehouseTransferLine" }),
    gives: { status: 200, data: [{ transferId: "WT-1", warehouseTransferLine: [{ itemId: "nut" }] }] }
  },
  {
    call: ".csv()",
    run: (client) => client.from("paymentTerm").select("id,daysDue").csv(),
    gives: { status: 200, data: "id,daysDue\na,30\nb,60\nc,0" }
  },
  {
    call: ".insert()",
    run: (client) => client.from("paymentTerm").insert({ ...another, id: undefined }),
    gives: { status: 201, error: null }
  },
  {
    call: ".insert(…, { returning: 'minimal' })",
    run: (client) => client.from("paymentTerm").insert([another], { returning: "minimal" }),
    gives: { status: 201, data: null, error: null }
  },
  {
    call: ".insert().single()",
    run: async (client) => {
      const { data, status } = await client.from("paymentTerm").insert(another).single()
      return { status, data: data?.name }
    },
    gives: { status: 201, data: "Net 90" }
  },
  {
    call: ".upsert()",
    run: async (client) => {
      const { data, status } = await client.from("paymentTerm").upsert({ ...another, id: "a" })
      return { status, data: data?.map(({ id, name }) => [id, name]) }
    },
    gives: { status: 200, data: [["a", "Net 90"]] }
  },
  {
    call: ".update().match()",
    run: async (client) => {
      const { data, status } = await client.from("paymentTerm").update({ daysDue: 31 }).match({ id: "a" })
      return { status, data: data?.map(({ daysDue }) => daysDue) }
    },
    gives: { status: 200, data: [31] }
  },
  {
    call: ".delete(…, { returning: 'minimal' })",
    run: (client) => client.from("paymentTerm").delete({ returning: "minimal" }).eq("id", "a"),
    gives: { status: 204, data: null, error: null }
  },
  {
    call: ".delete()",
    run: async (client) => {
      const { data, status } = await client.from("paymentTerm").delete().eq("id", "b")
      return { status, data: data?.map(({ id }) => id) }
    },
    gives: { status: 200, data: ["b"] }
  },
  {
    call: ".rpc()",
    run: (client) => client.rpc("reprice"),
    gives: { status: 404, code: "PGRST202" }
  }
]
