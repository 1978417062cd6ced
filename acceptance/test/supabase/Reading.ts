/** Reads with supabase-js. */
import type { Form } from "./Form.ts"

const id = (...ids: ReadonlyArray<string>) => ({ status: 200, data: ids.map((id) => ({ id })) })

/** A select of ids with a filter. */
const filtered = (
  call: string,
  filter: (query: IdQuery) => PromiseLike<unknown>,
  ...ids: ReadonlyArray<string>
): Form => ({
  call,
  since: "2.0",
  run: (client) => filter(selectIds(client)),
  gives: id(...ids)
})

const selectIds = (client: Parameters<Form["run"]>[0]) => client.from("paymentTerm").select("id").order("id")
type IdQuery = ReturnType<typeof selectIds>

export const forms: ReadonlyArray<Form> = [
  {
    call: ".select()",
    since: "2.0",
    run: async (client) => {
      const { data, status } = await client.from("paymentTerm").select()
      return { status, data: data?.map((row) => [row.id, row.name, row.daysDue, row.tags]) }
    },
    gives: {
      status: 200,
      data: [
        ["a", "Net 30", 30, ["a", "b"]],
        ["b", "Net 60", 60, ["z"]],
        ["c", "at once, (today)", 0, null]
      ]
    }
  },
  {
    call: ".select('id, name, days:daysDue')",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("id, name, days:daysDue").eq("id", "a"),
    gives: { status: 200, data: [{ id: "a", name: "Net 30", days: 30 }] }
  },
  {
    call: ".select() with JSON paths and casts",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("customFields->b->>c, days:daysDue::text").eq("id", "a"),
    gives: { status: 200, data: [{ c: "x", days: "30" }] }
  },
  filtered(".select().eq()", (query) => query.eq("id", "b"), "b"),
  filtered(".select().eq() of a key that no row has", (query) => query.eq("id", "nobody")),
  {
    call: ".eq().single()",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("name").eq("id", "a").single(),
    gives: { status: 200, data: { name: "Net 30" } }
  },
  {
    call: ".eq().single() without a row",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("name").eq("id", "nobody").single(),
    gives: { status: 406, data: null, code: "PGRST116" }
  },
  {
    call: ".single() of several rows",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("name").single(),
    gives: { status: 406, data: null, code: "PGRST116" }
  },
  {
    call: ".eq().maybeSingle()",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("name").eq("id", "a").maybeSingle(),
    gives: { status: 200, data: { name: "Net 30" }, error: null }
  },
  {
    call: ".eq().maybeSingle() without a row",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("name").eq("id", "nobody").maybeSingle(),
    gives: { data: null, error: null }
  },
  {
    call: ".maybeSingle() of several rows",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("name").maybeSingle(),
    gives: { status: 406, data: null, code: "PGRST116" }
  },
  {
    call: ".select('*', { count: 'exact' })",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("id", { count: "exact" }).limit(1),
    gives: { status: 206, count: 3, data: [{ id: "a" }] }
  },
  {
    call: ".select('*', { count: 'exact', head: true })",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("*", { count: "exact", head: true }),
    gives: { status: 200, count: 3, data: null }
  },
  filtered(".range()", (query) => query.range(1, 2), "b", "c"),
  filtered(".limit()", (query) => query.limit(1), "a"),
  {
    call: ".order().order()",
    since: "2.0",
    run: (client) =>
      client.from("paymentTerm").select("id").order("active").order("daysDue", { ascending: false, nullsFirst: true }),
    gives: id("b", "a", "c")
  },
  filtered(".or() twice", (query) => query.or("daysDue.eq.30,daysDue.gt.50").or("id.eq.b,id.eq.c"), "b"),
  filtered(
    ".filter('name', 'in', …)",
    (query) => query.filter("name", "in", '("Net 30","at once, (today)")'),
    "a",
    "c"
  ),
  filtered(".not('tags', 'is', null)", (query) => query.not("tags", "is", null), "a", "b"),
  filtered(
    ".in() of texts with commas and brackets",
    (query) => query.in("name", ["at once, (today)", "Net 60", "d(e)"]),
    "b",
    "c"
  ),
  filtered(".in() of nothing", (query) => query.in("name", [])),
  filtered(".is('active', true)", (query) => query.is("active", true), "a", "c"),
  {
    call: ".eq('tags', null), which is a text and no list",
    since: "2.0",
    // the types refuse the request
    run: (client) =>
      client
        .from("paymentTerm")
        .select()
        .eq("tags", null as never),
    gives: { data: null }
  },
  filtered(".like()", (query) => query.like("name", "%30%"), "a"),
  filtered(".ilike()", (query) => query.ilike("name", "net%"), "a", "b"),
  {
    ...filtered(".likeAllOf()", (query) => query.likeAllOf("name", ["Net%", "%60"]), "b"),
    since: undefined
  },
  { ...filtered(".ilikeAnyOf()", (query) => query.ilikeAnyOf("name", ["%30", "AT%"]), "a", "c"), since: undefined },
  { ...filtered(".regexMatch()", (query) => query.regexMatch("name", "^Net [0-9]+$"), "a", "b"), since: undefined },
  { ...filtered(".regexIMatch()", (query) => query.regexIMatch("name", "^net 3"), "a"), since: undefined },
  { ...filtered(".isDistinct()", (query) => query.isDistinct("name", "Net 30"), "b", "c"), since: undefined },
  filtered(".contains() of a list", (query) => query.contains("tags", ["a"]), "a"),
  filtered(".contains() of an object", (query) => query.contains("customFields", { b: { c: "x" } }), "a"),
  filtered(".contains() of a text", (query) => query.contains("tags", "{b}"), "a"),
  filtered(".containedBy()", (query) => query.containedBy("tags", ["a", "b", "c"]), "a"),
  filtered(".overlaps()", (query) => query.overlaps("tags", ["b", "z"]), "a", "b"),
  filtered(".textSearch()", (query) => query.textSearch("name", "net & !60"), "a"),
  filtered(
    ".textSearch(…, { type: 'websearch' })",
    (query) => query.textSearch("name", "today -net", { type: "websearch" }),
    "c"
  ),
  filtered(
    ".textSearch(…, { type, config })",
    (query) => query.textSearch("name", "at once", { type: "phrase", config: "simple" }),
    "c"
  ),
  filtered(".match()", (query) => query.match({ active: true, daysDue: 30 }), "a"),
  filtered(".neq().gt().lte()", (query) => query.neq("id", "c").gt("daysDue", 0).lte("daysDue", 60), "a", "b"),
  {
    call: ".csv()",
    since: "2.0",
    run: (client) => client.from("paymentTerm").select("id,name,active,tags").csv(),
    gives: { status: 200, data: 'id,name,active,tags\na,"Net 30",t,"{a,b}"\nb,"Net 60",f,{z}\nc,"at once, (today)",t,' }
  },
  {
    call: ".stripNulls()",
    run: (client) => client.from("paymentTerm").select("id,tags").stripNulls(),
    gives: { status: 200, data: [{ id: "a", tags: ["a", "b"] }, { id: "b", tags: ["z"] }, { id: "c" }] }
  },
  {
    call: ".explain(), which is off",
    run: (client) => client.from("paymentTerm").select().explain(),
    gives: { status: 406, code: "PGRST107" }
  },
  {
    call: ".abortSignal() of a request that is aborted",
    since: "2.0",
    run: async (client) => {
      const controller = new AbortController()
      controller.abort()
      const { data, error } = await client.from("paymentTerm").select().abortSignal(controller.signal)
      return { data, error: error?.message.includes("Abort") }
    },
    gives: { data: null, error: true }
  },
  {
    call: ".throwOnError()",
    since: "2.0",
    run: async (client) => {
      try {
        await client.from("paymentTerm").select("nothing").throwOnError()
        return { data: "nothing was thrown" }
      } catch (error) {
        return { error }
      }
    },
    gives: { code: "42703" }
  },
  {
    call: ".schema('other')",
    // the types know the one schema
    run: (client) =>
      client
        .schema("other" as never)
        .from("paymentTerm" as never)
        .select(),
    gives: { status: 406, code: "PGRST106" }
  },
  {
    call: ".rpc()",
    since: "2.0",
    // the types know no function
    run: (client) => client.rpc("reprice" as never, {} as never),
    gives: { status: 404, code: "PGRST202" }
  },
  {
    call: ".from() of a table that does not exist",
    since: "2.0",
    // the types know no such table
    run: (client) => client.from("paymentTerms" as "paymentTerm").select(),
    gives: { status: 404, code: "PGRST205" }
  }
]
