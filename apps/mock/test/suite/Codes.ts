/** Tests every code of the row interface with a request that gets it, or gives the reason why no request does. */
import * as Wire from "@mfgdata/domain/RowError"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Service from "./Service.ts"

interface Case extends Service.Asking {
  readonly method?: string
  readonly target: string
  readonly status: number
}

const { companyId } = Service.members.operator

const holiday = { name: "a", date: "2026-12-24", companyId }
const lines = "/rest/warehouseTransfer?select=id,l:warehouseTransferLine(id)"
const merge = { prefer: "resolution=merge-duplicates" }

/** The requests of each code, on a store without rows. */
const cases: { readonly [C in Wire.KnownCode]?: ReadonlyArray<Case> } = {
  PGRST100: [
    { target: "/rest/holiday?id=0", status: 400 },
    { target: "/rest/holiday?year=noop.0", status: 400 },
    { target: "/rest/holiday?year=is.nil", status: 400 },
    { target: "/rest/holiday?order=id.asc.nullslasttt", status: 400 },
    { target: "/rest/holiday?select=id(", status: 400 },
    { target: "/rest/holiday?or=()", status: 400 },
    { target: "/rest/holiday?limit=a", status: 400 },
    { method: "POST", target: "/rest/holiday?columns=", body: holiday, status: 400 }
  ],
  PGRST102: [
    { method: "POST", target: "/rest/holiday", body: "{", status: 400 },
    { method: "POST", target: "/rest/holiday", body: "", status: 400 },
    { method: "POST", target: "/rest/holiday", body: [holiday, { name: "b" }], status: 400 },
    {
      method: "POST",
      target: "/rest/holiday",
      body: "<a/>",
      headers: { "content-type": "application/xml" },
      status: 415
    },
    { method: "POST", target: "/rest/holiday", body: "a,b\n1", headers: { "content-type": "text/csv" }, status: 400 }
  ],
  PGRST103: [
    { target: "/rest/v1/holiday?limit=-1", status: 416 },
    { target: "/rest/holiday", headers: { range: "1-0" }, status: 416 },
    { target: "/rest/holiday?offset=100", headers: { prefer: "count=exact" }, status: 416 }
  ],
  PGRST105: [{ method: "PUT", target: "/rest/v1/holiday?name=eq.a", body: holiday, status: 405 }],
  PGRST106: [
    { target: "/rest/holiday", headers: { "accept-profile": "other" }, status: 406 },
    { method: "POST", target: "/rest/holiday", body: holiday, headers: { "content-profile": "other" }, status: 406 }
  ],
  PGRST107: [
    { target: "/rest/holiday", headers: { accept: "text/unknowntype" }, status: 406 },
    { target: "/rest/holiday", headers: { accept: "application/vnd.pgrst.plan+json" }, status: 406 },
    { target: "/rest/v1/", headers: { accept: "text/csv" }, status: 406 }
  ],
  PGRST108: [{ target: "/rest/holiday?webhook.id=eq.1", status: 400 }],
  PGRST114: [{ method: "PUT", target: "/rest/v1/holiday?id=eq.a&limit=1", body: holiday, status: 400 }],
  PGRST115: [{ method: "PUT", target: "/rest/v1/holiday?id=eq.a", body: { ...holiday, id: "b" }, status: 400 }],
  PGRST116: [
    { target: "/rest/holiday?id=eq.nothing", status: 404 },
    { target: "/rest/v1/holiday", headers: { accept: "application/vnd.pgrst.object+json" }, status: 406 }
  ],
  PGRST117: [
    { method: "TRACE", target: "/rest/holiday", status: 405 },
    { method: "POST", target: "/rest/v1/", body: {}, status: 405 }
  ],
  PGRST118: [{ target: `${lines}&order=l(id)`, status: 400 }],
  PGRST120: [{ target: `${lines}&l=eq.a`, status: 400 }],
  PGRST122: [{ target: "/rest/holiday", headers: { prefer: "handling=strict, foo" }, status: 400 }],
  PGRST123: [
    { target: "/rest/holiday?select=year.max()", status: 400 },
    { target: "/rest/holiday?select=year.sum()", status: 400 }
  ],
  PGRST125: [{ target: "/rest/holiday/a", status: 404 }],
  PGRST127: [{ target: "/rest/warehouseTransfer?customFields=plfts.a", status: 400 }],
  PGRST200: [{ target: "/rest/holiday?select=id,webhook(*)", status: 400 }],
  PGRST202: [{ method: "POST", target: "/rest/v1/rpc/reprice", body: {}, status: 404 }],
  PGRST204: [
    { method: "POST", target: "/rest/holiday", body: { ...holiday, colour: "red" }, status: 400 },
    { method: "POST", target: "/rest/holiday?columns=colour", body: holiday, status: 400 }
  ],
  PGRST205: [{ target: "/rest/holidays", status: 404 }],
  PGRST301: [{ target: "/rest/holiday", headers: { authorization: "Bearer mfg_nobodys_key" }, status: 401 }],
  "21000": [
    { method: "PATCH", target: "/rest/holiday", body: {}, status: 400 },
    { method: "DELETE", target: "/rest/holiday", status: 400 },
    {
      method: "POST",
      target: "/rest/v1/holiday",
      body: [
        { ...holiday, id: "a" },
        { ...holiday, id: "a" }
      ],
      headers: merge,
      status: 400
    }
  ],
  "22003": [{ target: "/rest/holiday?year=eq.1e999", status: 400 }],
  "22007": [{ target: "/rest/holiday?date=eq.nope", status: 400 }],
  "22008": [{ target: "/rest/holiday?date=eq.2024-02-30", status: 400 }],
  "22025": [{ target: "/rest/holiday?name=like.a%5C", status: 400 }],
  "2201B": [{ target: "/rest/holiday?name=match.(", status: 400 }],
  "22P02": [
    { target: "/rest/holiday?year=eq.abc", status: 400 },
    { target: "/rest/webhook?active=eq.maybe", status: 400 },
    { target: "/rest/holiday?tags=cs.x", status: 400 },
    { target: "/rest/holiday?name=eq(any).a", status: 400 },
    { method: "POST", target: "/rest/holiday", body: { ...holiday, year: "2026" }, status: 400 }
  ],
  "22P05": [
    { target: "/rest/holiday?name=eq.%00", status: 400 },
    { target: "/rest/holiday?name=eq.%ff", status: 400 },
    { method: "POST", target: "/rest/holiday", body: { ...holiday, name: "\u0000" }, status: 400 }
  ],
  "23502": [
    { method: "POST", target: "/rest/holiday", body: {}, status: 400 },
    { method: "POST", target: "/rest/holiday", body: { ...holiday, name: null }, status: 400 }
  ],
  "428C9": [{ method: "POST", target: "/rest/holiday", body: { ...holiday, id: "a" }, status: 400 }],
  "42601": [{ target: "/rest/holiday?name=fts.a%20b", status: 400 }],
  "42703": [
    { target: "/rest/holiday?colour=eq.red", status: 400 },
    { target: "/rest/holiday?select=colour", status: 400 },
    { target: "/rest/holiday?order=colour", status: 400 }
  ],
  "42704": [
    { target: "/rest/holiday?name=fts(german).a", status: 400 },
    { target: "/rest/holiday?select=name::money", status: 400 }
  ],
  "42712": [{ target: `${lines},l:warehouseTransferLine(id)`, status: 400 }],
  "42804": [{ target: "/rest/holiday?name=is.true", status: 400 }],
  "42846": [{ target: "/rest/holiday?select=year::date", status: 400 }],
  "42883": [
    { target: "/rest/holiday?year=like.2*", status: 404 },
    { target: "/rest/holiday?date=sl.(1,2)", status: 404 },
    { target: "/rest/holiday?select=name->a", status: 404 }
  ],
  "42P10": [
    { method: "POST", target: "/rest/v1/holiday?on_conflict=name", body: holiday, headers: merge, status: 400 }
  ],
  MF405: [
    { method: "PATCH", target: "/rest/holiday?id=eq.a", body: {}, headers: { "accept-datetime": "-" }, status: 405 },
    { method: "DELETE", target: "/rest/holiday?id=eq.a", headers: { "accept-datetime": "-" }, status: 405 }
  ],
  MF410: [{ target: "/rest/holiday", headers: { "accept-datetime": "1970-01-01T00:00:00Z" }, status: 410 }],
  MF400: [{ method: "POST", target: "/rest/holiday", body: holiday, headers: { "idempotency-key": "" }, status: 400 }]
}

/** Codes that need several requests, another configuration, or that no request of this suite can cause. */
const elsewhere: { readonly [C in Wire.KnownCode]?: string } = {
  PGRST000: "the store fails: store/CommitQueue.test.ts",
  PGRST001: "the store is lost: service/ServiceFailure.test.ts",
  PGRST002: "the store is closed: store/CommitQueue.test.ts",
  PGRST003: "too many writes wait: store/CommitQueue.test.ts",
  PGRST124: "rows are changed: Preferences.ts",
  PGRST126: "cannot arise: the root is always described",
  PGRST201: "cannot arise: no two references lead from one resource to the same other; rows/Relationship.test.ts",
  PGRST302: "no key at all: Keys.ts",
  PGRST303: "time goes by: Keys.ts",
  "23503": "the public rules: References.ts",
  "23505": "a row stands already: Upserts.ts",
  "23514": "the public rules: rows/RowRoute.test.ts",
  "42501": "the public rules: suite/Companies.ts",
  "42803": "aggregates are on: Aggregates.ts",
  "42P01": "cannot arise: tables are made with the store and never dropped",
  "53100": "the store has no space left: service/StoreFailure.test.ts",
  "53200": "a query needs more memory than it may use: rows/RowError.test.ts",
  "53400": "a quota is set: Quotas.ts",
  "54000": "what the socket server limits: http/NodeServer.test.ts",
  "57014": "what the socket server waits for: http/NodeServer.test.ts",
  "58P01": "the file is removed: service/StoreFailure.test.ts",
  MF409: "a secret is shown: Webhooks.ts",
  MF412: "a row changes: Preconditions.ts",
  MF421: "what the socket server checks: http/NodeServer.test.ts",
  MF422: "a request before this one: Idempotency.ts",
  P0429: "a limit is set: service/RateLimited.test.ts",
  MF599: "a fault rule applies: faults/requests.test.ts",
  P0503: "many queries or bodies wait: rows/RowError.test.ts",
  XX000: "a defect: service/ServiceFailure.test.ts",
  XX001: "the file is damaged: service/StoreFailure.test.ts"
}

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  for (const [code, requests] of Object.entries(cases)) {
    it.effect(`${code}: ${Wire.meanings[code as Wire.KnownCode]}`, () =>
      Effect.gen(function* () {
        const { ask, world } = yield* Service.Service
        const before = yield* world.store.checksum
        for (const { method = "GET", status, target, ...asking } of requests) {
          const reply = yield* ask(method, target, asking)
          assert.deepStrictEqual(reply.verdict, [status, code], `${method} ${target}`)
          assert.sameMembers(Object.keys(reply.row), ["code", "message", "details", "hint"])
          assert.strictEqual(reply.headers["proxy-status"], `PostgREST; error=${code}`)
        }
        assert.deepStrictEqual(yield* world.store.checksum, before)
      })
    )
  }

  it("lists every code once", () => {
    const known = [...Object.keys(cases), ...Object.keys(elsewhere)]
    assert.sameMembers(known, Object.keys(Wire.meanings))
    assert.strictEqual(new Set(known).size, known.length)
  })
}
