/**
 * Limits the number of rows of a list: to `maxRows` without a limit in the request, and with one to the larger of
 * `maxRows` and 10,000.
 */

/** The largest limit of a request that applies whatever the setting. */
export const largest = 10_000

/** The number of rows for a limit; `Infinity` means a request without one. */
export const count = (limit: number, maxRows: number): number =>
  limit === Infinity ? maxRows : Math.min(limit, Math.max(largest, maxRows))
