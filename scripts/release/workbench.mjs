// Runs the commands of a rehearsal in folders of its own, which are removed at the end, and reports its progress.
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export const make = (setupEnvironment) => {
  const started = performance.now()
  const env = { ...setupEnvironment, CI: "true", npm_config_yes: "true" }
  const home = mkdtempSync(join(tmpdir(), "rehearsal-"))
  const children = new Set()
  process.on("exit", () => {
    for (const child of children) child.kill("SIGKILL")
    rmSync(home, { recursive: true, force: true })
  })
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1))

  const run = (cwd, command, ...args) =>
    execFileSync(command, args, {
      cwd,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 1 << 28
    })

  /** Starts a service and waits for its addresses; `stop` ends it and waits for its end. */
  const serve = (cwd, program, args, variables) =>
    new Promise((done, fail) => {
      const child = spawn(program, args, {
        cwd,
        env: { ...env, MFG_MOCK_DRAIN: "0s", MFG_MOCK_LOG: "off", ...variables },
        stdio: ["ignore", "pipe", "inherit"]
      })
      children.add(child)
      const ended = new Promise((end) => child.on("exit", end))
      let output = ""
      child.stdout.setEncoding("utf8").on("data", (text) => {
        output += text
        const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
        if (!output.includes("Try:") || origin === undefined) return
        const stop = async () => {
          child.kill("SIGTERM")
          await ended
          children.delete(child)
        }
        done({ origin, stop })
      })
      child.on("exit", () => fail(new Error(`${program} ended immediately: ${output}`)))
    })

  return {
    env,
    home,
    run,
    serve,
    say: (sentence) => console.log(`> ${sentence} (${((performance.now() - started) / 1000).toFixed(0)} s)`),
    write: (path, content) => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
    },
    expect: (holds, sentence) => {
      if (!holds) throw new Error(sentence)
    }
  }
}
