/**
 * The condition of an embedded store that is served: whether its files are those that were opened, and whether its
 * content is damaged as far as failures and checks have shown. Damage ends when a complete check finds none.
 */
import { type Incidents, isDamage, type Operation } from "../../Incidents.ts"
import { type StoreUnavailable, unavailable } from "../../Store.ts"
import { SqliteError, type Trust } from "../SqliteDriver.ts"
import { toUnavailable } from "../StorageFailure.ts"
import type { Extent, Result } from "./Checkup.ts"

/** The damage that a failure or a check has shown. */
interface Damage {
  /** Set when pages are damaged, so that a write could damage more. */
  readonly isStructural: boolean
  readonly cause: unknown
}

export interface Condition {
  /** Notes a failure, and returns the error for the caller. */
  readonly failed: (
    operation: Operation,
    cause: unknown,
    otherwise: "CommitFailed" | "ConnectionLost"
  ) => StoreUnavailable
  /** The error of writes; undefined if they may be tried. */
  readonly obstacle: () => StoreUnavailable | undefined
  /** The error of readiness. */
  readonly unready: () => StoreUnavailable | undefined
  readonly checked: (result: Result) => void
  /** Starts a check after a pause: of a store that was opened, or one that could not be made. */
  readonly schedule: (extent: Extent, millis?: number) => void
  /** Takes notice of a file that is missing, or that is back. */
  readonly missing: (file: string | undefined) => void
  /** Takes notice of a write by another process. */
  readonly foreignWrite: () => void
  readonly close: () => void
}

export interface Options {
  readonly store: string
  readonly trust: Trust
  readonly incidents: Incidents
  readonly check: (extent: Extent) => void
  readonly say: (isError: boolean, message: string) => void
}

/** The pause before a damaged store is checked again, as a multiple of the time of the last check, and the shortest one. */
const recheck = { factor: 10, millis: 5000 }

const isOfDisk = ({ code }: SqliteError): boolean => code.startsWith("SQLITE_IOERR") && !code.endsWith("NOMEM")

/** The damage that a failure of a read or a write suggests: of the content, or of the disk below it. */
const damageOf = (cause: unknown): Damage | undefined =>
  cause instanceof SqliteError && (isDamage(cause) || isOfDisk(cause))
    ? { isStructural: isDamage(cause) && !cause.isDamagedText, cause }
    : undefined

const remedy = `Stop the service, and run "mfg-mock check --repair", or move the file away and run "mfg-mock snapshot restore".`

export const make = ({ check, incidents, say, store, trust }: Options): Condition => {
  let damage: Damage | undefined
  let isReported = false
  let missing: string | undefined
  let timer: NodeJS.Timeout | undefined

  const later = (millis: number, extent: Extent = "complete") => {
    clearTimeout(timer)
    timer = setTimeout(() => check(extent), millis)
    timer.unref()
  }

  /** Notes damage, which no longer lets texts be trusted. */
  const suspect = (found: Damage) => {
    trust.isTrusted = false
    if (damage === undefined) later(0)
    // A structural finding is not forgotten for a lesser one.
    damage = damage?.isStructural === true ? damage : found
  }

  const replaced = () => (missing === undefined ? undefined : unavailable("Replaced"))

  return {
    failed: (operation, cause, otherwise) => {
      incidents.failed(operation, cause)
      const found = damageOf(cause)
      if (found !== undefined) suspect(found)
      return toUnavailable(cause, otherwise)
    },
    obstacle: () => replaced() ?? (damage?.isStructural === true ? unavailable("Damaged", damage.cause) : undefined),
    unready: () => replaced() ?? (damage === undefined ? undefined : unavailable("Damaged", damage.cause)),
    checked: ({ count, extent, isStructural, messages, seconds }) => {
      if (count > 0) {
        const more = count > messages.length ? ` and ${count - messages.length} more` : ""
        damage = { isStructural: isStructural || damage?.isStructural === true, cause: damage?.cause }
        trust.isTrusted = false
        if (!isReported)
          say(true, `The check of the store ${store} found damage: ${messages.join("; ")}${more}. ${remedy}`)
        isReported = true
        return later(Math.max(recheck.millis, seconds * 1000 * recheck.factor))
      }
      if (extent === "complete") {
        if (damage !== undefined) incidents.repaired()
        damage = undefined
        isReported = false
        say(false, `The check of the store ${store} found no damage (${seconds.toFixed(1)} s).`)
      }
      // A failure during a check of the texts has suggested damage that only a complete check finds.
      if (damage === undefined) trust.isTrusted = true
    },
    schedule: (extent, millis = recheck.millis) => later(millis, extent),
    missing: (file) => {
      const before = missing
      missing = file
      if (file !== undefined && before === undefined) {
        say(
          true,
          `The file ${file} was removed or replaced while the store ${store} is served: writes are refused, because nobody would find them. ` +
            `Stop the service, put the file back or name another one, and start the service again.`
        )
      } else if (file === undefined && before !== undefined) say(false, `The files of the store ${store} are back.`)
    },
    foreignWrite: () => {
      trust.isTrusted = false
      later(0)
    },
    close: () => clearTimeout(timer)
  }
}
