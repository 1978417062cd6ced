// Runs every check of `npm test`, or those that are named: `npm test -- lint types`. A check that fails stops none of
// the others. The last line counts vitest's tests one by one and every other check as one.
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { refuse, root, setup } from "./setup.mjs"
import { merge, take } from "./test-report.mjs"

const report = join(tmpdir(), `vitest-${process.pid}.json`)
/** The maximum number of files with failures that run again by themselves: more are not the effect of a busy machine. */
const repeatedFiles = 5
const script = (name) => [process.execPath, join(root, "scripts", `${name}.mjs`)]

/** The checks before the tests: two lanes run in parallel, each in its order, checks of the build after it. */
const lanes = [
  [
    {
      name: "build",
      about: "turbo, every package",
      command: ["turbo", "run", "build", "--continue", "--output-logs=errors-only"]
    },
    { name: "types", about: "tsc, sources and tests", command: ["tsc", "-b"] },
    { name: "api", about: "types of the libraries, as built", command: script("release/check-api"), needs: "build" },
    {
      name: "packages",
      about: "publint and attw, as packed",
      command: script("release/check-packages"),
      needs: "build"
    }
  ],
  [
    { name: "format", about: "oxfmt", command: ["oxfmt", "--check"] },
    { name: "lint", about: "oxlint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
    { name: "imports", about: "directions and cycles", command: script("check-imports") },
    { name: "prose", about: "English of comments and texts", command: script("check-prose") },
    { name: "changesets", about: "apps go with what they bundle", command: script("release/check-changesets") },
    {
      name: "dependencies",
      about: "known vulnerabilities of what is released",
      command: script("check-dependencies")
    },
    { name: "effect", about: "Effect's diagnostics", command: script("check-effect") },
    { name: "unused", about: "knip, files and exports and dependencies", command: ["knip", "--no-progress"] }
  ]
]
/** The tests, which run last and alone: they use every core, and print their own progress. */
const tests = {
  name: "tests",
  about: "vitest, every project",
  command: ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
}

const checks = [...lanes.flat(), tests]
const asked = process.argv.slice(2)
const unknown = asked.find((name) => checks.every((check) => check.name !== name))
if (unknown !== undefined) {
  refuse(`Unknown check "${unknown}": expected one of ${checks.map(({ name }) => name).join(", ")}.`, 2)
}
const needed = asked.flatMap((name) => checks.find((check) => check.name === name).needs ?? [])
const isWanted = ({ name }) => asked.length === 0 || asked.includes(name) || needed.includes(name)

const env = setup()
const running = new Set()
process.on("exit", () => running.forEach((child) => child.kill()))
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1))

/** Runs a command and returns its success and its output, which is empty when it went to the terminal. */
const run = ([command, ...args], live) =>
  new Promise((done) => {
    const child = spawn(command, args, { cwd: root, env, stdio: live ? "inherit" : ["ignore", "pipe", "pipe"] })
    running.add(child)
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text))
    child.on("error", (error) => done({ succeeded: false, output: String(error) }))
    child.on("close", (code) => {
      running.delete(child)
      done({ succeeded: code === 0, output })
    })
  })

const print = (title, failures) => {
  if (failures.length === 0) return
  console.log(`\n${title}:`)
  for (const { file, title } of failures) console.log(`  ${file}: ${title}`)
}

/**
 * Runs the tests, and counts them. A few failures may come from other tests, which share the cores: those files run
 * again by themselves, and what fails then has failed. What passes then is printed all the same.
 */
const runTests = async () => {
  const vitest = async (args) => {
    const { succeeded } = await run([...tests.command, ...args], true)
    return take(report, succeeded)
  }
  const first = await vitest([])
  const files = [...new Set(first.failures.map(({ file }) => file))]
  if (files.length === 0 || files.length > repeatedFiles) return first
  print("Failed, and run again by themselves", first.failures)
  const { unstable, ...counts } = merge(first, await vitest([...files, "--maxWorkers=1"]))
  print("Passed by themselves only", unstable)
  return counts
}

const runCheck = async ({ command }) => {
  const { succeeded, output } = await run(command, false)
  return { passed: Number(succeeded), failed: Number(!succeeded), output }
}

const stopwatch = () => {
  const from = performance.now()
  return () => `${((performance.now() - from) / 1000).toFixed(1)} s`
}

/** Performs a check, prints it, and returns its counts. */
const perform = async (check) => {
  const { name, about } = check
  const elapsed = stopwatch()
  if (check === tests) console.log(`\n== ${name} (${about})`)
  const { output = "", ...counts } = check === tests ? await runTests() : await runCheck(check)
  console.log(`\n== ${name} (${about}): ${counts.failed === 0 ? "passed" : "FAILED"} in ${elapsed()}`)
  if (output.trim() !== "") console.log(output.trimEnd())
  return { name, failures: [], ...counts }
}

const performInTurn = async (lane) => {
  const results = []
  for (const check of lane.filter(isWanted)) results.push(await perform(check))
  return results
}

const elapsed = stopwatch()
const results = [...(await Promise.all(lanes.map(performInTurn))), await performInTurn([tests])].flat()
const total = (key) => results.reduce((sum, result) => sum + result[key], 0)
const failed = results.filter((result) => result.failed > 0).map(({ name }) => name)
print(
  "Failed tests",
  results.flatMap(({ failures }) => failures)
)
console.log(`\n${failed.length === 0 ? "Everything passed" : `Failed: ${failed.join(", ")}`} in ${elapsed()}`)
console.log(`${total("passed")} passed, ${total("failed")} failed`)
process.exitCode = failed.length === 0 ? 0 : 1
