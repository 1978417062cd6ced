/**
 * Sends each request to the world of its key: a request without a world's key, and every request while there are no
 * worlds, goes to the main one without further work.
 */
import * as Effect from "effect/Effect"
import * as Credentials from "../access/Credentials.ts"
import type * as Exchange from "../Exchange.ts"
import type { Admission } from "../service/Admission.ts"
import * as Destination from "../service/Destination.ts"
import type { Service } from "../service/Service.ts"
import { unavailable } from "../store/Store.ts"
import type { Failure, WorldHandle } from "./WorldHandle.ts"
import type { Worlds } from "./Worlds.ts"

/** The service of all worlds. `main` is that of the main one. */
export const make = (main: () => Service, worlds: Pick<Worlds, "isEmpty" | "withKey">): Service => {
  const worldWithKey = (headers: Exchange.Headers): WorldHandle | undefined => {
    if (worlds.isEmpty()) return undefined
    const key = Credentials.fromHeaders(headers)
    return key === undefined ? undefined : worlds.withKey(key)
  }
  const worldOf = ({ headers, target }: Exchange.Request): WorldHandle | undefined =>
    target.startsWith(Destination.adminMount) ? undefined : worldWithKey(headers)

  /** Responds for a world that cannot be opened. The key of one that was deleted meanwhile is not valid any more. */
  const recover = (request: Exchange.Request, response: Effect.Effect<Exchange.Response, Failure>) =>
    response.pipe(
      Effect.catchTag("WorldMissing", () => main().handle(request)),
      Effect.catchAll((failure) =>
        Effect.as(
          Effect.logError("A world cannot be opened", failure.message),
          main().refuse(request, failure._tag === "StoreUnavailable" ? failure : unavailable("ConnectionLost", failure))
        )
      ),
      Effect.catchAllDefect(() => Effect.succeed(main().refuse(request, { _tag: "Defect" })))
    )

  return {
    handle: (request) => {
      const world = worldOf(request)
      if (world === undefined) return main().handle(request)
      const isOpen = world.service() !== undefined
      const response = world.handle(request)
      // The response of an open world does not fail.
      return isOpen ? (response as Effect.Effect<Exchange.Response>) : recover(request, response)
    },
    admit: (request) => {
      const world = worldOf(request)
      if (world === undefined) return main().admit(request)
      const service = world.service()
      // A world is opened before the body arrives. One that cannot be opened responds without it.
      return service === undefined
        ? Effect.catchAll(
            world.use(({ service }) => service.admit(request)),
            () => Effect.succeed<Admission>({ _tag: "BodyIgnored" })
          )
        : service.admit(request)
    },
    dropped: () => main().dropped?.(),
    companyOf: (headers) => (worldWithKey(headers)?.service() ?? main()).companyOf?.(headers),
    refuse: (request, error) => main().refuse(request, error),
    route: (request) => main().route(request),
    metrics: (lag) => main().metrics(lag),
    monitoring: {
      handle: (request) => main().monitoring.handle(request),
      admit: (request) => main().monitoring.admit(request),
      refuse: (request, error) => main().monitoring.refuse(request, error)
    },
    drain: Effect.suspend(() => main().drain)
  }
}
