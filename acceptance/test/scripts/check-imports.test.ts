import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

const workspace = {
  "pnpm-workspace.yaml": "packages:\n  - packages/*\n  - apps/*\n  - acceptance\n  - testing/*\n\ncatalog:\n  a: 1\n",
  "packages/domain/package.json": `{ "name": "@mfgdata/domain" }`,
  "packages/client/package.json": `{ "name": "@mfgdata/client" }`,
  "packages/shell/package.json": `{ "name": "@mfgdata/shell", "private": true }`,
  "apps/cli/package.json": `{ "name": "@mfgdata/cli" }`,
  "apps/mock/package.json": `{ "name": "@mfgdata/mock" }`,
  "acceptance/package.json": `{ "name": "@mfgdata/acceptance", "private": true }`,
  "testing/postgres/package.json": `{ "name": "@mfgdata/testing-postgres", "private": true }`
}

const check = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* Tree.make({ ...workspace, ...files })
    return yield* Program.node(["scripts/check-imports.mjs", folder])
  })

/** A file, its import, and the rule that the import breaks. */
const forbidden: ReadonlyArray<readonly [file: string, specifier: string, rule: string]> = [
  [
    "packages/domain/src/A.ts",
    "node:fs",
    "the sources of @mfgdata/domain import effect from outside, and nothing of Node"
  ],
  ["packages/domain/src/A.ts", "fs", "the sources of @mfgdata/domain import effect from outside, and nothing of Node"],
  [
    "packages/domain/src/A.ts",
    "@effect/platform/HttpClient",
    "the sources of @mfgdata/domain import effect from outside"
  ],
  ["packages/domain/src/A.ts", "@mfgdata/client", "@mfgdata/domain may import no package of the workspace"],
  ["packages/domain/test/A.test.ts", "@mfgdata/mock/testing", "@mfgdata/domain may import no package of the workspace"],
  ["packages/domain/src/A.ts", "/srv/elsewhere/B.ts", "an import names a package or a relative file"],
  ["packages/client/src/A.ts", "node:crypto", "the sources of @mfgdata/client import effect and @effect/platform"],
  ["packages/client/src/A.ts", "@effect/platform-node/NodeContext", "the sources of @mfgdata/client import effect"],
  ["packages/client/src/A.ts", "@mfgdata/mock", "@mfgdata/client may import @mfgdata/domain"],
  ["packages/client/test/A.test.ts", "@mfgdata/mock/testing", "@mfgdata/client may import @mfgdata/domain"],
  ["packages/client/src/A.ts", "../../domain/src/Id.ts", "sources import sources"],
  ["packages/client/src/A.ts", "../test/A.test.ts", "sources import sources"],
  ["packages/client/test/A.test.ts", "../../domain/src/Id.ts", "a relative import stays inside its package"],
  ["apps/cli/src/A.ts", "@mfgdata/mock", "@mfgdata/cli may import @mfgdata/client, @mfgdata/domain and @mfgdata/shell"],
  [
    "apps/mock/src/rows/A.ts",
    "@mfgdata/cli",
    "@mfgdata/mock may import @mfgdata/client, @mfgdata/domain and @mfgdata/shell"
  ],
  ["apps/mock/src/rows/A.ts", "@mfgdata/testing-postgres", "@mfgdata/mock may import @mfgdata/client"],
  ["testing/postgres/src/A.ts", "@mfgdata/mock", "@mfgdata/testing-postgres may import no package of the workspace"],
  ["apps/mock/src/sql/A.ts", "../store/Store.ts", "sql/ comes before store/"],
  ["apps/mock/src/store/A.ts", "../rows/RowError.ts", "store/ comes before rows/"],
  ["apps/mock/src/store/A.ts", "../Exchange.ts", "store/ imports no HTTP"],
  ["apps/mock/src/store/A.ts", "node:http", "store/ imports no HTTP"],
  ["apps/mock/src/sql/A.ts", "@effect/platform/HttpServerRequest", "sql/ imports no HTTP"],
  [
    "apps/mock/src/rows/A.ts",
    "../testing.ts",
    "of the top level a folder imports Exchange.ts, PostgresAddress.ts, Reason.ts, SettingValue.ts, Settings.ts and Unread.ts only"
  ],
  ["apps/mock/src/sql/text/A.ts", "../read/B.ts", "sql/text/ comes before sql/read/"],
  ["apps/mock/src/sql/read/A.ts", "../write/B.ts", "sql/read/ comes before sql/write/"],
  ["apps/mock/src/sql/read/A.ts", "../sqlite/B.ts", "sql/read/ comes before sql/sqlite/"],
  ["apps/mock/src/sql/write/A.ts", "../postgres/B.ts", "sql/write/ comes before sql/postgres/"],
  ["apps/mock/src/sql/elsewhere/A.ts", "../read/B.ts", "sql/elsewhere/ has no place in the order of folders"],
  ["apps/mock/src/rows/request/A.ts", "../plan/B.ts", "rows/request/ comes before rows/plan/"],
  ["apps/mock/src/rows/plan/A.ts", "../response/B.ts", "rows/plan/ comes before rows/response/"],
  ["apps/mock/src/store/postgres/A.ts", "../sqlite/B.ts", "sqlite/ and postgres/ never import each other"],
  ["apps/mock/src/store/sqlite/A.ts", "../postgres/B.ts", "sqlite/ and postgres/ never import each other"],
  ["apps/mock/src/store/sqlite/A.ts", "../../sql/postgres/B.ts", "sqlite/ and postgres/ never import each other"],
  ["apps/mock/src/store/migrations/A.ts", "../sqlite/B.ts", "store/migrations/ comes before store/sqlite/"],
  ["apps/mock/src/service/A.ts", "@mfgdata/shell/Terminal", "only commands/ and bin.ts import the shell"],
  ["packages/shell/src/A.ts", "@mfgdata/mock/testing", "@mfgdata/shell may import @mfgdata/client and @mfgdata/domain"],
  ["apps/mock/src/elsewhere/A.ts", "../sql/Table.ts", "elsewhere/ has no place in the order of folders"],
  ["apps/mock/src/Exchange.ts", "./sql/Table.ts", "Exchange.ts imports no folder"]
]

const allowed: ReadonlyArray<readonly [file: string, specifier: string]> = [
  ["packages/domain/src/A.ts", "effect/Schema"],
  ["packages/domain/src/A.ts", "./internal/B.ts"],
  ["packages/domain/test/A.test.ts", "node:fs"],
  ["packages/client/src/A.ts", "@effect/platform/HttpClient"],
  ["packages/client/src/A.ts", "@mfgdata/domain/Query"],
  ["apps/cli/src/A.ts", "@effect/cli/Command"],
  ["apps/cli/src/A.ts", "@mfgdata/shell/Terminal"],
  ["apps/mock/src/commands/A.ts", "@mfgdata/shell/Terminal"],
  ["apps/mock/src/rows/A.ts", "../sql/Table.ts"],
  ["apps/mock/src/rows/A.ts", "../Exchange.ts"],
  ["apps/mock/src/rows/A.ts", "./plan/B.ts"],
  ["apps/mock/src/rows/response/A.ts", "../request/B.ts"],
  ["apps/mock/src/sql/A.ts", "./read/B.ts"],
  ["apps/mock/src/store/sqlite/A.ts", "../../sql/sqlite/B.ts"],
  ["apps/mock/src/store/sqlite/A.ts", "../migrations/B.ts"],
  ["apps/mock/src/store/A.ts", "../Settings.ts"],
  ["apps/mock/src/store/A.ts", "node:fs"],
  ["apps/mock/src/testing.ts", "./http/InProcess.ts"],
  ["apps/mock/test/A.test.ts", "@mfgdata/testing-postgres/vitest"],
  ["acceptance/test/A.test.ts", "@mfgdata/mock/testing"],
  ["packages/domain/vitest.config.ts", "../../vitest.shared.ts"]
]

/** Each file once, with all its imports. */
const texts = (imports: ReadonlyArray<readonly [file: string, specifier: string, ...rest: ReadonlyArray<string>]>) => {
  const files: Record<string, string> = {}
  for (const [file, specifier] of imports) {
    files[file] = `${files[file] ?? ""}import type * as B${files[file]?.length ?? 0} from "${specifier}"\n`
  }
  return files
}

describe("check-imports", () => {
  const ended = Effect.runSync(Effect.cached(Effect.scoped(check(texts(forbidden)))))

  it.effect.each(forbidden)("%s may not import %s", ([file, specifier, rule]) =>
    Effect.gen(function* () {
      const { code, stderr } = yield* ended
      assert.strictEqual(code, 1)
      assert.include(stderr, `${file} imports ${specifier}: ${rule}`)
    })
  )

  it.scoped("accepts the directions that the rules allow", () =>
    Effect.gen(function* () {
      const files = texts(allowed)
      const ended = yield* check(files)
      assert.deepStrictEqual(ended, {
        code: 0,
        stdout: `${Object.keys(files).length} files, 0 complaints\n`,
        stderr: ""
      })
    })
  )

  it.scoped.each([
    `export * from "node:fs"`,
    `export { readFileSync } from "node:fs"`,
    `import "node:fs"`,
    `import type { Stats } from "node:fs"`,
    `export const load = () => import("node:fs")`
  ])("sees %s", (statement) =>
    Effect.gen(function* () {
      const { code, stderr } = yield* check({ "packages/domain/src/A.ts": statement })
      assert.strictEqual(code, 1)
      assert.include(stderr, "packages/domain/src/A.ts imports node:fs: ")
    })
  )

  it.scoped("ignores an import in a comment or a text", () =>
    Effect.gen(function* () {
      const text = `// import "node:fs"\nexport const text = \`\nimport "node:fs"\n\`\n`
      assert.strictEqual((yield* check({ "packages/domain/src/A.ts": text })).code, 0)
    })
  )

  it.scoped("names the files of a cycle in order", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* check({
        "packages/domain/src/A.ts": `import { b } from "./B.ts"\nexport const a = () => b`,
        "packages/domain/src/B.ts": `export * from "./C.ts"\nexport const b = 1`,
        "packages/domain/src/C.ts": `import { a } from "./A.ts"\nexport const c = a`
      })
      assert.strictEqual(code, 1)
      const [a, b, c] = ["A", "B", "C"].map((name) => `packages/domain/src/${name}.ts`)
      assert.strictEqual(stderr, `${a} imports ${b} imports ${c} imports ${a}: a cycle\n`)
    })
  )

  it.scoped("refuses a cycle of types", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* check({
        "packages/domain/src/A.ts": `import { b } from "./B.ts"\nexport const a = b`,
        "packages/domain/src/B.ts": `import type { a } from "./A.ts"\nexport const b: typeof a = 1`
      })
      assert.strictEqual(code, 1)
      const [a, b] = ["A", "B"].map((name) => `packages/domain/src/${name}.ts`)
      assert.strictEqual(stderr, `${a} imports ${b} imports ${a}: a cycle\n`)
    })
  )

  it.scoped("accepts an implementation in internal/ that imports the types of its public module, and no values", () =>
    Effect.gen(function* () {
      const files = (statement: string) => ({
        "packages/client/src/Rows.ts": `import { rows } from "./internal/rows.ts"\nexport const make = () => rows`,
        "packages/client/src/internal/rows.ts": `${statement} { make } from "../Rows.ts"\nexport const rows = 1`
      })
      assert.strictEqual((yield* check(files("import type"))).code, 0)
      assert.strictEqual((yield* check(files("import"))).code, 1)
    })
  )

  const numbered = (count: number, name: (index: number) => string, text: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), text]))

  it.scoped("refuses a folder of more than 20 sources", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* check({
        ...numbered(21, (index) => `packages/client/src/many/A${index}.ts`, ""),
        ...numbered(20, (index) => `packages/client/src/few/A${index}.ts`, ""),
        ...numbered(21, (index) => `packages/client/test/A${index}.test.ts`, ""),
        ...numbered(21, (index) => `scripts/a${index}.mjs`, "")
      })
      assert.strictEqual(code, 1)
      const broken = "21 files, and a folder has at most 20: group them in folders by stage\n"
      assert.strictEqual(stderr, `packages/client/src/many: ${broken}scripts: ${broken}`)
    })
  )

  it.scoped("refuses a source of more than 300 lines without a reason, and any of more than 500", () =>
    Effect.gen(function* () {
      const lines = (count: number, header = "/**\n * Reads rows.\n */\n") =>
        header + "export {}\n".repeat(count - header.split("\n").length + 1)
      const reasoned = "/**\n * Reads rows. One file,\n * because a row is one thing.\n */\n"
      const { stderr } = yield* check({
        "packages/client/src/A.ts": lines(300),
        "packages/client/src/B.ts": lines(301),
        "packages/client/src/C.ts": lines(500, reasoned),
        "packages/client/src/D.ts": lines(501, reasoned),
        "packages/client/test/A.test.ts": lines(501)
      })
      const broken = `301 lines: split it, or say "One file, because ..." in its header`
      assert.strictEqual(
        stderr,
        `packages/client/src/B.ts: ${broken}\npackages/client/src/D.ts: 501 lines, and a file has at most 500: split it\n`
      )
    })
  )
})
