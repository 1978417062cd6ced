import { assert, describe, it } from "vitest"
import * as RequestCode from "../src/service/RequestCode.ts"

const origin = "http://127.0.0.1:4010"

const list: RequestCode.CodeCall = {
  method: "GET",
  target: "/rest/holiday?name=eq.O'Hara%20day&limit=5",
  headers: { Accept: "application/json" },
  body: undefined,
  credential: "api"
}
const one = { ...list, target: "/rest/holiday?id=eq.h%201", headers: {} }
const change = {
  ...one,
  method: "PATCH",
  headers: { "Content-Type": "application/json" },
  body: '{"name":"It\'s new"}'
}
const admin: RequestCode.CodeCall = {
  method: "POST",
  target: "/_mock/clock/advance?world=one",
  headers: { "Content-Type": "application/json" },
  body: '{"seconds":60}',
  credential: "admin"
}

describe("a request as code", () => {
  it("is a curl command with quotes that a shell reads back", () => {
    assert.strictEqual(
      RequestCode.curl(list, origin),
      String.raw`curl 'http://127.0.0.1:4010/rest/holiday?name=eq.O'\''Hara%20day&limit=5' \
  -H "Authorization: Bearer $MFG_API_KEY" \
  -H 'Accept: application/json'`
    )
    assert.include(RequestCode.curl(change, origin), "curl -X PATCH ")
    assert.include(RequestCode.curl({ ...list, method: "HEAD" }, origin), "curl --head ")
    assert.include(RequestCode.curl(admin, origin), `-H "Authorization: Bearer $MFG_MOCK_ADMIN_KEY"`)
  })

  it("is an mfg command: of the resource where there is one, else `mfg api`", () => {
    assert.strictEqual(RequestCode.mfg(one), "mfg holiday get 'h 1'")
    assert.strictEqual(RequestCode.mfg({ ...one, method: "DELETE" }), "mfg holiday delete 'h 1'")
    assert.strictEqual(
      RequestCode.mfg(change),
      String.raw`mfg api PATCH '/holiday?id=eq.h%201' \
  --body '{"name":"It'\''s new"}'`
    )
    assert.strictEqual(
      RequestCode.mfg(admin),
      String.raw`mfg api POST '/_mock/clock/advance?world=one' --admin \
  --body '{"seconds":60}'`
    )
  })

  it("is TypeScript with the client for rows, and with fetch for all others", () => {
    assert.strictEqual(
      RequestCode.typescript(change, origin),
      [
        'import { connect } from "@mfgdata/client/promise"',
        'import { Holiday, HolidayId } from "@mfgdata/domain"',
        'import * as Schema from "effect/Schema"',
        "",
        'const rows = connect({ restUrl: "http://127.0.0.1:4010/rest", apiKey: process.env["MFG_API_KEY"] ?? "" })',
        'await rows.update(Holiday, HolidayId.make("h 1"), Schema.decodeUnknownSync(Holiday.Update)({',
        '  name: "It\'s new"',
        "}))"
      ].join("\n")
    )
    assert.include(
      RequestCode.typescript(list, origin),
      `rows.list(Holiday, Query.fromText("name=eq.O'Hara%20day&limit=5"))`
    )
    assert.include(RequestCode.typescript(admin, origin), "await fetch(")
  })
})
