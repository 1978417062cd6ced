import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as AsyncConnection from "../../../src/store/sqlite/readers/AsyncConnection.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import { scratch } from "../scratch.ts"

/** The priorities of the threads of this process by name. */
const priorities = () =>
  fs.readdirSync("/proc/self/task").map((id) => ({
    name: fs.readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim(),
    priority: os.getPriority(Number(id))
  }))

const onLinux = process.platform === "linux" ? it.scopedLive : it.scopedLive.skip

describe("the threads of an asynchronous connection", () => {
  onLinux("have a lower priority than the event loop", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "store.db")
      const driver = SqliteDriver.open(file)
      const options = { durable: true, isReadOnly: true, cacheKiB: 2048, threads: 4 }
      const connection = yield* Effect.promise(() => AsyncConnection.open(file, options))
      const own = os.getPriority()
      const [readers, others] = [true, false].map((isReader) =>
        priorities().filter(({ name }) => name.startsWith("tokio-runtime") === isReader)
      )
      assert.isNotEmpty(readers)
      for (const { priority } of readers ?? []) assert.isAbove(priority, own)
      for (const { name, priority } of others ?? []) assert.strictEqual(priority, own, name)
      yield* Effect.promise(connection.close)
      driver.close()
    })
  )
})
