/**
 * Measures the resident memory of this process. The system has it in a file, which cannot be opened while as many files
 * and connections are open as the process may have.
 */

/** The resident memory in bytes; undefined while no file can be opened. */
export const bytes = (): number | undefined => {
  try {
    return process.memoryUsage.rss()
  } catch {
    return undefined
  }
}
