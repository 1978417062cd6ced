/**
 * Checks that a store that cannot be opened is refused with one sentence, which names the cause and the remedy.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import Database from "libsql"
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const isPosix = process.platform !== "win32"
const nobody = 65_534
const isRoot = process.getuid?.() === 0

/** Rights do not bind the superuser, so the program becomes another user first. */
const asUser = isRoot ? ["--import", `data:text/javascript,process.setgid(${nobody});process.setuid(${nobody})`] : []

/** Gives a path to that user. */
const give = (path: string, mode: number) => {
  if (isRoot) chownSync(path, nobody, nobody)
  chmodSync(path, mode)
}

/** The cases: each prepares a folder, and returns the store and the end of the refusal, with `~` for the folder. */
const cases: ReadonlyArray<
  readonly [name: string, prepare: (folder: string) => string, refusal: string, needsRights?: boolean]
> = [
  [
    "a directory",
    (folder) => {
      mkdirSync(join(folder, "mock.db"))
      return join(folder, "mock.db")
    },
    "~/mock.db cannot be opened: it is a directory; name a file in it, such as ~/mock.db/mock.db"
  ],
  [
    "a file as a part of the path",
    (folder) => {
      writeFileSync(join(folder, "file"), "")
      return join(folder, "file", "mock.db")
    },
    "~/file/mock.db cannot be opened: a part of the path ~/file is a file, and has to be a directory"
  ],
  [
    "a file without the right to read it",
    (folder) => {
      writeFileSync(join(folder, "mock.db"), "")
      give(join(folder, "mock.db"), 0o000)
      return join(folder, "mock.db")
    },
    "~/mock.db cannot be opened: this user may not read and write it; change its owner or its mode, or start the service as its owner",
    true
  ],
  [
    "a file that is read-only",
    (folder) => {
      writeFileSync(join(folder, "mock.db"), "")
      give(join(folder, "mock.db"), 0o400)
      return join(folder, "mock.db")
    },
    "~/mock.db cannot be opened: this user may not read and write it; change its owner or its mode, or start the service as its owner",
    true
  ],
  [
    "a directory that cannot be written",
    (folder) => {
      mkdirSync(join(folder, "data"))
      give(join(folder, "data"), 0o500)
      return join(folder, "data", "mock.db")
    },
    "~/data/mock.db cannot be opened: this user may not create files in the directory ~/data; change its owner or its mode, or start the service as its owner",
    true
  ],
  [
    "a file in a directory that cannot be written",
    (folder) => {
      mkdirSync(join(folder, "data"))
      writeFileSync(join(folder, "data", "mock.db"), "")
      give(join(folder, "data", "mock.db"), 0o600)
      give(join(folder, "data"), 0o500)
      return join(folder, "data", "mock.db")
    },
    "~/data/mock.db cannot be opened: this user may not create files in the directory ~/data; change its owner or its mode, or start the service as its owner",
    true
  ],
  [
    "a lock that cannot be written",
    (folder) => {
      writeFileSync(join(folder, "mock.db-lock"), "")
      give(join(folder, "mock.db-lock"), 0o400)
      return join(folder, "mock.db")
    },
    "~/mock.db cannot be opened: this user may not write ~/mock.db-lock; change its owner or its mode, or start the service as its owner",
    true
  ],
  [
    "a note of the owner that cannot be written",
    (folder) => {
      writeFileSync(join(folder, "mock.db.lock"), "")
      give(join(folder, "mock.db.lock"), 0o400)
      return join(folder, "mock.db")
    },
    "~/mock.db cannot be opened: this user may not write ~/mock.db.lock; change its owner or its mode, or start the service as its owner",
    true
  ],
  [
    "a lock that is a directory",
    (folder) => {
      mkdirSync(join(folder, "mock.db-lock"))
      return join(folder, "mock.db")
    },
    "~/mock.db cannot be opened: ~/mock.db-lock is a directory, and has to be a file; remove it"
  ],
  [
    "a file that is not a database",
    (folder) => {
      writeFileSync(join(folder, "mock.db"), "year,name\n2027,Founding day\n".repeat(100))
      return join(folder, "mock.db")
    },
    "The database ~/mock.db contains other data than a store of mfg-mock: name another file or database"
  ],
  [
    "a database of another program",
    (folder) => {
      const database = new Database(join(folder, "mock.db"))
      database.exec("CREATE TABLE t (a)")
      database.close()
      return join(folder, "mock.db")
    },
    "The database ~/mock.db contains other data than a store of mfg-mock: name another file or database"
  ],
  [
    "a store of a newer version",
    (folder) => {
      const database = new Database(join(folder, "mock.db"))
      database.exec(
        `CREATE TABLE "_meta" ("key" TEXT PRIMARY KEY, "value" TEXT); INSERT INTO "_meta" VALUES ('schema', '99')`
      )
      database.close()
      return join(folder, "mock.db")
    },
    "~/mock.db has schema 99, but this version supports schemas up to "
  ],
  [
    "a store whose schema is damaged",
    (folder) => {
      const file = join(folder, "mock.db")
      const database = new Database(file)
      database.exec("CREATE TABLE t (a)")
      database.close()
      const bytes = readFileSync(file)
      bytes.fill(0xa5, 100, 120)
      writeFileSync(file, bytes)
      return file
    },
    "~/mock.db is damaged (database disk image is malformed): repair it with"
  ]
]

describe("a store that cannot be opened", () => {
  it.scoped.skipIf(!isPosix)(
    "is refused with one sentence",
    () =>
      Effect.gen(function* () {
        const mock = yield* Bin.bundle("mock")
        for (const [name, prepare, refusal, needsRights = false] of cases) {
          const folder = yield* Tree.make({})
          give(folder, 0o700)
          const umask = process.umask(0o077)
          const store = prepare(folder)
          process.umask(umask)
          const args = [...(needsRights ? asUser : []), mock, "serve", "--port", "0", "--store", `sqlite:${store}`]
          const { code, stderr, stdout } = yield* Program.node(args, { cwd: "/" })
          assert.deepStrictEqual([code, stdout], [1, ""], `${name}: ${stderr}`)
          assert.lengthOf(stderr.trimEnd().split("\n"), 1, stderr)
          assert.include(stderr.replaceAll(folder, "~"), refusal, name)
        }
      }),
    300_000
  )

  it.scoped.skipIf(!isPosix)(
    "because another process serves it, names that process and its port, also through a symbolic link",
    () =>
      Effect.gen(function* () {
        const mock = yield* Bin.bundle("mock")
        const folder = yield* Tree.make({})
        const store = join(folder, "mock.db")
        const serve = [mock, "serve", "--port", "0", "--store"]
        const { pid, said } = yield* Program.start([...serve, `sqlite:${store}`], /Try:/)
        const port = /127\.0\.0\.1:(\d+)/.exec(said)?.[1]
        symlinkSync(store, join(folder, "link.db"))
        symlinkSync(folder, join(folder, "folder"))
        for (const place of [store, join(folder, "link.db"), join(folder, "folder", "mock.db")]) {
          const { code, stderr } = yield* Program.node([...serve, `sqlite:${place}`])
          assert.strictEqual(code, 1)
          assert.include(
            stderr,
            `The store ${place} is in use by process ${pid}, which serves port ${port}: use that service, or stop it first`
          )
        }
      }),
    300_000
  )
})
