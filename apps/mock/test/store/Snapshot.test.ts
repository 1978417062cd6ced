import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as zlib from "node:zlib"
import * as Snapshot from "../../src/store/Snapshot.ts"
import { scratch } from "./scratch.ts"

const row = (name: string): Snapshot.Line => ({ table: "t", row: { name } })

const collect = (file: string) => {
  const seen: Array<unknown> = []
  const target = { header: (header: unknown) => seen.push(header), line: (line: unknown) => seen.push(line) }
  return Effect.map(Snapshot.read(file, target), () => seen)
}

const write = (file: string, text: string | Buffer) => fs.writeFileSync(file, zlib.gzipSync(text))

describe("Snapshot", () => {
  it.scoped("reads the records that it wrote, in order, with any characters", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "all.ndjson.gz")
      const rows = ["a", "ü 漢 👩‍🚀", "line\nbreak \u2028", "", "x".repeat(200_000), "é".repeat(70_001)].map(row)
      const header = Snapshot.header("public", { t: rows.length, empty: 0 })
      yield* Snapshot.write(
        file,
        header,
        rows.map((line) => JSON.stringify(line))
      )
      assert.deepStrictEqual(yield* collect(file), [header, ...rows])
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
      assert.lengthOf(zlib.gunzipSync(fs.readFileSync(file)).toString().split("\n"), rows.length + 2)
    })
  )

  it.scoped("leaves the existing file unchanged when it cannot finish", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const file = path.join(folder, "all.ndjson.gz")
      yield* Snapshot.write(file, Snapshot.header("contract", {}), [])
      const before = fs.readFileSync(file)
      const broken = (function* () {
        yield "{}"
        throw new Error("the store broke")
      })()
      const error = yield* Effect.flip(Snapshot.write(file, Snapshot.header("contract", {}), broken))
      assert.include(error.message, "the store broke")
      assert.deepStrictEqual(fs.readFileSync(file), before)
      assert.deepStrictEqual(fs.readdirSync(folder), ["all.ndjson.gz"])
    })
  )

  const header = JSON.stringify(Snapshot.header("contract", { t: 2 }))
  const one = JSON.stringify(row("a"))
  it.scoped.each([
    ["no gzip at all", (file: string) => fs.writeFileSync(file, `${header}\n${one}`), /incorrect header check/],
    ["a cut file", (file: string) => fs.writeFileSync(file, zlib.gzipSync(header).subarray(0, -12)), /unexpected end/],
    ["nothing", (file: string) => write(file, ""), /it is empty/],
    ["another format", (file: string) => write(file, `{"format":"x"}`), /line 1 cannot be read: .*mfgdata-snapshot/s],
    [
      "a newer version",
      (file: string) => write(file, header.replace(`"version":1`, `"version":2`)),
      /line 1 .*reads snapshots up to version 1/s
    ],
    ["a broken line", (file: string) => write(file, `${header}\n${one}\n{"table":`), /line 3 cannot be read/],
    ["bad UTF-8", (file: string) => write(file, Buffer.from([0x7b, 0xff, 0x7d])), /not valid/],
    ["too few rows", (file: string) => write(file, `${header}\n${one}`), /1 rows of t, and its header says 2/],
    ["too many rows", (file: string) => write(file, [header, one, one, one].join("\n")), /3 rows of t, and .* 2/],
    [
      "rows not announced",
      (file: string) => write(file, [header, one, one, one.replace(`"t"`, `"u"`)].join("\n")),
      /1 rows of u, and its header says 0/
    ]
  ] as const)("refuses %s", ([, prepare, message]) =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "broken")
      prepare(file)
      const error = yield* Effect.flip(collect(file))
      assert.strictEqual(error._tag, "SnapshotUnreadable")
      assert.match(error.message, message)
    })
  )

  it.scoped("attributes an error of the target to its line", () =>
    Effect.gen(function* () {
      const file = path.join(yield* scratch, "all.ndjson.gz")
      write(file, [header, one, one].join("\n"))
      const error = yield* Effect.flip(
        Snapshot.read(file, {
          header: () => {},
          line: () => {
            throw new Error("no room")
          }
        })
      )
      assert.strictEqual(error.message, `The snapshot ${file}, line 2 cannot be read: no room`)
    })
  )
})
