import { assert, it } from "@effect/vitest"
import * as PostgresServer from "@mfgdata/testing-postgres"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as RunServer from "@mfgdata/testing-postgres/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readdirSync, rmdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { vi } from "vitest"

/** Returns the row of a query, or the code of the connection error. */
const selectOne = async (url: string): Promise<unknown> => {
  const sql = postgres(url, { max: 1 })
  try {
    const [row] = await sql`select 1 as one`
    return row
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error
  } finally {
    await sql.end()
  }
}

it.effect("runs one server for all tests of a run", () =>
  Effect.gen(function* () {
    const url = yield* RunServer.url
    assert.deepStrictEqual(yield* Effect.promise(() => selectOne(url)), { one: 1 })
    assert.strictEqual(yield* RunServer.url, url)
  })
)

it("stops the server", async () => {
  const { url, stop } = await PostgresServer.start("")
  assert.deepStrictEqual(await selectOne(url), { one: 1 })
  await stop()
  assert.strictEqual(await selectOne(url), "ECONNREFUSED")
})

it("uses a given server, and does not stop it", async () => {
  const { url, stop } = await PostgresServer.start("postgres://someone@example.test/some")
  await stop()
  assert.strictEqual(url, "postgres://someone@example.test/some")
})

it("leaves neither a server nor a directory when the parent is killed", async () => {
  const home = mkdtempSync(join(tmpdir(), "killed-"))
  chmodSync(home, 0o755)
  const keeper = join(import.meta.dirname, "../keeper.mjs")
  const stdio = `["pipe", "inherit", "inherit"]`
  const program = `require("node:child_process").spawn(process.execPath, [${JSON.stringify(keeper)}], { detached: true, stdio: ${stdio} })`
  const parent = spawn(process.execPath, ["-e", program], { env: { ...process.env, TMPDIR: home } })
  const [said] = await once(parent.stdout, "data")
  const [, url = ""] = String(said).trim().split(" ")
  assert.deepStrictEqual(await selectOne(url), { one: 1 })
  assert.lengthOf(readdirSync(home), 1)
  parent.kill("SIGKILL")
  // its output ends when the last process that shares it has ended
  await once(parent, "close")
  assert.strictEqual(await selectOne(url), "ECONNREFUSED")
  rmdirSync(home)
})

it("replicates a server to its standbys, of which one is promoted after the server was killed", async () => {
  const { kill, start, stop, urls } = await PostgresServer.cluster(2)
  const [primary = "", first = "", second = ""] = urls
  const value = async (url: string, text: string) => (await Effect.runPromise(Schema.run(url, text)))[0]?.[0]
  try {
    await value(primary, "CREATE TABLE kept AS SELECT 1 AS one")
    for (const url of [first, second]) {
      await Effect.runPromise(Schema.replayed(primary, url))
      assert.strictEqual(await value(url, "SELECT one FROM kept"), 1)
    }
    kill(0)
    await vi.waitUntil(async () => (await selectOne(primary)) === "ECONNREFUSED", 30_000)
    assert.isTrue(await value(first, "SELECT pg_promote()"))
    await value(first, "INSERT INTO kept VALUES (2)")
    kill(2)
    await vi.waitUntil(async () => (await selectOne(second)) === "ECONNREFUSED", 30_000)
    await start(2)
    assert.strictEqual(await value(second, "SELECT count(*)::integer FROM kept"), 1)
  } finally {
    await stop()
  }
  for (const url of urls) assert.strictEqual(await selectOne(url), "ECONNREFUSED")
}, 300_000)
