/**
 * Work in a folder: `mfg pull`, `mfg diff` and `mfg push`.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Cli from "../../src/Cli.ts"
import * as KilledPush from "../../src/KilledPush.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

const replace = (path: string, from: RegExp | string, to: string) =>
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to))

const linesOf = (path: string) => Cli.rowsOf(readFileSync(path, "utf8"))

/** Pulls resources into a new folder. */
const pulled = (name: string, ...resources: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const cli = yield* Cli.Cli
    const folder = join(cli.folder, name)
    const { code, stderr } = yield* Cli.mfg(["pull", ...resources, "--into", folder])
    assert.strictEqual(code, 0, stderr)
    return { folder, file: (resource: string) => join(folder, `${resource}.ndjson`) }
  })

describe("a pulled folder", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.effect(
      "has a sorted file for each resource, equal after each pull",
      () =>
        Effect.gen(function* () {
          const { file, folder } = yield* pulled("stable", "holiday", "paymentTerm")
          const rows = linesOf(file("holiday"))
          assert.isAbove(rows.length, 5)
          const keys = rows.map(({ id }) => String(id))
          assert.deepStrictEqual(keys, keys.toSorted())
          const before = readFileSync(file("holiday"), "utf8")
          yield* pulled("stable")
          assert.strictEqual(readFileSync(file("holiday"), "utf8"), before)
          assert.strictEqual(readFileSync(join(folder, ".mfg", ".gitignore"), "utf8"), "*\n")
          assert.isFalse(existsSync(file("kanban")))
          const none = yield* Cli.mfg(["diff", folder])
          assert.deepStrictEqual([none.code, none.stdout], [0, ""])
          const nothing = yield* Cli.mfg(["push", folder])
          assert.deepStrictEqual([nothing.code, nothing.stderr], [0, "No changes.\n"])
        }),
      slow
    )

    it.effect(
      "shows its changes, and pushes new, changed and deleted rows",
      () =>
        Effect.gen(function* () {
          const { file, folder } = yield* pulled("cycle", "warehouseTransfer", "warehouseTransferLine", "holiday")
          const [transfer, ...others] = linesOf(file("warehouseTransfer"))
          const [line] = linesOf(file("warehouseTransferLine"))
          // New rows refer to each other by keys of their own, until they have those of the service.
          appendFileSync(
            file("warehouseTransfer"),
            JSON.stringify({
              ...transfer,
              id: "new-1",
              transferId: "PUSHED",
              createdAt: undefined,
              createdBy: undefined,
              updatedAt: undefined,
              updatedBy: undefined
            }) + "\n"
          )
          appendFileSync(
            file("warehouseTransferLine"),
            JSON.stringify({
              ...line,
              id: undefined,
              transferId: "new-1",
              createdAt: undefined,
              createdBy: undefined,
              updatedAt: undefined,
              updatedBy: undefined
            }) + "\n"
          )
          replace(file("holiday"), "Good Friday", "Great Friday")
          replace(file("holiday"), /^.*Easter Monday.*\n/m, "")
          const diff = yield* Cli.mfg([
            "diff",
            folder,
            "--jq",
            ".[] | [.resource, .change, .key, .field, .before] | tojson"
          ])
          const shown: ReadonlyArray<unknown> = diff.stdout
            .trimEnd()
            .split("\n")
            .map((text) => JSON.parse(text))
          assert.deepStrictEqual(
            shown.map((row) => (Array.isArray(row) ? row.slice(0, 4) : row)),
            [
              ["warehouseTransfer", "create", "new-1", null],
              ["warehouseTransferLine", "create", null, null],
              ["holiday", "update", "hol_2026-04-03", "name"],
              ["holiday", "delete", "hol_2026-04-06", null]
            ]
          )
          const dry = yield* Cli.mfg(["push", folder, "--dry-run"])
          assert.include(dry.stderr, "(Dry run: nothing was written.)")
          assert.deepInclude(Cli.rowsOf(dry.stdout), { resource: "holiday", creates: 0, updates: 1, deletes: 0 })
          assert.include(dry.stderr, "1 row is missing in the folder; --delete deletes it.")
          const all = yield* Cli.mfg(["push", folder, "--dry-run", "--delete"])
          assert.deepInclude(Cli.rowsOf(all.stdout), { resource: "holiday", creates: 0, updates: 1, deletes: 1 })
          const first = yield* Cli.mfg(["push", folder])
          assert.strictEqual(first.code, 0, first.stderr)
          assert.include(first.stderr, "1 row is missing in the folder; --delete deletes it.")
          const [created] = Cli.rowsOf(
            (yield* Cli.mfg(["warehouseTransfer", "list", "--where", "transferId=PUSHED"])).stdout
          )
          const id = String(created?.["id"])
          const lines = yield* Cli.mfg(["warehouseTransferLine", "list", "--where", `transferId=${id}`])
          assert.lengthOf(Cli.rowsOf(lines.stdout), 1)
          assert.isTrue(linesOf(file("warehouseTransfer")).some((row) => row["id"] === id && row["createdAt"] !== null))
          assert.lengthOf(linesOf(file("warehouseTransfer")), others.length + 2)
          assert.strictEqual((yield* Cli.mfg(["holiday", "get", "hol_2026-04-06"])).code, 0)
          const second = yield* Cli.mfg(["push", folder, "--delete"])
          assert.strictEqual(second.code, 0, second.stderr)
          assert.strictEqual((yield* Cli.mfg(["holiday", "get", "hol_2026-04-06"])).code, 6)
          assert.strictEqual((yield* Cli.mfg(["diff", folder])).stdout, "")
        }),
      slow
    )

    it.effect(
      "lists conflicts before anything is written, and merges them with a pull",
      () =>
        Effect.gen(function* () {
          const { file, folder } = yield* pulled("conflict", "holiday")
          const [one, two, three] = linesOf(file("holiday")).map(({ id }) => String(id))
          const rename = (id: string, name: string) =>
            replace(file("holiday"), new RegExp(`("id":"${id}","name":)"[^"]*"`), `$1"${name}"`)
          for (const id of [one, two, three]) rename(String(id), `Mine ${id}`)
          yield* Cli.mfg(["holiday", "update", String(one), "--name", "Theirs"])
          yield* Cli.mfg(["holiday", "update", String(two), "--year", "1999"])
          const refused = yield* Cli.mfg(["push", folder])
          assert.strictEqual(refused.code, 8)
          assert.include(refused.stderr, `holiday ${one} has changed there: name is "Theirs", and "Mine ${one}" here`)
          assert.include(refused.stderr, "Nothing was written.")
          const unchanged = yield* Cli.mfg(["holiday", "get", String(three), "--jq", ".name"])
          assert.notInclude(unchanged.stdout, "Mine")
          const merged = yield* Cli.mfg(["pull", "--into", folder])
          assert.strictEqual(merged.code, 0, merged.stderr)
          assert.include(merged.stderr, `holiday ${one}: name is "Theirs" there, and "Mine ${one}" here.`)
          assert.strictEqual((yield* Cli.mfg(["push", folder])).code, 0)
          const now = Cli.rowsOf((yield* Cli.mfg(["holiday", "list", "--where", `id=in.(${one},${two})`])).stdout)
          assert.deepInclude(now[0], { id: one, name: `Mine ${one}` })
          assert.deepInclude(now[1], { id: two, name: `Mine ${two}`, year: 1999 })
          rename(String(two), "Kept")
          yield* Cli.mfg(["holiday", "delete", String(two), "--yes"])
          const gone = yield* Cli.mfg(["pull", "--into", folder])
          const lost = join(folder, ".mfg", "lost.ndjson")
          assert.strictEqual(
            gone.stderr,
            `holiday ${two}: changed here, and deleted there.\nYour versions of deleted rows are in ${lost}.\n`
          )
          assert.include(readFileSync(lost, "utf8"), '"name":"Kept"')
          rename(String(three), "Discarded")
          yield* Cli.mfg(["pull", "--into", folder, "--discard"])
          assert.notInclude(readFileSync(file("holiday"), "utf8"), "Discarded")
        }),
      slow
    )

    it.effect(
      "keeps the changes that the service refuses",
      () =>
        Effect.gen(function* () {
          const { file, folder } = yield* pulled("refused", "holiday")
          const count = linesOf(file("holiday")).length
          appendFileSync(file("holiday"), `{"name":"Right","date":"2040-01-01"}\n{"name":"Wrong","date":"someday"}\n`)
          replace(file("holiday"), /"date":"2026-12-25"/, '"date":"Christmas"')
          const { code, stderr, stdout } = yield* Cli.mfg(["push", folder])
          assert.strictEqual(code, 13, stderr)
          assert.deepInclude(Cli.rowsOf(stdout)[0], { creates: 1, updates: 0, refused: 2 })
          assert.match(stderr, new RegExp(`holiday, line ${count + 2}: .*date`))
          const left = yield* Cli.mfg(["diff", folder, "--jq", ".[].change"])
          assert.strictEqual(left.stdout, "update\ncreate\n")
          replace(file("holiday"), `"someday"`, `"2040-01-02"`)
          replace(file("holiday"), `"Christmas"`, `"2026-12-26"`)
          assert.strictEqual((yield* Cli.mfg(["push", folder])).code, 0)
          const made = yield* Cli.mfg(["holiday", "list", "--where", "date>=2040-01-01", "--count"])
          assert.strictEqual(made.stdout, "2\n")
        }),
      slow
    )

    it.effect(
      "names the line of a mistake, and accepts rows in any order",
      () =>
        Effect.gen(function* () {
          const { file, folder } = yield* pulled("flaws", "warehouseTransfer")
          const path = file("warehouseTransfer")
          const original = readFileSync(path, "utf8")
          const [first = "", second = "", ...rest] = original.trimEnd().split("\n")
          writeFileSync(path, [...rest, second, first].join("\n"))
          assert.strictEqual((yield* Cli.mfg(["diff", folder])).stdout, "")
          const wrong: ReadonlyArray<readonly [text: string, says: RegExp]> = [
            [
              [first, "{", ...rest].join("\n"),
              /warehouseTransfer\.ndjson, line 2, column 2: the line is not JSON: expected property name/
            ],
            [[first, first, second].join("\n"), /warehouseTransfer\.ndjson, line 1: the id "[^"]*" occurs twice/],
            [
              original.replace('"status":', '"statsu":'),
              /line 1: Unknown field "statsu" of warehouseTransfer\. Did you mean status\?/
            ],
            [
              original.replace(/"createdAt":"[^"]*"/, '"createdAt":"2020-01-01T00:00:00Z"'),
              /line 1: the service sets the field createdAt/
            ]
          ]
          for (const [text, says] of wrong) {
            writeFileSync(path, text)
            for (const command of ["diff", "push"]) {
              const { code, stderr } = yield* Cli.mfg([command, folder])
              assert.strictEqual(code, 14, stderr)
              assert.match(stderr, says)
            }
          }
          const foreign = yield* Cli.mfg(["diff", "/nonexistent"])
          assert.strictEqual(foreign.code, 14)
          assert.include(foreign.stderr, "it was not made by mfg pull. Run: mfg pull --into /nonexistent")
          const env = { MFG_REST_URL: "http://127.0.0.1:1/rest", MFG_API_KEY: "k" }
          const other = yield* Cli.mfg(["push", folder], { env })
          assert.match(other.stderr, /it was pulled from .*, not from http:\/\/127\.0\.0\.1:1\/rest/)
          rmSync(join(folder, ".mfg", "base", "warehouseTransfer.ndjson"))
          const lost = yield* Cli.mfg(["diff", folder])
          assert.strictEqual(lost.code, 1)
          assert.match(lost.stderr, /base\/warehouseTransfer\.ndjson cannot be read: no such file/)
          assert.include((yield* Cli.mfg(["pull", "holidy", "--into", folder])).stderr, "Did you mean holiday?")
        }),
      slow
    )
  })

  it.scoped(
    "loses and doubles nothing when a push is killed",
    () =>
      Effect.gen(function* () {
        const service = yield* Cli.make()
        const outcome = yield* KilledPush.run(service, { rows: 360, kills: 4 })
        const { seconds: _, ...facts } = outcome
        assert.deepStrictEqual(facts, { killed: 4, created: 360, doubled: 0, changed: 120, left: 0, diff: "" })
      }),
    slow
  )
})
