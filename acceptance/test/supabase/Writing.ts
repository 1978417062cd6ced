/** Writes with supabase-js. */
import { another, type Form, terms } from "./Form.ts"

const [first] = terms

export const forms: ReadonlyArray<Form> = [
  {
    call: ".insert()",
    since: "2.0",
    run: (client) => client.from("paymentTerm").insert(another),
    gives: { status: 201, data: null, error: null }
  },
  {
    call: ".insert().select()",
    since: "2.0",
    run: (client) => client.from("paymentTerm").insert(another).select("name, daysDue"),
    gives: { status: 201, data: [{ name: "Net 90", daysDue: 90 }] }
  },
  {
    call: ".insert().select().single()",
    since: "2.0",
    run: (client) => client.from("paymentTerm").insert(another).select("name").single(),
    gives: { status: 201, data: { name: "Net 90" } }
  },
  {
    call: ".insert() of several rows, whose keys differ",
    since: "2.0",
    run: (client) =>
      client
        .from("paymentTerm")
        .insert([another, { ...another, name: "Net 91", tags: ["n"] }])
        .select("name, tags"),
    gives: {
      status: 201,
      data: [
        { name: "Net 90", tags: null },
        { name: "Net 91", tags: ["n"] }
      ]
    }
  },
  {
    call: ".insert(…, { defaultToNull: false })",
    run: (client) =>
      client
        .from("paymentTerm")
        .insert([{ ...another, tags: [] }, another], { defaultToNull: false })
        .select("tags"),
    gives: { status: 201, data: [{ tags: [] }, { tags: null }] }
  },
  {
    call: ".insert([])",
    since: "2.0",
    run: (client) => client.from("paymentTerm").insert([]),
    gives: { status: 201, data: null, error: null }
  },
  {
    call: ".insert(…, { count: 'exact' })",
    since: "2.0",
    run: (client) => client.from("paymentTerm").insert(another, { count: "exact" }),
    gives: { status: 201, count: 1 }
  },
  {
    call: ".insert() that lacks a column",
    since: "2.0",
    // the types refuse the request
    run: (client) => client.from("paymentTerm").insert({ name: "Net" } as typeof another),
    gives: { status: 400, code: "23502" }
  },
  {
    call: ".insert() of an unknown column",
    since: "2.0",
    run: (client) => client.from("paymentTerm").insert({ ...another, colour: "red" } as typeof another),
    gives: { status: 400, code: "PGRST204" }
  },
  {
    call: ".upsert() of a row that stands",
    since: "2.0",
    run: (client) =>
      client
        .from("paymentTerm")
        .upsert({ ...another, id: "a" })
        .select("id, name, tags"),
    gives: { status: 200, data: [{ id: "a", name: "Net 90", tags: ["a", "b"] }] }
  },
  {
    call: ".upsert() and .update() of rows that were read",
    since: "2.0",
    run: async (client) => {
      const { data } = await client.from("warehouseTransfer").select().order("id")
      const rows = data ?? []
      const upserted = await client.from("warehouseTransfer").upsert(rows).select("transferId").order("id")
      const updated = await client
        .from("warehouseTransfer")
        .update({ ...rows[0], notes: "again" })
        .eq("id", rows[0]?.id ?? "")
        .select("notes")
      return { status: upserted.status, data: [upserted.data, updated.data] }
    },
    gives: { status: 200, data: [[{ transferId: "WT-1" }, { transferId: "WT-2" }], [{ notes: "again" }]] }
  },
  {
    call: ".upsert() of a new row",
    since: "2.0",
    run: (client) => client.from("paymentTerm").upsert({ ...another, id: "d" }),
    gives: { status: 201, data: null, error: null }
  },
  {
    call: ".upsert(…, { onConflict, ignoreDuplicates })",
    since: "2.0",
    run: async (client) => {
      const row = {
        id: "app",
        name: "App",
        clientId: "app",
        companyId: "demo",
        redirectUris: [],
        grantTypes: [],
        responseTypes: [],
        tokenEndpointAuthMethod: "none"
      }
      const options = { onConflict: "companyId,id", ignoreDuplicates: true }
      const made = await client.from("oauthClient").upsert(row, options).select("name")
      const again = await client
        .from("oauthClient")
        .upsert({ ...row, name: "Other" }, options)
        .select("name")
      return { status: again.status, data: [made.data, again.data] }
    },
    gives: { status: 201, data: [[{ name: "App" }], []] }
  },
  {
    call: ".upsert(…, { onConflict }) of columns that are not unique",
    since: "2.0",
    run: (client) => client.from("paymentTerm").upsert(another, { onConflict: "daysDue" }),
    gives: { status: 400, code: "42P10" }
  },
  {
    call: ".update().eq()",
    since: "2.0",
    run: (client) => client.from("paymentTerm").update({ daysDue: 31 }).eq("id", "a"),
    gives: { status: 204, data: null, error: null }
  },
  {
    call: ".update().eq().select('id, name')",
    since: "2.0",
    run: (client) => client.from("paymentTerm").update({ name: "Net 31" }).eq("id", "a").select("id, name"),
    gives: { status: 200, data: [{ id: "a", name: "Net 31" }] }
  },
  {
    call: ".update().eq().select() of a key that no row has",
    since: "2.0",
    run: (client) => client.from("paymentTerm").update({ name: "Net 31" }).eq("id", "nobody").select(),
    gives: { status: 200, data: [] }
  },
  {
    call: ".update() without a filter",
    since: "2.0",
    run: (client) => client.from("paymentTerm").update({ name: "Net 31" }),
    gives: { status: 400, code: "21000" }
  },
  {
    call: ".maxAffected() that is not exceeded",
    run: (client) => client.from("paymentTerm").update({ daysDue: 1 }).eq("id", "a").maxAffected(1),
    gives: { status: 204, error: null }
  },
  {
    call: ".maxAffected() that is exceeded",
    run: async (client) => {
      const result = await client.from("paymentTerm").update({ daysDue: 1 }).gte("daysDue", 0).maxAffected(2)
      const { count } = await client.from("paymentTerm").select("*", { count: "exact", head: true }).eq("daysDue", 1)
      return { ...result, count }
    },
    gives: { status: 400, code: "PGRST124", count: 0 }
  },
  {
    call: ".delete().eq()",
    since: "2.0",
    run: (client) => client.from("paymentTerm").delete().eq("id", "a"),
    gives: { status: 204, data: null, error: null }
  },
  {
    call: ".delete().eq().select()",
    since: "2.0",
    run: (client) => client.from("paymentTerm").delete().eq("id", "a").select("name"),
    gives: { status: 200, data: [{ name: first?.name }] }
  },
  {
    call: ".delete(…, { count: 'exact' })",
    since: "2.0",
    run: (client) => client.from("paymentTerm").delete({ count: "exact" }).in("id", ["a", "b"]),
    gives: { status: 204, count: 2 }
  },
  {
    call: ".rollback()",
    run: async (client) => {
      const { data, status } = await client.from("paymentTerm").delete().eq("id", "a").select("id").rollback()
      const { count } = await client.from("paymentTerm").select("*", { count: "exact", head: true })
      return { data, status, count }
    },
    gives: { status: 200, data: [{ id: "a" }], count: 3 }
  }
]
