/**
 * Provides the audit lines of commands: on standard error, if the variable of the log is set.
 */
import * as Terminal from "@mfgdata/shell/Terminal"
import * as Effect from "effect/Effect"
import * as AuditLog from "../service/AuditLog.ts"
import * as Settings from "../Settings.ts"
import * as Flags from "./Flags.ts"

const write = (line: string) => Effect.runSync(Terminal.writeError(line))

/** The audit of a command, which prints sentences by default. */
export const make = Effect.map(Flags.resolve(["log"], {}), ({ log }) =>
  AuditLog.make(process.env[Settings.variable("log")] === undefined ? "off" : log, Date.now, write)
)
