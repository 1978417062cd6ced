/** Opens a service with an administrator's key, for tests with one webhook of holidays. */
import * as Effect from "effect/Effect"
import type * as Sender from "../../src/webhooks/Sender.ts"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import { newWebhook } from "../webhooks/newWebhook.ts"

const adminKey = "mfg_administrator"
const apiKey = "mfg_some_caller"

/** Opens a service in memory, and returns a function that sends requests with the key of their path. */
export const open = (
  send: Sender.Sender,
  clock: Settings.Settings["clock"],
  advanceTimeout = Settings.defaults.advanceTimeout
) =>
  Effect.gen(function* () {
    const store = { _tag: "Sqlite", path: ":memory:" } as const
    const settings = {
      ...Settings.defaults,
      seed: { _tag: "Empty" } as const,
      store,
      adminKey,
      apiKey,
      clock,
      advanceTimeout
    }
    const { service } = yield* Instance.make({ settings, send, write: () => undefined })
    return (method: string, target: string, body?: unknown) =>
      Effect.suspend(() =>
        service.handle({
          method,
          target,
          headers: {
            authorization: `Bearer ${target.startsWith("/_mock") ? adminKey : apiKey}`,
            "content-type": "application/json"
          },
          body: body === undefined ? "" : JSON.stringify(body)
        })
      ).pipe(Effect.map(({ body, status }) => ({ status, body: JSON.parse(String(body)) })))
  })

/** A webhook for new holidays. */
export const hook = (url: string) => newWebhook({ url, onUpdate: false, onDelete: false })

export const holiday = { name: "a", date: "2026-05-01", companyId: "demo" }
