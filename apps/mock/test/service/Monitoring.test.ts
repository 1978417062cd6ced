import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as prometheusText from "./prometheusText.ts"

const adminKey = "mfg_monitoring_administrator"
const apiKey = "mfg_monitoring_key"

const serve = (settings: Partial<Settings.Settings> = {}) =>
  Instance.make({
    settings: {
      ...Settings.defaults,
      store: { _tag: "Sqlite", path: ":memory:" },
      seed: { _tag: "Empty" },
      log: "off",
      apiKey,
      ...settings
    },
    write: () => {}
  })

const get = (target: string, key?: string, method = "GET") => ({
  method,
  target,
  headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  body: "",
  peer: "127.0.0.1"
})

describe("the metrics of the service", () => {
  it.scoped("require the administrator's key", () =>
    Effect.gen(function* () {
      const { service } = yield* serve({ adminKey })
      const status = (key?: string) => Effect.map(service.handle(get("/metrics", key)), ({ status }) => status)
      assert.deepStrictEqual(yield* Effect.all([status(), status(apiKey), status(adminKey)]), [401, 401, 200])
    })
  )

  it.scoped("are off without the administrator's key", () =>
    Effect.gen(function* () {
      const { service } = yield* serve()
      assert.strictEqual((yield* service.handle(get("/metrics", apiKey))).status, 404)
    })
  )

  it.scoped("need no key on their own port, which serves only them and the health checks", () =>
    Effect.gen(function* () {
      const { service } = yield* serve()
      const statuses = yield* Effect.all(
        [
          get("/metrics"),
          get("/health/live"),
          get("/health/ready"),
          get("/rest/holiday", apiKey),
          get("/_mock/keys", adminKey),
          get("/"),
          get("/metrics", undefined, "POST")
        ].map((request) => Effect.map(service.monitoring.handle(request), ({ status }) => status))
      )
      assert.deepStrictEqual(statuses, [200, 200, 200, 404, 404, 404, 405])
      const families = yield* prometheusText.scrape(service)
      // Scrapes are not among the requests.
      assert.isFalse(families.has("mfg_mock_requests_total"))
    })
  )

  it.scoped("show on their own port that the service is stopping", () =>
    Effect.gen(function* () {
      const { service } = yield* serve()
      yield* service.drain
      assert.strictEqual((yield* service.monitoring.handle(get("/health/ready"))).status, 503)
    })
  )
})
