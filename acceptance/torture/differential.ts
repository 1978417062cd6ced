/**
 * Sends 2 000 random requests to a service on each store and compares the responses. `DIFFERENTIAL_SEED=<seed>`
 * repeats a failure by the seed that it printed.
 */
import { spawn } from "node:child_process"
import * as Program from "../src/Program.ts"

const child = spawn("npx", ["vitest", "run", "--project", "mock", "apps/mock/test/differential.test.ts"], {
  cwd: Program.root,
  env: { DIFFERENTIAL_REQUESTS: "2000", ...process.env },
  stdio: "inherit"
})

process.exitCode = await new Promise<number>((resolve) => child.on("exit", (code) => resolve(code ?? 1)))
