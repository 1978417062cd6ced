/**
 * Opens an address in the browser of the person at the terminal.
 */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import * as Environment from "./Environment.ts"

/** The program that opens addresses, with its first arguments; none on a machine without a screen. */
const command = (): ReadonlyArray<string> | undefined => {
  const chosen = Environment.read("BROWSER")
  // The variable may hold flags, so a shell divides it into words.
  if (chosen !== undefined) return ["sh", "-c", `${chosen} "$1"`, "sh"]
  switch (process.platform) {
    case "darwin":
      return ["open"]
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler"]
    default:
      return (process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"] ?? "") === "" ? undefined : ["xdg-open"]
  }
}

/** Opens an address and does not wait for the browser to end. Succeeds with false if no browser is found. */
export const open = (url: string): Effect.Effect<boolean> =>
  Effect.async<boolean>((resume) => {
    const [file, ...args] = command() ?? []
    if (file === undefined) return resume(Effect.succeed(false))
    const child = spawn(file, [...args, url], { stdio: "ignore", detached: true })
    child.on("error", () => resume(Effect.succeed(false)))
    child.on("spawn", () => resume(Effect.succeed(true)))
    child.unref()
  })
