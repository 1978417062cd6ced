import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import type * as Exchange from "../../../src/Exchange.ts"
import * as Instance from "../../../src/service/Instance.ts"
import * as Settings from "../../../src/Settings.ts"

const service = (changed: Partial<Settings.Settings> = {}) =>
  Instance.make({
    settings: {
      ...Settings.defaults,
      seed: { _tag: "Empty" },
      store: { _tag: "Sqlite", path: ":memory:" },
      log: "off",
      ...changed
    },
    idSeed: 1,
    write: () => {}
  })

const textOf = ({ body }: Exchange.Response): string => Buffer.from(body).toString()

const exchange = (
  { service }: Instance.Instance,
  token: string,
  exposure?: Exchange.Exposure
): Effect.Effect<{ readonly status: number; readonly body: { readonly [name: string]: unknown } }> =>
  Effect.map(
    service.handle({
      method: "POST",
      target: "/console/sign-in",
      headers: { "mfg-sign-in": token },
      body: "",
      exposure
    }),
    (response) => ({ status: response.status, body: JSON.parse(textOf(response)) })
  )

const issue = ({ signIn }: Instance.Instance): string => signIn?.issue() ?? assert.fail("the console is off")

describe("the address that signs in", () => {
  it.scoped("is exchanged once for the keys of the settings", () =>
    Effect.gen(function* () {
      const instance = yield* service({ apiKey: "an_api_key", adminKey: "an_admin_key" })
      const token = issue(instance)
      const keys = { apiKey: "an_api_key", adminKey: "an_admin_key" }
      assert.deepEqual(yield* exchange(instance, token), { status: 200, body: keys })
      assert.strictEqual((yield* exchange(instance, token)).status, 403)
    })
  )

  it.scoped("gives a key of its own where the settings have none", () =>
    Effect.gen(function* () {
      const instance = yield* service()
      const { body } = yield* exchange(instance, issue(instance))
      assert.isNull(body["adminKey"])
      const headers = { authorization: `Bearer ${String(body["apiKey"])}` }
      const rows = yield* instance.service.handle({ method: "GET", target: "/rest/holiday", headers, body: "" })
      assert.strictEqual(rows.status, 200)
      assert.lengthOf(yield* instance.keys.list, 0)
    })
  )

  it.scoped("is refused after ten minutes", () =>
    Effect.gen(function* () {
      const instance = yield* service()
      const [early, late] = [issue(instance), issue(instance)]
      const start = performance.now()
      const now = vi.spyOn(performance, "now")
      yield* Effect.addFinalizer(() => Effect.sync(() => now.mockRestore()))
      now.mockReturnValue(start + 9 * 60_000)
      assert.strictEqual((yield* exchange(instance, early)).status, 200)
      now.mockReturnValue(start + 11 * 60_000)
      assert.strictEqual((yield* exchange(instance, late)).status, 403)
    })
  )

  it.scoped("is refused for requests of other machines and other sites, and stays valid for this one", () =>
    Effect.gen(function* () {
      const instance = yield* service()
      const token = issue(instance)
      for (const exposure of ["address", "peer", "host", "origin"] as const) {
        assert.strictEqual((yield* exchange(instance, token, exposure)).status, 403, exposure)
      }
      assert.strictEqual((yield* exchange(instance, token)).status, 200)
    })
  )

  it.scoped("is refused with a token that was never issued", () =>
    Effect.gen(function* () {
      const instance = yield* service()
      for (const token of ["", "x".repeat(32)]) {
        assert.strictEqual((yield* exchange(instance, token)).status, 403)
      }
    })
  )
})

describe("--console off", () => {
  it.scoped("leaves its path unknown, and out of the list of addresses and the reference", () =>
    Effect.gen(function* () {
      const instance = yield* service({ console: "off" })
      assert.isUndefined(instance.signIn)
      const get = (target: string) => instance.service.handle({ method: "GET", target, headers: {}, body: "" })
      assert.strictEqual((yield* get("/console")).status, 404)
      assert.strictEqual((yield* exchange(instance, "x")).status, 404)
      assert.notProperty(JSON.parse(textOf(yield* get("/"))), "console")
      const served = yield* service()
      const toConsole = 'href="/console'
      assert.include(
        textOf(yield* served.service.handle({ method: "GET", target: "/docs", headers: {}, body: "" })),
        toConsole
      )
      const page = yield* get("/docs")
      assert.strictEqual(page.status, 200)
      assert.notInclude(textOf(page), toConsole)
    })
  )
})

describe("the console", () => {
  it.scoped("has no faults, and its requests are not in the traffic", () =>
    Effect.gen(function* () {
      const instance = yield* service({ adminKey: "an_admin_key" })
      yield* instance.admin.createFault({ status: 503 })
      const rows = yield* instance.service.handle({ method: "GET", target: "/rest/", headers: {}, body: "" })
      assert.strictEqual(rows.status, 503)
      assert.strictEqual((yield* exchange(instance, "x")).status, 403)
      const traffic = yield* instance.admin.listTraffic({ limit: 10 })
      assert.deepEqual(
        traffic.map(({ target }) => target),
        ["/rest/"]
      )
    })
  )
})
