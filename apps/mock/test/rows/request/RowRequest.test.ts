import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { RowRequest } from "../../../src/rows/request/RowRequest.ts"
import { type Asking, plan, request } from "../plan/plan.ts"

type Read = Partial<Pick<RowRequest, "key" | "range" | "columns" | "onConflict" | "shape" | "profile">> & {
  readonly action?: RowRequest["action"]["_tag"]
}

const public_ = { "accept-profile": "public" }

const table: ReadonlyArray<readonly [method: string, target: string, asking: Asking, read: Read]> = [
  ["GET", "holiday", {}, { action: "Read", key: undefined, shape: "contract", profile: false }],
  ["HEAD", "holiday?id=eq.a", {}, { action: "Read", key: "a" }],
  ["GET", "holiday?id=eq.a", {}, { key: "a" }],
  ["GET", "holiday?id=eq.a&select=name", {}, { key: "a" }],
  ["GET", "holiday?id=eq.", {}, { key: "" }],
  ["GET", "holiday?id=eq.a%20b,c", {}, { key: "a b,c" }],
  ["GET", "holiday?id=eq.a&id=eq.a", {}, { key: undefined }],
  ["GET", "holiday?id=eq.a&limit=1", {}, { key: undefined }],
  ["GET", "holiday?id=eq.a&offset=0", {}, { key: undefined }],
  ["GET", "holiday?id=eq.a&order=id", {}, { key: undefined }],
  ["GET", "holiday?id=not.eq.a", {}, { key: undefined }],
  ["GET", "holiday?id=in.(a)", {}, { key: undefined }],
  ["GET", "holiday?id=eq(any).{a}", {}, { key: undefined }],
  ["GET", "holiday?and=(id.eq.a)", {}, { key: undefined }],
  ["GET", "holiday?name=eq.a", {}, { key: undefined }],
  ["GET", "webhookTable?table=eq.a", {}, { key: "a" }],
  ["GET", "webhookTable?name=eq.a", {}, { key: undefined }],
  ["GET", "holiday?id=eq.a", { headers: { range: "0-9" } }, { key: undefined, range: { from: 0, to: 9 } }],
  ["GET", "holiday", { headers: { range: "5-" } }, { range: { from: 5, to: undefined } }],
  ["GET", "holiday", { headers: { range: "bytes=0-9" } }, { range: undefined }],
  ["GET", "holiday", { headers: { range: "-5" } }, { range: undefined }],
  ["HEAD", "holiday", { headers: { range: "0-9" } }, { range: undefined }],
  ["GET", "holiday", { headers: public_ }, { shape: "postgrest", profile: true }],
  ["GET", "holiday", { headers: { "content-profile": "public" } }, { shape: "contract", profile: false }],
  ["POST", "holiday", { headers: public_, body: {} }, { shape: "contract", profile: false }],
  ["POST", "holiday", { headers: { "content-profile": "public" }, body: {} }, { shape: "postgrest", profile: true }],
  ["GET", "holiday", { shape: "postgrest" }, { shape: "postgrest", profile: false }],
  ["GET", "holiday?limit=abc&id=eq.a", { shape: "postgrest" }, { key: "a" }],
  ["POST", "holiday?columns=name,date&on_conflict=id", { body: {} }, { columns: ["name", "date"], onConflict: ["id"] }],
  [
    "POST",
    'holiday?columns="name","date"',
    { body: [{ name: "a" }, {}] },
    { action: "Create", columns: ["name", "date"] }
  ],
  ["GET", "holiday?columns=name&on_conflict=id", {}, { columns: undefined, onConflict: undefined }],
  ["PATCH", "holiday?id=eq.a", { body: {} }, { action: "Update", key: "a" }],
  ["PUT", "holiday?id=eq.a", { body: [{}, { a: 1 }] }, { action: "Put", key: "a" }],
  [
    "DELETE",
    "holiday?id=eq.a",
    { body: "never read", headers: { "content-type": "x/y" } },
    { action: "Delete", key: "a" }
  ]
]

const refusals: ReadonlyArray<readonly [method: string, target: string, asking: Asking, tag: string]> = [
  ["TRACE", "holiday", {}, "MethodUnsupported"],
  ["get", "holiday", {}, "MethodUnsupported"],
  ["constructor", "holiday", {}, "MethodUnsupported"],
  ["GET", "holiday", { headers: { accept: "text/html" } }, "MediaTypeUnavailable"],
  ["GET", "holiday", { headers: { "accept-profile": "private" } }, "ProfileUnknown"],
  ["PATCH", "holiday?id=eq.a", { headers: { "content-profile": "" }, body: {} }, "ProfileUnknown"],
  ["GET", "holiday", { headers: { prefer: "handling=strict, foo" } }, "PreferencesUnknown"],
  ["GET", "holiday?name=eq.%FF", {}, "TextRefused"],
  ["GET", "holiday?name=eq.%00", {}, "TextRefused"],
  ["GET", "holiday?name=x", {}, "QueryMalformed"],
  ["GET", "holiday?limit=abc", {}, "QueryMalformed"],
  ["GET", "holiday?limit=-1", {}, "QueryMalformed"],
  ["GET", "holiday?limit=-1", { shape: "postgrest" }, "LimitNegative"],
  ["GET", "holiday?line.name=eq.a", {}, "NotEmbedded"],
  ["POST", "holiday?columns=", { body: {} }, "QueryMalformed"],
  ["POST", "holiday?on_conflict=", { body: {} }, "QueryMalformed"],
  ["POST", "holiday", { body: "{" }, "BodyMalformed"],
  ["POST", "holiday", { body: [{ name: "a" }, {}] }, "KeysDiffer"],
  ["PATCH", "holiday?id=eq.a", { body: "7" }, "BodyMalformed"]
]

describe("RowRequest", () => {
  for (const [method, target, asking, read] of table) {
    it(`reads ${method} ${target} ${JSON.stringify(asking)}`, () => {
      const { action, ...asked } = Either.getOrThrow(request(method, target, asking))
      assert.deepInclude<object>({ ...asked, action: action._tag }, read)
    })
  }

  for (const [method, target, asking, tag] of refusals) {
    it(`refuses ${method} ${target} ${JSON.stringify(asking)}`, () => {
      // The body is parsed with the plan.
      const refused = plan(method, target, asking)
      assert.strictEqual(Either.isLeft(refused) ? refused.left._tag : undefined, tag)
    })
  }

  it("ignores unknown preferences, and refuses them under strict handling", () => {
    const asked = Either.getOrThrow(request("GET", "holiday", { headers: { prefer: "foo" } }))
    assert.deepStrictEqual(asked.preferences.unknown, ["foo"])
  })
})
