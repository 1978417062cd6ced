/**
 * One world besides the main one: its record, its files, and its service while it is open. A request opens it; it is
 * closed when it has been idle, and to replace its rows.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as fs from "node:fs"
import type * as Exchange from "../Exchange.ts"
import type * as Instance from "../service/Instance.ts"
import type { Service } from "../service/Service.ts"
import * as Callback from "../store/Callback.ts"
import * as StoreCopy from "../store/sqlite/file/StoreCopy.ts"
import * as RealTime from "../world/RealTime.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import * as VirtualClock from "../world/VirtualClock.ts"
import { attempt, type FolderUnwritable, SnapshotMissing, WorldMissing } from "./WorldError.ts"
import * as WorldRecord from "./WorldRecord.ts"

type Record = WorldRecord.WorldRecord

export type Failure = Instance.StartError | WorldMissing | FolderUnwritable

export interface Options {
  readonly folder: string
  readonly record: Record
  readonly isDurable: boolean
  /** Runs an effect in a fiber of its own, which ends even if the caller does not wait for it. */
  readonly detach: Detach
  /** Starts the service of a world on its file. */
  readonly start: (start: Start) => Effect.Effect<Instance.Instance, Failure, Scope.Scope>
  /** The clock that worlds run by (default: that of the machine). */
  readonly source?: VirtualClock.Source
}

export interface Detach {
  <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E>
}

/** The parts of a service that differ between worlds. */
interface Start {
  readonly name: string
  readonly path: string
  readonly clock: VirtualClock.VirtualClock
  readonly faults: WorldRecord.State["faults"]
  readonly isTrusted: boolean
  /** Keeps the service from sending deliveries. */
  readonly isSilent?: boolean
}

export interface WorldHandle {
  readonly folder: string
  readonly record: () => Record
  /** Changes the record. */
  readonly update: (change: (record: Record) => Record) => void
  /** The snapshot with a name. */
  readonly snapshot: (name: string) => Effect.Effect<WorldRecord.Snapshot, SnapshotMissing>
  /** The service of the world while it is open. */
  readonly service: () => Service | undefined
  /** Runs an effect on the service of the world, which is open until it ends. */
  readonly use: <A, E>(work: (instance: Instance.Instance) => Effect.Effect<A, E>) => Effect.Effect<A, E | Failure>
  /** The same body for a client that follows the world, which is open until the body ends. */
  readonly holding: (body: Exchange.BodyStream) => Exchange.BodyStream
  /** Handles a request. Without a fiber if the world is open and the request needs none. */
  readonly handle: (request: Exchange.Request) => Effect.Effect<Exchange.Response, Failure>
  /** Replaces the rows and the clock by a saved state. */
  readonly replace: (saved: WorldRecord.Saved) => Effect.Effect<void, Failure>
  /** Writes the state besides the rows to the record. */
  readonly keepState: (instance: Instance.Instance) => void
  /** Closes the world if it has been idle for long enough. */
  readonly rest: (nowMillis: number) => Effect.Effect<void>
  /** The time of the last request, in milliseconds since 1970. */
  readonly usedAt: () => number
  readonly close: Effect.Effect<void>
  /** Closes the world for ever, and deletes it. */
  readonly remove: Effect.Effect<void>
}

/** A service that is open, and the numbers of its requests in progress and of the clients that follow it. */
interface Open {
  readonly instance: Instance.Instance
  readonly scope: Scope.CloseableScope
  active: number
  followers: number
}

/** The state of a running world besides its rows. */
export const stateOf = ({ clock, faults }: Instance.Instance): WorldRecord.State => ({
  clock: clock?.state() ?? VirtualClock.running,
  faults: faults.rules()
})

/** The time that closing waits for requests in progress. */
const closingMillis = 5000

const pauseMillis = 5

export const make = ({ detach, folder, isDurable, record: initial, source, start }: Options): WorldHandle => {
  const lock = Effect.unsafeMakeSemaphore(1)
  let record = initial
  let current: Open | undefined
  let isGone = false
  let usedAt = record.usedAt

  const update = (change: (record: Record) => Record) => {
    record = change(record)
    WorldRecord.write(folder, record, isDurable)
  }

  /** The current file, which is made from its base at its first use. */
  const prepare = attempt(() => {
    const path = WorldRecord.database(folder, record.file)
    if (!fs.existsSync(path)) {
      const partial = `${path}.partial`
      fs.copyFileSync(WorldRecord.database(folder, record.base.file), partial)
      StoreCopy.enableLog(partial)
      fs.renameSync(partial, path)
    }
    return path
  })

  const open = Effect.gen(function* () {
    if (isGone) return yield* new WorldMissing({ name: record.name })
    const path = yield* prepare
    const scope = yield* Scope.make()
    const { base, name, state } = record
    const clock = VirtualClock.make(state.clock, source)
    const { faults } = state
    const instance = yield* start({ name, path, clock, faults, isTrusted: base.isTrusted }).pipe(
      Scope.extend(scope),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    const { companyId, userId } = record
    instance.keys.installDigest(record.keys[0], { companyId, userId })
    return (current = { instance, scope, active: 0, followers: 0 })
  })

  const opened: Effect.Effect<Open, Failure> = Effect.suspend(() =>
    current === undefined
      ? detach(lock.withPermits(1)(Effect.suspend(() => (current === undefined ? open : Effect.succeed(current)))))
      : Effect.succeed(current)
  )

  const enter = Effect.map(opened, (open) => {
    open.active += 1
    usedAt = Date.now()
    return open
  })

  const leave = (open: Open) => void (open.active -= 1)

  const use: WorldHandle["use"] = (work) =>
    Effect.acquireUseRelease(
      enter,
      ({ instance }) => work(instance),
      (open) => Effect.sync(() => leave(open))
    )

  const idle = (open: Open): Effect.Effect<void> =>
    Effect.suspend(() => (open.active === 0 ? Effect.void : Effect.zipRight(RealTime.pause(pauseMillis), idle(open))))

  /** Closes the service; the caller holds the lock. */
  const shut = Effect.suspend(() => {
    const open = current
    if (open === undefined) return Effect.void
    current = undefined
    return Effect.zipRight(
      Effect.raceFirst(idle(open), RealTime.pause(closingMillis)),
      Effect.suspend(() => Scope.close(open.scope, Exit.void))
    )
  })

  const saveUse = () => update((record) => ({ ...record, usedAt }))

  return {
    folder,
    record: () => record,
    update,
    snapshot: (name) =>
      Effect.suspend(() => {
        const found = record.snapshots.find((snapshot) => snapshot.name === name)
        return found === undefined
          ? Effect.fail(new SnapshotMissing({ world: record.name, name }))
          : Effect.succeed(found)
      }),
    service: () => current?.instance.service,
    use,
    holding: (body) => {
      const open = current
      if (open === undefined) return body
      return async function* (signal) {
        let isOpen = true
        const end = () => {
          if (!isOpen) return
          isOpen = false
          open.followers -= 1
          usedAt = Date.now()
        }
        open.followers += 1
        // A client that reads no more ends the body by the signal alone.
        signal.addEventListener("abort", end)
        try {
          yield* body(signal)
        } finally {
          end()
        }
      }
    },
    handle: (request) => {
      const open = current
      if (open === undefined) return use(({ service }) => service.handle(request))
      usedAt = Date.now()
      const response = open.instance.service.handle(request)
      if (Exit.isExit(response)) return response
      open.active += 1
      if (Callback.startOf(response) === undefined)
        return Effect.ensuring(
          response,
          Effect.sync(() => leave(open))
        )
      return SyncEffect.andThen(response, (exit) => {
        leave(open)
        return exit
      })
    },
    replace: (saved) =>
      detach(
        lock.withPermits(1)(
          Effect.gen(function* () {
            if (isGone) return yield* new WorldMissing({ name: record.name })
            yield* shut
            const before = WorldRecord.database(folder, record.file)
            yield* attempt(() => {
              update(({ next, ...record }) => ({ ...record, base: saved, state: saved, file: next, next: next + 1 }))
              fs.rmSync(before, { force: true })
            })
          })
        )
      ),
    keepState: (instance) => update((record) => ({ ...record, state: stateOf(instance) })),
    rest: (nowMillis) =>
      lock
        .withPermitsIfAvailable(1)(
          Effect.suspend(() => {
            const isIdle =
              current?.active === 0 && current.followers === 0 && nowMillis - usedAt >= record.idleSeconds * 1000
            return isIdle ? Effect.zipRight(shut, Effect.sync(saveUse)) : Effect.void
          })
        )
        .pipe(Effect.asVoid, detach),
    usedAt: () => usedAt,
    close: detach(
      lock.withPermits(1)(
        Effect.suspend(() => (current === undefined ? Effect.void : Effect.zipRight(shut, Effect.sync(saveUse))))
      )
    ),
    remove: detach(
      lock.withPermits(1)(
        Effect.suspend(() => {
          isGone = true
          return Effect.zipRight(
            shut,
            Effect.sync(() => WorldRecord.remove(folder))
          )
        })
      )
    )
  }
}
