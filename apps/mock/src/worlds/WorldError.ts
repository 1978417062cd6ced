/**
 * The errors of operations on worlds, each with its code and a sentence.
 */
import { main, namePattern } from "@mfgdata/client/AdminApi"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { AdminRefused } from "../admin/AdminRefused.ts"
import type { StartError } from "../service/Instance.ts"
import type { RulesViolated } from "../store/OpenError.ts"
import type { SnapshotUnreadable, SnapshotUnwritable } from "../store/Snapshot.ts"
import type { QueryStopped } from "../store/QueryStopped.ts"
import * as Reason from "../Reason.ts"

const quoted = (text: string) => JSON.stringify(text)

/** No world has the name; it may have been deleted. */
export class WorldMissing extends Data.TaggedError("WorldMissing")<{ readonly name: string }> {
  override get message() {
    return `There is no world ${quoted(this.name)}: GET /_mock/worlds lists them`
  }
}

/** Another world, or another snapshot of the world, has the name. */
export class NameTaken extends Data.TaggedError("NameTaken")<{ readonly kind: Kind; readonly name: string }> {
  override get message() {
    return this.name === main && this.kind === "world"
      ? `The name ${quoted(main)} belongs to the world that always exists: choose another one`
      : `There is a ${this.kind} ${quoted(this.name)} already: delete it first, or choose another name`
  }
}

type Kind = "world" | "snapshot"

/** A name of another form. */
export class NameUnfit extends Data.TaggedError("NameUnfit")<{ readonly kind: Kind; readonly name: string }> {
  override get message() {
    return (
      `Invalid name ${quoted(this.name)} of a ${this.kind}: expected 1 to 64 letters, digits, dots, dashes and underscores, ` +
      `the first of them a letter or a digit, such as checkout-1`
    )
  }
}

/** Fails for a name that a new world or snapshot cannot have. */
export const checkName = (kind: Kind, name: string, isTaken: boolean): Effect.Effect<void, NameUnfit | NameTaken> => {
  if (!namePattern.test(name)) return Effect.fail(new NameUnfit({ kind, name }))
  return isTaken ? Effect.fail(new NameTaken({ kind, name })) : Effect.void
}

/** Both a parent and a seed. */
export class OriginAmbiguous extends Data.TaggedError("OriginAmbiguous")<{ readonly other: "from" | "asOf" }> {
  override get message() {
    return `A world has either ${quoted(this.other)} or "seed": a fork continues another world, and a seed begins anew`
  }
}

export class TooManyWorlds extends Data.TaggedError("TooManyWorlds")<{ readonly limit: number }> {
  override get message() {
    return `There are ${this.limit} worlds, as many as --max-worlds allows: delete some with DELETE /_mock/worlds/<name>, or raise it`
  }
}

export class SnapshotMissing extends Data.TaggedError("SnapshotMissing")<{
  readonly world: string
  readonly name: string
}> {
  override get message() {
    return `The world ${quoted(this.world)} has no snapshot ${quoted(this.name)}: GET /_mock/worlds/${this.world}/snapshots lists them`
  }
}

/** An operation that the main world does not have. */
export class MainKept extends Data.TaggedError("MainKept")<{ readonly reason: "delete" | "reset" }> {
  override get message() {
    return this.reason === "delete"
      ? `The world ${quoted(main)} always exists and cannot be deleted`
      : `The world ${quoted(main)} can be reset only when --seed made it, and this store has other contents: restore a snapshot of it instead`
  }
}

/** A file without a company that has a user. */
export class OriginEmpty extends Data.TaggedError("OriginEmpty")<{}> {
  override get message() {
    return "The new world would have no company with a user, and its key needs both"
  }
}

/** A time of another form. */
export class TimeInvalid extends Data.TaggedError("TimeInvalid")<{ readonly time: string }> {
  override get message() {
    return `Invalid time ${quoted(this.time)} of a world: expected a timestamp after the @, such as main@2027-01-31T12:00:00Z`
  }
}

/** The folder of worlds cannot be written. */
export class FolderUnwritable extends Data.TaggedError("FolderUnwritable")<{ readonly cause: unknown }> {
  override get message() {
    const { cause } = this
    return `The files of worlds cannot be written: ${Reason.ofCause(cause)}`
  }
}

/** Reads or writes files of worlds. */
export const attempt = <A>(body: () => A): Effect.Effect<A, FolderUnwritable> =>
  Effect.try({ try: body, catch: (cause) => new FolderUnwritable({ cause }) })

export class ResourceUnknown extends Data.TaggedError("ResourceUnknown")<{ readonly resource: string }> {
  override get message() {
    return `There is no resource ${quoted(this.resource)}: expected one of the 29, such as holiday`
  }
}

export class CursorInvalid extends Data.TaggedError("CursorInvalid")<{ readonly after: string }> {
  override get message() {
    return `Invalid "after" ${quoted(this.after)}: expected the value of "next" of the page before`
  }
}

/** Two worlds with too little in common. */
export class DifferencesTooMany extends Data.TaggedError("DifferencesTooMany")<{
  readonly resource: string
  readonly limit: number
}> {
  override get message() {
    return `More than ${this.limit} rows of ${this.resource} differ, too many to compare by content: leave out "ignoreIds"`
  }
}

export type WorldError =
  | WorldMissing
  | NameTaken
  | NameUnfit
  | OriginAmbiguous
  | TooManyWorlds
  | SnapshotMissing
  | MainKept
  | OriginEmpty
  | TimeInvalid
  | FolderUnwritable
  | ResourceUnknown
  | CursorInvalid
  | DifferencesTooMany

/** The failures of operations on worlds. */
export type Failure = WorldError | StartError | RulesViolated | SnapshotUnreadable | SnapshotUnwritable | QueryStopped

const codes: { readonly [tag: string]: AdminRefused["code"] } = {
  WorldMissing: "NOT_FOUND",
  SnapshotMissing: "NOT_FOUND",
  NameTaken: "CONFLICT",
  TooManyWorlds: "CONFLICT",
  MainKept: "CONFLICT",
  RulesViolated: "CONFLICT",
  SecretKeyMissing: "CONFLICT",
  SecretKeyWrong: "CONFLICT",
  NameUnfit: "BAD_REQUEST",
  OriginAmbiguous: "BAD_REQUEST",
  OriginEmpty: "BAD_REQUEST",
  SeedError: "BAD_REQUEST",
  SnapshotUnreadable: "BAD_REQUEST",
  ResourceUnknown: "BAD_REQUEST",
  CursorInvalid: "BAD_REQUEST",
  TimeInvalid: "BAD_REQUEST",
  DifferencesTooMany: "BAD_REQUEST"
} satisfies { readonly [Tag in Failure["_tag"]]?: AdminRefused["code"] }

/** The refusal of an operation. What no request can change is a state of the service. */
export const toRefused = (failure: Failure | AdminRefused): AdminRefused =>
  failure._tag === "AdminRefused"
    ? failure
    : new AdminRefused({ code: codes[failure._tag] ?? "SERVICE_UNAVAILABLE", message: failure.message })
