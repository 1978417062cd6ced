/**
 * The behaviour of `mfg` on a terminal, as opposed to a pipe.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import * as Cli from "../../src/Cli.ts"
import * as Pty from "../../src/Pty.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

const title = (text: string) =>
  `${text}${Cli.hasTerminal ? "" : " (there is no script of util-linux here to make a terminal)"}`

const shells = [
  [
    "bash",
    'source <(mfg completions bash); COMP_WORDS=(mfg holi); COMP_CWORD=1; _mfg_complete; echo "${COMPREPLY[*]}"'
  ],
  [
    "zsh",
    'compdef() { :; }; compadd() { shift 2; print -r -- "$@"; }; words=(mfg holi); CURRENT=2; source <(mfg completions zsh); _mfg_complete'
  ],
  ["fish", "mfg completions fish | source; complete --do-complete 'mfg holi'"]
] as const

describe("on a terminal", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.effect.skipIf(!Cli.hasTerminal)(
      title("rows are a table that fits, names its hidden columns, and has colours without NO_COLOR"),
      () =>
        Effect.gen(function* () {
          const { code, screen } = yield* Cli.onTerminal(["inboundInspection", "list"])
          assert.strictEqual(code, 0)
          const plain = stripVTControlCharacters(screen)
          const lines = plain.trimEnd().split("\n")
          assert.match(lines[0] ?? "", /^id +inboundIns/)
          assert.isTrue(lines.slice(0, -1).every((line) => line.length <= 80))
          assert.match(plain, /\(not shown: .*; --wide shows everything\)/)
          assert.include(screen, "\u001B[1m")
          const bare = yield* Cli.onTerminal(["inboundInspection", "list"], { env: { NO_COLOR: "1" } })
          assert.notInclude(bare.screen, "\u001B[1m")
        }),
      slow
    )

    it.effect.skipIf(!Cli.hasTerminal)(
      title("a destructive command asks for confirmation, and an import shows its progress"),
      () =>
        Effect.gen(function* () {
          const made = yield* Cli.mfg(["holiday", "create", "--name", "x", "--date", "2044-01-01"])
          const id = String(Cli.rowsOf(made.stdout)[0]?.["id"])
          const refused = yield* Cli.onTerminal(["holiday", "delete", id], { stdin: "n\n" })
          assert.include(refused.screen, `Really delete holiday ${id}? [y/N]`)
          assert.strictEqual(refused.code, 2)
          const done = yield* Cli.onTerminal(["holiday", "delete", id], { stdin: "y\n" })
          assert.include(done.screen, `Deleted holiday ${id}.`)
          assert.strictEqual(done.code, 0)

          const { folder } = yield* Cli.Cli
          const file = join(folder, "many.ndjson")
          const row = `{"journalId":"j","amount":1,"quantity":1,"journalLineReference":"r","accrual":true}\n`
          writeFileSync(file, row.repeat(50))
          const { code, screen } = yield* Cli.onTerminal(["journalLine", "import", file, "--batch", "10"])
          assert.strictEqual(code, 0)
          assert.match(screen, /journalLine: \d+ rows, \d+\/s, 0:\d\d left/)
        }),
      slow
    )

    it.scoped.skipIf(!Cli.hasTerminal)(
      title("Control-C ends a question, and its line"),
      () =>
        Effect.gen(function* () {
          const pty = yield* Pty.start(["holiday", "delete", "hol_2026-01-01"])
          yield* pty.until(/\[y\/N\]/)
          yield* pty.type(Pty.keys.interrupt)
          const { code, lines } = yield* pty.ended
          assert.strictEqual(code, 130)
          assert.include(
            lines.map((line) => line.trimEnd()),
            "Really delete holiday hol_2026-01-01? [y/N]"
          )
        }),
      slow
    )

    it.effect.skipIf(!Cli.hasTerminal)(title("open shows the page of a row in the browser of BROWSER"), () =>
      Effect.gen(function* () {
        const { folder, origin } = yield* Cli.Cli
        const file = join(folder, "opened")
        const url = `${origin}/console/holiday?id=eq.hol_2026-01-01`
        const open = ["holiday", "open", "hol_2026-01-01"]
        const piped = yield* Cli.mfg(open, { env: { BROWSER: `printf %s > '${file}'` } })
        assert.strictEqual(piped.stdout, `${url}\n`)
        assert.isFalse(existsSync(file))
        const env = { BROWSER: `sh -c 'printf %s "$0" > "${file}.new" && mv "${file}.new" "${file}"'` }
        const { code, screen } = yield* Cli.onTerminal(open, { env })
        assert.strictEqual(code, 0)
        assert.include(screen, url)
        yield* Effect.promise(async () => {
          while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10))
        })
        assert.strictEqual(readFileSync(file, "utf8"), url)
        const gone = yield* Cli.mfg(["holiday", "open", "nothing"])
        assert.deepStrictEqual([gone.code, gone.stdout], [6, ""])
        const { stdout } = yield* Cli.mfg([...open, "-o", "json"])
        assert.deepStrictEqual(JSON.parse(stdout), { page: "console", url })
      })
    )

    it.effect("a pipe has no colours, no cut columns, no questions and no progress", () =>
      Effect.gen(function* () {
        const { stderr, stdout } = yield* Cli.mfg(["inboundInspection", "list", "-o", "table"])
        assert.notInclude(stdout + stderr, "\u001B")
        assert.notInclude(stdout, "…")
      })
    )

    for (const [shell, script] of shells) {
      const isHere = spawnSync(shell, ["-c", "true"]).status === 0
      it.effect.skipIf(!isHere)(`${shell} completes words${isHere ? "" : ` (there is no ${shell} here)`}`, () =>
        Effect.gen(function* () {
          const { env, file } = yield* Cli.Cli
          const mfg = `mfg() { '${process.execPath}' '${file}' "$@"; }\n`
          const define = shell === "fish" ? `function mfg; '${process.execPath}' '${file}' $argv; end\n` : mfg
          const { stdout } = yield* Cli.run(shell, ["-c", define + script], { env })
          assert.strictEqual(stdout.trim(), "holiday")
        })
      )
    }

    it.effect("completes the keys of rows", () =>
      Effect.gen(function* () {
        const { folder } = yield* Cli.Cli
        const env = { XDG_CACHE_HOME: folder }
        // A busy machine may not respond in time, after which nothing is remembered.
        const complete = Effect.map(
          Cli.mfg(["__complete", "holiday", "get", "hol_2026-01-"], { env }),
          ({ stdout }) => stdout
        )
        assert.strictEqual(yield* Effect.repeat(complete, { until: (found) => found !== "" }), "hol_2026-01-01\n")
      })
    )

    it.effect("completes flags, fields and known values", () =>
      Effect.gen(function* () {
        const complete = (...words: ReadonlyArray<string>) =>
          Effect.map(Cli.mfg(["__complete", ...words]), ({ stdout }) => stdout.trim().split("\n"))
        assert.deepStrictEqual(yield* complete("warehouseTransfer", "create", "--status", "To S"), [
          "To Ship and Receive",
          "To Ship"
        ])
        assert.deepStrictEqual(yield* complete("holiday", "list", "--order", "da"), ["date"])
        assert.deepStrictEqual(yield* complete("holiday", "list", "--cou"), ["--count"])
        assert.deepStrictEqual(yield* complete("holiday", "de"), ["delete"])
        assert.deepStrictEqual(yield* complete("holiday", "list", "--fields", "da"), ["date"])
        assert.deepStrictEqual(yield* complete("whoami", "--profile", "d"), ["default"])
        assert.deepStrictEqual(yield* complete("profile", "use", "d"), ["default"])
        assert.deepStrictEqual(yield* complete("webhooks", "listen", "--table", "hol"), ["holiday"])
        assert.deepStrictEqual(yield* complete("webhooks", "trigger", "hol"), ["holiday"])
        assert.deepStrictEqual(yield* complete("he"), ["help"])
        assert.deepStrictEqual(yield* complete("help", "f"), ["fulfillment", "filters"])
        assert.deepStrictEqual(yield* complete("help", "holiday", "de"), ["delete"])
      })
    )
  })
})
