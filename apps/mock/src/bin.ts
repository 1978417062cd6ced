/**
 * Runs `mfg-mock` on this process.
 */
import * as Process from "@mfgdata/shell/Process"
import { createRequire } from "node:module"
import { front } from "./commands/Program.ts"

// src and dist have the same parent; a release sets the version after the bundle is built.
const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string }

// A signal is the regular end of a service.
Process.run(front, { version, stoppedCode: 0 })
