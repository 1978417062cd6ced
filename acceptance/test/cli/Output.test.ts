/**
 * The forms of the output of `mfg`: formats, fields, templates and jq expressions.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Cli from "../../src/Cli.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

const holidays = ["holiday", "list", "--where", "year=2026", "--order", "date", "--limit", "2"]

const refused: ReadonlyArray<readonly [flags: ReadonlyArray<string>, says: string]> = [
  [["--jq", ".[", "--url", "x"], "Unknown flag --url"],
  [["--jq", ".["], `Invalid value ".[" for --jq: syntax error`],
  [["--jq", ".", "--template", "{{id}}"], "Use either --jq or --template."],
  [["--jq", ".", "-o", "csv"], "--jq writes JSON: use it without --output."],
  [["--template", "{{id}}", "-o", "json"], "Use either --template or --output."],
  [["--template", "{{idd}}"], `Unknown field "idd" in --template. Did you mean id?`],
  [["--fields", "id,nmae"], `Unknown field "nmae" in --fields. Did you mean name?`],
  [["--all", "--limit", "3"], "Use either --all or --limit."],
  [["--all", "--offset", "3"], "Use either --all or --offset."]
]

describe("the output of mfg", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.effect(
      "is what --fields, --template, --jq and --output yaml ask for",
      () =>
        Effect.gen(function* () {
          const list = (...flags: ReadonlyArray<string>) =>
            Effect.map(Cli.mfg([...holidays, ...flags]), ({ code, stderr, stdout }) => {
              assert.strictEqual(code, 0, stderr)
              return stdout
            })
          assert.strictEqual(
            yield* list("--fields", "date,id", "-o", "csv"),
            "date,id\r\n2026-01-01,hol_2026-01-01\r\n2026-04-03,hol_2026-04-03\r\n"
          )
          assert.strictEqual(
            yield* list("--template", "{{date}}\\t{{name}}"),
            "2026-01-01\tNew Year's Day\n2026-04-03\tGood Friday\n"
          )
          assert.strictEqual(yield* list("--jq", ".[] | .name"), "New Year's Day\nGood Friday\n")
          assert.strictEqual(yield* list("--jq", "map(.year) | add"), "4052\n")
          assert.strictEqual(
            yield* list("--fields", "id,year", "-o", "yaml"),
            "- id: hol_2026-01-01\n  year: 2026\n- id: hol_2026-04-03\n  year: 2026\n"
          )
          const get = (...flags: ReadonlyArray<string>) => Cli.mfg(["holiday", "get", "hol_2026-01-01", ...flags])
          assert.strictEqual((yield* get("--jq", ".name")).stdout, "New Year's Day\n")
          assert.strictEqual((yield* get("--fields", "name", "-o", "yaml")).stdout, "name: New Year's Day\n")
          const nothing = yield* Cli.mfg(["holiday", "list", "--where", "year=1", "-o", "yaml"])
          assert.strictEqual(nothing.stdout, "[]\n")
        }),
      slow
    )

    it.effect(
      "is refused by the name of the flag",
      () =>
        Effect.forEach(refused, ([flags, says]) =>
          Effect.map(Cli.mfg(["holiday", "list", ...flags]), ({ code, stderr, stdout }) => {
            assert.deepStrictEqual([code, stdout], [2, ""], flags.join(" "))
            assert.include(stderr, says)
          })
        ),
      slow
    )

    it.effect("transforms the response of api by --jq and --template", () =>
      Effect.gen(function* () {
        const get = ["api", "GET", "/holiday?order=date&limit=2"]
        assert.strictEqual((yield* Cli.mfg([...get, "--jq", ".[].date"])).stdout, "2026-01-01\n2026-04-03\n")
        assert.strictEqual(
          (yield* Cli.mfg([...get, "--template", "{{date}}: {{name}}"])).stdout,
          "2026-01-01: New Year's Day\n2026-04-03: Good Friday\n"
        )
        const plain = yield* Cli.mfg(["api", "GET", "/holiday?limit=1", "-H", "Accept: text/csv", "--jq", "."])
        assert.strictEqual(plain.code, 2)
        assert.include(plain.stderr, "The response is not JSON, which --jq and --template need.")
        assert.include((yield* Cli.mfg([...get, "--jq", ".", "--template", "{{id}}"])).stderr, "Use either")
      })
    )

    it.effect("begins the message about a refused request on a line of its own", () =>
      Effect.gen(function* () {
        const { code, stdout } = yield* Cli.mfg(["api", "GET", "/holiday?limit=x"])
        assert.strictEqual(code, 7)
        assert.match(stdout, /\}\n$/)
        const row = yield* Cli.mfg(["api", "GET", "/holiday?limit=1&select=id"])
        assert.match(row.stdout, /\]$/)
      })
    )

    it.effect("shows requests and their times on standard error, without secrets", () =>
      Effect.gen(function* () {
        const { origin } = yield* Cli.Cli
        const list = ["oauthClient", "list", "--where", "clientSecret=hidden", "--where", "or=(clientSecret.eq.hidden)"]
        const { code, stderr, stdout } = yield* Cli.mfg(["--verbose", ...list, "--trace"])
        assert.deepStrictEqual([code, stdout], [0, ""])
        assert.include(stderr, `> GET ${origin}/rest/oauthClient?clientSecret=<redacted>&`)
        assert.include(stderr, "> authorization: <redacted>")
        assert.match(stderr, /^< x-request-id: /m)
        assert.match(stderr, /^GET .* 200 in \d+ ms \(inline;/m)
        assert.notInclude(stderr, "hidden")
        assert.notInclude(stderr, Cli.keys.api)
        const quiet = yield* Cli.mfg(["holiday", "list", "--trace", "--limit", "1"])
        assert.match(quiet.stderr, /^GET [^\n]* 200 in \d+ ms [^\n]*\n(?:GET [^\n]*\n)*$/)
      })
    )

    it.effect("names an address that has no path of rows, or speaks no TLS", () =>
      Effect.gen(function* () {
        const { origin } = yield* Cli.Cli
        const bare = yield* Cli.mfg(["holiday", "list"], { env: { MFG_REST_URL: origin } })
        assert.strictEqual(bare.code, 7)
        assert.include(bare.stderr, "Check the address of the row interface (MFG_REST_URL")
        const https = `${origin.replace("http:", "https:")}/rest`
        const env = { MFG_REST_URL: https, MFG_API_KEY: Cli.keys.api }
        const { code, stderr } = yield* Cli.mfg(["holiday", "list"], { env })
        assert.strictEqual(code, 11)
        assert.include(stderr, "the server does not speak TLS, use http:// in place of https://")
        assert.notMatch(stderr, /SSL routines/)
      })
    )
  })

  it.scoped(
    "has as many rows as asked for, where the service returns fewer in a response",
    () =>
      Effect.gen(function* () {
        const { mfg } = yield* Cli.make(["--max-rows", "3", "--aggregates", "on"])
        const rowsOf = (...flags: ReadonlyArray<string>) =>
          Effect.map(mfg(["journalLine", "list", "--select", "id", ...flags]), ({ stderr, stdout }) => ({
            ids: Cli.rowsOf(stdout).map(({ id }) => id),
            stderr
          }))
        const ten = yield* rowsOf("--limit", "10")
        assert.lengthOf(new Set(ten.ids), 10)
        const later = yield* rowsOf("--limit", "7", "--offset", "3")
        assert.deepStrictEqual(later.ids, ten.ids.slice(3))
        const total = yield* mfg(["journalLine", "list", "--count"])
        assert.isAbove(Number(total.stdout), 10)
        for (const flags of [[], ["--all"]]) {
          const { ids, stderr } = yield* rowsOf(...flags)
          assert.lengthOf(ids, Number(total.stdout))
          assert.strictEqual(stderr, "")
        }
        const grouped = yield* mfg(["journalLine", "list", "--select", "accrual,count()", "--order", "accrual"])
        const counts = Cli.rowsOf(grouped.stdout).map(({ count }) => Number(count))
        assert.strictEqual(
          counts.reduce((sum, count) => sum + count, 0),
          Number(total.stdout),
          grouped.stderr
        )
      }),
    slow
  )
})
