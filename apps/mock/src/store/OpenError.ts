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
    if (this.owner === undefined) return `the store ${this.store} is in use by another process`
    const { address, pid } = this.owner
    const served = address === null ? "" : `, which serves port ${address.port}`
    return `the store ${this.store} is in use by process ${pid}${served}`
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
    return `the store ${store} has schema ${found} and this version knows ${known}: use the version that wrote it, or a newer one`
  }
}

/** The file or the schema contains other data. */
export class NotAStore extends Data.TaggedError("NotAStore")<{ readonly store: string }> {
  override get message() {
    return `${this.store} is not a store of mfg-mock: name another file`
  }
}

/** The file system or the server does not allow to open the store. */
export class StoreUnreachable extends Data.TaggedError("StoreUnreachable")<{
  readonly store: string
  readonly cause: Error
}> {
  override get message() {
    return `the store ${this.store} cannot be opened: ${this.cause.message}`
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
    return `the rows do not keep the rules "${this.ruleSet}"\n${lines.join("\n")}`
  }
}

/** The errors of a migration. */
export type MigrateError = StoreTooNew | NotAStore | RulesViolated

export type OpenError = MigrateError | StoreLocked | StoreUnreachable
