/**
 * Runs every command of the tour in docs/cli.md with a shell.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Cli from "../../src/Cli.ts"
import * as Program from "../../src/Program.ts"

const document = readFileSync(join(Program.root, "docs/cli.md"), "utf8")

/** The blocks after the first, which sets the tour up. The test does that itself. */
const blocks = Array.from(document.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, code = ""]) => code).slice(1)

const hasBash = spawnSync("bash", ["--version"]).status === 0

describe("docs/cli.md", () => {
  it.scoped.skipIf(!hasBash)(
    `runs unchanged${hasBash ? "" : " (there is no bash here to run it with)"}`,
    () =>
      Effect.gen(function* () {
        const { file, folder, origin } = yield* Cli.make()
        const bin = join(folder, "bin")
        mkdirSync(bin)
        writeFileSync(join(bin, "mfg"), `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`)
        chmodSync(join(bin, "mfg"), 0o755)
        const env = { PATH: `${bin}:${process.env["PATH"]}`, XDG_CONFIG_HOME: join(folder, "tour") }
        for (const block of blocks) {
          const script = `set -euo pipefail\n${block.replaceAll("http://127.0.0.1:4010", origin)}`
          const { code, stderr } = yield* Cli.run("bash", ["-c", script], { cwd: folder, env })
          assert.strictEqual(code, 0, `${block}\n${stderr}`)
        }
        assert.isAbove(blocks.length, 5)
        const [event = ""] = readFileSync(join(folder, "events.ndjson"), "utf8").split("\n")
        assert.deepInclude(JSON.parse(event), { type: "INSERT", table: "holiday", verdict: "verified" })
        assert.match(readFileSync(join(folder, "lines.csv"), "utf8"), /^id,journalId,/)
        assert.match(readFileSync(join(folder, "reporting.key"), "utf8"), /^mfg_\w{38}\n$/)
        assert.match(readFileSync(join(folder, "error.txt"), "utf8"), /^mfg: No holiday has the key "nothing"\n$/)
      }),
    300_000
  )
})
