/** Runs a service with facts on a store of its own, and sends requests as its first user. */
import type * as Fact from "@mfgdata/domain/Fact"
import { assert } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as Service from "./Service.ts"

const apiKey = "mfg_taught_service"

export interface Running extends Instance.Instance {
  readonly companyId: string
  readonly ask: (method: string, target: string, body?: unknown, prefer?: string) => Effect.Effect<Service.Reply>
}

export class TaughtService extends Context.Tag("suite/TaughtService")<TaughtService, Running>() {}

export interface Options {
  readonly facts?: Settings.FactsSource | undefined
  readonly seed?: "Demo" | "Empty"
  readonly rules?: "contract" | "public"
}

/** Starts a service on a store, which may have been served before. */
export const start = (
  store: Settings.Settings["store"],
  { facts, rules = "contract", seed = "Empty" }: Options
): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.gen(function* () {
    const settings = { ...Settings.defaults, apiKey, facts, rules, store, seed: { _tag: seed }, log: "off" } as const
    const instance = yield* Instance.make({ settings, idSeed: 1, write: () => undefined })
    const home = instance.world.home() ?? assert.fail("the seed has a company")
    const ask: Running["ask"] = (method, target, body, prefer) =>
      Effect.suspend(() =>
        Effect.map(
          instance.service.handle({
            method,
            target,
            headers: {
              authorization: `Bearer ${apiKey}`,
              ...(body === undefined ? {} : { "content-type": "application/json" }),
              ...(prefer === undefined ? {} : { prefer })
            },
            body: body === undefined ? "" : JSON.stringify(body)
          }),
          (response) => new Service.Reply(response)
        )
      )
    return { ...instance, ...home, ask }
  }).pipe(Effect.orDie)

export const given = (...facts: ReadonlyArray<Fact.Fact>): Settings.FactsSource => ({
  _tag: "Given",
  facts: { service: "a teacher", facts }
})

export const layer = (fresh: Service.Fresh, options: Options): Layer.Layer<TaughtService> =>
  Layer.scoped(
    TaughtService,
    Effect.flatMap(fresh, (store) => start(store, options))
  )
