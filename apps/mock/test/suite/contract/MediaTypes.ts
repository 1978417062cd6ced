/** Tests the media types of bodies on both interfaces. */
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Service from "../Service.ts"
import * as Document from "./Document.ts"

const taken = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  "APPLICATION/JSON",
  "application/vnd.api+json",
  "application/merge-patch+json",
  "application/problem+json; charset=utf-8"
]

const refused = ["text/plain", "application/xml", "text/html; charset=utf-8", "application/octet-stream", "image/png"]

const holiday = Document.find("holiday")

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("accepts any JSON media type, or none, on both interfaces", () =>
    Effect.gen(function* () {
      const { done } = yield* Service.Service
      for (const type of [...taken, undefined]) {
        // Bytes are sent without a default media type.
        const headers = { "content-type": type }
        const body = JSON.stringify(Document.plain(holiday))
        const { row, status } = yield* done("POST", holiday.path, { headers, body })
        assert.strictEqual(status, 201, type)
        const address = Document.address(holiday, row)
        const changed = yield* done("PATCH", address, { headers, body: JSON.stringify({ name: "changed" }) })
        assert.strictEqual(changed.row["name"], "changed", type)
        const user = yield* done("POST", "/api/v1/account/getCurrentUser", { headers, body: "{}" })
        assert.strictEqual(user.row["id"], Service.members.operator.userId, type)
      }
    })
  )

  it.effect("refuses another media type with 415 on both interfaces", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      const { row } = yield* done("POST", holiday.path, { body: Document.plain(holiday) })
      for (const type of refused) {
        const headers = { "content-type": type }
        const body = JSON.stringify(Document.plain(holiday))
        for (const [method, target, sent] of [
          ["POST", holiday.path, body],
          ["PATCH", Document.address(holiday, row), body],
          ["POST", "/api/v1/account/getCurrentUser", "{}"]
        ] as const) {
          const reply = yield* ask(method, target, { headers, body: sent })
          assert.strictEqual(reply.status, 415, `${method} ${target} as ${type}`)
        }
      }
    })
  )
}
