import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mfg, withoutService } from "./Cli.ts"

// Only the command line is wrong: no request is sent.
withoutService()

const misspelt: ReadonlyArray<readonly [line: string, meant: string]> = [
  ["holidy", "holiday"],
  ["warehouseTranfer list", "warehouseTransfer"],
  ["payment_term", "paymentTerm"],
  ["webhok", "webhook"],
  ["logn", "login"],
  ["whoam", "whoami"],
  ["holiday lst", "list"],
  ["holiday rm", "delete"],
  ["account getcurrentuser", "getCurrentUser"],
  ["kanban list --limt 3", "--limit"],
  ["holiday create --nam x", "--name"],
  ["holiday list --output jsn", "json"],
  ["holiday list --where nme=x", "name"],
  ["holiday list --order dat.desc", "date"],
  ["holiday list --select id,nmae", "name"],
  ["describe kanbn", "kanban"],
  ["completions bsh", "bash"],
  ["api GTE /holiday", "GET"],
  ["keys create --scope holiday:rea", "holiday:read"]
]

const refused: ReadonlyArray<readonly [line: string, says: RegExp]> = [
  ["surprise", /Unknown command mfg surprise\. mfg --help lists all commands\./],
  [
    "kanban list --where quantity>many",
    /Invalid value "many" for quantity: expected a number\. For example: --where 'quantity>=/
  ],
  [
    "holiday create --name x --date 2027-02-30",
    /Invalid value "2027-02-30" for date: expected a date\. For example: --date 2027-05-01/
  ],
  ["webhook create --active maybe", /Invalid value "maybe" for active: expected true or false/],
  ["holiday create --custom-fields [1]", /for customFields: expected a JSON object/],
  [
    "holiday create --json [1]",
    /Invalid --json: a list, which mfg <resource> import accepts, expected one JSON object/
  ],
  [
    "holiday create --name x",
    /Missing --date, --company-id of mfg holiday create\. For example: mfg holiday create --name text --date/
  ],
  ["holiday list --limit", /Missing value of --limit/],
  ["holiday list --limit=-3", /Invalid value "-3" for --limit: expected an integer of at least 1/],
  ["holiday list --limit 0", /Invalid value "0" for --limit: expected an integer of at least 1/],
  [
    "holiday list --limit few",
    /Invalid value "few" for --limit: expected an integer of at least 1\. For example: --limit 20/
  ],
  ["holiday get", /Missing argument <id>/],
  ["pull holiday", /Missing flag --into/],
  ["holiday update hol_1", /Missing fields of mfg holiday update\. For example: mfg holiday update hol_1 --name text/],
  ["holiday update hol_1 --clear name", /Invalid field name for --clear: it is required/],
  ["holiday update hol_1 --clear createdAt", /Invalid field createdAt for --clear: the service sets it/],
  [
    "holiday list --where Easter",
    /Invalid condition "Easter": expected <field><operator><value>\..*--where status=Draft/
  ],
  ["holiday import holidays.txt", /Unknown format of holidays\.txt: expected a name that ends in \.csv or \.ndjson/],
  ["webhooks listen --port 70000", /Invalid value "70000" for --port: expected an integer from 0 to 65535/],
  ["webhooks secret w_1 --overlap soon", /Invalid value "soon" for --overlap: expected an integer of at least 0/],
  ["holiday import a.csv --batch 0", /Invalid value "0" for --batch: expected an integer from 1 to 5000/],
  ["login --url example.com", /Invalid address "example\.com" for --url: expected http:\/\//],
  ["login", /Missing address of mfg login.*mfg login --url/],
  ["account getAccount", /Missing --id of mfg account getAccount/],
  ["account getAttributes --is-public perhaps", /Invalid value "perhaps" for --is-public/],
  ["keys create --expires soon", /Invalid value "soon" for --expires: expected a timestamp/],
  ["keys create --name=", /Invalid value "" for --name: expected the purpose of the key/],
  ["describe nothing", /Unknown resource nothing\. The resources are oauthCode, /],
  ["holiday delete hol_1", /Not confirmed: delete holiday hol_1\. Add --yes/],
  ["keys revoke k_1", /Not confirmed: revoke the key k_1\. Add --yes/],
  ["account deleteUserAttributeValue --user-attribute-id a --user-attribute-value-id b", /Not confirmed/]
]

describe("an invalid command line", () => {
  it.effect.each(misspelt)("mfg %s suggests %s, with code 2", ([line, meant]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* mfg(...line.split(" "))
      assert.deepStrictEqual({ code, stdout }, { code: 2, stdout: "" })
      assert.include(stderr, `Did you mean ${meant}?`)
      assert.match(stderr, /^mfg: [^\n]+\n$/)
    })
  )

  it.effect.each(refused)("mfg %s names the expected form, with code 2", ([line, says]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* mfg(...line.split(" "))
      assert.match(stderr, says)
      assert.deepStrictEqual({ code, stdout }, { code: 2, stdout: "" })
    })
  )

  it.effect("is reported in JSON with --output json", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* mfg("kanban", "list", "--where", "quantity>many", "--output", "json")
      assert.strictEqual(code, 2)
      const { error, exitCode } = JSON.parse(stderr)
      assert.strictEqual(exitCode, 2)
      assert.deepInclude(error, {
        _tag: "UsageError",
        problem: `Invalid value "many" for quantity: expected a number.`
      })
    })
  )

  it.effect("is reported in JSON by commands that output no rows too", () =>
    Effect.gen(function* () {
      for (const line of [
        "completions bsh -o json",
        "profile remove x --output ndjson",
        "-o json keys revoke k --yes"
      ]) {
        const { code, stderr, stdout } = yield* mfg(...line.split(" "))
        assert.strictEqual(stdout, "")
        assert.strictEqual(JSON.parse(stderr).exitCode, code)
        assert.notStrictEqual(code, 0)
      }
      const script = yield* mfg("completions", "bash", "--output", "json", "--profile", "any")
      assert.strictEqual(script.code, 0)
      const invalid = yield* mfg("completions", "bash", "--output", "jsn")
      assert.match(invalid.stderr, /Invalid value "jsn" for --output.*Did you mean json\?/)
    })
  )

  it.live("names the address of a service that does not run, with code 11", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* mfg("holiday", "list")
      assert.strictEqual(code, 11)
      assert.match(stderr, /^mfg: http:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*Is the service running\?/)
    })
  )
})

describe("help", () => {
  it.effect.each(["", "--help", "help", "holiday", "holiday --help", "holiday create -h", "api --help"])(
    "mfg %s",
    (line) =>
      Effect.gen(function* () {
        const { code, stderr, stdout } = yield* mfg(...line.split(" ").filter((word) => word !== ""))
        assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" })
        assert.match(stdout, /^(?:mfg 1\.2\.3.*\n\n)?USAGE\n {2}\$ mfg /)
        assert.notInclude(stdout, "\u001B")
      })
  )

  it.effect("shows the fields, types and known values of a resource", () =>
    Effect.gen(function* () {
      const { stdout } = yield* mfg("warehouseTransfer", "--help")
      assert.include(stdout, "fromLocationId: text, required; references location.id")
      assert.include(stdout, "createdAt: timestamp, set by the service")
      assert.match(stdout, /status: text, required; known values: Draft, To Ship and Receive/)
      assert.isBelow(stdout.indexOf("list"), stdout.indexOf("COMMANDS") + 20)
    })
  )
})

describe("mfg --version", () => {
  it.effect("writes the version", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* mfg("--version"), { code: 0, stdout: "1.2.3\n", stderr: "" })
    })
  )
})
