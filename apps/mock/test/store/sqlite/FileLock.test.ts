import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as fs from "node:fs"
import * as path from "node:path"
import * as FileLock from "../../../src/store/sqlite/FileLock.ts"
import { scratch } from "../scratch.ts"

describe("FileLock", () => {
  it.scoped("reads the last owner of the note", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "store.db")
      assert.deepStrictEqual(FileLock.read(file), Option.none())
      FileLock.write(file, { pid: 17, address: null })
      FileLock.write(file, { pid: 18, address: { host: "0.0.0.0", port: 4010 } })
      assert.deepStrictEqual(FileLock.read(file), Option.some({ pid: 18, address: { host: "0.0.0.0", port: 4010 } }))
      FileLock.remove(file)
      FileLock.remove(file)
      assert.deepStrictEqual(FileLock.read(file), Option.none())
    })
  )

  it.scoped("ignores a note that cannot be parsed", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "store.db")
      for (const text of ["", "17", `{"pid":"17","address":null}`, "{"]) {
        fs.writeFileSync(`${file}.lock`, text)
        assert.deepStrictEqual(FileLock.read(file), Option.none())
      }
    })
  )
})
