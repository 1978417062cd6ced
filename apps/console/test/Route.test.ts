import { assert, describe, it } from "vitest"
import * as Route from "../src/router/Route.ts"

describe("a path", () => {
  it("matches a pattern with parameters", () => {
    assert.deepEqual(Route.match("/", "/"), {})
    assert.deepEqual(Route.match("/:resource/:key", "/holiday/a%2Fb"), { resource: "holiday", key: "a/b" })
    assert.isUndefined(Route.match("/:resource", "/holiday/1"))
    assert.deepEqual(Route.match("/traffic/*", "/traffic/1/request"), { rest: "1/request" })
    assert.deepEqual(Route.match("/traffic/*", "/traffic"), { rest: "" })
  })

  it("with malformed escapes matches as it is", () => {
    assert.deepEqual(Route.match("/:resource", "/%E0%A4%A"), { resource: "%E0%A4%A" })
  })
})
