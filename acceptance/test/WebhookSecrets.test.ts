import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as WebhookReceivers from "../src/WebhookReceivers.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const headers = { Authorization: "Bearer mfg_secrets_test_key", "Content-Type": "application/json" }

const env = { MFG_MOCK_API_KEY: "mfg_secrets_test_key", MFG_MOCK_ADMIN_KEY: "mfg_secrets_test_administrator" }

const body = JSON.stringify(WebhookReceivers.row("holiday", "http://127.0.0.1:1/"))

describe("mfg-mock webhooks", () => {
  it.scoped(
    "shows a secret once and rolls it, with and without a running service",
    () =>
      Effect.gen(function* () {
        const bin = yield* Bin.bundle("mock")
        const store = `sqlite:${join(yield* Tree.make({}), "store.db")}`
        const { end, said } = yield* Program.start(
          [bin, "serve", "--port", "0", "--seed", "empty", "--store", store],
          /Try:/,
          { env }
        )
        const [origin = ""] = /http:\/\/[^\s/]+:\d+/.exec(said) ?? []
        const id = yield* Effect.promise(async () => {
          const response = await fetch(`${origin}/rest/webhook`, { method: "POST", headers, body })
          // The response is the created row.
          return ((await response.json()) as { readonly id: string }).id
        })
        const webhooks = (...args: ReadonlyArray<string>) =>
          Program.node([bin, "webhooks", ...args, "--store", store], { env })
        const taken = ({ code, stderr, stdout }: Program.Ended): string => {
          assert.strictEqual(code, 0, stderr)
          // The only output, so that scripts can read it.
          assert.match(stdout, /^whsec_[\w+/]{42,}=*\n$/)
          return stdout
        }

        const first = taken(yield* webhooks("secret", id))
        const again = yield* webhooks("secret", id)
        assert.deepInclude(again, { code: 1, stdout: "" })
        assert.include(again.stderr, "roll it to get a new one")
        assert.notInclude(again.stderr, first.trim())
        const second = taken(yield* webhooks("roll", id, "--overlap", "60"))
        assert.notStrictEqual(second, first)

        yield* end("SIGTERM")
        assert.notInclude([first, second], taken(yield* webhooks("roll", id)))
        const missing = yield* webhooks("roll", "nobody")
        assert.deepInclude(missing, { code: 1, stdout: "" })
        assert.include(missing.stderr, 'there is no webhook "nobody"')
      }),
    300_000
  )
})
