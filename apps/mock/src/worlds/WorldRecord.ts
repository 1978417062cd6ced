/**
 * The record of a world in its folder: all of it that is not rows. It is replaced as a whole, so that the end of the
 * process at any moment leaves one of its states.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import * as path from "node:path"
import { ClockState } from "../store/Snapshot.ts"

/** The state of a world besides its rows. */
const state = { clock: ClockState, faults: Schema.Array(AdminApi.FaultRule) }
const State = Schema.Struct(state)
export type State = typeof State.Type

/** A state, with the database of its rows in the folder by its number. */
const Saved = Schema.Struct({ ...state, file: Schema.Int, isTrusted: Schema.Boolean })
export type Saved = typeof Saved.Type

const Snapshot = Schema.Struct({ ...Saved.fields, name: Schema.String, createdAt: Schema.Number })
export type Snapshot = typeof Snapshot.Type

export const WorldRecord = Schema.Struct({
  version: Schema.Literal(1),
  name: Schema.String,
  /** The digests of the keys whose requests go to the world, its own first. */
  keys: Schema.NonEmptyArray(Schema.String),
  from: Schema.NullOr(Schema.String),
  seed: Schema.NullOr(Schema.Literal("demo", "empty", "file", "inline")),
  rules: Schema.Literal("contract", "public"),
  companyId: CompanyId,
  userId: UserId,
  /** Milliseconds since 1970, as all times here. */
  createdAt: Schema.Number,
  usedAt: Schema.Number,
  idleSeconds: Schema.Int,
  /** The state that the world was made with. */
  origin: Saved,
  /** The state from which the current file is made at its first use. */
  base: Saved,
  /** The number of the current file. */
  file: Schema.Int,
  state: State,
  snapshots: Schema.Array(Snapshot),
  /** The number of the next file. */
  next: Schema.Int
})
export type WorldRecord = typeof WorldRecord.Type

const Text = Schema.parseJson(WorldRecord)
const decode = Schema.decodeUnknownOption(Text)

const fileName = "world.json"

/** The path of a database in a folder. */
export const database = (folder: string, file: number): string => path.join(folder, `${file}.db`)

/** Writes the record of a folder. */
export const write = (folder: string, record: WorldRecord, isDurable: boolean): void => {
  const partial = path.join(folder, `${fileName}.partial`)
  // The values come from the schema's type.
  fs.writeFileSync(partial, JSON.stringify(record), { mode: 0o600, flush: isDurable })
  fs.renameSync(partial, path.join(folder, fileName))
}

/** The record of a folder; undefined where its world was not finished, or is being deleted. */
export const read = (folder: string): WorldRecord | undefined => {
  try {
    return Option.getOrUndefined(decode(fs.readFileSync(path.join(folder, fileName), "utf8")))
  } catch {
    return undefined
  }
}

/** Deletes a world: the record first, so that the rest is deleted later if the process ends in between. */
export const remove = (folder: string): void => {
  fs.rmSync(path.join(folder, fileName), { force: true })
  fs.rmSync(folder, { recursive: true, force: true })
}
