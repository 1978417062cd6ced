/**
 * The number of rows that a list answers: one without a limit is cut to the setting, one with a limit to the larger of
 * the setting and ten thousand.
 */

/** The limit that is honoured whatever the setting. */
export const largest = 10_000

/** The rows of a list with a limit, `Infinity` without one. */
export const count = (limit: number, maxRows: number): number =>
  limit === Infinity ? maxRows : Math.min(limit, Math.max(largest, maxRows))
