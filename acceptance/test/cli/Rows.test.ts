import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { chmodSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Cli from "../../src/Cli.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

/** A service whose every response is that of a query past the statement timeout. */
const exhausted = LocalServer.start((_, response) => {
  response.writeHead(504, { "content-type": "application/json" }).end(
    JSON.stringify({
      code: "57014",
      message: "canceling statement due to statement timeout",
      details: "The query ran for longer than 5000 ms (--statement-timeout).",
      hint: "Request less: fewer rows (limit)."
    })
  )
})

describe("mfg <resource>", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.effect(
      "creates, shows, changes, lists and deletes a row",
      () =>
        Effect.gen(function* () {
          const made = yield* Cli.mfg([
            "paymentTerm",
            "create",
            "--json",
            `{"name":"Net 7","daysDue":7}`,
            "--days-discount",
            "0",
            "--discount-percentage=0",
            "--calculation-method",
            "Net",
            "--active",
            "true"
          ])
          assert.strictEqual(made.code, 0, made.stderr)
          const [row] = Cli.rowsOf(made.stdout)
          assert.deepInclude(row, { name: "Net 7", daysDue: 7, active: true, companyId: "demo", customFields: null })
          const id = String(row?.["id"])
          const changed = yield* Cli.mfg([
            "paymentTerm",
            "update",
            id,
            "--custom-fields",
            `{"a":1}`,
            "--tags",
            `["x","y"]`
          ])
          assert.deepInclude(Cli.rowsOf(changed.stdout)[0], { customFields: { a: 1 }, tags: ["x", "y"] })
          const cleared = yield* Cli.mfg(["paymentTerm", "update", id, "--clear", "tags", "-o", "json"])
          assert.strictEqual(JSON.parse(cleared.stdout).tags, null)
          const got = yield* Cli.mfg(["paymentTerm", "get", id, "--select", "id,name"])
          assert.deepStrictEqual(Cli.rowsOf(got.stdout), [{ id, name: "Net 7" }])
          const tags = [1, "a", null, { b: [true] }]
          yield* Cli.mfg(["api", "PATCH", `/rest/paymentTerm?id=eq.${id}`, "--body", JSON.stringify({ tags })])
          const whole = yield* Cli.mfg(["paymentTerm", "get", id, "-o", "json"])
          assert.deepInclude(JSON.parse(whole.stdout), { id, tags })
          assert.strictEqual((yield* Cli.mfg(["paymentTerm", "delete", id])).code, 2)
          const deleted = yield* Cli.mfg(["paymentTerm", "delete", id, "--yes"])
          assert.deepStrictEqual(deleted, { code: 0, stdout: "", stderr: `Deleted paymentTerm ${id}.\n` })
          assert.strictEqual((yield* Cli.mfg(["paymentTerm", "get", id])).code, 6)
        }),
      slow
    )

    it.scoped(
      "names the limit that a request exceeds and a request to send instead, without a retry",
      () =>
        Effect.gen(function* () {
          const { requests, url } = yield* exhausted
          const env = { MFG_REST_URL: `${url}/rest`, MFG_BASE_URL: url, MFG_API_KEY: Cli.keys.api }
          const commands = [["list"], ["get", "hol_1"], ["export"]]
          for (const command of commands) {
            const { code, stderr } = yield* Cli.mfg(["holiday", ...command], { env })
            assert.strictEqual(code, 15, stderr)
            assert.include(
              stderr,
              "The request for holiday exceeds a limit: The query ran for longer than 5000 ms (--statement-timeout). (57014); Request less: fewer rows (limit)."
            )
          }
          assert.lengthOf(requests, commands.length)
        }),
      slow
    )

    it.effect(
      "lists the selected rows in the selected format",
      () =>
        Effect.gen(function* () {
          const list = (...args: ReadonlyArray<string>) => Cli.mfg(["journalLine", "list", ...args])
          const some = yield* list("--limit", "3", "--order", "-amount", "--select", "id,amount")
          const amounts = Cli.rowsOf(some.stdout).map(({ amount }) => Number(amount))
          assert.deepStrictEqual(
            amounts,
            amounts.toSorted((a, b) => b - a)
          )
          assert.lengthOf(amounts, 3)
          const all = Cli.rowsOf((yield* list("--all", "--where", "accrual=true")).stdout)
          const count = yield* list("--count", "--where", "accrual=true")
          assert.strictEqual(count.stdout, `${all.length}\n`)
          assert.isTrue(all.every(({ accrual }) => accrual === true))
          const json = JSON.parse((yield* list("-n", "2", "-o", "json", "-s", "id")).stdout)
          const csv = yield* list("-n", "2", "-o", "csv", "-s", "id")
          assert.strictEqual(csv.stdout, ["id", ...json.map(({ id }: { readonly id: string }) => id), ""].join("\r\n"))
          const table = yield* list("-n", "2", "-o", "table", "-s", "id,amount")
          assert.match(table.stdout, /^id +amount\n\S+ +-?[\d.]+\n\S+ +-?[\d.]+\n$/)
          const none = yield* list("--where", "amount>1e12", "-o", "json")
          assert.deepStrictEqual(none, { code: 0, stdout: "[]\n", stderr: "" })
        }),
      slow
    )

    it.effect(
      "exits with the documented code of each failure",
      () =>
        Effect.gen(function* () {
          const { mfg, origin } = yield* Cli.Cli
          const rest = { MFG_REST_URL: `${origin}/rest`, MFG_BASE_URL: `${origin}/api/v1` }
          const key = (yield* mfg(["keys", "create", "--scope", "holiday:read"])).stdout.trim()
          const reader = { ...rest, MFG_API_KEY: key }
          const cases = [
            [3, ["holiday", "list"], { XDG_CONFIG_HOME: "/nonexistent" }, /Run: mfg login --url/],
            [4, ["holiday", "list"], { ...rest, MFG_API_KEY: "mfg_wrong" }, /rejected the API key/],
            [5, ["kanban", "list"], reader, /kanban/],
            [0, ["holiday", "list", "--count"], reader, /^$/],
            [6, ["api", "GET", "/nothing"], {}, /GET \/nothing failed with status 404/],
            [
              7,
              ["holiday", "list", "--where", "or=(nothing.eq.1)"],
              {},
              /The query of holiday was rejected: .*\(42703\)/
            ],
            [
              8,
              ["holiday", "update", "hol_2026-01-01", "--name", "x", "--if-match", '"0"'],
              {},
              /holiday.*Read the row again/
            ],
            [
              11,
              ["whoami"],
              { MFG_API_KEY: key, MFG_BASE_URL: "http://127.0.0.1:1/api/v1" },
              /127\.0\.0\.1:1 cannot be reached/
            ],
            [
              12,
              ["whoami"],
              { MFG_BASE_URL: `${origin}/docs` },
              /Expected JSON from .*: check the address of the service/
            ]
          ] as const
          for (const [expected, args, env, says] of cases) {
            const { code, stderr } = yield* mfg(args, { env })
            assert.strictEqual(code, expected, `${args.join(" ")}: ${stderr}`)
            assert.match(stderr, says)
            assert.notInclude(stderr, key)
          }
        }),
      slow
    )

    it.effect(
      "succeeds when the reader of its output stops early",
      () =>
        Effect.gen(function* () {
          const { env, file } = yield* Cli.Cli
          const script = `'${process.execPath}' '${file}' journalLine list --all --output json | head -c 10; echo "\${PIPESTATUS[0]}"`
          const { stderr, stdout } = yield* Cli.run("bash", ["-c", script], { env })
          assert.deepStrictEqual({ stderr, last: stdout.slice(10) }, { stderr: "", last: "0\n" })
        }),
      slow
    )

    it.effect(
      "refuses a profile that other users can read",
      () =>
        Effect.gen(function* () {
          const { folder } = yield* Cli.Cli
          const path = join(folder, "mfg", "profiles.json")
          assert.strictEqual(statSync(path).mode & 0o777, 0o600)
          chmodSync(path, 0o640)
          const { code, stderr } = yield* Cli.mfg(["whoami"])
          chmodSync(path, 0o600)
          assert.strictEqual(code, 3)
          assert.include(stderr, `Run: chmod 600 ${path}`)
        }),
      slow
    )

    it.effect(
      "doctor reports the failed checks",
      () =>
        Effect.gen(function* () {
          const well = yield* Cli.mfg(["doctor"])
          assert.strictEqual(well.code, 0, well.stdout)
          assert.deepStrictEqual(
            Cli.rowsOf(well.stdout).map(({ check, verdict }) => [check, verdict]),
            ["profile", "proxy", "certificates", "address", "key", "contract", "clock", "versions"].map((check) => [
              check,
              "ok"
            ])
          )
          const env = { MFG_API_KEY: "mfg_elsewhere", MFG_REST_URL: "http://127.0.0.1:1/rest" }
          const ill = yield* Cli.mfg(["doctor"], { env })
          assert.strictEqual(ill.code, 1)
          assert.deepInclude(Cli.rowsOf(ill.stdout).at(-1), { check: "address", verdict: "failed" })
        }),
      slow
    )
  })
})
