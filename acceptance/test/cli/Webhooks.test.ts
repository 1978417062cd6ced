import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import * as Cli from "../../src/Cli.ts"
import * as Program from "../../src/Program.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

/** A server that receives forwarded deliveries. */
const target = Effect.map(
  LocalServer.start((_, response) => void response.writeHead(204).end()),
  ({ received, url }) => ({ received, url: `${url}/hooks` })
)

describe("mfg webhooks", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.scoped(
      "listen creates a webhook, verifies and forwards its deliveries, and removes it on exit",
      () =>
        Effect.gen(function* () {
          const { env, file, mfg } = yield* Cli.Cli
          const before = (yield* mfg(["webhook", "list", "--count"])).stdout
          const { received, url } = yield* target
          // The message that it is ready goes to standard error, which is merged with standard output.
          const command = `exec '${process.execPath}' '${file}' webhooks listen --table holiday --forward-to ${url} 2>&1`
          const script = `const c = require("node:child_process").spawn("sh", ["-c", ${JSON.stringify(command)}], { stdio: "inherit" }); process.on("SIGINT", () => c.kill("SIGINT")); c.on("exit", (code) => process.exit(code ?? 1))`
          const { end } = yield* Program.start(["-e", script], /Listening at http/, { env })
          assert.notStrictEqual((yield* mfg(["webhook", "list", "--count"])).stdout, before)
          const caused = yield* mfg(["webhooks", "trigger", "holiday", "update"])
          assert.match(
            caused.stderr,
            /^Triggered update of holiday (\w+)\. To remove the new row: mfg holiday delete \1 --yes\n$/
          )
          const arrived = yield* received(2)
          assert.deepStrictEqual(
            arrived.map(({ body }) => JSON.parse(String(body)).type),
            ["INSERT", "UPDATE"]
          )
          for (const { headers } of arrived) {
            assert.containsAllKeys(headers, ["webhook-id", "webhook-timestamp", "webhook-signature"])
          }
          assert.strictEqual(yield* end("SIGINT"), 130)
          assert.strictEqual((yield* mfg(["webhook", "list", "--count"])).stdout, before)

          const deliveries = yield* mfg(["webhooks", "deliveries", "--table", "holiday", "--state", "delivered"])
          assert.lengthOf(Cli.rowsOf(deliveries.stdout), 2)
        }),
      slow
    )

    it.scoped(
      "deliveries are listed with their attempts, and redelivered",
      () =>
        Effect.gen(function* () {
          const { mfg } = yield* Cli.Cli
          const { received, url } = yield* target
          const hook = {
            name: "kept",
            table: "kanban",
            url,
            active: true,
            onInsert: true,
            onUpdate: true,
            onDelete: true,
            successCount: 0,
            errorCount: 0
          }
          const made = yield* mfg(["webhook", "create", "--json", JSON.stringify(hook)])
          assert.strictEqual(made.code, 0, made.stderr)
          const id = String(Cli.rowsOf(made.stdout)[0]?.["id"])
          const secret = yield* mfg(["webhooks", "secret", id])
          assert.match(secret.stdout, /^whsec_\S+\n$/)
          assert.strictEqual((yield* mfg(["webhooks", "trigger", "kanban", "delete"])).code, 0)
          yield* received(2)
          const [last] = Cli.rowsOf((yield* mfg(["webhooks", "deliveries", "--webhook", id])).stdout)
          assert.deepInclude(last, { table: "kanban", type: "DELETE" })
          const again = yield* mfg(["webhooks", "redeliver", String(last?.["id"])])
          assert.deepStrictEqual(again, { code: 0, stdout: "", stderr: "Redelivering 1 delivery.\n" })
          const [, first, second] = yield* received(3)
          assert.strictEqual(second?.headers["webhook-id"], first?.headers["webhook-id"])
          const [shown] = Cli.rowsOf((yield* mfg(["webhooks", "deliveries", String(last?.["id"])])).stdout)
          assert.isTrue(Array.isArray(shown?.["log"]))
        }),
      slow
    )

    it.effect("refuse a request without the administrator's key", () =>
      Effect.gen(function* () {
        const { mfg, origin } = yield* Cli.Cli
        const env = {
          XDG_CONFIG_HOME: "/nonexistent",
          MFG_REST_URL: `${origin}/rest`,
          MFG_BASE_URL: `${origin}/api/v1`,
          MFG_API_KEY: Cli.keys.api
        }
        const { code, stderr } = yield* mfg(["webhooks", "deliveries"], { env })
        assert.strictEqual(code, 3)
        assert.match(stderr, /needs the administrator's key of the service\. Set MFG_ADMIN_KEY/)
        const unknown = yield* mfg(["webhooks", "listen", "--table", "nothing"])
        assert.strictEqual(unknown.code, 2)
      })
    )
  })
})
