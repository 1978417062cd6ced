// The report of a run of vitest: its counts, and the tests that failed, by file and name.
import { readFileSync, rmSync } from "node:fs"
import { relative } from "node:path"
import { root } from "./setup.mjs"

/** The report of a run that ended before it wrote one. */
const none = { passed: 0, failed: 1, failures: [] }

/** Lists the failures of a file: its failed tests, or the file itself when it failed outside of them. */
const failuresOf = ({ name, status, assertionResults }) => {
  const file = relative(root, name)
  const tests = assertionResults.filter((test) => test.status === "failed")
  if (tests.length > 0) return tests.map((test) => ({ file, title: test.fullName }))
  return status === "failed" ? [{ file, title: "outside of a test" }] : []
}

/**
 * Reads and removes the report of a run. What failed outside of a test, such as a file that does not load, counts as
 * one.
 */
export const take = (path, succeeded) => {
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(path, "utf8"))
    const failures = testResults.flatMap(failuresOf)
    return { passed: numPassedTests, failed: failures.length || (succeeded ? 0 : 1), failures }
  } catch {
    return none
  } finally {
    rmSync(path, { force: true })
  }
}

const isIn = (failures) => (one) => failures.some(({ file, title }) => file === one.file && title === one.title)

/** Counts the tests of a run whose files with failures ran again: `unstable` are those that passed then. */
export const merge = (first, again) => {
  const isFailed = isIn(again.failures)
  const unstable = again === none ? [] : first.failures.filter((failure) => !isFailed(failure))
  const failures = again === none ? first.failures : again.failures
  return { passed: first.passed + unstable.length, failed: failures.length || again.failed, failures, unstable }
}
