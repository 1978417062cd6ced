/**
 * Converts a failure of the storage to the error of the store.
 */
import { isDamage } from "../Incidents.ts"
import { type StoreUnavailable, unavailable } from "../Store.ts"
import { SqliteError } from "./SqliteDriver.ts"

const isFull = (cause: unknown): boolean =>
  cause instanceof SqliteError
    ? cause.code.startsWith("SQLITE_FULL")
    : cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT")

const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof SqliteError && /^SQLITE_(IOERR_)?NOMEM/.test(cause.code)

/** The error for a failure; `otherwise` is the reason unless the cause has one of its own. */
export const toUnavailable = (cause: unknown, otherwise: "CommitFailed" | "ConnectionLost"): StoreUnavailable =>
  unavailable(
    isFull(cause) ? "Full" : isDamage(cause) ? "Damaged" : isOutOfMemory(cause) ? "OutOfMemory" : otherwise,
    cause
  )
