import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"

const headers = { Authorization: "Bearer mfg_repeated_key", "Content-Type": "application/json" }

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "mfgdata-repeated-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const create = (origin: string, name: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${origin}/rest/holiday`, {
      method: "POST",
      headers: { ...headers, "Idempotency-Key": `key of ${name}` },
      body: JSON.stringify({ name, date: "2026-05-01", companyId: "demo" })
    })
    return {
      status: response.status,
      text: await response.text(),
      replayed: response.headers.get("idempotency-replayed")
    }
  })

describe("a write under an Idempotency-Key", () => {
  it.scoped(
    "returns its first response from a service that was killed in between, and happens once",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const store = join(yield* folder, "store.db")
        const args = [bin, "serve", "--port", "0", "--seed", "empty", "--store", `sqlite:${store}`]
        const serve = Effect.map(
          Program.start(args, /Try:/, { env: { MFG_MOCK_API_KEY: "mfg_repeated_key" } }),
          (running) => ({ ...running, origin: /http:\/\/127\.0\.0\.1:\d+/.exec(running.said)?.[0] ?? "" })
        )
        const names = Array.from({ length: 20 }, (_, index) => `Day ${index}`)
        const before = yield* serve
        const first = yield* Effect.forEach(names, (name) => create(before.origin, name), { concurrency: "unbounded" })
        yield* before.end("SIGKILL")

        const after = yield* serve
        const again = yield* Effect.forEach(names, (name) => create(after.origin, name), { concurrency: "unbounded" })
        assert.deepStrictEqual(
          again,
          first.map(({ text }) => ({ status: 201, text, replayed: "true" }))
        )
        const list = yield* Effect.promise(() => fetch(`${after.origin}/rest/holiday?select=name`, { headers }))
        const rows: unknown = yield* Effect.promise(() => list.json())
        assert.isTrue(Array.isArray(rows) && rows.length === names.length)
        yield* after.end("SIGTERM")
      }),
    300_000
  )
})
