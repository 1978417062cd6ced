/**
 * Runs `mfg` on this process.
 */
import * as ExitCode from "@mfgdata/shell/ExitCode"
import * as Process from "@mfgdata/shell/Process"
import { createRequire } from "node:module"
import { front } from "./Mfg.ts"

// src and dist have the same parent; a release sets the version after the bundle is built.
const { name, version } = createRequire(import.meta.url)("../package.json") as {
  readonly name: string
  readonly version: string
}

Process.run(front, { announces: name, version, stoppedCode: ExitCode.interrupted })
