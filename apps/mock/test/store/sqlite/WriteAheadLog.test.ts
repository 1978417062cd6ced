import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Change } from "../../../src/sql/Change.ts"
import * as AsyncConnection from "../../../src/store/sqlite/readers/AsyncConnection.ts"
import * as CommitQueue from "../../../src/store/sqlite/CommitQueue.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import * as WriteAheadLog from "../../../src/store/sqlite/WriteAheadLog.ts"
import * as Measurement from "../../Measurement.ts"
import { scratch } from "../scratch.ts"

const megabyte = 1024 * 1024

const insert = (text: string): Change<void, never> => ({
  steps: [{ _tag: "Run", statement: { text: `INSERT INTO "t" VALUES (?)`, parameters: [text] } }],
  resolve: () => Either.void
})

const setUp = (options: Partial<WriteAheadLog.Options> = {}) =>
  Effect.acquireRelease(
    Effect.map(scratch, (folder) => {
      const file = path.join(folder, "store.db")
      const driver = SqliteDriver.open(file)
      driver.script(`CREATE TABLE "t" ("text" TEXT)`)
      const log = WriteAheadLog.make({
        driver,
        path: file,
        durable: true,
        connect: () => AsyncConnection.open(file, { durable: true, isReadOnly: false, cacheKiB: 2048, threads: 4 }),
        readers: { pause: () => Promise.resolve(() => undefined) },
        ...options
      })
      const queue = CommitQueue.make(driver, log)
      let isOpen = true
      const close = async () => {
        if (!isOpen) return
        isOpen = false
        await queue.close()
        await log.close()
        driver.close()
      }
      return { folder, file, driver, log, queue, close, bytes: () => fs.statSync(`${file}-wal`).size }
    }),
    ({ close }) => Effect.promise(close)
  )

/** Writes for as long as a number of megabytes takes, from 16 callers. */
const load = (queue: CommitQueue.CommitQueue, megabytes: number, each: () => void) =>
  Effect.forEach(
    Array.from({ length: megabytes * 16 }),
    () => Effect.tap(queue.change(insert("x".repeat(megabyte / 16))), () => Effect.sync(each)),
    { concurrency: 16, discard: true }
  )

describe("WriteAheadLog", () => {
  it.scopedLive(
    "stays small under a constant load, and leaves one complete file",
    () =>
      Effect.gen(function* () {
        const { bytes, close, folder, queue } = yield* setUp()
        let most = 0
        yield* load(queue, 64, () => (most = Math.max(most, bytes())))
        assert.isBelow(most, 40 * megabyte)
        yield* Effect.promise(close)
        assert.deepStrictEqual(fs.readdirSync(folder), ["store.db"])
        assert.isAbove(fs.statSync(path.join(folder, "store.db")).size, 64 * megabyte)
      }),
    Measurement.retried
  )

  it.scopedLive("overwrites the log when it starts again", () =>
    Effect.gen(function* () {
      const { bytes, close, queue } = yield* setUp()
      const sizes: Array<number> = []
      yield* load(queue, 64, () => sizes.push(bytes()))
      const grown = sizes.findIndex((size) => size > 16 * megabyte)
      assert.isAbove(grown, 0)
      assert.include(sizes.slice(grown), 16 * megabyte)
      for (const size of sizes.slice(grown)) assert.isAtLeast(size, 16 * megabyte)
      yield* Effect.promise(close)
    })
  )

  it.scopedLive("pauses readers that keep a large log from starting again", () =>
    Effect.gen(function* () {
      let release = () => {}
      let pauses = 0
      const { bytes, file, queue } = yield* setUp({
        maxBytes: 5 * megabyte,
        readers: {
          pause: () => {
            pauses += 1
            release()
            return Promise.resolve(() => undefined)
          }
        }
      })
      const reader = SqliteDriver.openReader(file, 2048)
      // Keeps the state of this moment, as a long query does.
      reader.execute({ text: "BEGIN", parameters: [] })
      reader.execute({ text: `SELECT count(*) FROM "t"`, parameters: [] })
      release = () => reader.execute({ text: "ROLLBACK", parameters: [] })
      let most = 0
      yield* load(queue, 64, () => (most = Math.max(most, bytes())))
      assert.isAbove(pauses, 0)
      assert.isAbove(most, 40 * megabyte)
      yield* load(queue, 1, () => undefined)
      assert.isAtMost(bytes(), 24 * megabyte)
      reader.close()
    })
  )

  it.scopedLive("copies the log to the file after a failed sync, because later syncs prove nothing", () =>
    Effect.gen(function* () {
      let isFailing = true
      const { bytes, file, queue } = yield* setUp({
        sync: () => (isFailing ? Promise.reject(new Error("EIO")) : Promise.resolve())
      })
      const failed = yield* Effect.flip(queue.change(insert("lost?")))
      assert.strictEqual(failed._tag, "StoreUnavailable")
      assert.isAbove(bytes(), 0)
      isFailing = false
      yield* queue.change(insert("kept"))
      assert.strictEqual(bytes(), 0)
      assert.include(fs.readFileSync(file, "latin1"), "kept")
    })
  )

  it.scopedLive("fails while a failed sync cannot be made up for", () =>
    Effect.gen(function* () {
      let isFailing = true
      const { file, queue } = yield* setUp({
        sync: () => (isFailing ? Promise.reject(new Error("EIO")) : Promise.resolve())
      })
      const reader = SqliteDriver.openReader(file, 2048)
      reader.execute({ text: "BEGIN", parameters: [] })
      reader.execute({ text: `SELECT count(*) FROM "t"`, parameters: [] })
      yield* Effect.flip(queue.change(insert("a")))
      isFailing = false
      yield* Effect.flip(queue.change(insert("b")))
      reader.execute({ text: "ROLLBACK", parameters: [] })
      yield* queue.change(insert("c"))
      reader.close()
    })
  )
})
