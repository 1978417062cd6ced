/**
 * Checks the modes of all files that the built programs make while the umask allows everything to everyone.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const isPosix = process.platform !== "win32"

/** Files and folders that other users have a permission on. */
const shared = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => (statSync(join(folder, name)).mode & 0o077) !== 0
  )

/** Makes every new file open to all, unless the program prevents it. */
const underOpenMask = ["--import", "data:text/javascript,process.umask(0)"]

describe("files", () => {
  it.scoped.skipIf(!isPosix)(
    "are for their owner alone, whatever the umask is",
    () =>
      Effect.gen(function* () {
        const mock = yield* Bin.bundle("mock")
        const cli = yield* Bin.bundle("cli")
        const folder = yield* Tree.make({})
        const key = "mfg_private_files"
        const env = { XDG_CONFIG_HOME: join(folder, "config"), MFG_MOCK_API_KEY: key, MFG_API_KEY: key }
        const store = ["--store", "sqlite:data/mock.db"]
        const done = (args: ReadonlyArray<string>) =>
          Effect.map(Program.node([...underOpenMask, ...args], { cwd: folder, env }), ({ code, stderr }) =>
            assert.strictEqual(code, 0, stderr)
          )
        const serve = [...underOpenMask, mock, "serve", "--port", "0", ...store]
        const { end, said } = yield* Program.start(serve, /Try:/, { cwd: folder, env })
        assert.includeMembers(readdirSync(join(folder, "data")), ["mock.db", "mock.db-wal", "mock.db.lock"])
        const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? ""
        yield* done([cli, "login", "--url", origin])
        yield* done([cli, "export", "--to", "exported"])
        assert.isTrue(existsSync(join(folder, "config/mfg/profiles.json")))
        assert.deepStrictEqual(shared(folder), [])
        yield* end("SIGTERM")
        for (const file of ["all.ndjson.gz", "all.db"]) {
          yield* done([mock, "snapshot", "save", file, ...store])
          assert.isTrue(existsSync(join(folder, file)))
        }
        assert.deepStrictEqual(shared(folder), [])
      }),
    300_000
  )

  it.scoped.skipIf(!isPosix)(
    "of an existing store are taken from other users, which is said once",
    () =>
      Effect.gen(function* () {
        const mock = yield* Bin.bundle("mock")
        const folder = yield* Tree.make({ "empty.json": JSON.stringify({ companies: [], users: [], rows: {} }) })
        mkdirSync(join(folder, "shared"))
        const command = [mock, "keys", "list", "--store", "sqlite:shared/mock.db"]
        yield* Program.node([mock, "seed", "empty.json", "--store", "sqlite:shared/mock.db"], { cwd: folder })
        chmodSync(join(folder, "shared/mock.db"), 0o644)
        const first = yield* Program.node(command, { cwd: folder })
        assert.strictEqual(first.code, 0, first.stderr)
        assert.include(first.stderr, "Other users of this machine could read shared/mock.db. Now only its owner can.")
        assert.strictEqual(statSync(join(folder, "shared/mock.db")).mode & 0o777, 0o600)
        assert.notInclude((yield* Program.node(command, { cwd: folder })).stderr, "Other users")
      }),
    300_000
  )
})
