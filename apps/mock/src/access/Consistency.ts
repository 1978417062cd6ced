/**
 * Lets each key read its own writes from replicas: a read needs the position of the last write of its key, in memory, or
 * the later one of the header `Mfg-Position`, by which a position holds across instances and keys. Other reads may be
 * older by the lag of a replica.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Exchange from "../Exchange.ts"
import * as Position from "../store/replicas/Position.ts"
import type { Replica, Replicas, Store } from "../store/Store.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { Caller } from "./Caller.ts"

/** The part of a store that runs reads. */
export type Reader = Pick<Store["Type"], "read" | "query">

/** The needs of a read. */
interface Needs {
  /** The position of the request's header. */
  readonly position: Position.Position | undefined
  /** Set when the caller prefers the primary, or the read needs it. */
  readonly isStrong: boolean
}

export interface Consistency {
  /** Performs a read on a replica, and adds its position to the response; on the primary if no replica can. */
  readonly read: <E>(
    caller: Caller,
    needs: Needs,
    perform: (reader: Reader) => Effect.Effect<Exchange.Response, E>
  ) => Effect.Effect<Exchange.Response, E>
  /** Keeps the position of a request that may have written, and adds it to the response. */
  readonly written: <E>(
    caller: Caller,
    response: Effect.Effect<Exchange.Response, E>
  ) => Effect.Effect<Exchange.Response, E>
  /** Keeps the position of a request that may have written rows of every key, or of any before this process. */
  readonly writtenByOthers: Effect.Effect<void>
}

/** The header of positions. */
const header = "Mfg-Position"

/** The maximum number of keys with a position of their own. */
const capacity = 10_000

/** The positions that keys need; undefined for a write whose position could not be read. */
const keyPositions = () => {
  const positions = new Map<string, Position.Position | undefined>()
  /** The position that all other keys need. */
  let floor: Position.Position | undefined
  return {
    isUnknown: (keyId: string): boolean => positions.has(keyId) && positions.get(keyId) === undefined,
    get: (keyId: string): Position.Position | undefined => Position.latest(positions.get(keyId), floor),
    set: (keyId: string, position: Position.Position | undefined) => {
      const known = positions.get(keyId)
      positions.delete(keyId)
      positions.set(keyId, position === undefined ? undefined : Position.latest(known, position))
      const [oldest] = positions.size > capacity ? positions : []
      if (oldest === undefined) return
      positions.delete(oldest[0])
      floor = Position.latest(floor, oldest[1])
    },
    raise: (position: Position.Position) => {
      floor = Position.latest(floor, position)
    }
  }
}

const withPosition = (response: Exchange.Response, position: Position.Position): Exchange.Response => ({
  ...response,
  headers: Exchange.withHeader(response.headers, header, position)
})

/** Without replicas, a store is read as it is. */
const withoutReplicas = (store: Reader): Consistency => ({
  read: (_caller, _needs, perform) => perform(store),
  written: (_caller, response) => response,
  writtenByOthers: Effect.void
})

const withReplicas = (store: Reader, replicas: Replicas): Consistency => {
  const positions = keyPositions()

  /** Reads on a replica. What it cannot read, the primary reads. */
  const readerOf = ({ query, read }: Replica): Reader & { readonly hasFailed: () => boolean } => {
    let hasFailed = false
    const orPrimary = <A, E, E2>(first: Effect.Effect<A, E>, other: () => Effect.Effect<A, E2>) =>
      SyncEffect.andThen(first, (exit): Effect.Effect<A, E | E2> => {
        if (Exit.isSuccess(exit) || exit.cause._tag !== "Fail" || !isFailed(exit.cause.error)) return exit
        hasFailed = true
        replicas.failed()
        return other()
      })
    return {
      hasFailed: () => hasFailed,
      read: (statement) => orPrimary(read(statement), () => store.read(statement)),
      query: (statement, consumer) => orPrimary(query(statement, consumer), () => store.query(statement, consumer))
    }
  }

  const readAfter = <E>(
    needed: Position.Position | undefined,
    perform: (reader: Reader) => Effect.Effect<Exchange.Response, E>
  ): Effect.Effect<Exchange.Response, E> =>
    SyncEffect.andThen(replicas.select(needed), (selected): Effect.Effect<Exchange.Response, E> => {
      const replica = Exit.isSuccess(selected) ? selected.value : undefined
      if (replica === undefined) return perform(store)
      const reader = readerOf(replica)
      return SyncEffect.andThen(
        perform(reader),
        Exit.map((response) => (reader.hasFailed() ? response : withPosition(response, replica.position)))
      )
    })

  const strong = <E>(perform: (reader: Reader) => Effect.Effect<Exchange.Response, E>) => {
    replicas.skip()
    return perform(store)
  }

  return {
    read: ({ keyId }, { isStrong, position }, perform) => {
      if (isStrong) return strong(perform)
      if (!positions.isUnknown(keyId)) return readAfter(Position.latest(positions.get(keyId), position), perform)
      return SyncEffect.andThen(replicas.position, (exit) => {
        if (Exit.isFailure(exit)) return strong(perform)
        positions.set(keyId, exit.value)
        return readAfter(Position.latest(exit.value, position), perform)
      })
    },
    written: ({ keyId }, response) =>
      SyncEffect.andThen(response, (exit) => {
        const status = Exit.isSuccess(exit) ? exit.value.status : 500
        if (status >= 400 && status < 500) return exit
        return SyncEffect.andThen(replicas.position, (position) => {
          positions.set(keyId, Exit.isSuccess(position) ? position.value : undefined)
          if (Exit.isFailure(position) || Exit.isFailure(exit)) return exit
          return Exit.succeed(withPosition(exit.value, position.value))
        })
      }),
    writtenByOthers: Effect.ignore(Effect.map(replicas.position, positions.raise))
  }
}

/** Reports whether a replica failed, and not the statement by its own time limit. */
const isFailed = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "_tag" in error &&
  error._tag === "StoreUnavailable" &&
  !("stopped" in error && error.stopped !== undefined)

export const make = (store: Store["Type"]): Consistency =>
  store.replicas === undefined ? withoutReplicas(store) : withReplicas(store, store.replicas)
