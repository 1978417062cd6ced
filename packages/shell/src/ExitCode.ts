/**
 * The exit codes that every executable uses alike.
 */

/** A failure without a code of its own. */
export const failed = 1

/** A command line, or a value in it, that is not understood. */
export const misused = 2

/** Interrupted by a signal. */
export const interrupted = 130
