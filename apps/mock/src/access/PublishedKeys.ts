/**
 * The keys that the documentation shows. Anyone knows them, so they are accepted only where nobody but the user of the
 * machine can send them.
 */

/** API keys and administrator's keys of the documentation. */
const keys: ReadonlySet<string> = new Set([
  "mfg_local_development",
  "mfg_local_administrator",
  "mfg_local_administration"
])

/** Reports whether the documentation shows a key. */
export const has = (key: string | undefined): boolean => key !== undefined && keys.has(key)
