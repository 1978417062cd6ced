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

/** The schema of a store, and the newest of this version. */
export interface Versions {
  readonly store: string
  readonly found: number
  readonly known: number
}

/** A newer version of mfg-mock has written the store. */
export class StoreTooNew extends Data.TaggedError("StoreTooNew")<Versions> {
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
export class StoreTooOld extends Data.TaggedError("StoreTooOld")<Versions> {
  override get message() {
    const { found, known, store } = this
    return `The store ${store} has schema ${found}, and this version checks schema ${known}: migrate it first with "mfg-mock migrate"`
  }
}

/** The error of a store that this version cannot use without a migration. */
export const versionError = (versions: Versions): StoreTooNew | StoreTooOld | undefined => {
  if (versions.found > versions.known) return new StoreTooNew(versions)
  return versions.found < versions.known ? new StoreTooOld(versions) : undefined
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

/** The role lacks privileges that serving needs. */
export class RoleLacksRights extends Data.TaggedError("RoleLacksRights")<{
  readonly store: string
  /** The statements that grant them. */
  readonly missing: ReadonlyArray<string>
}> {
  override get message() {
    const { missing, store } = this
    return `The role of ${store} lacks rights. Run as the owner of the tables:\n${missing.map((text) => `${text};`).join("\n")}`
  }
}

/** Only the owner of the tables can make a change that is needed. */
export class OwnerNeeded extends Data.TaggedError("OwnerNeeded")<{
  readonly store: string
  readonly need:
    | { readonly _tag: "Schema"; readonly found: number; readonly known: number }
    | { readonly _tag: "Setting"; readonly cause: string }
}> {
  override get message() {
    const { need, store } = this
    const problem =
      need._tag === "Schema"
        ? `has schema ${need.found}, and this version needs ${need.known}`
        : `has not the settings of this service (${need.cause})`
    return `The store ${store} ${problem}: run "mfg-mock migrate" with the same settings as the owner of the tables, and then mfg-mock serve with this role`
  }
}

/** The role is exempt from row-level security. */
export class RowSecurityBypassed extends Data.TaggedError("RowSecurityBypassed")<{ readonly store: string }> {
  override get message() {
    return `The role of ${this.store} is exempt from row-level security, as a superuser or by BYPASSRLS: use another role, or --row-security off`
  }
}

/** Other sessions hold tables that a migration has to lock for a moment. */
export class MigrationBlocked extends Data.TaggedError("MigrationBlocked")<{
  readonly store: string
  readonly attempts: number
}> {
  override get message() {
    return `The store ${this.store} was not migrated: in ${this.attempts} attempts other sessions have held a table for longer than a migration may wait. End long transactions, and run "mfg-mock migrate" again`
  }
}

/** A connection pooler before the server is in a mode that the settings do not fit. */
export class PoolerUnfit extends Data.TaggedError("PoolerUnfit")<{
  readonly store: string
  readonly reason:
    | { readonly _tag: "Transaction" | "Statement" | "SearchPath" }
    /** The pooler has refused a connection because of a parameter. */
    | { readonly _tag: "Parameter"; readonly parameter: string }
}> {
  override get message() {
    const { reason, store } = this
    switch (reason._tag) {
      case "Transaction":
        return `The connection pooler of ${store} gives each transaction another session (pool_mode = transaction): set --pooling transaction`
      case "Statement":
        return `The connection pooler of ${store} allows no transactions (pool_mode = statement): set pool_mode = transaction, and --pooling transaction`
      case "SearchPath":
        return `With --pooling transaction the store ${store} cannot set search_path in its address, which belongs to a session: set it for the role, with ALTER ROLE <role> IN DATABASE <database> SET search_path = <schema>`
      case "Parameter":
        return `The connection pooler of ${store} refuses the parameter ${reason.parameter}: set --pooling transaction, or for pool_mode = session let the pooler ignore it (ignore_startup_parameters)`
    }
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

/** A replica of `--read-store` has the rows of another database. */
export class ReplicaForeign extends Data.TaggedError("ReplicaForeign")<{
  readonly store: string
  readonly replica: string
}> {
  override get message() {
    return `The server ${this.replica} of --read-store is not a replica of the store ${this.store}: name a standby of its server, and the same database`
  }
}

/** An embedded store has no replicas. */
export class ReplicasUnsupported extends Data.TaggedError("ReplicasUnsupported")<{ readonly store: string }> {
  override get message() {
    return `The store ${this.store} has no replicas: leave out --read-store, or name a store on PostgreSQL by --store`
  }
}

/** The errors of a migration. */
export type MigrateError =
  | StoreTooNew
  | NotAStore
  | RulesViolated
  | RoleLacksRights
  | OwnerNeeded
  | RowSecurityBypassed
  | MigrationBlocked

export type OpenError =
  | MigrateError
  | StoreLocked
  | StoreDamaged
  | StoreUnreachable
  | PoolerUnfit
  | ReplicaForeign
  | ReplicasUnsupported
  | SecretKeyMissing
  | SecretKeyWrong
