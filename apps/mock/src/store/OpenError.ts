/**
 * The errors of opening a store.
 */
import type * as ResourceRules from "@mfgdata/domain/ResourceRules"
import * as Data from "effect/Data"
import type * as FileLock from "./sqlite/FileLock.ts"
import type { Violation } from "./RuleSet.ts"

/** Another process has opened the file. */
export class StoreLocked extends Data.TaggedError("StoreLocked")<{
  readonly store: string
  /** The owner, if its lock file can be read. */
  readonly owner: FileLock.Owner | undefined
}> {
  override get message() {
    const { owner, store } = this
    if (owner === undefined) return `The store ${store} is in use by another process: stop that process first`
    const { address, pid } = owner
    return address === null
      ? `The store ${store} is in use by process ${pid}: stop that process first`
      : `The store ${store} is in use by process ${pid}, which serves port ${address.port}: use that service, or stop it first`
  }
}

/** A newer version of mfg-mock has written the store. */
export class StoreTooNew extends Data.TaggedError("StoreTooNew")<{
  readonly store: string
  readonly found: number
  readonly known: number
}> {
  override get message() {
    const { found, known, store } = this
    return `The store ${store} has schema ${found}, but this version supports schemas up to ${known}: use the version that wrote it, or a newer one`
  }
}

/** A service uses the store, which a repair needs for itself. */
export class StoreInUse extends Data.TaggedError("StoreInUse")<{ readonly store: string }> {
  override get message() {
    return `The store ${this.store} is in use by a service: stop every instance first`
  }
}

/** An older version of mfg-mock has written the store, which has to be migrated first. */
export class StoreTooOld extends Data.TaggedError("StoreTooOld")<{
  readonly store: string
  readonly found: number
  readonly known: number
}> {
  override get message() {
    const { found, known, store } = this
    return `The store ${store} has schema ${found}, and this version checks schema ${known}: migrate it first with "mfg-mock migrate"`
  }
}

/** The file or the schema contains other data. */
export class NotAStore extends Data.TaggedError("NotAStore")<{ readonly store: string }> {
  override get message() {
    return `The database ${this.store} contains other data than a store of mfg-mock: name another file or database`
  }
}

/** The pages that describe the store cannot be read. */
export class StoreDamaged extends Data.TaggedError("StoreDamaged")<{
  readonly store: string
  readonly problem: string
}> {
  override get message() {
    return (
      `The store ${this.store} is damaged (${this.problem}): repair it with "mfg-mock check --repair", ` +
      `or move the file away and restore a snapshot with "mfg-mock snapshot restore"`
    )
  }
}

/** The file system or the server does not allow to open the store. */
export class StoreUnreachable extends Data.TaggedError("StoreUnreachable")<{
  readonly store: string
  readonly cause: Error
}> {
  override get message() {
    return `The store ${this.store} cannot be opened: ${this.cause.message}`
  }
}

/** Stored rows violate the rule set. */
export class RulesViolated extends Data.TaggedError("RulesViolated")<{
  readonly ruleSet: ResourceRules.RuleSet
  readonly violations: ReadonlyArray<Violation>
}> {
  override get message() {
    const lines = this.violations.map(
      ({ columns, count, resource, rows, rule }) =>
        `${resource} (${columns.join(", ")}) breaks ${rule} in ${count} rows: ` +
        rows.map(({ companyId, key }) => `${key} of ${companyId}`).join(", ") +
        (count > rows.length ? ", ..." : "")
    )
    return `Stored rows violate the rules "${this.ruleSet}": change or delete these rows first\n${lines.join("\n")}`
  }
}

const variable = "MFG_MOCK_SECRET_KEY"

/** The secrets of the store are encrypted, and no key is set. */
export class SecretKeyMissing extends Data.TaggedError("SecretKeyMissing")<{
  readonly store: string
  readonly needed: string
}> {
  override get message() {
    return `The secrets of the store ${this.store} are encrypted with the key ${this.needed}, and ${variable} is not set: set it to this key`
  }
}

/** The secrets of the store are encrypted with another key. */
export class SecretKeyWrong extends Data.TaggedError("SecretKeyWrong")<{
  readonly store: string
  readonly needed: string
  readonly given: string
}> {
  override get message() {
    const { given, needed, store } = this
    return `The secrets of the store ${store} are encrypted with the key ${needed}, and ${variable} is the key ${given}: set it to the key ${needed}`
  }
}

/** The errors of a migration. */
export type MigrateError = StoreTooNew | NotAStore | RulesViolated

export type OpenError = MigrateError | StoreLocked | StoreDamaged | StoreUnreachable | SecretKeyMissing | SecretKeyWrong
