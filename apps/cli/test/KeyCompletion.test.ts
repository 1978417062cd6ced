import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { mfg } from "./Cli.ts"
import { never, ok, serving } from "./ScriptedService.ts"

const kept = { ...process.env }
let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "completion-"))
  Object.assign(process.env, { XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, MFG_PROFILE: "" })
})
afterEach(() => {
  process.env = { ...kept }
  rmSync(folder, { recursive: true })
})

/** The completions of the last word. */
const complete = (...words: ReadonlyArray<string>) =>
  Effect.map(mfg("__complete", ...words), ({ code, stderr, stdout }) => {
    assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
    return stdout.split("\n").filter((line) => line !== "")
  })

const keys = (...ids: ReadonlyArray<string>) => ok(ids.map((id) => ({ id })))

describe("completion of keys", () => {
  it.scopedLive("asks the service for the keys that begin with the word, and remembers them", () =>
    Effect.gen(function* () {
      const { requests } = yield* serving([keys("hol_1", "hol_2", "hols")])
      assert.deepStrictEqual(yield* complete("holiday", "get", "hol_"), ["hol_1", "hol_2"])
      assert.deepStrictEqual(requests, ["GET /rest/holiday?select=id&id=like.hol_*&order=id&limit=50"])
      assert.deepStrictEqual(yield* complete("holiday", "update", "--name", "x", "hol_2"), ["hol_2"])
      assert.lengthOf(requests, 1)
      assert.strictEqual(statSync(join(folder, "mfg", "completion.json")).mode & 0o777, 0o600)
      yield* complete("kanban", "get", "hol_")
      assert.lengthOf(requests, 2)
    })
  )

  it.scopedLive("completes each key of edit, and one key of others", () =>
    Effect.gen(function* () {
      yield* serving([keys("hol_1", "hol_2")])
      assert.deepStrictEqual(yield* complete("holiday", "edit", "hol_1", ""), ["hol_1", "hol_2"])
      assert.deepStrictEqual(yield* complete("holiday", "get", "hol_1", ""), [])
      assert.deepStrictEqual(yield* complete("holiday", "create", ""), [])
      assert.deepStrictEqual(yield* complete("why", "holiday", "hol_2"), ["hol_2"])
    })
  )

  it.scopedLive("completes references, in flags and in conditions", () =>
    Effect.gen(function* () {
      const { requests } = yield* serving([keys("wt_1", "wt_2")])
      assert.deepStrictEqual(yield* complete("warehouseTransferLine", "create", "--transfer-id", "wt"), [
        "wt_1",
        "wt_2"
      ])
      assert.match(requests[0] ?? "", /^GET \/rest\/warehouseTransfer\?/)
      const where = yield* complete("watch", "warehouseTransferLine", "--where", "transferId=wt_1")
      assert.deepStrictEqual(where, ["transferId=wt_1"])
      const status = yield* complete("warehouseTransfer", "list", "--where", "status=Dr")
      assert.deepStrictEqual(status, ["status=Draft"])
    })
  )

  it.scopedLive("is silent where the service is slow, refuses the request, or is absent", () =>
    Effect.gen(function* () {
      yield* serving([never])
      const before = Date.now()
      assert.deepStrictEqual(yield* complete("holiday", "get", ""), [])
      assert.isBelow(Date.now() - before, 20_000)
      yield* serving([{ status: 401, body: { code: "PGRST301", message: "no" } }])
      assert.deepStrictEqual(yield* complete("holiday", "get", ""), [])
      yield* serving([ok("<html>")])
      assert.deepStrictEqual(yield* complete("holiday", "get", ""), [])
      process.env["MFG_REST_URL"] = "http://127.0.0.1:1/rest"
      assert.deepStrictEqual(yield* complete("holiday", "get", ""), [])
      process.env["MFG_API_KEY"] = ""
      assert.deepStrictEqual(yield* complete("holiday", "get", ""), [])
    })
  )

  it.scopedLive("completes the names of resources", () =>
    Effect.gen(function* () {
      for (const command of ["watch", "browse", "describe", "pull"]) {
        assert.deepStrictEqual(yield* complete(command, "holi"), ["holiday"])
      }
      assert.deepStrictEqual(yield* complete("pull", "kanban", "holi"), ["holiday"])
    })
  )
})
