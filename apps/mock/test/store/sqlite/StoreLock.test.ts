import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import * as StoreLock from "../../../src/store/sqlite/file/StoreLock.ts"
import { scratch } from "../scratch.ts"

describe("StoreLock", () => {
  it.scoped("locks a path once, and leaves no file", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const file = path.join(folder, "store.db")
      const release = StoreLock.acquire(file)
      assert.throws(() => StoreLock.acquire(file), /locked/)
      release()
      assert.deepStrictEqual(fs.readdirSync(folder), [])
      StoreLock.acquire(file)()
    })
  )

  it.scopedLive("ends with the process that holds it, however that ends", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "store.db")
      const libsql = createRequire(import.meta.url).resolve("libsql")
      const script = `const lock = new (require(${JSON.stringify(libsql)}))(${JSON.stringify(`${file}-lock`)})
        lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"); console.log("locked"); setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ["-e", script])
      yield* Effect.promise(() => new Promise((resolve) => child.stdout.once("data", resolve)))
      assert.throws(() => StoreLock.acquire(file), /locked/)
      const gone = new Promise((resolve) => child.once("exit", resolve))
      child.kill("SIGKILL")
      yield* Effect.promise(() => gone)
      StoreLock.acquire(file)()
    })
  )

  it.scopedLive("locks the file at its path when the owner before removes its own", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const file = path.join(folder, "store.db")
      // Locks a file, then removes it and ends while this process waits for the lock.
      const libsql = createRequire(import.meta.url).resolve("libsql")
      const script = `const lock = new (require(${JSON.stringify(libsql)}))(${JSON.stringify(`${file}-lock`)})
        lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"); console.log("locked")
        setTimeout(() => { require("fs").rmSync(${JSON.stringify(`${file}-lock`)}); process.exit() }, 200)`
      const child = spawn(process.execPath, ["-e", script])
      yield* Effect.promise(() => new Promise((resolve) => child.stdout.once("data", resolve)))
      const release = StoreLock.acquire(file)
      assert.deepStrictEqual(fs.readdirSync(folder), ["store.db-lock"])
      assert.throws(() => StoreLock.acquire(file), /locked/)
      release()
    })
  )
})
