import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

const script = join(Program.root, "scripts/check-prose.mjs")

const check = (files: Readonly<Record<string, string>>, paths: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const cwd = yield* Tree.make(files)
    return yield* Program.node([script, ...paths], { cwd })
  })

const comment = (text: string) => `import "a"\n\n/** ${text} */\nexport const a = 1\n`

/** A file, its text, and the line and words of the complaint. */
const faults: ReadonlyArray<readonly [file: string, text: string, complaint: string]> = [
  ["src/A.ts", "/**\n * What is read.\n */\n", `2: "What": begin the file with`],
  ["src/A.ts", "// Who may read.\nimport 'a'\n", `1: "Who": begin the file with`],
  ["src/A.ts", "#!/usr/bin/env node\n// How rows are read.\n", `2: "How": begin the file with`],
  ["src/A.ts", "/** Where rows are kept. */\n", `1: "Where": begin the file with`],
  ["src/A.ts", comment("Whether it is read."), `3: "Whether": begin with the noun`],
  ["src/A.ts", "import 'a'\n\n// Rows.\n// What is read.\n\n// What is written.\n", `6: "What": begin with the noun`],
  ["src/A.ts", comment("The caller is told."), `3: "told": say, report`],
  ["src/A.ts", comment("The\n * row is\n * no row."), `4: "is no": say is not a`],
  ["src/A.ts", comment("A subscriber that hears of it."), `3: "hears": say receive`],
  ["src/A.ts", comment("The row stands first."), `3: "stands": say is`],
  ["src/A.ts", comment("The row bears a name."), `3: "bears": say has`],
  ["src/A.ts", comment("Rows go by their names."), `3: "go by": say is sorted by`],
  ["src/A.ts", comment("Rows of whoever asks."), `3: "whoever": name the caller`],
  ["src/A.ts", comment("There are so many rows."), `3: "so many": give the number`],
  ["src/A.ts", comment("All rows at\n * once."), `3: "at once": say immediately`],
  ["src/A.ts", comment("A column beside it."), `3: "beside": say next to`],
  ["src/A.ts", comment("A row behind it."), `3: "behind": say after`],
  ["scripts/a.mjs", "console.log('The row stands first.')\n", `1: "stands": say is`],
  ["src/A.ts", "export const a = (b: string) => `${b} is the row\nthat stands ${b}`\n", `2: "stands": say is`],
  ["test/A.test.ts", `it("stands first", () => {})\n`, `1: "stands": say is`],
  ["test/A.test.ts", `it.effect.each([1])("what is read passes", () => {})\n`, `1: "what": write what the code does`],
  ["test/suite/A.ts", `describe("how it reads", () => {})\n`, `1: "how": write what the code does`],
  ["docs/a.md", "# Rows\n\nThe row stands first.\n", `3: "stands": say is`],
  ["docs/a.md", "# Rows\n\n## What it costs\n", `3: "What": name what a reader searches for`],
  [".changeset/a.md", `---\n"a": minor\n---\n\nA timeout is no error.\n`, `5: "is no": say is not a`]
]

const correct: Readonly<Record<string, string>> = {
  "src/A.ts": `/**
 * Reads rows: \`what\`, \`told\` and \`at once\` are code here.
 */
import "stands"

/** Understands a standard bearer token of a service behind a load balancer, and leaves no lock behind. */
export const stands = "told"

// There is no row. The row is no longer there.
export const told = { stands, pattern: /stands at once/, header: "If-Match" }
`,
  "test/A.test.ts": `it("reads a row", () => { insert("The row stands first.") })\n`,
  "docs/a.md": "# Rows\n\n```sh\necho told at once\n```\n\nSee [rows](https://example.test/told) and `stands`.\n",
  "CHANGELOG.md": "The row stands first.\n",
  "dist/a.mjs": "// The row stands first.\n",
  "node_modules/a/a.mjs": "// The row stands first.\n",
  ".tools/a.mjs": "// The row stands first.\n"
}

describe("check-prose", () => {
  const planted = Object.fromEntries(faults.map(([file, text], index) => [`${index}/${file}`, text]))
  const ended = Effect.runSync(Effect.cached(Effect.scoped(check(planted))))

  it.effect.each(faults.map(([file, , complaint], index) => [complaint, `${index}/${file}`] as const))(
    "reports %s",
    ([complaint, file]) =>
      Effect.gen(function* () {
        const { code, stderr, stdout } = yield* ended
        assert.strictEqual(code, 1)
        assert.include(stderr, `${file}:${complaint}`)
        assert.strictEqual(stdout, `${faults.length} files, ${faults.length} complaints\n`)
      })
  )

  it.scoped("accepts plain English, and ignores code", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* check(correct), { code: 0, stdout: "3 files, 0 complaints\n", stderr: "" })
    })
  )

  it.scoped("checks the files and folders that are named", () =>
    Effect.gen(function* () {
      const fault = "The row stands first.\n"
      const { stderr } = yield* check({ "docs/a.md": fault, "docs/b/c.md": fault, "README.md": fault, "d.md": fault }, [
        "docs",
        "d.md"
      ])
      const files = stderr
        .trim()
        .split("\n")
        .map((line) => line.split(":")[0])
      assert.deepStrictEqual(files, ["docs/a.md", "docs/b/c.md", "d.md"])
    })
  )
})
