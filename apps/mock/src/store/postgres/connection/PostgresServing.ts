/**
 * The lock that each instance shares while it uses a store, so that a repair finds out whether one does.
 */

const key = `hashtextextended('mfgdata serve ' || current_schema(), 0)`

/** Shares the lock until the connection ends. */
export const share = `SELECT pg_advisory_lock_shared(${key})`

/** Takes the lock until the transaction ends; the result is 0 while an instance shares it. */
export const take = `SELECT pg_try_advisory_xact_lock(${key})::integer`
