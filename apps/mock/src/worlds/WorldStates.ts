/**
 * Writes states of worlds to new files: the current one, the one at a time, or a saved one.
 */
import { Timestamp } from "@mfgdata/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import type { AdminRefused } from "../admin/AdminRefused.ts"
import type { Instance } from "../service/Instance.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import * as TemporaryFile from "../store/sqlite/file/TemporaryFile.ts"
import * as VirtualClock from "../world/VirtualClock.ts"
import * as Capture from "./Capture.ts"
import * as WorldError from "./WorldError.ts"
import * as WorldHandle from "./WorldHandle.ts"
import * as WorldRecord from "./WorldRecord.ts"

export interface Options extends Pick<WorldHandle.Options, "detach" | "start" | "source"> {
  /** The folder of captured states. */
  readonly folder: string
  readonly find: (name: string) => Effect.Effect<WorldHandle.WorldHandle, WorldError.WorldMissing>
  /** Runs an effect on the service of a world. */
  readonly use: <A, E>(
    name: string,
    work: (instance: Instance) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | WorldHandle.Failure>
}

type Failure = StoreUnavailable | WorldError.FolderUnwritable

/** Each write returns whether every text of the state is known to be readable. */
export interface WorldStates {
  /** Writes the state of a world. */
  readonly whole: (name: string, instance: Instance, to: string) => Effect.Effect<boolean, Failure>
  /** Writes the state of a world for a fork of it, where pending deliveries are held. */
  readonly held: (name: string, instance: Instance, to: string) => Effect.Effect<boolean, Failure>
  /** Writes the state of a world at a time. The deliveries of the changes back are held. */
  readonly rewound: (
    name: string,
    instance: Instance,
    at: Timestamp,
    to: string
  ) => Effect.Effect<boolean, Failure | WorldHandle.Failure | AdminRefused>
  /**
   * Captures the state of a world into a file that is deleted with the scope: its current one by its name, a snapshot of it
   * by `name:snapshot`, what it was when it was made by `name:`, and its state at a time by `name@time`.
   */
  readonly capture: (
    reference: string
  ) => Effect.Effect<
    Capture.Captured,
    | Failure
    | WorldHandle.Failure
    | WorldError.WorldMissing
    | WorldError.SnapshotMissing
    | WorldError.TimeInvalid
    | AdminRefused,
    Scope.Scope
  >
  /** Drops the files of a world. */
  readonly forget: (name: string) => void
  /** Drops all files. */
  readonly clear: () => void
}

/** The parts of a text before and after the first separator. */
const split = (text: string, separator: string): readonly [before: string, after: string | undefined] => {
  const index = text.indexOf(separator)
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)]
}

const decodeTime = Schema.decodeOption(Timestamp)

export const make = ({ detach, find, folder, source, start, use }: Options): WorldStates => {
  const capture = Capture.make(folder)

  /** Links a captured state to a new file. */
  const put = (state: Effect.Effect<Capture.Captured, StoreUnavailable>, to: string) =>
    Effect.gen(function* () {
      yield* WorldError.attempt(() => fs.mkdirSync(folder, { recursive: true, mode: 0o700 }))
      const { file, isTrusted } = yield* state
      yield* WorldError.attempt(() => Capture.link(file, to))
      return isTrusted
    })

  const whole: WorldStates["whole"] = (name, instance, to) => put(capture.whole(name, instance), to)

  const rewound: WorldStates["rewound"] = (name, instance, at, to) =>
    Effect.gen(function* () {
      const isTrusted = yield* whole(name, instance, `${to}.now`)
      yield* WorldError.attempt(() => {
        fs.copyFileSync(`${to}.now`, to)
        fs.rmSync(`${to}.now`)
      })
      const { clock, faults } = WorldHandle.stateOf(instance)
      const own = VirtualClock.make(clock, source)
      yield* Effect.scoped(
        Effect.flatMap(start({ name, path: to, clock: own, faults, isTrusted, isSilent: true }), ({ admin }) =>
          admin.rewindWorld({ to: at, world: name })
        )
      )
      yield* WorldError.attempt(() => Capture.hold(to, instance.world.now()))
      return isTrusted
    }).pipe(detach)

  return {
    whole,
    held: (name, instance, to) => put(capture.held(name, instance), to),
    rewound,
    capture: (reference) =>
      Effect.gen(function* () {
        const file = path.join(folder, `${randomUUID()}.db`)
        yield* Effect.addFinalizer(() => Effect.sync(() => TemporaryFile.remove(file)))
        const [moving, time] = split(reference, "@")
        if (time !== undefined) {
          const at = decodeTime(time)
          if (Option.isNone(at)) return yield* new WorldError.TimeInvalid({ time })
          const isTrusted = yield* use(moving, (instance) => rewound(moving, instance, at.value, file))
          return { file, isTrusted }
        }
        const [name, snapshot] = split(reference, ":")
        if (snapshot === undefined) {
          const isTrusted = yield* use(name, (instance) => whole(name, instance, file))
          return { file, isTrusted }
        }
        const handle = yield* find(name)
        const saved = snapshot === "" ? handle.record().origin : yield* handle.snapshot(snapshot)
        const state = { file: WorldRecord.database(handle.folder, saved.file), isTrusted: saved.isTrusted }
        return { file, isTrusted: yield* put(Effect.succeed(state), file) }
      }),
    forget: capture.forget,
    clear: () => fs.rmSync(folder, { recursive: true, force: true })
  }
}
