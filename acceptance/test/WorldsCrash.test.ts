/**
 * Worlds survive the end of their process at any moment.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"

const adminKey = "mfg_administrator_of_tests"

const serve = (store: string) =>
  Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    const { end, said } = yield* Program.start([bin, "serve", "--port", "0", "--store", store], /Try:/, {
      env: { MFG_MOCK_ADMIN_KEY: adminKey }
    })
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? ""
    const send = async (key: string, method: string, target: string, body?: unknown) => {
      const response = await fetch(origin + target, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, text }
    }
    return { end, send }
  })

const holiday = (name: string) => ({ name, date: "2027-01-01", companyId: "demo" })

describe("a service that is killed with worlds open", () => {
  it.scoped(
    "has every world and every acknowledged write of it afterwards",
    () =>
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "worlds-"))),
          (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
        )
        const store = join(folder, "mock.db")
        const { end, send } = yield* serve(store)
        const keys = new Map<string, string>()
        const acknowledged = new Map<string, Array<string>>()
        for (let n = 0; n < 20; n++) {
          const name = `w${n}`
          const { text } = yield* Effect.promise(() => send(adminKey, "POST", "/_mock/worlds", { name }))
          const { key }: { readonly key: string } = JSON.parse(text)
          keys.set(name, key)
          acknowledged.set(name, [])
        }
        /** Writes until the service is gone. */
        const write = async ([name, key]: readonly [string, string]) => {
          for (let n = 0; ; n++) {
            const row = `${name} ${String(n).padStart(5, "0")}`
            const reply = await send(key, "POST", "/rest/holiday", holiday(row)).catch(() => undefined)
            if (reply?.status !== 201) return
            acknowledged.get(name)?.push(row)
          }
        }
        const writing = Promise.all(Array.from(keys, write))
        const many = () => Array.from(acknowledged.values()).every((rows) => rows.length >= 5)
        while (!many()) yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
        yield* end("SIGKILL")
        yield* Effect.promise(() => writing)

        const again = yield* serve(store)
        for (const [name, key] of keys) {
          const target = `/rest/holiday?name=like.${name}%20*&order=name&select=name`
          const { text } = yield* Effect.promise(() => again.send(key, "GET", target))
          const rows: ReadonlyArray<{ readonly name: string }> = JSON.parse(text)
          const found = rows.map(({ name }) => name)
          const expected = acknowledged.get(name) ?? []
          // A write whose response was lost may be there too.
          assert.deepStrictEqual(found.slice(0, expected.length), expected)
          assert.isAtMost(found.length, expected.length + 1)
        }
        const reset = yield* Effect.promise(() => again.send(adminKey, "POST", "/_mock/worlds/w0/reset"))
        assert.strictEqual(reset.status, 200, reset.text)
      }),
    300_000
  )
})
