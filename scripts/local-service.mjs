// The settings of `npm start`: the same keys at every start, and the history of rows.

/** The environment of a service on this machine, where the user has set no other values. */
export const localService = {
  MFG_MOCK_API_KEY: "mfg_local_development",
  MFG_MOCK_ADMIN_KEY: "mfg_local_administration",
  MFG_MOCK_HISTORY: "on",
  // glibc keeps the memory of large requests otherwise: docs/limits.md.
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "524288"
}
