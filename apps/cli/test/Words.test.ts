import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import { mfg } from "./Shell.ts"

// No service is asked: nothing but the command line is wrong, and nothing of this machine's set-up counts.
const variables = {
  XDG_CONFIG_HOME: "/nonexistent",
  MFG_REST_URL: "http://127.0.0.1:1/rest",
  MFG_BASE_URL: "http://127.0.0.1:1/api/v1",
  MFG_API_KEY: "k"
}
const kept = { ...process.env }
beforeAll(() => void Object.assign(process.env, variables))
afterAll(() => void (process.env = kept))

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
  ["surprise", /There is no command mfg surprise\. mfg --help lists all commands\./],
  [
    "kanban list --where quantity>many",
    /quantity takes a number, and "many" is none\. For example: --where 'quantity>=/
  ],
  ["holiday create --name x --date 2027-02-30", /date takes a day of the calendar.*For example: --date 2027-05-01/],
  ["webhook create --active maybe", /active takes true or false/],
  ["holiday create --custom-fields [1]", /customFields takes a JSON object/],
  ["holiday create --json [1]", /--json holds a list: mfg <resource> import writes many rows/],
  ["holiday create --name x", /needs --date, --company-id\. For example: mfg holiday create --name text --date/],
  ["holiday list --limit", /--limit needs a value/],
  ["holiday list --limit=-3", /--limit takes a whole number from 0, and -3 is none/],
  ["holiday list --limit few", /--limit takes a whole number from 0, and few is none\. For example: --limit 20/],
  ["holiday get", /Missing argument <id>/],
  ["holiday update hol_1", /changes nothing.*For example: mfg holiday update hol_1 --name text/],
  ["holiday update hol_1 --clear name", /name cannot be cleared: every row has one/],
  ["holiday update hol_1 --clear createdAt", /createdAt cannot be cleared: the service sets it/],
  ["holiday list --where Easter", /"Easter" is no condition.*--where status=Draft/],
  ["holiday import holidays.txt", /format of holidays\.txt is not told by its name/],
  ["webhooks listen --port 70000", /--port takes a whole number from 0 to 65535, and 70000 is none/],
  ["webhooks secret w_1 --overlap soon", /--overlap takes a whole number from 0, and soon is none/],
  ["holiday import a.csv --batch 0", /--batch takes a whole number from 1 to 5000/],
  ["login --url example.com", /--url takes an address.*http:\/\//],
  ["login", /needs the address of the service.*mfg login --url/],
  ["account getAccount", /needs --id/],
  ["account getAttributes --is-public perhaps", /does not take "perhaps" for --is-public/],
  ["keys create --expires soon", /--expires takes a timestamp/],
  ["describe nothing", /There is no resource nothing\. There are oauthCode, /],
  ["holiday delete hol_1", /Not done: delete holiday hol_1\. Add --yes/],
  ["keys revoke k_1", /Not done: revoke the key k_1\. Add --yes/],
  ["account deleteUserAttributeValue --user-attribute-id a --user-attribute-value-id b", /Not done/]
]

describe("a command line that is not understood", () => {
  it.effect.each(misspelt)("mfg %s is answered with %s, and code 2", ([line, meant]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* mfg(...line.split(" "))
      assert.deepStrictEqual({ code, stdout }, { code: 2, stdout: "" })
      assert.include(stderr, `Did you mean ${meant}?`)
      assert.match(stderr, /^mfg: [^\n]+\n$/)
    })
  )

  it.effect.each(refused)("mfg %s is told what was expected, with code 2", ([line, says]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* mfg(...line.split(" "))
      assert.match(stderr, says)
      assert.deepStrictEqual({ code, stdout }, { code: 2, stdout: "" })
    })
  )

  it.effect("is told in JSON where JSON is asked for", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* mfg("kanban", "list", "--where", "quantity>many", "--output", "json")
      assert.strictEqual(code, 2)
      const { error, exitCode } = JSON.parse(stderr)
      assert.strictEqual(exitCode, 2)
      assert.deepInclude(error, { _tag: "UsageError", problem: `quantity takes a number, and "many" is none.` })
    })
  )

  it.live("a service that is not there is told by its address, with code 11", () =>
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

  it.effect("of a resource shows its fields, types and known values", () =>
    Effect.gen(function* () {
      const { stdout } = yield* mfg("warehouseTransfer", "--help")
      assert.include(stdout, "fromLocationId: text, required; names location.id")
      assert.include(stdout, "createdAt: timestamp, set by the service")
      assert.match(stdout, /status: text, required; known: Draft, To Ship and Receive/)
      assert.isBelow(stdout.indexOf("list"), stdout.indexOf("COMMANDS") + 20)
    })
  )
})

describe("mfg --version", () => {
  it.effect("says the version", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* mfg("--version"), { code: 0, stdout: "1.2.3\n", stderr: "" })
    })
  )
})
