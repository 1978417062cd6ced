/**
 * Runs a server under load in a process of its own, and measures the processor time of the process.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Target } from "./Load.ts"

export interface Subject extends Target {
  readonly name: string
  readonly origin: string
  /** Seconds of processor time since the start of the process. */
  readonly cpu: () => Promise<number>
  /** The resident memory in bytes. */
  readonly memory: () => Promise<number>
  readonly stop: () => Promise<void>
}

export interface Options {
  readonly name: string
  /** The arguments of Node: a script and its arguments. */
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

const figure = (text: string, name: string): number => {
  const found = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]
  if (found === undefined) throw new Error(`/metrics lacks ${name}`)
  return Number(found)
}

/** Starts a server that prints its address, and reports its usage at /metrics. */
export const start = async ({ args, env = {}, name }: Options): Promise<Subject> => {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, MFG_MOCK_METRICS_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const exited = once(child, "exit")
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  child.once("exit", () => process.off("exit", kill))
  let said = ""
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text
      const [, port] = /http:\/\/127\.0\.0\.1:(\d+)[^\n]*\n/.exec(said) ?? []
      if (port !== undefined) resolve(Number(port))
    })
    void exited.then(() => reject(new Error(`${name} ended before it listened: ${said}`)))
  })
  const origin = `http://127.0.0.1:${port}`
  // The service has a port of its own for metrics; the other servers have them on the same one.
  const metrics = () => /http:\S+\/metrics\b/.exec(said)?.[0] ?? `${origin}/metrics`
  const metric = async (name: string) => figure(await (await fetch(metrics())).text(), name)
  return {
    name,
    host: "127.0.0.1",
    port,
    origin,
    cpu: () => metric("process_cpu_seconds_total"),
    memory: () => metric("process_resident_memory_bytes"),
    stop: async () => {
      // Unlike SIGTERM, it stops the service without a drain.
      child.kill("SIGINT")
      await exited
    }
  }
}
