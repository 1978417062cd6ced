/**
 * Runs the commands of docs/fidelity.md with a shell, from a live address to the nightly job, and checks its tables.
 */
import * as Fact from "@mfgdata/domain/Fact"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Facts from "@mfgdata/domain/Facts"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as BuiltService from "../src/BuiltService.ts"
import * as Document from "../src/Document.ts"
import * as Program from "../src/Program.ts"
import * as Shell from "../src/Shell.ts"

const document = readFileSync(join(Program.root, "docs/fidelity.md"), "utf8")
const commands = Document.blocks("docs/fidelity.md", "sh").map((block) => block.trimEnd())

const missing = Shell.missing("git")

/** The resources of the comparisons: all of them would take minutes. */
const some = ["nonConformance", "warehouseTransfer"].map((name) => ` --resource ${name}`).join("")

/** The exit codes of comparisons with differences. */
const differing = [3, 4, 5]

describe("docs/fidelity.md", () => {
  it("has a line for each kind of fact", () => {
    const kinds = Array.from(document.matchAll(/^\| `(\w+)`/gm), ([, kind = ""]) => kind)
    assert.deepStrictEqual(kinds.toSorted(), Fact.kinds.toSorted())
  })

  it("has ten commands", () => assert.lengthOf(commands, 10))

  it.scoped.skipIf(missing.length > 0)(
    `leads to a taught world${missing.length === 0 ? "" : ` (there is no ${missing.join(", ")} here)`}`,
    () =>
      Effect.gen(function* () {
        const { folder, run: inShell } = yield* Shell.make
        const live = yield* BuiltService.serve("sqlite::memory:", { seed: "demo", flags: ["--facts", "public-system"] })
        const urls = { MFG_REST_URL: `${live.origin}/rest`, MFG_BASE_URL: `${live.origin}/api/v1` }
        let taught = ""
        const run = (command: string, env: Readonly<Record<string, string>> = {}) => {
          const bounded = /^mfg-mock (compare|mirror)/.test(command) ? command + some : command
          const script = bounded
            .replace("https://erp.example.com", live.origin)
            .replace("http://127.0.0.1:4010", taught)
          return inShell(script, env)
        }
        yield* run("git init --quiet .")
        const codes: Array<number> = []
        const reports: Array<string> = []
        const report = join(folder, "drift.md")
        for (const command of commands) {
          if (command.startsWith("mfg-mock serve")) {
            const path = /sqlite:(\S+)/.exec(command)?.[1] ?? ""
            const flags = ["--facts", join(folder, "facts.json")]
            taught = (yield* BuiltService.serve(`sqlite:${join(folder, path)}`, { flags })).origin
            continue
          }
          const key = command.startsWith("mfg login") ? { MFG_API_KEY: live.key } : {}
          const env = command.includes("--with environment") ? { ...urls, MFG_API_KEY: live.key } : key
          const { code, stderr } = yield* run(command, env)
          codes.push(code)
          reports.push(existsSync(report) ? readFileSync(report, "utf8") : "")
          assert.include([0, ...differing], code, `${command}\n${stderr}`)
        }
        assert.include(reports[1], "approvalRequirements")
        const [login, compare, ...others] = codes
        assert.strictEqual(login, 0)
        assert.include(differing, compare)
        assert.deepStrictEqual(
          others,
          others.map(() => 0)
        )
        const facts = Either.getOrThrow(Facts.parse("facts.json", readFileSync(join(folder, "facts.json"), "utf8")))
        assert.include(facts.facts.map(Fact.place), "type nonConformance approvalRequirements")
        const listed = yield* run("git diff --cached --name-only")
        assert.include(listed.stdout, "facts.json")
      }),
    600_000
  )
})
