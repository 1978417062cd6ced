/** Saves snapshots at regular times while the service runs, kills it during one, and restores the newest. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { setImmediate, setTimeout } from "node:timers/promises"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const apiKey = "mfg_snapshot_schedule_key"
const adminKey = "mfg_snapshot_schedule_administrator"
const env = { MFG_MOCK_API_KEY: apiKey, MFG_MOCK_ADMIN_KEY: adminKey }
const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" }

const holiday = (number: number) => ({
  name: `row ${number} ${"x".repeat(1000)}`,
  date: "2027-05-01",
  companyId: "demo",
  year: 2000
})

const serve = (bin: string, folder: string, store: string) =>
  Effect.map(
    Program.start(
      [
        bin,
        "serve",
        "--port",
        "0",
        "--seed",
        "empty",
        "--store",
        join(folder, store),
        "--snapshots",
        join(folder, "snapshots")
      ],
      /Try:/,
      { env }
    ),
    (running) => ({ ...running, origin: /http:\/\/127\.0\.0\.1:\d+/.exec(running.said)?.[0] ?? "" })
  )

const create = async (origin: string, body: unknown) => {
  const response = await fetch(`${origin}/rest/holiday?select=id`, {
    method: "POST",
    headers,
    body: JSON.stringify(body)
  })
  await response.arrayBuffer()
  assert.strictEqual(response.status, 201)
}

/** Rows that make a save take a while. */
const fill = async (origin: string) => {
  for (let batch = 0; batch < 10; batch++) {
    await create(
      origin,
      Array.from({ length: 2000 }, () => ({ ...holiday(-1), year: 1999 }))
    )
  }
}

/** Runs the command until the scope ends; returns what it has written. */
const schedule = (bin: string, folder: string, store: string, keep: number) =>
  Effect.gen(function* () {
    const args = [bin, "snapshot", "save", "--store", join(folder, store), "--every", "1s", "--keep", String(keep)]
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [...args, join(folder, "snapshots")], {
          env: { ...Program.environment(env) },
          stdio: ["ignore", "ignore", "pipe"]
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
    const end = Effect.promise(async () => {
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve))
      child.kill("SIGTERM")
      return ended
    })
    return { end, said: () => said }
  })

const saved = (folder: string): ReadonlyArray<string> => {
  const snapshots = join(folder, "snapshots")
  return existsSync(snapshots)
    ? readdirSync(snapshots)
        .filter((name) => name.startsWith("scheduled-"))
        .toSorted()
    : []
}

const until = (isSo: () => boolean, said: () => string) =>
  Effect.promise(async () => {
    for (const end = Date.now() + 60_000; !isSo(); await setTimeout(20)) {
      if (Date.now() > end) assert.fail(`not within a minute: ${said()}`)
    }
  })

describe("mfg-mock snapshot save --every", () => {
  it.scoped(
    "keeps the newest snapshots of a running service, and ends with its signal",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const folder = yield* Tree.make({ "snapshots/scheduled-notes.txt": "kept", "snapshots/other.db": "kept" })
        yield* serve(bin, folder, "mock.db")
        const { end, said } = yield* schedule(bin, folder, "mock.db", 2)
        yield* until(() => said().split("; deleted scheduled-").length > 2, said)
        yield* end
        const names = saved(folder)
        assert.lengthOf(names, 3)
        assert.include(names, "scheduled-notes.txt")
        assert.include(readdirSync(join(folder, "snapshots")), "other.db")
        assert.match(said(), /Saved to \S+scheduled-\d{8}T\d{9}Z\.db: \d+ bytes in \d/)
      }),
    90_000
  )

  it.scoped(
    "leaves a snapshot that restores an acknowledged state when the service is killed during a save",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const folder = yield* Tree.make({})
        const { end, origin } = yield* serve(bin, folder, "mock.db")
        yield* Effect.promise(() => fill(origin))
        const { end: unschedule, said } = yield* schedule(bin, folder, "mock.db", 2)
        yield* until(() => saved(folder).length > 0, said)
        /** The times of the responses to the writes, one after the other. */
        const acknowledged: Array<number> = []
        let sent = 0
        const writing = (async () => {
          for (;;) {
            sent += 1
            await create(origin, holiday(sent))
            acknowledged.push(Date.now())
          }
        })().catch(() => undefined)
        yield* until(() => saved(folder).length > 1 && acknowledged.length > 50, said)
        const isSaving = () => readdirSync(join(folder, "snapshots")).some((name) => name.startsWith(".mfg-mock-"))
        yield* Effect.promise(async () => {
          while (!isSaving()) await setImmediate()
        })
        yield* end("SIGKILL")
        yield* Effect.promise(() => writing)
        // Without a service the command opens the store itself, which has one owner.
        yield* unschedule

        const newest = saved(folder).at(-1) ?? assert.fail("there is no snapshot")
        const [, date, time] = /^scheduled-(\d{8})T(\d{9})Z/.exec(newest) ?? []
        const at = Date.parse(
          `${date} ${time}`.replace(/(\d{4})(\d\d)(\d\d) (\d\d)(\d\d)(\d\d)(\d{3})/, "$1-$2-$3T$4:$5:$6.$7Z")
        )
        const restored = yield* Program.node(
          [bin, "snapshot", "restore", "--store", join(folder, "restored.db"), join(folder, "snapshots", newest)],
          { env }
        )
        assert.strictEqual(restored.code, 0, restored.stderr)
        const again = yield* serve(bin, folder, "restored.db")
        const rows = yield* Effect.promise(async () => {
          const response = await fetch(`${again.origin}/rest/holiday?select=name&year=eq.2000&limit=10000`, { headers })
          // as selected
          return (await response.json()) as ReadonlyArray<{ readonly name: string }>
        })
        // Each write began after the response to the one before it, so a state of the store has the first ones.
        const numbers = rows.map(({ name }) => Number(name.split(" ")[1])).toSorted((one, other) => one - other)
        assert.deepStrictEqual(
          numbers,
          numbers.map((_, index) => index + 1)
        )
        assert.isAtLeast(numbers.length, acknowledged.filter((time) => time < at).length)
        assert.isAtMost(numbers.length, sent)
        // The store itself has every acknowledged row.
        const original = yield* serve(bin, folder, "mock.db")
        const range = yield* Effect.promise(async () => {
          const response = await fetch(`${original.origin}/rest/holiday?select=id&year=eq.2000&limit=0`, {
            headers: { ...headers, Prefer: "count=exact" }
          })
          return response.headers.get("content-range")
        })
        assert.isAtLeast(Number(range?.split("/")[1]), acknowledged.length)
      }),
    120_000
  )

  it.scoped(
    "lets the service respond while it copies",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const folder = yield* Tree.make({})
        const { origin } = yield* serve(bin, folder, "mock.db")
        yield* Effect.promise(() => fill(origin))
        const count = yield* Effect.promise(async () => {
          const state = { isSaved: false }
          const save = fetch(`${origin}/_mock/snapshot/save`, {
            method: "POST",
            headers: { ...headers, Authorization: `Bearer ${adminKey}` },
            body: JSON.stringify({ file: join(folder, "snapshots", "once.db") })
          }).then(({ status }) => {
            state.isSaved = true
            return status
          })
          let count = 0
          while (!state.isSaved) {
            await create(origin, holiday(count))
            if (!state.isSaved) count += 1
          }
          assert.strictEqual(await save, 200)
          return count
        })
        assert.isAbove(count, 10)
      }),
    90_000
  )

  it.effect(
    "refuses values by their flags",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const save = (...args: ReadonlyArray<string>) =>
          Effect.map(Program.node([bin, "snapshot", "save", ...args, "snapshots"]), ({ code, stderr }) => ({
            code,
            stderr
          }))
        const every = yield* save("--every", "soon")
        assert.notStrictEqual(every.code, 0)
        assert.include(every.stderr, `Invalid value "soon" for --every: expected a time from 1s to 30d`)
        const keep = yield* save("--every", "5m", "--keep", "0")
        assert.include(keep.stderr, `Invalid value "0" for --keep: expected an integer from 1 to 1000000`)
        const alone = yield* save("--keep", "3")
        assert.include(alone.stderr, "--keep is for snapshots at regular times")
      }).pipe(Effect.scoped),
    60_000
  )
})
