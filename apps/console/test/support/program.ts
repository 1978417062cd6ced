/**
 * Runs the built service as `npm start` does, without installing and building.
 */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { localService } from "../../../../scripts/local-service.mjs"

const program = fileURLToPath(new URL("../../../mock/dist/mfg-mock.js", import.meta.url))

/** A service in a process of its own, and the address of the console that it has printed. */
export interface LocalService {
  readonly console: string
  readonly stop: () => Promise<void>
}

export const start = async (): Promise<LocalService> => {
  const folder = await mkdtemp(join(tmpdir(), "console-"))
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("MFG_"))
  const child = spawn(process.execPath, [program, "serve", "--port", "0"], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...localService, MFG_MOCK_DRAIN: "0s" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()))
  const address = await new Promise<string>((resolve, reject) => {
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      const [found] = /http:\S+\/console#\S+/.exec(text) ?? []
      if (found !== undefined) resolve(found)
    })
    child.on("exit", (code) => reject(new Error(`The service ended with ${code}:\n${text}`)))
  })
  return {
    console: address,
    stop: async () => {
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    }
  }
}
