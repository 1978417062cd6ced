/**
 * `mfg browse` on a terminal, at the built service.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { constants } from "node:os"
import * as Cli from "../../src/Cli.ts"
import * as Pty from "../../src/Pty.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

const { down, enter, escape, interrupt, pageDown, pageUp, right } = Pty.keys

const title = (text: string) =>
  `${text}${Cli.hasTerminal ? "" : " (there is no script of util-linux here to make a terminal)"}`

/** The first words of the lines of rows: the keys of a page. */
const keysOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.slice(2, -1).flatMap((line) => /^\S+/.exec(line) ?? [])

const rowKeys = (...args: ReadonlyArray<string>) =>
  Effect.map(Cli.mfg(["journalLine", "list", "--all", "--select", "id", ...args]), ({ stdout }) =>
    Cli.rowsOf(stdout).map(({ id }) => String(id))
  )

/** The terminal as the shell expects it. */
const isRestored = (pty: Pty.Pty, stty: string): boolean =>
  !pty.screen.isOther() && pty.screen.hasCursor() && / icanon/.test(stty) && / echo\b/.test(stty)

describe("mfg browse", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.scoped.skipIf(!Cli.hasTerminal)(
      title("shows every page, forwards and backwards, and in any order"),
      () =>
        Effect.gen(function* () {
          const all = yield* rowKeys()
          const pty = yield* Pty.start(["browse", "journalLine"])
          assert.deepStrictEqual(keysOf(yield* pty.until(/more ↓/)), all.slice(0, 21))
          yield* pty.type(pageDown)
          const [second = ""] = all.slice(21)
          assert.deepStrictEqual(keysOf(yield* pty.until(new RegExp(`\n${second} `))), all.slice(21, 42))
          yield* pty.type("G")
          const last = all.at(-1) ?? ""
          assert.deepStrictEqual(keysOf(yield* pty.until(new RegExp(`\n${last} .*\n.*more ↑ ?$`))), all.slice(-21))
          yield* pty.type(pageUp)
          const before = all.at(-42) ?? all[0] ?? ""
          assert.include(keysOf(yield* pty.until(new RegExp(`\n${before} `))), before)
          yield* pty.type("g")
          yield* pty.until(new RegExp(`\n${all[0]} `))
          yield* pty.type(`${right}${right}ss`)
          const amounts = yield* rowKeys("--order", "amount.desc,id")
          assert.deepStrictEqual(keysOf(yield* pty.until(/amount ↓[^]*more ↓/)), amounts.slice(0, 21))
          yield* pty.type("q")
          const { code, stty } = yield* pty.ended
          assert.strictEqual(code, 0)
          assert.isTrue(isRestored(pty, stty))
        }),
      slow
    )

    it.scoped.skipIf(!Cli.hasTerminal)(
      title("filters as one types, and names a mistake"),
      () =>
        Effect.gen(function* () {
          const pty = yield* Pty.start(["browse", "holiday", "--where", "year=2026"])
          yield* pty.until(/New Year/)
          yield* pty.type("/easter")
          yield* pty.until(/\/ easter▏[^]*all rows/)
          yield* pty.until(/Easter Monday/)
          assert.isTrue(keysOf(pty.screen.lines()).length < 4)
          yield* pty.type("\u0015year>x")
          yield* pty.until(/\/ year>x▏ Invalid value "x" for year: expected a number/)
          yield* pty.type(escape)
          assert.match((yield* pty.until(/New Year[^]*all rows/)).join("\n"), /holiday year=eq\.2026/)
          yield* pty.type(interrupt)
          const { code, stty } = yield* pty.ended
          assert.strictEqual(code, 0)
          assert.isTrue(isRestored(pty, stty))
        }),
      slow
    )

    it.scoped.skipIf(!Cli.hasTerminal)(
      title("follows references and comes back, shows whole values, and chooses columns"),
      () =>
        Effect.gen(function* () {
          const pty = yield* Pty.start(["browse"])
          yield* pty.until(/29 of 29 resources/)
          yield* pty.type(`/transferline${enter}${enter}`)
          const [first = ""] = keysOf(yield* pty.until(/wtl_000001_1/))
          yield* pty.type(enter)
          yield* pty.until(new RegExp(`› ${first} `))
          yield* pty.until(/transferId +wt_000001 → warehouseTransfer/)
          yield* pty.type(`${down}${enter}`)
          yield* pty.until(/› wt_000001 [^]*→ warehouseTransferLine whose transferId is this row/)
          yield* pty.type(`G${enter}`)
          yield* pty.until(/warehouseTransferLine transferId=eq\.wt_000001[^]*wtl_000001_2[^]*all rows/)
          yield* pty.type(escape)
          yield* pty.until(/whose transferId is this row/)
          yield* pty.type(`g${enter}`)
          yield* pty.until(/id, line 1 of 1\nwt_000001\n/)
          yield* pty.type(escape)
          yield* pty.until(/whose transferId/)
          yield* pty.type(escape)
          yield* pty.until(/wt_000001 → warehouseTransfer/)
          yield* pty.type(escape)
          yield* pty.until(/wtl_000001_2/)
          yield* pty.type(`c${down} ${enter}`)
          const lines = yield* pty.until(/\nid +itemId /)
          assert.notInclude(lines.join("\n"), "transferId")
          yield* pty.type("?")
          yield* pty.until(/KEYS[^]*Any key closes this help/)
          yield* pty.type("xq")
          assert.strictEqual((yield* pty.ended).code, 0)
        }),
      slow
    )

    it.scoped.skipIf(!Cli.hasTerminal)(
      title("fits a terminal that changes its size, and cuts wide characters and control characters"),
      () =>
        Effect.gen(function* () {
          const name = `漢字${"長い名前".repeat(30)}`
          const hostile = "a\u001B[31m\u202Eb"
          for (const text of [name, hostile]) {
            const made = yield* Cli.mfg(["holiday", "create", "--name", text, "--date", "2031-01-01", "--year", "2031"])
            assert.strictEqual(made.code, 0)
          }
          const pty = yield* Pty.start(["browse", "holiday", "--where", "year=2031"])
          const lines = yield* pty.until(/漢字.*…[^]*a\\u001b\[31m\\u202eb/)
          assert.lengthOf(lines, 24)
          yield* pty.resize(44, 6)
          const small = yield* pty.until(/mfg browse\n[^]*漢字長い名.*…/)
          assert.lengthOf(small, 6)
          yield* pty.resize(15, 3)
          yield* pty.until(/^The terminal i/)
          yield* pty.resize(100, 30)
          yield* pty.until(/year +/)
          yield* pty.type("q")
          assert.strictEqual((yield* pty.ended).code, 0)
        }),
      slow
    )

    it.scoped.skipIf(!Cli.hasTerminal)(
      title("gives the terminal back after errors and signals"),
      () =>
        Effect.gen(function* () {
          const failing = yield* Pty.start(["browse", "holiday"], {
            MFG_API_KEY: "mfg_wrong",
            MFG_REST_URL: `${(yield* Cli.Cli).origin}/rest`,
            MFG_BASE_URL: `${(yield* Cli.Cli).origin}/api/v1`
          })
          const failed = yield* failing.ended
          assert.strictEqual(failed.code, 4)
          assert.isTrue(isRestored(failing, failed.stty))
          assert.include(failed.lines.join("\n"), "rejected the API key")
          for (const [signal, code] of [
            ["SIGTERM", 130],
            ["SIGINT", 130],
            ["SIGHUP", 129],
            ["SIGQUIT", 131]
          ] as const) {
            const pty = yield* Pty.start(["browse", "holiday"])
            yield* pty.until(/more ↓|all rows/)
            yield* pty.signal(signal)
            const ended = yield* pty.ended
            assert.strictEqual(ended.code, code, signal)
            assert.isTrue(isRestored(pty, ended.stty), signal)
          }
        }),
      slow
    )

    it.scoped.skipIf(!Cli.hasTerminal)(
      title("gives the terminal back while it is suspended"),
      () =>
        Effect.gen(function* () {
          const pty = yield* Pty.start(["browse", "holiday"])
          yield* pty.until(/more ↓|all rows/)
          yield* pty.type("\u001A")
          const { code, stty } = yield* pty.ended
          assert.strictEqual(code, 128 + constants.signals.SIGTSTP)
          assert.isTrue(isRestored(pty, stty))
        }),
      slow
    )

    it.effect("is a table where there is no terminal", () =>
      Effect.gen(function* () {
        const { code, stdout } = yield* Cli.mfg(["browse", "holiday", "--where", "year=2026"])
        assert.strictEqual(code, 0)
        assert.match(stdout, /^id +name +date[^]*hol_2026-01-01 +New Year's Day/)
        const { stderr } = yield* Cli.mfg(["browse", "holidy"])
        assert.include(stderr, "Did you mean holiday?")
        const resources = yield* Cli.mfg(["browse"])
        assert.match(resources.stdout, /^resource +key\n/)
      })
    )
  })
})
