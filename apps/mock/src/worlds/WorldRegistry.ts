/**
 * The worlds of a service by their names and keys. Closes those that are idle, and deletes those that nobody has used for
 * long.
 */
import { main } from "@mfgdata/client/AdminApi"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as KeyCache from "../access/KeyCache.ts"
import * as WorldError from "./WorldError.ts"
import type { Detach, WorldHandle } from "./WorldHandle.ts"

export interface Options {
  readonly maxWorlds: number
  /** The time without a request after which a world is deleted. */
  readonly keepMillis: number
  readonly detach: Detach
  /** Runs an effect that nobody waits for. */
  readonly fork: (effect: Effect.Effect<void>) => void
  readonly onRemove: (name: string) => void
}

export interface WorldRegistry {
  /** The world that the requests of a key go to; undefined for the main one. */
  readonly withKey: (key: string) => WorldHandle | undefined
  readonly isEmpty: () => boolean
  readonly find: (name: string) => Effect.Effect<WorldHandle, WorldError.WorldMissing>
  /** All worlds, the oldest first. */
  readonly all: () => ReadonlyArray<WorldHandle>
  readonly add: (handle: WorldHandle) => void
  /** Sends the requests of a key to a world. */
  readonly addKey: (handle: WorldHandle, key: string) => void
  /** Makes a world while its name is reserved. */
  readonly reserving: <A, E>(
    name: string,
    make: Effect.Effect<A, E>
  ) => Effect.Effect<A, E | WorldError.NameUnfit | WorldError.NameTaken | WorldError.TooManyWorlds>
  /** Deletes a world with its files. */
  readonly remove: (handle: WorldHandle) => Effect.Effect<void>
  readonly close: Effect.Effect<void>
}

/** The time between two looks for idle worlds. */
const sweepMillis = 1000

export const make = ({ detach, fork, keepMillis, maxWorlds, onRemove }: Options): WorldRegistry => {
  const handles = new Map<string, WorldHandle>()
  const byKey = new Map<string, WorldHandle>()
  /** The names of worlds that are being made. */
  const reserved = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isSweeping = false

  const add = (handle: WorldHandle) => {
    const { keys, name } = handle.record()
    handles.set(name, handle)
    for (const key of keys) byKey.set(key, handle)
    timer ??= setInterval(sweep, sweepMillis).unref()
  }

  const remove = (handle: WorldHandle) =>
    Effect.suspend(() => {
      const { keys, name } = handle.record()
      handles.delete(name)
      for (const key of keys) byKey.delete(key)
      onRemove(name)
      if (handles.size === 0) {
        clearInterval(timer)
        timer = undefined
      }
      return handle.remove
    })

  const sweep = () => {
    if (isSweeping) return
    isSweeping = true
    const now = Date.now()
    const isUnused = (handle: WorldHandle) => handle.service() === undefined && now - handle.usedAt() >= keepMillis
    const work = Effect.forEach(
      [...handles.values()].filter((handle) => handle.service() !== undefined || isUnused(handle)),
      (handle) =>
        Effect.zipRight(
          handle.rest(now),
          Effect.suspend(() => (isUnused(handle) ? remove(handle) : Effect.void))
        ),
      { discard: true }
    )
    fork(
      Effect.ensuring(
        work,
        Effect.sync(() => void (isSweeping = false))
      )
    )
  }

  return {
    withKey: (key) => byKey.get(KeyCache.digest(key)),
    isEmpty: () => handles.size === 0,
    find: (name) =>
      Effect.suspend(() => {
        const handle = handles.get(name)
        return handle === undefined ? Effect.fail(new WorldError.WorldMissing({ name })) : Effect.succeed(handle)
      }),
    all: () => [...handles.values()].toSorted((one, other) => one.record().createdAt - other.record().createdAt),
    add,
    addKey: (handle, key) => {
      const digest = KeyCache.digest(key)
      byKey.set(digest, handle)
      handle.update((record) => ({ ...record, keys: Arr.append(record.keys, digest) }))
    },
    reserving: (name, make) =>
      Effect.gen(function* () {
        yield* WorldError.checkName("world", name, name === main || handles.has(name) || reserved.has(name))
        if (handles.size + reserved.size >= maxWorlds) return yield* new WorldError.TooManyWorlds({ limit: maxWorlds })
        reserved.add(name)
        const release = Effect.sync(() => reserved.delete(name))
        return yield* detach(Effect.ensuring(make, release))
      }),
    remove,
    close: Effect.suspend(() => {
      clearInterval(timer)
      return Effect.forEach([...handles.values()], ({ close }) => close, { concurrency: 8, discard: true })
    })
  }
}
