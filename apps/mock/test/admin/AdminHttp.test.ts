import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AdminApi from "@mfgdata/client/AdminApi"
import { AdminRefused } from "../../src/admin/AdminRefused.ts"
import * as AdminHttp from "../../src/admin/AdminHttp.ts"

const record = {
  id: "k1",
  companyId: CompanyId.make("demo"),
  userId: UserId.make("operations"),
  name: "a key",
  preview: "mfg_abcd...",
  scopes: ["*"] as const,
  createdAt: Timestamp.make("2026-11-20T12:00:00Z"),
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null
}

const make = () => {
  const asked: Array<unknown> = []
  const answer =
    <A>(name: string, result: A) =>
    (request: object) =>
      Effect.sync(() => {
        asked.push([name, request])
        return result
      })
  // The record has an entry for each name.
  const others = Object.fromEntries(
    AdminApi.names.map((name) => [name, answer(name, null)])
  ) as unknown as AdminApi.Service<AdminRefused>
  const admin: AdminApi.Service<AdminRefused> = {
    ...others,
    listKeys: answer("list", [record]),
    createKey: answer("create", { key: "mfg_secret", ...record }),
    revokeKey: () => Effect.fail(new AdminRefused({ code: "NOT_FOUND", message: "no such key" })),
    rollKey: answer("roll", { key: "mfg_secret", ...record }),
    saveSnapshot: answer("save", null),
    restoreSnapshot: answer("restore", null)
  }
  const { handle } = AdminHttp.make(admin, "mfg_administrator")
  const send = (method: string, target: string, body?: unknown, authorization = "Bearer mfg_administrator") =>
    Effect.map(
      handle({
        method,
        target: `/_mock${target}`,
        headers: { authorization },
        body: typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body)
      }),
      ({ body, headers, status }) => ({ status, headers, body: JSON.parse(String(body)) })
    )
  return { asked, send }
}

describe("the administrator's interface", () => {
  it.effect("refuses every key but the administrator's", () =>
    Effect.gen(function* () {
      const { asked, send } = make()
      for (const authorization of ["", "Bearer", "Bearer mfg_administrato", "Bearer mfg_administrators"]) {
        const { body, headers, status } = yield* send("GET", "/keys", undefined, authorization)
        assert.strictEqual(status, 401)
        assert.strictEqual(headers["WWW-Authenticate"], "Bearer")
        assert.include(body, { code: "UNAUTHORIZED", status: 401 })
      }
      assert.lengthOf(asked, 0)
    })
  )

  it.effect("lists keys by their records only", () =>
    Effect.gen(function* () {
      const { body, status } = yield* make().send("GET", "/keys")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, [record])
    })
  )

  it.effect("creates a key with defaults", () =>
    Effect.gen(function* () {
      const { asked, send } = make()
      const { body, headers, status } = yield* send("POST", "/keys", { name: "a key" })
      assert.strictEqual(status, 201)
      assert.strictEqual(headers["Cache-Control"], "no-store")
      assert.strictEqual(body.key, "mfg_secret")
      assert.deepStrictEqual(asked, [["create", { name: "a key", scopes: ["*"], expiresAt: null }]])
    })
  )

  it.effect("prefers a parameter of the path to a field of the body", () =>
    Effect.gen(function* () {
      const { asked, send } = make()
      yield* send("POST", "/keys/k1/roll?x=1", { id: "k2", overlapSeconds: 60 })
      assert.deepStrictEqual(asked, [["roll", { id: "k1", overlapSeconds: 60 }]])
    })
  )

  it.effect("saves and restores snapshots", () =>
    Effect.gen(function* () {
      const { asked, send } = make()
      assert.strictEqual((yield* send("POST", "/snapshot/save", { file: "/tmp/a.gz" })).body, null)
      assert.strictEqual((yield* send("POST", "/snapshot/restore", { file: "/tmp/a.gz" })).status, 200)
      assert.deepStrictEqual(asked, [
        ["save", { file: "/tmp/a.gz" }],
        ["restore", { file: "/tmp/a.gz" }]
      ])
    })
  )

  it.effect("names the invalid fields of a request", () =>
    Effect.gen(function* () {
      const { asked, send } = make()
      const { body, status } = yield* send("POST", "/keys", { name: "", scopes: ["holiday:fly"] })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.code, "BAD_REQUEST")
      assert.deepStrictEqual(
        body.data.issues.map(({ path }: { readonly path: unknown }) => path),
        [["name"], ["scopes", 0]]
      )
      for (const malformed of ["{", "[]", "1"]) {
        assert.strictEqual((yield* send("POST", "/keys", malformed)).status, 400)
      }
      assert.lengthOf(asked, 0)
    })
  )

  it.effect("responds with the code and message of a refusal", () =>
    Effect.gen(function* () {
      const { body, status } = yield* make().send("DELETE", "/keys/k9")
      assert.strictEqual(status, 404)
      assert.deepStrictEqual(body, { defined: false, code: "NOT_FOUND", status: 404, message: "no such key" })
    })
  )

  it.effect("responds with 404 to unknown paths, and with 405 to other methods", () =>
    Effect.gen(function* () {
      const { send } = make()
      for (const path of ["/", "/key", "/keys/", "/keys/k1/rolls"]) {
        assert.strictEqual((yield* send("GET", path)).status, 404, path)
      }
      const { headers, status } = yield* send("PUT", "/keys")
      assert.strictEqual(status, 405)
      assert.strictEqual(headers["Allow"], "GET, POST")
    })
  )
})
