/**
 * Makes docs/terminal.svg, the picture of the README, from the output of the built `mfg`; fails when that has changed.
 * `--update` writes it.
 */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Cli from "../src/Cli.ts"
import * as Program from "../src/Program.ts"
import * as TerminalPicture from "../src/release/TerminalPicture.ts"

const path = join(Program.root, "docs/terminal.svg")

const update = "npx vitest run --project acceptance acceptance/test/TerminalPicture.test.ts --update"

/** The commands, each with the flags that a terminal would choose. */
const commands: ReadonlyArray<readonly [line: string, exitCode: number, flags?: ReadonlyArray<string>]> = [
  ["mfg warehouseTransfer list --where status=Draft --select transferId,transferDate,notes", 0, ["--output", "table"]],
  ["mfg warehouseTransfer list --where staus=Draft", 2],
  ["mfg holiday create --name Shutdown --date 2027-13-01", 2],
  ["mfg journalLine export --to journal.ndjson", 0]
]

/** Folds a message at the width of the terminal. */
const fold = (text: string, columns: number): string =>
  text.replaceAll(new RegExp(`(?=.{${columns + 1}})(.{1,${columns}})\\s`, "g"), "$1\n")

const columns = 96

/** The picture of the commands, run by the built program. */
const drawn = Effect.scoped(
  Effect.gen(function* () {
    const { folder, mfg } = yield* Cli.make()
    const steps = yield* Effect.forEach(commands, ([line, exitCode, flags = []]) =>
      Effect.map(mfg([...line.split(" ").slice(1), ...flags], { cwd: folder }), ({ code, stderr, stdout }) => {
        assert.strictEqual(code, exitCode, `${line}: ${stderr}`)
        return { command: line, stdout, stderr: fold(stderr, columns) }
      })
    )
    return TerminalPicture.draw("Commands of mfg in a terminal, with their output", columns, steps)
  })
)

describe("the picture of the terminal", () => {
  it("shows the output of mfg", async () => {
    const picture = await Effect.runPromise(drawn)
    await expect(picture, `docs/terminal.svg differs; write it anew with: ${update}`).toMatchFileSnapshot(path)
  }, 60_000)

  it("refuses a line that it would cut", () => {
    const step = { command: "mfg", stdout: "x".repeat(30), stderr: "" }
    assert.throws(() => TerminalPicture.draw("A terminal", 20, [step]), "a line is longer than 20 characters")
  })
})
