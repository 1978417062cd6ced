// Checks that the registry knows no vulnerability of the dependencies that are released: those of the packages and apps,
// bundled or not. Many registries do not answer that, and a machine may be offline: then it says so and passes. An
// argument names a file with a recorded answer.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { root } from "./setup.mjs"

const timeoutMillis = 10_000

/** The text of `pnpm audit`. Its exit code is 1 for a vulnerability and for an error. */
const ask = () => {
  const { error, stderr, stdout } = spawnSync("pnpm", ["audit", "--prod", "--json"], {
    cwd: root,
    encoding: "utf8",
    timeout: timeoutMillis,
    shell: process.platform === "win32"
  })
  const late = error?.code === "ETIMEDOUT" ? `no answer in ${timeoutMillis / 1000} s` : error?.message
  return { answer: stdout ?? "", reason: late ?? stderr ?? "" }
}

const parse = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Is the path of a finding, which begins with a folder of the workspace, that of something released? */
const isReleased = (path) => !/^(acceptance|bench|examples|testing|\.)(\/|__|>|$)/.test(path)

const recorded = process.argv[2]
const { answer, reason } = recorded === undefined ? ask() : { answer: readFileSync(recorded, "utf8"), reason: "" }
const advisories = parse(answer)?.advisories
if (typeof advisories !== "object" || advisories === null) {
  const [cause = ""] =
    /\b(ERR_\w+|E[A-Z]{4,}|responded with \d+|no answer in \d+ s)\b/.exec(`${reason} ${answer}`) ?? []
  console.log(`Could not look for vulnerabilities: the registry did not list any${cause && ` (${cause})`}.`)
} else {
  const found = Object.values(advisories).filter(({ findings = [] }) => {
    const paths = findings.flatMap(({ paths = [] }) => paths)
    return paths.length === 0 || paths.some(isReleased)
  })
  for (const { module_name: name, patched_versions: patched, severity, title, url } of found) {
    console.error(`${name}: ${title} (${severity}), fixed in ${patched ?? "no version"}: ${url}`)
  }
  console.log(`${found.length} known vulnerabilities in what is released`)
  process.exitCode = found.length === 0 ? 0 : 1
}
