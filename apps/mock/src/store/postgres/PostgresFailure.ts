/**
 * Converts a failure of the server to the error of the store.
 */
import { overflowed, type StoreUnavailable, unavailable } from "../Store.ts"
import { PostgresError } from "./connection/PostgresError.ts"

/** The error for a failure of the server or the connection; undefined for a failure of the statement. */
export const toUnavailable = (error: PostgresError): StoreUnavailable | undefined =>
  error.isLost
    ? unavailable(error.isReadOnly ? "NoPrimary" : "ConnectionLost", error)
    : error.isFull
      ? unavailable("Full", error)
      : error.isDamaged
        ? unavailable("Damaged", error)
        : error.isOutOfMemory
          ? unavailable("OutOfMemory", error)
          : error.isExhausted || error.isTransient
            ? unavailable("Overloaded", error)
            : error.code === "22003"
              ? overflowed()
              : undefined

/** Reports whether a write failed for a reason that the next one meets too: no space, a failing disk or a damaged page. */
export const isLasting = ({ cause }: StoreUnavailable): boolean =>
  cause instanceof PostgresError && /^(53100|58|XX00[12])/.test(cause.code)
