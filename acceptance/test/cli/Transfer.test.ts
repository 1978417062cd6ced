import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Cli from "../../src/Cli.ts"
import * as Transfer from "../../src/Transfer.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

type Row = Readonly<Record<string, unknown>>

const ndjson = (rows: ReadonlyArray<object>): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

const rowsIn = (path: string): ReadonlyArray<Row> => Cli.rowsOf(readFileSync(path, "utf8"))

const holiday = (name: string, date: string) => ({ name, date })

describe("a killed import", () => {
  it.scoped(
    "and a killed export resume without lost or duplicate rows",
    () =>
      Effect.gen(function* () {
        const service = yield* Cli.make()
        const outcome = yield* Transfer.run(service, { rows: 2000, batch: 50, killedAt: [0.25, 0.6] })
        assert.deepInclude(outcome, { missing: 0, doubled: 0, isWhole: true })
        assert.strictEqual(outcome.killed.import, 2)
      }),
    slow
  )
})

describe("mfg import", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.effect("reads CSV files of spreadsheets", () =>
      Effect.gen(function* () {
        const csv = `\uFEFFname,date,tags,customFields,year\r\n"Day, with ""quotes""",2031-01-01,"[""a""]","{""n"":1}",\r\nTwo\u2028lines,2031-01-02,,,2031\r\n`
        const done = yield* Cli.mfg(["holiday", "import", "-", "--format", "csv"], { stdin: csv })
        assert.deepStrictEqual(done, {
          code: 0,
          stdout: `{"resource":"holiday","written":2,"refused":0}\n`,
          stderr: ""
        })
        const { stdout } = yield* Cli.mfg(["holiday", "list", "--where", "date>=2031-01-01", "--order", "date"])
        const [first, second] = Cli.rowsOf(stdout)
        assert.deepInclude(first, {
          name: `Day, with "quotes"`,
          tags: ["a"],
          customFields: { n: 1 },
          year: null,
          companyId: "demo"
        })
        assert.deepInclude(second, { name: "Two\u2028lines", tags: null })
      })
    )

    it.effect("--dry-run validates every row and writes none", () =>
      Effect.gen(function* () {
        const { folder } = yield* Cli.Cli
        const stdin = ndjson([holiday("Good", "2032-01-01"), holiday("Bad", "2032-02-30"), { nme: "Worse" }])
        const { code, stdout } = yield* Cli.mfg(
          ["holiday", "import", "-", "--dry-run", "--rejects", join(folder, "dry.ndjson")],
          {
            stdin
          }
        )
        assert.deepStrictEqual({ code, stdout }, { code: 13, stdout: `{"resource":"holiday","valid":1,"invalid":2}\n` })
        const count = yield* Cli.mfg(["holiday", "list", "--count", "--where", "date>=2032-01-01"])
        assert.strictEqual(count.stdout, "0\n")
      })
    )

    it.effect("--on-error skip writes the valid rows, and the reasons of the others", () =>
      Effect.gen(function* () {
        const { folder } = yield* Cli.Cli
        const file = join(folder, "skip.ndjson")
        const rows = [
          holiday("One", "2033-01-01"),
          { ...holiday("Two", "2033-01-02"), colour: "red" },
          { ...holiday("Three", "2033-01-03"), companyId: "another" },
          holiday("Four", "2033-01-04")
        ]
        writeFileSync(file, `${ndjson(rows)}not JSON\n`)
        const { code, stderr } = yield* Cli.mfg(["holiday", "import", file, "--on-error", "skip"])
        assert.strictEqual(code, 13)
        assert.include(stderr, `${file}.rejected.ndjson`)
        const rejected = rowsIn(`${file}.rejected.ndjson`)
        const reasons = rejected.map(({ code, line }) => [line, code])
        assert.deepInclude(reasons, [2, "invalid"])
        assert.deepInclude(reasons, [5, "invalid"])
        assert.deepInclude(rejected[0]?.["row"], { name: "Two" })
        const { stdout } = yield* Cli.mfg([
          "holiday",
          "list",
          "--where",
          "date>=2033-01-01",
          "--where",
          "date<2034-01-01",
          "--select",
          "name"
        ])
        const names = Cli.rowsOf(stdout).map(({ name }) => name)
        assert.includeMembers(names, ["One", "Four"])
        assert.notInclude(names, "Two")
        assert.isFalse(existsSync(`${file}.checkpoint`))
      })
    )

    it.effect("stops after the batch of a refused row, and continues there", () =>
      Effect.gen(function* () {
        const { folder } = yield* Cli.Cli
        const file = join(folder, "stop.ndjson")
        const day = (index: number) => holiday(`Stop ${index}`, index === 2 ? "someday" : `2035-01-0${index}`)
        writeFileSync(file, ndjson([1, 2, 3, 4, 5].map(day)))
        const command = ["holiday", "import", file, "--batch", "2"]
        const stopped = yield* Cli.mfg(command)
        assert.strictEqual(stopped.code, 13)
        assert.match(stopped.stderr, /1 of 2 rows was refused\. .*stop\.ndjson, line 2: .*date/)
        const count = ["holiday", "list", "--count", "--where", "name~^Stop"]
        assert.strictEqual((yield* Cli.mfg(count)).stdout, "1\n")
        const other = yield* Cli.mfg([...command.slice(0, -1), "3"])
        assert.strictEqual(other.code, 2)
        assert.match(other.stderr, /belongs to another import/)
        const { code, stderr } = yield* Cli.mfg(command)
        assert.match(stderr, /Resuming the import/)
        assert.strictEqual(code, 13)
        assert.strictEqual((yield* Cli.mfg(count)).stdout, "4\n")
      })
    )

    it.scoped(
      "several resources get new keys, and every reference among them is rewritten",
      () =>
        Effect.gen(function* () {
          const { folder, mfg } = yield* Cli.Cli
          const there = yield* Cli.make(["--seed", "empty"])
          const exported = join(folder, "all")
          const names = [
            "warehouseTransfer",
            "warehouseTransferLine",
            "oauthClient",
            "oauthCode",
            "paymentTerm",
            "salesOrderPayment"
          ]
          assert.strictEqual((yield* mfg(["export", "--to", exported, ...names])).code, 0)
          const { files } = JSON.parse(readFileSync(join(exported, "manifest.json"), "utf8"))
          assert.deepStrictEqual(
            files.map(({ resource, rows }: Row) => [resource, rows]),
            names.map((name) => [name, rowsIn(join(exported, `${name}.ndjson`)).length])
          )
          const imported = yield* there.mfg(["import", exported])
          assert.deepStrictEqual({ code: imported.code, stderr: imported.stderr }, { code: 0, stderr: "" })

          const back = join(there.folder, "back")
          assert.strictEqual((yield* there.mfg(["export", "--to", back, ...names])).code, 0)
          const read = (folder: string, name: string) => rowsIn(join(folder, `${name}.ndjson`))
          for (const name of names) assert.lengthOf(read(back, name), read(exported, name).length)
          const idsOf = (folder: string, name: string) => read(folder, name).map(({ id }) => id)
          assert.isEmpty(
            idsOf(back, "warehouseTransfer").filter((id) => idsOf(exported, "warehouseTransfer").includes(id))
          )
          /** The name of a child's parent, which does not depend on its key. */
          const parents = (
            folder: string,
            child: string,
            column: string,
            parent: string,
            field: string,
            name: string
          ) =>
            read(folder, child)
              .map((row) =>
                String(read(folder, parent).find((other) => other[field] === row[column])?.[name] ?? row[column])
              )
              .toSorted()
          type Way = Parameters<typeof parents> extends [string, ...infer Rest] ? Rest : never
          const ways: ReadonlyArray<Way> = [
            ["warehouseTransferLine", "transferId", "warehouseTransfer", "id", "transferId"],
            ["oauthCode", "clientId", "oauthClient", "clientId", "name"],
            ["salesOrderPayment", "paymentTermId", "paymentTerm", "id", "name"]
          ]
          for (const way of ways) {
            assert.deepStrictEqual(parents(back, ...way), parents(exported, ...way))
          }
        }),
      slow
    )
  })
})

describe("mfg export", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.effect("and import again keep every value, in either format", () =>
      Effect.gen(function* () {
        const { folder } = yield* Cli.Cli
        mkdirSync(join(folder, "forms"), { recursive: true })
        const awkward = {
          name: ` "a,b"\n\u00e9\u{1F600} `,
          date: "2041-02-28",
          tags: ["x,y", ""],
          customFields: { deep: [null, 1.5] },
          year: 2041
        }
        const select = ["--select", "name,date,tags,customFields,year"]
        const made = yield* Cli.mfg(["holiday", "create", "--file", "-"], { stdin: JSON.stringify(awkward) })
        assert.strictEqual(made.code, 0)
        for (const [index, format] of ["csv", "ndjson"].entries()) {
          const file = join(folder, "forms", `holidays.${format}`)
          const only = ["--where", `date=2041-02-2${8 - index}`]
          assert.strictEqual((yield* Cli.mfg(["holiday", "export", "--to", file, ...only])).code, 0)
          const text = readFileSync(file, "utf8").replaceAll(`2041-02-2${8 - index}`, `2041-02-2${7 - index}`)
          writeFileSync(file, text)
          assert.strictEqual((yield* Cli.mfg(["holiday", "import", file])).code, 0)
          const { stdout } = yield* Cli.mfg(["holiday", "list", "--where", `date=2041-02-2${7 - index}`, ...select])
          assert.deepStrictEqual(Cli.rowsOf(stdout), [{ ...awkward, date: `2041-02-2${7 - index}` }])
        }
      })
    )

    it.effect("waits for a row on standard input", () =>
      Effect.gen(function* () {
        const stdin = JSON.stringify({ name: "Late", date: "2042-01-01" })
        const made = yield* Cli.mfg(["holiday", "create", "--file", "-"], { stdin, stdinAfter: 3000 })
        assert.deepStrictEqual([made.code, Cli.rowsOf(made.stdout).length], [0, 1], made.stderr)
      })
    )

    it.effect("writes the selected rows to standard output", () =>
      Effect.gen(function* () {
        const { code, stdout } = yield* Cli.mfg([
          "kanban",
          "export",
          "--format",
          "csv",
          "--where",
          "quantity>100",
          "--select",
          "quantity"
        ])
        assert.strictEqual(code, 0)
        const [head, ...lines] = stdout.trimEnd().split("\r\n")
        assert.strictEqual(head, "id,quantity")
        assert.isNotEmpty(lines)
        assert.isTrue(lines.every((line) => Number(line.split(",")[1]) > 100))
      })
    )
  })
})
