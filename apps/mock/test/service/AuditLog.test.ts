/** Tests the audit lines of a service, which are on at every level of the log but `off`. */
import { assert, describe, it } from "@effect/vitest"
import * as testing from "@mfgdata/shell/testing"
import * as Effect from "effect/Effect"
import * as path from "node:path"
import * as KeyCache from "../../src/access/KeyCache.ts"
import { front } from "../../src/commands/Program.ts"
import type * as Exchange from "../../src/Exchange.ts"
import * as AuditLog from "../../src/service/AuditLog.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import { scratch } from "../store/scratch.ts"

const apiKey = "mfg_audit_test_key"
const adminKey = "mfg_audit_test_administrator"
const peer = "192.0.2.7"

/** A service, its audit lines, and requests to it from a peer. */
const open = (log: Settings.Settings["log"] = "error") =>
  Effect.gen(function* () {
    const snapshots = yield* scratch
    const lines: Array<string> = []
    const store = { _tag: "Sqlite", path: ":memory:" } as const
    const { service } = yield* Instance.make({
      settings: { ...Settings.defaults, store, seed: { _tag: "Empty" }, apiKey, adminKey, log, snapshots },
      write: (line) => lines.push(line)
    })
    const ask = (method: string, target: string, key: string, body: unknown = "", from = peer) => {
      const request: Exchange.Request = {
        method,
        target,
        headers: { authorization: `Bearer ${key}` },
        body: body === "" ? "" : JSON.stringify(body),
        peer: from
      }
      return Effect.map(
        Effect.suspend(() => service.handle(request)),
        ({ body }): { readonly [name: string]: unknown } => JSON.parse(String(body) || "{}")
      )
    }
    const taken = (): ReadonlyArray<{ readonly [name: string]: unknown }> =>
      lines.splice(0).map((line) => {
        const { level, time, ...fields } = JSON.parse(line)
        assert.strictEqual(level, "info")
        assert.isFalse(Number.isNaN(Date.parse(time)))
        return fields
      })
    return { ask, taken, lines, snapshots }
  })

describe("AuditLog", () => {
  it.scoped(
    "records the administrator's calls, with the keys that they make, roll and revoke, and without secrets",
    () =>
      Effect.gen(function* () {
        const { ask, lines, snapshots, taken } = yield* open()
        const made = yield* ask("POST", "/_mock/keys", adminKey, {
          name: "till",
          scopes: ["holiday:read"],
          expiresAt: null
        })
        const rolled = yield* ask("POST", `/_mock/keys/${String(made["id"])}/roll`, adminKey, { overlapSeconds: 5 })
        yield* ask("DELETE", `/_mock/keys/${String(rolled["id"])}`, adminKey)
        yield* ask("DELETE", "/_mock/keys/none", adminKey)
        const file = path.join(snapshots, "all.ndjson.gz")
        yield* ask("POST", "/_mock/snapshot/save", adminKey, { file })
        yield* ask("POST", "/_mock/snapshot/restore", adminKey, { file })
        const all = lines.join("")
        for (const secret of [made["key"], rolled["key"], apiKey, adminKey].map(String)) {
          assert.notInclude(all, secret)
          assert.notInclude(all, KeyCache.digest(secret).slice(0, 12))
        }
        const admin = { audit: "admin", peer }
        assert.deepStrictEqual(taken(), [
          {
            ...admin,
            operation: "createKey",
            name: "till",
            scopes: ["holiday:read"],
            expiresAt: null,
            keyId: made["id"],
            outcome: "done"
          },
          { ...admin, operation: "rollKey", id: made["id"], overlapSeconds: 5, keyId: rolled["id"], outcome: "done" },
          { ...admin, operation: "revokeKey", id: rolled["id"], outcome: "done" },
          { ...admin, operation: "revokeKey", id: "none", outcome: "NOT_FOUND" },
          { ...admin, operation: "saveSnapshot", file, outcome: "done" },
          { ...admin, operation: "restoreSnapshot", file, outcome: "done" }
        ])
      })
  )

  it.scoped("records the first use of a key from each address", () =>
    Effect.gen(function* () {
      const { ask, taken } = yield* open()
      for (const from of [peer, peer, "192.0.2.8", peer]) yield* ask("GET", "/rest/holiday", apiKey, "", from)
      const used = taken()
      assert.deepStrictEqual(
        used.map(({ audit, peer }) => [audit, peer]),
        [
          ["key.used", peer],
          ["key.used", "192.0.2.8"]
        ]
      )
      assert.notInclude(JSON.stringify(used), KeyCache.digest(apiKey).slice(0, 12))
    })
  )

  it.scoped("records refused keys, and not those of a flood", () =>
    Effect.gen(function* () {
      const { ask, lines, taken } = yield* open()
      const wrong = "mfg_wrong_but_of_a_form"
      yield* ask("GET", "/rest/holiday", wrong)
      yield* ask("GET", "/_mock/keys", wrong)
      assert.notInclude(lines.join(""), wrong)
      assert.deepStrictEqual(taken(), [
        { audit: "key.refused", reason: "KeyInvalid", peer },
        { audit: "key.refused", reason: "NotAdministrator", peer }
      ])
      for (let index = 0; index < 200; index += 1) yield* ask("GET", "/rest/holiday", wrong)
      assert.lengthOf(taken(), AuditLog.linesPerMinute - 2)
    })
  )

  it("counts the lines that it left out", () => {
    let millis = 0
    const lines: Array<string> = []
    const { refused } = AuditLog.make(
      "error",
      () => millis,
      (line) => lines.push(line)
    )
    for (let index = 0; index < AuditLog.linesPerMinute + 5; index += 1) refused("KeyInvalid", {})
    assert.lengthOf(lines, AuditLog.linesPerMinute)
    millis = 60_000
    refused("KeyInvalid", {})
    assert.strictEqual(JSON.parse(lines.at(-1) ?? "").suppressed, 5)
  })

  it.scoped("writes nothing when the log is off", () =>
    Effect.gen(function* () {
      const { ask, lines } = yield* open("off")
      yield* ask("GET", "/_mock/keys", adminKey)
      yield* ask("GET", "/rest/holiday", "mfg_wrong")
      assert.deepStrictEqual(lines, [])
    })
  )

  it.scoped("records rules that migrate switches and keys that it replaces, with MFG_MOCK_LOG", () =>
    Effect.gen(function* () {
      const store = `sqlite:${path.join(yield* scratch, "mock.db")}`
      const secret = "a passphrase of many words"
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          delete process.env["MFG_MOCK_LOG"]
          delete process.env["MFG_MOCK_NEW_SECRET_KEY"]
        })
      )
      process.env["MFG_MOCK_NEW_SECRET_KEY"] = secret
      process.env["MFG_MOCK_LOG"] = "error"
      const args = ["migrate", "--store", store, "--rules", "public", "--new-secret-key"]
      const { code, stderr } = yield* testing.run(front, args)
      assert.strictEqual(code, 0, stderr)
      assert.match(stderr, /"audit":"rules.switched","rules":"public"/)
      assert.match(stderr, /"audit":"secretKey.replaced","secretKey":"[0-9a-f]{16}","count":0/)
      assert.notInclude(stderr, secret)
    })
  )
})
