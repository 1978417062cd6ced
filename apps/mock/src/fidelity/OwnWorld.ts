/**
 * Starts a world of this program for a comparison, and sends requests to it without a socket.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import { randomBytes } from "node:crypto"
import * as InProcessClient from "../http/InProcessClient.ts"
import * as NodeServer from "../http/NodeServer.ts"
import * as Instance from "../service/Instance.ts"
import * as Settings from "../Settings.ts"
import * as RawCalls from "./RawCalls.ts"
import type { ComparedService } from "./ComparedService.ts"

/** The settings of the world. */
export type Options = Pick<Settings.Settings, "store" | "rules" | "seed" | "aggregates"> &
  Partial<Pick<Settings.Settings, "facts">>

/** Starts the world until the scope ends. */
export const start = (
  options: Options
): Effect.Effect<ComparedService<never>, Effect.Effect.Error<ReturnType<typeof Instance.make>>, Scope> =>
  Effect.gen(function* () {
    const apiKey = `own_${randomBytes(24).toString("hex")}`
    const settings = { ...Settings.defaults, log: "off", ...options, apiKey } as const
    const { service } = yield* Instance.make({ settings, write: (line) => process.stderr.write(line) })
    const client = InProcessClient.client(
      {
        admit: (request) => service.admit(request),
        handle: (request) => service.handle(request),
        refuse: (request, error) => service.refuse(request, error)
      },
      { ...NodeServer.limits, bodyBytes: settings.maxBody }
    )
    const address = {
      name: "mfg-mock",
      ...ServiceAddress.fromOrigin("http://mock.test"),
      apiKey: Redacted.make(apiKey)
    }
    const ask = yield* RawCalls.make(client, address, {
      concurrency: 4,
      unreachable: (reason) => new Error(`the world in this process failed: ${reason}`)
    })
    // Without a socket only a defect keeps a request from its response.
    return { ...address, ask: (request) => Effect.orDie(ask(request)), leftOut: [] }
  })
