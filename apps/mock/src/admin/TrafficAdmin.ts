/**
 * Implements the administrator's operations on the traffic of a world.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberRef from "effect/FiberRef"
import type { Handler } from "../Exchange.ts"
import * as Har from "../traffic/Har.ts"
import * as Replay from "../traffic/Replay.ts"
import * as TrafficFeed from "../traffic/TrafficFeed.ts"
import type { Traffic } from "../traffic/Traffic.ts"
import type { VirtualClock } from "../world/VirtualClock.ts"
import { AdminRefused } from "./AdminRefused.ts"
import * as AdminRequest from "./AdminRequest.ts"
import * as WorldAdmin from "./WorldAdmin.ts"

type Operation = "listTraffic" | "exportTraffic" | "replayTraffic"

/** The part of a running service that its traffic needs. */
export interface Running {
  readonly traffic: Traffic
  /** The version of the service. */
  readonly version: string
  /** Handles a request without a fault, and without recording it. */
  readonly handle: Handler
  /** A key with full access, for replays. */
  readonly apiKey: () => string | undefined
  readonly clock: VirtualClock | undefined
  /** Runs an effect while no delivery is sent. */
  readonly withoutDeliveries: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>
}

const notRecorded = Effect.fail(
  new AdminRefused({
    code: "CONFLICT",
    message: "the traffic is that of a running service that records it: start it without --traffic 0"
  })
)

const unserved: Pick<AdminApi.Service<AdminRefused>, Operation> = {
  listTraffic: () => notRecorded,
  exportTraffic: () => notRecorded,
  replayTraffic: () => notRecorded
}

const eventUnknown = new AdminRefused({
  code: "BAD_REQUEST",
  message: "Last-Event-ID is not the id of an event: expected the sequence of an exchange"
})

const noUser = new AdminRefused({
  code: "CONFLICT",
  message: "the store has no company with a user, whose key the requests of a replay need"
})

/** The operations on the traffic of a running service. */
export const make = (running: Running | undefined): Pick<AdminApi.Service<AdminRefused>, Operation> => {
  if (running === undefined) return unserved
  const { apiKey, clock, handle, traffic, version, withoutDeliveries } = running
  return {
    listTraffic: ({ after, limit, ...filter }) =>
      Effect.flatMap(FiberRef.get(AdminRequest.current), ({ events }) => {
        if (events === undefined) return Effect.sync(() => traffic.list(filter, limit, after))
        const start = AdminRequest.startOf(events, after)
        if (Number.isNaN(start)) return Effect.fail(eventUnknown)
        events.body = TrafficFeed.make(traffic, filter, start)
        return Effect.succeed([])
      }),
    exportTraffic: ({ after, limit, ...filter }) =>
      Effect.map(FiberRef.get(WorldAdmin.origin), (origin) =>
        new TextEncoder().encode(
          Har.write(traffic.list(filter, limit, after).toReversed(), origin, { name: "mfg-mock", version })
        )
      ),
    replayTraffic: ({ log }) =>
      Effect.suspend((): Effect.Effect<AdminApi.Response<"replayTraffic">, AdminRefused> => {
        const requests = Har.read(log)
        if (Either.isLeft(requests)) {
          const { message, path, problem } = requests.left
          return Effect.fail(new AdminRefused({ code: "BAD_REQUEST", message, issues: [{ path, message: problem }] }))
        }
        const key = apiKey()
        return key === undefined
          ? Effect.fail(noUser)
          : withoutDeliveries(Replay.run(requests.right, { handle, apiKey: key, clock }))
      })
  }
}
