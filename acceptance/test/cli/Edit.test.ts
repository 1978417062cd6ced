/**
 * `mfg <resource> edit`, and the dry runs of writes.
 */
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Cli from "../../src/Cli.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

/** The environment with an editor that runs a script of the shell over the file. */
const editor = (script: string) =>
  Effect.map(Cli.Cli, ({ folder }) => {
    const path = join(folder, `editor-${Math.random()}.sh`)
    writeFileSync(path, script)
    return { EDITOR: `sh ${path}` }
  })

const replacing = (from: string, to: string) => editor(`sed -i.bak 's/${from}/${to}/' "$1"`)

const created = Effect.map(
  Cli.mfg(["holiday", "create", "--name", "Before", "--date", "2031-05-01", "--tags", "a", "--jq", ".id"]),
  ({ stderr, stdout }) => {
    assert.strictEqual(stderr, "")
    return stdout.trim()
  }
)

const rowOf = (id: string) => Effect.map(Cli.mfg(["holiday", "get", id]), ({ stdout }) => Cli.rowsOf(stdout)[0])

/** The path of the file that a failed edit keeps. */
const keptFile = (stderr: string): string => /Your edit is in (.*)\./.exec(stderr)?.[1] ?? ""

describe("mfg <resource> edit", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.effect(
      "writes the fields that the editor changes, and nothing without a change",
      () =>
        Effect.gen(function* () {
          const id = yield* created
          const env = yield* replacing("^name: .*", "name: After # a comment")
          const { code, stderr } = yield* Cli.mfg(["holiday", "edit", id], { env })
          assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: `Updated holiday ${id}.\n` })
          assert.deepInclude(yield* rowOf(id), { name: "After", date: "2031-05-01", tags: ["a"] })
          for (const script of ["true", `echo > "$1"`]) {
            const same = yield* Cli.mfg(["holiday", "edit", id], { env: yield* editor(script) })
            assert.deepStrictEqual({ ...same, stdout: "" }, { code: 0, stdout: "", stderr: "No changes.\n" })
          }
        }),
      slow
    )

    it.effect(
      "names the line of a mistake, and keeps the file of a failed edit",
      () =>
        Effect.gen(function* () {
          const id = yield* created
          const edit = (from: string, to: string) =>
            Effect.flatMap(replacing(from, to), (env) => Cli.mfg(["holiday", "edit", id], { env }))
          const misspelt = yield* edit("^date:", "dat:")
          assert.strictEqual(misspelt.code, 14)
          assert.match(
            misspelt.stderr,
            /holiday\.yaml, line 3, column 1: Unknown field "dat" of holiday\. Did you mean date\?/
          )
          assert.match(readFileSync(keptFile(misspelt.stderr), "utf8"), /^dat: /m)
          const broken = yield* edit("^name: .*", "name: [x")
          assert.strictEqual(broken.code, 14)
          assert.match(broken.stderr, /holiday\.yaml, line 3, column 1: /)
          const refused = yield* edit("^date: .*", "date: someday")
          assert.strictEqual(refused.code, 7)
          assert.match(readFileSync(keptFile(refused.stderr), "utf8"), /^date: someday$/m)
          const own = yield* edit("^date:", "id: x\\ndate:")
          assert.match(own.stderr, /line 3, column 1: the service sets the field id/)
          assert.strictEqual((yield* rowOf(id))?.["name"], "Before")
          const failing = yield* Cli.mfg(["holiday", "edit", id], { env: { EDITOR: "false" } })
          assert.strictEqual(failing.code, 1)
          assert.match(failing.stderr, /The editor "false" failed: exit code 1\. Nothing was changed\./)
          assert.strictEqual((yield* Cli.mfg(["holiday", "edit", "nothing"])).code, 6)
        }),
      slow
    )

    it.effect(
      "merges changes of other fields, and refuses those of the same field",
      () =>
        Effect.gen(function* () {
          const { env: home, file } = yield* Cli.Cli
          const id = yield* created
          const meanwhile = (flag: string, value: string, mine: string) =>
            editor(
              `sed -i.bak 's/${mine}/' "$1"; XDG_CONFIG_HOME='${home["XDG_CONFIG_HOME"]}' '${process.execPath}' '${file}' holiday update ${id} --${flag} '${value}' >&2`
            )
          const env = yield* meanwhile("date", "2031-06-01", "^name: .*/name: Mine")
          const merged = yield* Cli.mfg(["holiday", "edit", id], { env })
          assert.strictEqual(merged.code, 0, merged.stderr)
          assert.include(merged.stderr, `The holiday ${id} has changed; your fields are merged with its new version.`)
          assert.deepInclude(yield* rowOf(id), { name: "Mine", date: "2031-06-01" })
          const other = yield* meanwhile("name", "Theirs", "^name: .*/name: Again mine")
          const refused = yield* Cli.mfg(["holiday", "edit", id], { env: other })
          assert.strictEqual(refused.code, 8)
          assert.include(refused.stderr, `name was "Mine", is "Theirs" now, and "Again mine" in your edit.`)
          assert.match(readFileSync(keptFile(refused.stderr), "utf8"), /^name: Again mine$/m)
          assert.strictEqual((yield* rowOf(id))?.["name"], "Theirs")
        }),
      slow
    )

    it.effect(
      "opens several rows as a table",
      () =>
        Effect.gen(function* () {
          const [one, two] = [yield* created, yield* created]
          const env = yield* editor(`sed -i.bak '2s/Before/First/' "$1"`)
          const { code, stderr } = yield* Cli.mfg(["holiday", "edit", one, two], { env })
          assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: `Updated holiday ${one}.\n` })
          assert.deepInclude(yield* rowOf(one), { name: "First", tags: ["a"] })
          assert.deepInclude(yield* rowOf(two), { name: "Before" })
          const wrong: ReadonlyArray<readonly [script: string, says: RegExp]> = [
            [`sed -i.bak '3s/^[^,]*/other/' "$1"`, /holiday\.csv, line 3: unknown id "other"/],
            [`sed -i.bak '2s/,2031-05-01/,soon/' "$1"`, /holiday\.csv, line 2: Invalid value "soon" for date/],
            [`sed -i.bak '2s/,/,,/' "$1"`, /holiday\.csv, line 2: the line has 8 fields, the header 7/]
          ]
          for (const [script, says] of wrong) {
            const { code, stderr } = yield* Cli.mfg(["holiday", "edit", one, two], { env: yield* editor(script) })
            assert.strictEqual(code, 14, stderr)
            assert.match(stderr, says)
          }
        }),
      slow
    )
  })
})

/** A service that ignores preferences. */
const careless = LocalServer.start((_, response) => {
  response.writeHead(201, { "content-type": "application/json" }).end("[]")
})

describe("--dry-run", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.effect(
      "shows what a write would do, and writes nothing",
      () =>
        Effect.gen(function* () {
          const id = yield* created
          const dry = (...args: ReadonlyArray<string>) => Cli.mfg(["holiday", ...args, "--dry-run"])
          const count = Effect.map(Cli.mfg(["holiday", "list", "--count"]), ({ stdout }) => stdout)
          const before = yield* count
          const create = yield* dry("create", "--name", "x", "--date", "2031-01-01", "--jq", ".name")
          assert.deepStrictEqual(create, { code: 0, stdout: "x\n", stderr: "(Dry run: nothing was written.)\n" })
          const update = yield* dry("update", id, "--name", "Other", "--tags", "a")
          assert.deepStrictEqual(Cli.rowsOf(update.stdout), [{ field: "name", before: "Before", after: "Other" }])
          const remove = yield* dry("delete", id)
          assert.strictEqual(remove.code, 0)
          assert.include(remove.stderr, `Would delete holiday ${id}.`)
          assert.strictEqual(yield* count, before)
          assert.deepInclude(yield* rowOf(id), { name: "Before" })
          assert.strictEqual(
            (yield* dry("create", "--name", "x", "--date", "2031-01-01", "--json", `{"year":"x"}`)).code,
            7
          )
          assert.strictEqual((yield* dry("delete", "nothing")).code, 6)
        }),
      slow
    )

    it.scoped("sends no write to a service without dry runs", () =>
      Effect.gen(function* () {
        const { requests, url } = yield* careless
        const env = { MFG_REST_URL: `${url}/rest`, MFG_BASE_URL: url, MFG_API_KEY: Cli.keys.api }
        const args = ["holiday", "create", "--name", "x", "--date", "2031-01-01", "--company-id", "c", "--dry-run"]
        const { code, stderr } = yield* Cli.mfg(args, { env })
        assert.strictEqual(code, 7)
        assert.include(stderr, `The service at ${url} has no dry runs (Prefer: tx=rollback). Nothing was written.`)
        assert.deepStrictEqual(
          requests.map(({ body }) => String(body)),
          ["[]"]
        )
      })
    )
  })
})
