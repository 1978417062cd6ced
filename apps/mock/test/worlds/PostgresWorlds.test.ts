/**
 * Worlds on PostgreSQL, which has none.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Postgres from "../postgres/schema.ts"
import * as Server from "./server.ts"

describe("a service on PostgreSQL", () => {
  it.live("refuses worlds with 501 and a sentence", () =>
    Effect.gen(function* () {
      const { admin } = yield* Server.start({ store: yield* Postgres.fresh })
      for (const [method, path] of [
        ["POST", "/worlds"],
        ["GET", "/worlds"],
        ["POST", "/worlds/one/reset"],
        ["GET", "/worlds/one/export"],
        ["GET", "/diff?from=main&to=one"],
        ["GET", "/keys?world=one"]
      ] as const) {
        const { json, status } = yield* admin(method, path)
        assert.strictEqual(status, 501, path)
        assert.include(json, { code: "NOT_IMPLEMENTED" })
        assert.include(String(json["message"]), "on PostgreSQL")
      }
      assert.strictEqual((yield* admin("GET", "/keys?world=main")).status, 200)
    }).pipe(Effect.scoped)
  )
})
